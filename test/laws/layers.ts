import { type Import, importsOf, type Source } from './sources.ts';

/** What a layer may import besides itself; `types`: their types alone. */
export interface Layer {
  readonly reaches: readonly string[] | 'everything';
  readonly types?: readonly string[];
}

/** The rooms of the project; src/README.md has the same table. */
export const layers: Readonly<Record<string, Layer>> = {
  'src/lib': { reaches: [] },
  'src/query': { reaches: ['src/lib'] },
  'src/api': { reaches: ['src/lib'] },
  'src/client': { reaches: ['src/api', 'src/lib'] },
  'src/profiles': { reaches: ['src/api', 'src/lib'] },
  'src/journal': { reaches: ['src/api', 'src/lib'], types: ['src/client'] },
  'src/upload': { reaches: ['src/client', 'src/api', 'src/lib'] },
  'src/terminal': { reaches: ['src/api', 'src/lib'] },
  'src/cache': { reaches: ['src/client', 'src/api', 'src/lib'] },
  'src/describe': { reaches: ['src/api', 'src/lib'] },
  'src/scene': { reaches: ['src/lib'], types: ['src/describe'] },
  components: { reaches: ['src/scene', 'src/lib'], types: ['src/describe'] },
  screens: { reaches: ['src/describe', 'src/api', 'src/query', 'src/lib'] },
  'src/session': {
    reaches: ['src/cache', 'src/client', 'src/journal', 'src/scene', 'src/describe', 'src/api', 'src/lib'],
  },
  'src/shell': {
    reaches: ['src/session', 'src/cache', 'src/describe', 'components', 'src/scene', 'src/terminal', 'src/lib'],
  },
  'src/simulator': { reaches: ['src/api', 'src/query', 'src/lib'] },
  'src/start': { reaches: [] },
  'src/cli': { reaches: 'everything' },
  'src/main.tsx': { reaches: 'everything' },
  'src/launch.js': { reaches: [] },
  test: { reaches: 'everything' },
  'build.mjs': { reaches: ['package'] },
  package: { reaches: [] },
  'vitest.config.ts': { reaches: ['test'] },
};

/** The layer of a file; undefined for an unknown folder. */
export function layerOf(path: string): string | undefined {
  return Object.keys(layers).find((layer) => path === layer || path.startsWith(`${layer}/`));
}

/** Imports that the table does not allow, and files outside every layer. */
export function layerFaults(files: readonly Source[]): string[] {
  const homeless = files.filter((file) => layerOf(file.path) === undefined);
  return [
    ...homeless.map((file) => `${file.path} is in no layer: say in test/laws/layers.ts what it may reach`),
    ...files
      .flatMap(importsOf)
      .filter((imported) => !allowed(imported))
      .map((imported) => `${imported.from} must not import ${imported.to}`),
  ];
}

function allowed({ from, to, isType }: Import): boolean {
  const mine = layerOf(from);
  const theirs = layerOf(to);
  if (mine === undefined || theirs === undefined || mine === theirs) return true;
  const { reaches, types = [] } = layers[mine] as Layer;
  if (reaches === 'everything') return mine === 'test' || theirs !== 'test';
  return reaches.includes(theirs) || (isType && types.includes(theirs));
}
