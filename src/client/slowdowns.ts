/** How much slower polls are because others use the limit of their bucket. */
interface Slowdowns {
  /** Before an answer of the operation is noted, whose bucket this is: forgets what no longer holds, and guesses where headers tell. */
  prepare(operation: string, name: string, isTold: boolean): void;
  /** After a read: the use of the bucket's limit as its headers tell it, none without them. */
  note(name: string, use: number | undefined, status: number): void;
  times(name: string): number;
  isShared(name: string): boolean;
  /** The longest of these buckets; `shared`: of those that others use, too. */
  most(names: Iterable<string>, which?: 'shared'): number;
}

/** Share of the limit below which polls leave a bucket to edits (docs/design/reliability.md#polling). */
export const reserve = 0.3;
/** What polls of all clients should use of a limit: above the one they slow down, below the other they recover. */
const aim = { most: 1 - reserve, least: 0.5 };
const mostSlowdown = 30;
/** What a refusal says of the use. */
const refusedUse = 2;
/** What an answer without headers of the limit says of it: nothing confirms the slowdown, and it halves. */
const untoldUse = aim.least / 2;
/** Milliseconds after the last reset that headers told: polls slowed down the most ask more often than this. */
const longestSilence = 600_000;
/** Most that the slowdown is multiplied by at once: a client that has just begun does not know how many there are. */
const mostStep = { first: 8, later: 3 };
/** Least that it is multiplied by: where hundreds speed up at once by more, they refuse each other again. */
const leastStep = 0.3;
/** Where no header ever told of the limit: after a refusal, and after an answer. Together many keep to where about one in eight is refused. */
const guessed = { refused: 2, answered: 0.9 };
/** Where refusals alone have told of a limit, it is shared from this slowdown on: one client alone is refused once. */
const guessedShare = 4;
/** Least milliseconds between two changes of the slowdown: time for it to show. */
const slowdownMs = 10_000;

/** `steady`: a clock that is not set; `resetAt`: the reset of a bucket that headers told last. */
export function createSlowdowns(steady: () => number, resetAt: (name: string) => number | undefined): Slowdowns {
  const slowed = new Map<string, { readonly times: number; readonly at: number }>();
  /** Buckets that others use, too, as an answer that was no refusal has told, or several refusals where no answer tells. */
  const shared = new Set<string>();
  /** Buckets of which refusals alone tell. */
  const untold = new Set<string>();
  const isSilent = (name: string): boolean => {
    const toldAt = untold.has(name) ? slowed.get(name)?.at : resetAt(name);
    return steady() > (toldAt ?? 0) + longestSilence;
  };
  const times = (name: string): number => (isSilent(name) ? 1 : (slowed.get(name)?.times ?? 1));
  const forget = (name: string) => {
    for (const facts of [slowed, shared, untold]) facts.delete(name);
  };
  const change = (name: string, stepAt: (isFirst: boolean) => number) => {
    const { times, at } = slowed.get(name) ?? { times: 1, at: undefined };
    if (at !== undefined && steady() - at < slowdownMs) return;
    const next = Math.min(mostSlowdown, Math.max(1, times * stepAt(at === undefined)));
    slowed.set(name, { times: next, at: steady() });
    if (next === 1) shared.delete(name);
    else if (untold.has(name) && next >= guessedShare) shared.add(name);
  };
  const slow = (name: string, use: number) => {
    if (use <= aim.most && (use >= aim.least || !slowed.has(name))) return;
    change(name, (isFirst) => {
      const most = isFirst ? mostStep.first : mostStep.later;
      return use > aim.most ? Math.min(most, (use / aim.most) ** 2) : Math.max(leastStep, use / aim.least);
    });
  };
  return {
    prepare(operation, name, isTold) {
      if (isSilent(name)) slowed.delete(name);
      if (isTold) for (const one of [operation, name]) if (untold.has(one)) forget(one);
    },
    note(name, use, status) {
      const isRefused = status === 429;
      if (isRefused && use === undefined && resetAt(name) === undefined) untold.add(name);
      if (use !== undefined) {
        if (!isRefused && use > aim.most) shared.add(name);
        slow(name, isRefused ? refusedUse : use);
      } else if (untold.has(name)) {
        if (isRefused || status < 400) change(name, () => (isRefused ? guessed.refused : guessed.answered));
      } else if (status < 400) slow(name, untoldUse);
    },
    times,
    isShared: (name) => shared.has(name),
    most: (names, which) =>
      Math.max(1, ...[...names].filter((name) => which === undefined || shared.has(name)).map(times)),
  };
}
