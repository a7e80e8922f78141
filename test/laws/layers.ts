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

/** The rooms of the session from bottom to top: each imports those before it. Files beside them stand on all. */
const sessionRooms = [
  'keyboard',
  'rows',
  'outside',
  'send',
  'state',
  'stack',
  'form',
  'list',
  'edit',
  'layers',
  'keys',
  'custom',
  'watch',
  'effects',
];

/** The place of a file's room in the session; the highest for a file beside the rooms, -1 for a folder without a place. */
function sessionPlace(path: string): number {
  const [room, file] = path.slice('src/session/'.length).split('/');
  return file === undefined ? sessionRooms.length : sessionRooms.indexOf(room ?? '');
}

/** Imports within the session that go up, and its folders without a place. */
export function sessionFaults(files: readonly Source[]): string[] {
  const own = files.filter(({ path }) => path.startsWith('src/session/'));
  const homeless = own.filter(({ path }) => sessionPlace(path) < 0);
  const up = own
    .flatMap(importsOf)
    .filter(({ from, to }) => to.startsWith('src/session/') && sessionPlace(from) < sessionPlace(to));
  return [
    ...homeless.map(({ path }) => `${path} is in no room of the session: give it a place in test/laws/layers.ts`),
    ...up.map(({ from, to }) => `${from} must not import ${to}, which is in a room above it`),
  ];
}

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
