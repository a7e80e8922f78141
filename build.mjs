// Builds dist/: `orgdeck.js`, which any Node can parse, and the minified bundle behind it. Parts that are imported
// with `import()` become chunks of their own, read when first used.
import { chmod, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const home = fileURLToPath(new URL('.', import.meta.url));
const dist = `${home}dist`;

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
