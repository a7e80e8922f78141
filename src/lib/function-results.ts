/** Whether two lists have the same values, by identity and in the same order. */
export const areAlike = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** The result of the first call, kept. */
export function once<Result>(make: () => Result): () => Result {
  const kept: { result?: { readonly is: Result } } = {};
  return () => {
    kept.result ??= { is: make() };
    return kept.result.is;
  };
}

/** The result of the first call for each object, kept as long as the object. */
export function oncePer<Of extends object, Result>(make: (of: Of) => Result): (of: Of) => Result {
  const result = keptPer<Of, Result>();
  return (of) => result(of, [], () => make(of));
}

/** The result for each object, made again only where what it is made from is no longer alike. */
export function keptPer<Of extends object, Result>(): (of: Of, on: readonly unknown[], make: () => Result) => Result {
  const results = new WeakMap<Of, { readonly on: readonly unknown[]; readonly is: Result }>();
  return (of, on, make) => {
    const known = results.get(of);
    if (known && areAlike(known.on, on)) return known.is;
    const is = make();
    results.set(of, { on, is });
    return is;
  };
}

/** Answers with one of the `most` results used last where the argument is like that one's: what is left comes back. */
export function whileAlike<Of, Result>(
  make: (of: Of) => Result,
  areAlike: (before: Of, after: Of) => boolean,
  most: number,
): (of: Of) => Result {
  let results: readonly { readonly of: Of; readonly result: Result }[] = [];
  return (of) => {
    const used = results.find((one) => areAlike(one.of, of)) ?? { of, result: make(of) };
    results = [used, ...results.filter((one) => one !== used).slice(0, most - 1)];
    return used.result;
  };
}

/** Result of parsing input of a person, a file or a program: a value, or one sentence for the person. */
export type ParseResult<V> = { readonly ok: true; readonly value: V } | { readonly ok: false; readonly text: string };

/** The failed result with this sentence. */
export function unreadable(text: string): { ok: false; text: string } {
  return { ok: false, text };
}

/** Longest error message in a sentence, in UTF-16 units. */
const longest = 160;

/** Text for an unexpected error, for the end of a sentence: `an internal error of orgdeck (TypeError: x is not a function)`. */
export function thrownText(error: unknown): string {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `an internal error of orgdeck (${said.length > longest ? `${said.slice(0, longest)}…` : said})`;
}

/** What a function gives; where it throws, what takes its place is made of the fault as the end of a sentence. */
export function attempt<T>(work: () => T, fallback: (fault: string) => T): T {
  try {
    return work();
  } catch (error) {
    return fallback(thrownText(error));
  }
}

/** What a function gives, and this where it throws. */
export const attemptOr = <T, F>(fallback: F, work: () => T): T | F => attempt<T | F>(work, () => fallback);
