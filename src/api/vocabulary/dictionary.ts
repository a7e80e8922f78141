/** What the specification writes where deployments have brands of their own (docs/contract/README.md#names). */
export const neutralWords = ['provider_a', 'provider_b', 'provider_c', 'tracker_a', 'tracker_b'] as const;
type NeutralWord = (typeof neutralWords)[number];

/** The prefix of the key headers. */
export const neutralService = 'SERVICE';

/** The first word of the names of managed roles: `Service Admin Role`. */
export const neutralRoles = 'Service';

/** What a deployment calls things; what is left out keeps its neutral word. */
export interface Vocabulary {
  /** Prefix of the key headers: `ACME` gives `ACME-API-KEY`. */
  readonly service?: string;
  /** First word of the names of managed roles: `Acme` gives `Acme Admin Role`. */
  readonly roles?: string;
  /** Parts of identifiers, in lower case; a part in upper case gets the deployment's word in upper case. */
  readonly words?: Readonly<Partial<Record<NeutralWord, string>>>;
  /** The neutral words in titles and sentences of this program; without an entry here, that of `words`. */
  readonly labels?: Readonly<Partial<Record<NeutralWord, string>>>;
  /** By named place of the contract, then by neutral word: words that are no plain replacement there. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Replaces the parts of identifiers that a vocabulary has. A part has no letter or digit beside it: `provider_a` is no part of
 * `provider_account`. The words of the vocabulary must not overlap (`overlappingWords`).
 */
export function identifierParts({ words = {} }: Vocabulary) {
  const pairs = neutralWords.flatMap((neutral): [string, string][] => {
    const theirs = words[neutral];
    if (theirs === undefined || theirs === neutral) return [];
    return [
      [neutral, theirs],
      [neutral.toUpperCase(), theirs.toUpperCase()],
    ];
  });
  return {
    /** Neutral parts become the deployment's; nothing else changes. */
    replace: replacing(pairs),
    /** Neutral parts become the deployment's, and those of the deployment neutral: swapped twice, a text is as before. */
    swap: replacing(
      pairs.flatMap(([one, other]) => [
        [one, other],
        [other, one],
      ]),
    ),
  };
}

function replacing(pairs: readonly (readonly [string, string])[]): (identifier: string) => string {
  if (pairs.length === 0) return (identifier) => identifier;
  const replacements = new Map(pairs);
  const parts = new RegExp(`(?<![A-Za-z0-9])(?:${[...replacements.keys()].join('|')})(?![A-Za-z0-9])`, 'g');
  return (identifier) => identifier.replace(parts, (part) => replacements.get(part) ?? part);
}

/**
 * Pairs of distinct words that share pieces: one is a part of the other (`sky` of `sky_blue`), or its end is the beginning of the
 * other; a word that ends as it begins is a pair with itself. A text with both could be read in two ways, and so would not
 * come back as it went.
 */
export function overlappingWords(words: readonly string[]): [string, string][] {
  return words.flatMap((word, index) => {
    const others = words.slice(index + 1).filter((other) => hasBeginning(word, other) || hasBeginning(other, word));
    return [...(hasBeginning(word, word, 1) ? [word] : []), ...others].map((other): [string, string] => [word, other]);
  });
}

/** Whether `other` is a part of the word, or its beginning the end of the word; looked for from piece `from` on. */
function hasBeginning(word: string, other: string, from = 0): boolean {
  const [pieces, wanted] = [word.split('_'), other.split('_')];
  return pieces.some(
    (_, start) =>
      start >= from && pieces.slice(start, start + wanted.length).every((piece, at) => piece === wanted[at]),
  );
}

/** Translates the identifiers of one position. */
export type Dictionary = ReturnType<typeof createDictionary>;

/**
 * A lossless dictionary, `out` to the deployment's text and `back` to the neutral one: `back(out(text))` and `out(back(text))` equal
 * `text` for every text. Known words become `theirs(word)`, each another one. Other texts are swapped, and `swap(swap(text))` must
 * equal `text`; where the result is the translation of a known word, the swap of that known word is taken, and so on: no two texts
 * become the same.
 */
export function createDictionary(
  knownWords: Iterable<string>,
  theirs: (word: string) => string,
  swap: (text: string) => string,
) {
  const outward = new Map([...knownWords].map((word) => [word, theirs(word)]));
  const backward = new Map([...outward].map(([word, translation]) => [translation, word]));
  const translating = (known: ReadonlyMap<string, string>, taken: ReadonlyMap<string, string>) => (text: string) => {
    const translation = known.get(text);
    if (translation !== undefined) return translation;
    let swapped = swap(text);
    for (let word = taken.get(swapped); word !== undefined; word = taken.get(swapped)) swapped = swap(word);
    return swapped;
  };
  return { out: translating(outward, backward), back: translating(backward, outward) };
}
