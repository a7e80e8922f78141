/** Answers with one of the last `most` results where the argument is like that one's: what is left comes back. */
export function whileAlike<Of, Result>(
  make: (of: Of) => Result,
  areAlike: (before: Of, after: Of) => boolean,
  most = 4,
): (of: Of) => Result {
  let results: readonly { readonly of: Of; readonly result: Result }[] = [];
  return (of) => {
    const before = results.find((one) => areAlike(one.of, of));
    if (before) return before.result;
    const result = make(of);
    results = [{ of, result }, ...results.slice(0, most - 1)];
    return result;
  };
}
