import type { UsedWords } from '../../../src/query/language.ts';
import { arrayOrEmpty, type MonitorRow } from '../row.ts';

/** Completions taken from the organization's own monitors. */
export interface UsedValues extends Required<Omit<UsedWords, 'variables'>> {
  /** The monitors' own tags. */
  readonly own: readonly string[];
  /** Who is notified: `@team-core`. */
  readonly handles: readonly string[];
}

/** Monitors looked at, and words of a kind kept, at most. */
const mostMonitors = 2000;
const mostWords = 500;

/** Distinct words, the most frequent first. */
function ranked(words: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const word of words) if (word !== '' && word.length <= 200) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .slice(0, mostWords)
    .map(([word]) => word);
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const parts = (text: string): string[] => text.split(',').map((part) => part.trim().replaceAll(/^["']|["']$/g, ''));

/** Completions from the monitors last read. Regular expressions, so that queries which no grammar accepts count too. */
export function knownIn(rows: readonly MonitorRow[]): UsedValues {
  const some = rows.slice(0, mostMonitors);
  const queries = some.map((row) => row.query).filter((query) => query.length <= 5000);
  const scopes = queries.flatMap((query) => [
    ...all(query, /(?<!\bby\s*)\{([^{}]*)\}/g).flatMap(parts),
    ...all(query, /\.over\(([^()]*)\)/g).flatMap(parts),
    ...all(query, /[\s("]([\w.@-]+:[\w./-]+)(?=[\s)"])/g),
  ]);
  const tags = ranked(scopes.filter((scope) => /^[\w.-]+:[^\s*]+$/.test(scope)));
  const groups = queries.flatMap((query) => [
    ...all(query, /\bby\s*\{([^{}]*)\}/g).flatMap(parts),
    ...all(query, /\.by\(([^()]*)\)/g).flatMap((inside) => parts(inside.replaceAll('"', ''))),
  ]);
  return {
    metrics: ranked(queries.flatMap((query) => all(query, /(?:^|[\s:(,+*/-])([A-Za-z][\w.]*)\{/g))),
    tags,
    keys: ranked([...groups.filter((group) => group !== '*'), ...tags.map((tag) => tag.slice(0, tag.indexOf(':')))]),
    checks: ranked(queries.flatMap((query) => all(query, /^\s*"([^"]+)"\s*\./g))),
    objectives: ranked(queries.flatMap((query) => all(query, /\b(?:error_budget|burn_rate)\(["']([^"']*)["']\)/g))),
    monitors: some
      .flatMap((row) => (row.type === 'composite' ? [] : [{ id: row.id, name: row.name }]))
      .slice(0, mostWords),
    own: ranked(some.flatMap((row) => row.tags)),
    handles: ranked(some.flatMap((row) => all(row.message, /(?:^|\s)(@[\w.@-]*\w)/g))),
  };
}

/** The values that monitors use, read from their rows at the first call. */
export function lately(rows: () => readonly unknown[]): () => UsedValues {
  const found: { known?: UsedValues } = {};
  return () => {
    found.known ??= knownIn(arrayOrEmpty(rows()) as readonly MonitorRow[]);
    return found.known;
  };
}
