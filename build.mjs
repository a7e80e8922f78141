// Builds dist/: `orgdeck.js`, which any Node can parse, and the minified bundle behind it. Parts that are imported
// with `import()` become chunks of their own, read when first used.
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import peggy from 'peggy';

const home = fileURLToPath(new URL('.', import.meta.url));
const dist = `${home}dist`;

// The grammars of the query languages become parsers, in src/query/made, which is in no commit.
const grammars = `${home}src/query/grammars`;
const made = `${home}src/query/made`;
const tokens = await readFile(`${grammars}/tokens.peggy`, 'utf8');
/** In every action: the place of what was read, and operators of one rank as a list. */
const helpers = `{
  const at = () => { const { start, end } = range(); return { start, end }; };
  const joined = (head, tail) => (tail.length === 0 ? head : { kind: 'joined', head, tail, start: head.start, end: tail.at(-1).right.end });
}
`;
const typed = 'export function parse(text: string, options?: Readonly<Record<string, unknown>>): unknown;\n';
await mkdir(made, { recursive: true });
for (const file of await readdir(grammars)) {
  const name = file.replace(/\.peggy$/, '');
  if (name === file || name === 'tokens') continue;
  const text = `${helpers}${await readFile(`${grammars}/${file}`, 'utf8')}\n${tokens}`;
  // A grammar may be entered at every rule whose name begins with `query`.
  const allowedStartRules = text.match(/^query\w*$/gm);
  const source = peggy.generate(text, { format: 'es', output: 'source', grammarSource: file, allowedStartRules });
  await writeFile(`${made}/${name}.js`, source);
  await writeFile(`${made}/${name}.d.ts`, typed);
}

/** Ink asks for it in development only; the bundle is never that. */
const noDevtools = {
  name: 'no-devtools',
  setup(to) {
    to.onResolve({ filter: /^react-devtools-core$/ }, (it) => ({ path: it.path, namespace: 'nothing' }));
    to.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default {};' }));
  },
};

/**
 * Most of a frame is the frame before it, yet Ink measures and takes apart every text of every frame. What these functions
 * made of a text is kept from frame to frame, which halves the time of a key. Only the bundle has it: the text of the
 * library is mended while it is read, and the build fails where the library has become another.
 */
const remembering = {
  name: 'remembering',
  setup(to) {
    const mended = (filter, ...changes) =>
      to.onLoad({ filter }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [from, into] of changes) {
          if (contents.split(from).length !== 2) throw new Error(`${path} has changed: is it still to be mended?`);
          contents = contents.replace(from, into);
        }
        return { contents };
      });
    mended(/[\\/]string-width[\\/]index\.js$/, [
      'export default function stringWidth(',
      `${kept('stringWidth', 'measured', 20_000)}function measured(`,
    ]);
    mended(
      /[\\/]ink[\\/]build[\\/]sanitize-ansi\.js$/,
      ['const sanitizeAnsi =', `${kept('remembered', 'sanitizeAnsi', 4000)}const sanitizeAnsi =`],
      ['export default sanitizeAnsi;', ''],
    );
    mended(
      /[\\/]ink[\\/]build[\\/]output\.js$/,
      ['export default class Output {', 'const kept = new OutputCaches();\nexport default class Output {'],
      ['caches = new OutputCaches();', 'caches = kept;'],
      ['this.height = height;', 'this.height = height; if (kept.styledChars.size > 4000) kept.clear();'],
      [
        'getStyledChars(line) {',
        'clear() { for (const it of [this.widths, this.blockWidths, this.styledChars]) it.clear(); }\n    getStyledChars(line) {',
      ],
    );
  },
};

/** The source of a default export that remembers what a function of one text gave, up to so many texts. */
function kept(name, of, most) {
  return `const known = new Map();
export default function ${name}(text, ...more) {
  if (more.length > 0 || typeof text !== 'string') return ${of}(text, ...more);
  let made = known.get(text);
  if (made !== undefined) return made;
  if (known.size >= ${most}) known.clear();
  made = ${of}(text);
  known.set(text, made);
  return made;
}
`;
}

await mkdir(dist, { recursive: true });
for (const old of await readdir(dist)) if (old !== '.cache') await rm(`${dist}/${old}`, { recursive: true });

await build({
  absWorkingDir: home,
  entryPoints: { main: 'src/main.tsx' },
  outdir: dist,
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  minify: true,
  jsx: 'automatic',
  legalComments: 'linked',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [noDevtools, remembering],
  // CommonJS dependencies ask for Node's own modules with require, which an ES module does not have.
  banner: {
    js: "import{createRequire as createRequireOfNode}from'node:module';const require=createRequireOfNode(import.meta.url);",
  },
});

await copyFile(`${home}src/launch.js`, `${dist}/orgdeck.js`);
await chmod(`${dist}/orgdeck.js`, 0o755);
