import { listOf, type MonitorRow, objectOf, textOf } from '../row.ts';

/** Words that the organisation's own monitors use, offered while one is written. */
export interface Known {
  readonly metrics: readonly string[];
  /** Of queries: `env:prod`. */
  readonly tags: readonly string[];
  /** What queries group by, and the keys of tags. */
  readonly keys: readonly string[];
  readonly checks: readonly string[];
  /** Ids of SLOs. */
  readonly objectives: readonly string[];
  /** Those of which a composite may be made. */
  readonly monitors: readonly { readonly id: string; readonly name: string }[];
  /** The monitors' own tags. */
  readonly own: readonly string[];
  /** Who is notified: `@team-core`. */
  readonly handles: readonly string[];
}

/** Monitors looked at, and words of a kind kept, at most. */
const mostMonitors = 2000;
const mostWords = 500;

/** The most used first. */
function ranked(words: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const word of words) if (word !== '' && word.length <= 200) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .slice(0, mostWords)
    .map(([word]) => word);
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((it) => it[1] ?? '');
const parts = (text: string): string[] => text.split(',').map((it) => it.trim().replaceAll(/^["']|["']$/g, ''));

/** The words of monitors as they were last read. Plain scans: a query that no grammar takes has words all the same. */
export function knownIn(rows: readonly MonitorRow[]): Known {
  const some = rows.slice(0, mostMonitors);
  const queries = some.map((it) => it.query).filter((it) => it.length <= 5000);
  const scopes = queries.flatMap((it) => [
    ...all(it, /(?<!\bby\s*)\{([^{}]*)\}/g).flatMap(parts),
    ...all(it, /\.over\(([^()]*)\)/g).flatMap(parts),
    ...all(it, /[\s("]([\w.@-]+:[\w./-]+)(?=[\s)"])/g),
  ]);
  const tags = ranked(scopes.filter((it) => /^[\w.-]+:[^\s*]+$/.test(it)));
  const groups = queries.flatMap((it) => [
    ...all(it, /\bby\s*\{([^{}]*)\}/g).flatMap(parts),
    ...all(it, /\.by\(([^()]*)\)/g).flatMap((inside) => parts(inside.replaceAll('"', ''))),
  ]);
  return {
    metrics: ranked(queries.flatMap((it) => all(it, /(?:^|[\s:(,+*/-])([A-Za-z][\w.]*)\{/g))),
    tags,
    keys: ranked([...groups.filter((it) => it !== '*'), ...tags.map((it) => it.slice(0, it.indexOf(':')))]),
    checks: ranked(queries.flatMap((it) => all(it, /^\s*"([^"]+)"\s*\./g))),
    objectives: ranked(queries.flatMap((it) => all(it, /\b(?:error_budget|burn_rate)\(["']([^"']*)["']\)/g))),
    monitors: some.flatMap((it) => (it.type === 'composite' ? [] : [{ id: it.id, name: it.name }])).slice(0, mostWords),
    own: ranked(some.flatMap((it) => it.tags)),
    handles: ranked(some.flatMap((it) => all(textOf(objectOf(it.raw).message) ?? '', /(?:^|\s)(@[\w.@-]*\w)/g))),
  };
}

/** The same, gathered when it is first asked for. */
export function lately(rows: () => readonly unknown[]): () => Known {
  const found: { known?: Known } = {};
  return () => {
    found.known ??= knownIn(listOf(rows()) as readonly MonitorRow[]);
    return found.known;
  };
}
