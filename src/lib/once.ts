import { areAlike } from './alike.ts';

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
  const results = new WeakMap<Of, { readonly is: Result }>();
  return (of) => {
    const known = results.get(of);
    if (known) return known.is;
    const is = make(of);
    results.set(of, { is });
    return is;
  };
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
