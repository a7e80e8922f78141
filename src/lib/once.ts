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
  const kept = new WeakMap<Of, { readonly is: Result }>();
  return (of) => {
    const known = kept.get(of);
    if (known) return known.is;
    const is = make(of);
    kept.set(of, { is });
    return is;
  };
}
