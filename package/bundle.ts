import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';

/**
 * Modules that are left out, with what stands for them: Ink imports react-devtools-core in development only; HTTP/2 takes 7 ms, no client of
 * ours speaks it, and undici does without it where Node has none; conf checks schemas and moves stores to newer versions, which we give
 * none of, and brings 180 kB for that.
 */
const nothing: Readonly<Record<string, string>> = {
  'react-devtools-core': 'export default {};',
  'node:http2': "throw new Error('no HTTP/2')",
  'ajv/dist/2020.js': "export class Ajv2020 { constructor() { throw new Error('no schemas') } }",
  'ajv-formats': 'export default {};',
  semver: "export default new Proxy({}, { get() { throw new Error('no versions') } });",
};

const leftOut: Plugin = {
  name: 'left-out',
  setup(to) {
    const filter = new RegExp(`^(${Object.keys(nothing).join('|')})$`);
    to.onResolve({ filter }, ({ path }) => ({ path, namespace: 'nothing' }));
    to.onLoad({ filter: /.*/, namespace: 'nothing' }, ({ path }) => ({ contents: nothing[path] ?? '' }));
  },
};

/** By module: functions that Ink imports for output that is not ours, and those of Node that no first rows need. */
const calledLate: Readonly<Record<string, readonly string[]>> = {
  'string-width': ['default'],
  'widest-line': ['default'],
  'wrap-ansi': ['default'],
  'cli-truncate': ['default'],
  '@alcalzone/ansi-tokenize': ['styledCharsFromTokens', 'styledCharsToString', 'tokenize'],
  './line-update.js': ['default'],
  'node:crypto': ['createHash', 'hash', 'randomUUID'],
  'node:readline/promises': ['createInterface'],
};

/**
 * Evaluates these modules when one of their functions is first called: reading their regular expressions and the rules of ICU takes
 * 50 ms, which only texts with letters of other widths need; Node's cryptography takes 7 ms. An import alone is evaluated at the start,
 * also one of a part that is loaded later, because one script has all its imports at its top.
 */
const whenCalled: Plugin = {
  name: 'when-called',
  setup(to) {
    to.onResolve({ filter: /^[@./:\w-]+$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'found' || kind !== 'import-statement' || !(path in calledLate)) return undefined;
      const found = await to.resolve(path, { kind, resolveDir, pluginData: 'found' });
      return { path, namespace: 'when-called', pluginData: found.path };
    });
    to.onLoad({ filter: /.*/, namespace: 'when-called' }, ({ path, pluginData }) => {
      const call = (name: string) => `(...given) => require(${JSON.stringify(pluginData)}).${name}(...given)`;
      const names = calledLate[path] ?? [];
      const functions = names.map((name) => `const late_${name} = ${call(name)}; export { late_${name} as ${name} };`);
      const whole = `export default new Proxy({}, { get: (_, name) => require(${JSON.stringify(pluginData)})[name] });`;
      return {
        contents: [...functions, ...(path.startsWith('node:') ? [whole] : [])].join('\n'),
        resolveDir: '/',
      };
    });
  },
};

/** How the sources under `home` become one minified ES module. */
export const bundleOptions = (home: string) =>
  ({
    absWorkingDir: home,
    entryPoints: { main: 'src/main.tsx' },
    bundle: true,
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
    plugins: [leftOut, whenCalled],
  }) satisfies BuildOptions;

/**
 * The bundle as one script: an expression whose value is a function of what the launcher hands over. V8 keeps all code of a
 * script that has run, of a module only its outermost. What is imported with `import()` is evaluated when first asked for.
 * `isForDebugger`: readable, with its source maps inside.
 */
export async function bundle(
  home: string,
  isForDebugger = false,
): Promise<{ readonly script: string; readonly metafile: Metafile }> {
  const form = { minify: !isForDebugger, sourcemap: isForDebugger && ('inline' as const) };
  const { outputFiles, metafile } = await build({
    ...bundleOptions(home),
    ...form,
    outdir: `${home}dist`,
    write: false,
  });
  const { code } = await transform(outputFiles[0]?.text ?? '', {
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    ...form,
    supported: { 'dynamic-import': false },
  });
  if (/String\.raw`[^`]*[^\0-\x7F]/.test(code)) throw new Error('String.raw would show the escapes of other letters');
  // V8 keeps a script of ASCII in half of the memory.
  const ascii = code.replace(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { script: `(function(require,module,keepCompiledCode){${ascii}\n})\n`, metafile };
}

/** What runs the bundle of this id, as a script. */
export async function starter(home: string, buildId: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: home,
    entryPoints: ['src/start/run-bundle.ts'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    minify: true,
    define: { buildId: JSON.stringify(buildId) },
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
