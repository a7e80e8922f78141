/** What the end of a query says: how the value is compared, and with what. */
export interface Ending {
  readonly operator: string;
  readonly threshold: number;
}

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const ending = new RegExp(String.raw`(<=|>=|==|!=|<|>)\s*(${number})\s*$`);

/** The operator and the number that a query ends in; undefined where it ends otherwise (contract/monitors.md 5.2). */
export function endingOf(query: string): Ending | undefined {
  const found = ending.exec(query);
  return found ? { operator: found[1] ?? '', threshold: Number(found[2]) } : undefined;
}

/** Whether a value is on the healthy side of a limit: below it where a query warns of much, above it where of little. */
export function isHealthier(value: number, limit: number, operator: string): boolean {
  return operator.startsWith('<') ? value > limit : value < limit;
}

/** What a query groups by, in `by {…}` or `.by("…")`; a lone `*` is none. */
export function groupingOf(query: string): readonly string[] {
  const inBraces = [...query.matchAll(/\bby\s*\{([^{}]*)\}/g)].map((it) => it[1] ?? '');
  const inBrackets = [...query.matchAll(/\.by\(([^()]*)\)/g)].map((it) => (it[1] ?? '').replaceAll(/["']/g, ''));
  const keys = [...inBraces, ...inBrackets].flatMap((it) => it.split(',').map((key) => key.trim()));
  return [...new Set(keys)].filter((key) => key !== '' && key !== '*');
}

/** The number in `.last(3)` of a service check. */
export function lastOf(query: string): number | undefined {
  const found = /\.last\(\s*"?(\d+)"?\s*\)/.exec(query)?.[1];
  return found === undefined ? undefined : Number(found);
}
