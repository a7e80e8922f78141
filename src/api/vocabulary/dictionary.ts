/** Identifiers of one position, both ways. */
export interface Dictionary {
  /** From the neutral text to the deployment's. */
  out(text: string): string;
  /** From the deployment's text to the neutral one. */
  back(text: string): string;
}

/**
 * A dictionary that loses nothing: `back(out(text))` and `out(back(text))` are `text`, whatever it is. Known words
 * become what `theirs` says, which must be another one for each of them. Every other text is swapped, which must
 * give the text again when done twice; where that would meet a known word, it goes on from what this word becomes
 * until it meets none, so that no two texts ever become the same.
 */
export function dictionary(
  known: Iterable<string>,
  theirs: (word: string) => string,
  swap: (text: string) => string,
): Dictionary {
  const outward = new Map<string, string>();
  for (const word of known) outward.set(word, theirs(word));
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
