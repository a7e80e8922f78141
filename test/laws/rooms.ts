import { layerOf } from './layers.ts';
import { code, importsOf, type Source } from './sources.ts';

/** The rooms of the project: each folder of the table of layers; of `screens`, each domain with its folder and its file. */
export function roomsOf(files: readonly Source[]): string[] {
  const rooms = files.flatMap(({ path }) => roomOf(path) ?? []);
  return [...new Set(rooms)].sort();
}

function roomOf(path: string): string | undefined {
  const layer = layerOf(path);
  if (layer === undefined || layer === path) return undefined;
  return layer === 'screens'
    ? path
        .split('/')
        .slice(0, 2)
        .join('/')
        .replace(/\.tsx?$/, '')
    : layer;
}

/** Names that two files of one room export. */
export function twiceExported(files: readonly Source[], room: string): string[] {
  const homes = new Map<string, string[]>();
  for (const { path, text } of files.filter((file) => roomOf(file.path) === room))
    for (const name of exportsOf(text)) homes.set(name, [...(homes.get(name) ?? []), path]);
  return [...homes]
    .map(([name, paths]) => [name, [...new Set(paths)]] as const)
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is exported by ${paths.join(' and ')}`);
}

const declared = /^export (?:async )?(?:const|function\*?|interface|type|(?:abstract )?class|enum) (\w+)/gm;
const unpacked = /^export const \{([^}]*)\} =/gm;

/** The names that a file declares and exports. */
function exportsOf(text: string): string[] {
  const plain = code(text);
  const each = [...plain.matchAll(unpacked)].flatMap(([, names = '']) => names.split(','));
  return [
    ...[...plain.matchAll(declared)].map(([, name = '']) => name),
    ...each.map((name) => (name.split(':').at(-1) ?? '').trim()).filter(Boolean),
  ];
}

/** Import cycles, imports of types included: each a group of files that reach each other, sorted, as one line. */
export function importCycles(files: readonly Source[]): string[] {
  const next = new Map(files.map((file) => [file.path, importsOf(file).map((one) => one.to)] as const));
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const queue = [...(next.get(from) ?? [])];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path) || !next.has(path)) continue;
      seen.add(path);
      queue.push(...(next.get(path) ?? []));
    }
    return seen;
  };
  const reach = new Map([...next.keys()].map((path) => [path, reached(path)]));
  const inCycle = [...next.keys()].filter((path) => reach.get(path)?.has(path));
  const groups = inCycle.map((path) =>
    inCycle.filter((other) => reach.get(path)?.has(other) && reach.get(other)?.has(path)).sort(),
  );
  return [...new Set(groups.map((group) => group.join(' ')))];
}
