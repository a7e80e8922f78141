// Builds dist/: `orgdeck.js`, which any Node can parse, and the minified bundle behind it. Parts that are imported
// with `import()` become chunks of their own, read when first used.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import peggy from 'peggy';
import { bundledPackages, notices } from './package/notices.ts';

const home = fileURLToPath(new URL('.', import.meta.url));
const dist = `${home}dist`;

// Generates the parsers of the query languages into src/query/made, which is not committed.
const grammars = `${home}src/query/grammars`;
const made = `${home}src/query/made`;
const tokens = await readFile(`${grammars}/tokens.peggy`, 'utf8');
/** Available in every grammar action: the location of the match, and a list of operators of equal precedence. */
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

/**
 * What stands in for modules. Ink imports react-devtools-core in development only. An `import` of Node's `http` reads every
 * export of it, and one of them loads Node's own HTTP client (35 ms), which nothing here uses; `require` reads none.
 */
const standIns = {
  'react-devtools-core': 'export default {};',
  http: "module.exports = require('node:http');",
};
const replaced = {
  name: 'replaced',
  setup(to) {
    to.onResolve({ filter: /^(react-devtools-core|(node:)?http)$/ }, ({ path, kind }) =>
      kind === 'import-statement' || !path.endsWith('http')
        ? { path: path.replace('node:', ''), namespace: 'nothing' }
        : undefined,
    );
    to.onLoad({ filter: /.*/, namespace: 'nothing' }, ({ path }) => ({ contents: standIns[path] }));
  },
};

await mkdir(dist, { recursive: true });
for (const old of await readdir(dist)) await rm(`${dist}/${old}`, { recursive: true });

const { metafile } = await build({
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
  // THIRD-PARTY-NOTICES has them whole.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    // Without `fetch` the layout engine decodes its WebAssembly itself, so Node's own HTTP client is not loaded for it.
    fetch: 'undefined',
    // undici leaves out its experimental parser, which it would not use.
    esbuildDetection: 'true',
  },
  plugins: [replaced],
  // CommonJS dependencies call require() for Node's modules; an ES module has no require.
  banner: {
    js: "import{createRequire as createRequireOfNode}from'node:module';const require=createRequireOfNode(import.meta.url);",
  },
});

// One letter beyond Latin-1 makes V8 keep a whole file with two bytes a letter. esbuild escapes those of strings, and leaves those
// of tagged templates and regular expressions, where the escape means the same.
for (const chunk of Object.keys(metafile.outputs)) {
  const text = await readFile(`${home}${chunk}`, 'utf8');
  const escaped = text.replace(/[^\0-\xff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (escaped !== text) await writeFile(`${home}${chunk}`, escaped);
}

// Which files are in which chunk, for the test of what a start loads.
const chunks = Object.entries(metafile.outputs).map(([chunk, { inputs }]) => [
  chunk,
  Object.fromEntries(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput])),
]);
await mkdir(`${home}node_modules/.cache`, { recursive: true });
await writeFile(`${home}node_modules/.cache/bundle.json`, JSON.stringify(Object.fromEntries(chunks)));

// The generated parsers contain peggy's own code.
const packages = [...bundledPackages(metafile), 'node_modules/peggy'];
await writeFile(`${dist}/THIRD-PARTY-NOTICES`, await notices(home, packages));

// main.js names the chunks by their hashes, so its own hash stands for the whole bundle.
const id = createHash('sha256')
  .update(await readFile(`${dist}/main.js`))
  .digest('hex')
  .slice(0, 12);
const launcher = await readFile(`${home}src/launch.js`, 'utf8');
await writeFile(`${dist}/orgdeck.js`, launcher.replace("'unbuilt'", `'${id}'`), { mode: 0o755 });

// The manual page comes from the commands, so the program prints it.
const manual = spawnSync(process.execPath, [`${dist}/orgdeck.js`, 'man'], { encoding: 'utf8' });
if (manual.status !== 0) throw new Error(`no manual page: ${manual.stderr}`);
await mkdir(`${dist}/man`);
await writeFile(`${dist}/man/orgdeck.1`, manual.stdout);
