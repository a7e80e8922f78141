import { layerOf } from './layers.ts';
import { code, importsOf, type Source } from './sources.ts';

/** Where the program begins: the entry of the bundle, what runs it, and the launcher that the build copies. */
const entries = ['src/main.tsx', 'src/start/run-bundle.ts', 'src/launch.js'];

/** Files of the product that no entry reaches: tests may import them, yet the bundle does not contain them. */
export function unshipped(files: readonly Source[]): string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file).map((one) => one.to)] as const));
  const reached = new Set<string>();
  const queue = [...entries];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    queue.push(...(imports.get(path) ?? []));
  }
  // Declarations are types alone.
  const ships = (path: string): boolean =>
    /^(src|screens|components)$/.test(layerOf(path)?.split('/')[0] ?? '') && !path.endsWith('.d.ts');
  return files.map(({ path }) => path).filter((path) => ships(path) && !reached.has(path));
}

/** Files of the product that a filter of the build's plugins matches: the bundle would contain something else. */
export function rewritten(build: string, files: readonly Source[]): string[] {
  const literals = [
    ...code(build).matchAll(/(?:\bpatch\(\s*|\bfilter:\s*)\/((?:[^/\\\n[]|\\.|\[[^\]\n]*\])+)\/(?![^\n]*namespace)/g),
  ];
  const filters = literals.map(([, source = '']) => new RegExp(source));
  return files.map(({ path }) => path).filter((path) => filters.some((filter) => filter.test(`/${path}`)));
}
