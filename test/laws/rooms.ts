import { code, importsOf, type Source } from './sources.ts';

/** A name that two files of one room export: whoever reads an import cannot tell them apart. */
export function twiceExported(files: readonly Source[], room: string): string[] {
  const homes = new Map<string, string[]>();
  for (const { path, text } of files.filter((file) => file.path.startsWith(`${room}/`)))
    for (const [, name = ''] of code(text).matchAll(
      /^export (?:async )?(?:const|function\*?|interface|type|class) (\w+)/gm,
    ))
      homes.set(name, [...(homes.get(name) ?? []), path]);
  return [...homes]
    .map(([name, paths]) => [name, [...new Set(paths)]] as const)
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is exported by ${paths.join(' and ')}`);
}

/** Groups of files that need each other in a circle, imports of types included; each group sorted, as one line. */
export function knots(files: readonly Source[]): string[] {
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
  const inCircle = [...next.keys()].filter((path) => reach.get(path)?.has(path));
  const groups = inCircle.map((path) =>
    inCircle.filter((other) => reach.get(path)?.has(other) && reach.get(other)?.has(path)).sort(),
  );
  return [...new Set(groups.map((group) => group.join(' ')))];
}
