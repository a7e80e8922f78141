/** Identifiers of one position, both ways. */
export interface Dictionary {
  /** From the neutral text to the deployment's. */
  out(text: string): string;
  /** From the deployment's text to the neutral one. */
  back(text: string): string;
}

/**
 * A lossless dictionary: `back(out(text))` and `out(back(text))` equal `text` for every text. Known words map to
 * `theirs(word)`, which must be distinct. Other texts go through `swap`, an involution; where the result collides with
 * a known word, mapping continues from that word until there is no collision, so the mapping is a permutation.
 */
export function dictionary(
  knownWords: Iterable<string>,
  theirs: (word: string) => string,
  swap: (text: string) => string,
): Dictionary {
  const outward = new Map<string, string>();
  for (const word of knownWords) outward.set(word, theirs(word));
  const backward = new Map([...outward].map(([word, other]) => [other, word]));
  const across = (first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>) => (text: string) => {
    const sure = first.get(text);
    if (sure !== undefined) return sure;
    let met = swap(text);
    for (let other = second.get(met); other !== undefined; other = second.get(met)) met = swap(other);
    return met;
  };
  return { out: across(outward, backward), back: across(backward, outward) };
}
