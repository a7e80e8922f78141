/** The result of the first call, kept. */
export function once<Result>(make: () => Result): () => Result {
  const kept: { result?: { readonly is: Result } } = {};
  return () => {
    kept.result ??= { is: make() };
    return kept.result.is;
  };
}
