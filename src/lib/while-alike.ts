/** Answers with the last result while the argument is like the last one. */
export function whileAlike<Of, Result>(
  make: (of: Of) => Result,
  areAlike: (before: Of, after: Of) => boolean,
): (of: Of) => Result {
  const kept: { last?: { readonly of: Of; readonly result: Result } } = {};
  return (of) => {
    if (!kept.last || !areAlike(kept.last.of, of)) kept.last = { of, result: make(of) };
    return kept.last.result;
  };
}
