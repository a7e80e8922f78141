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
  plugins: [noDevtools],
  // CommonJS dependencies ask for Node's own modules with require, which an ES module does not have.
  banner: {
    js: "import{createRequire as createRequireOfNode}from'node:module';const require=createRequireOfNode(import.meta.url);",
  },
});

await copyFile(`${home}src/launch.js`, `${dist}/orgdeck.js`);
await chmod(`${dist}/orgdeck.js`, 0o755);
