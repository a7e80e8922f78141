/** What the specification writes where deployments have brands of their own (docs/contract/README.md#names). */
export const neutralWords = ['provider_a', 'provider_b', 'provider_c', 'tracker_a', 'tracker_b'] as const;
type NeutralWord = (typeof neutralWords)[number];

/** The prefix of the key headers. */
export const neutralService = 'SERVICE';

/** The first word of the names of managed roles: `Service Admin Role`. */
export const neutralRoles = 'Service';

/** What a deployment calls things: everything that is left out keeps its neutral word. */
export interface Vocabulary {
  /** Prefix of the key headers: `ACME` gives `ACME-API-KEY`. */
  readonly service?: string;
  /** First word of the names of managed roles: `Acme` gives `Acme Admin Role`. */
  readonly roles?: string;
  /** Parts of identifiers, in lower case; in upper case they are replaced by the same word in upper case. */
  readonly words?: Readonly<Partial<Record<NeutralWord, string>>>;
  /** What titles and sentences of this program call them; the entry of `words` where there is none. */
  readonly labels?: Readonly<Partial<Record<NeutralWord, string>>>;
  /** Whole words at one named place of the contract, where the deployment's word is no plain replacement. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Replacing parts of identifiers. A part ends before no letter and no digit: `provider_a` is none of `provider_account`. */
interface IdentifierParts {
  /** Neutral parts become the deployment's; nothing else changes. */
  replace(identifier: string): string;
  /** Both ways at once: neutral parts become the deployment's and the other way round. Twice gives the same again. */
  swap(identifier: string): string;
}

/** The parts of one vocabulary. Its words must not overlap (`overlaps`), or they could not be separated again. */
export function identifierParts({ words = {} }: Vocabulary): IdentifierParts {
  const pairs = neutralWords.flatMap((neutral): [string, string][] => {
    const theirs = words[neutral];
    if (theirs === undefined || theirs === neutral) return [];
    return [
      [neutral, theirs],
      [neutral.toUpperCase(), theirs.toUpperCase()],
    ];
  });
  return {
    replace: replacing(pairs),
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
  const theirs = new Map(pairs);
  const found = new RegExp(`(?<![A-Za-z0-9])(?:${[...theirs.keys()].join('|')})(?![A-Za-z0-9])`, 'g');
  return (identifier) => identifier.replace(found, (part) => theirs.get(part) ?? part);
}

/**
 * Pairs of words that share pieces, as `[one, other]`: one within the other, or the end of one the beginning of the
 * other; a word that ends as it begins is a pair with itself. Beside each other they could be read in two ways (`sky`
 * and `sky_blue`), so no text with them is sure to come back as it went.
 */
export function overlaps(words: readonly string[]): [string, string][] {
  return words.flatMap((one, at) =>
    words
      .slice(at)
      .filter((other, further) => share(one.split('_'), other.split('_'), further === 0))
      .map((other): [string, string] => [one, other]),
  );
}

/** Whether one begins somewhere in the other, as far as that goes. */
function share(left: readonly string[], right: readonly string[], itself: boolean): boolean {
  const begins = (a: readonly string[], b: readonly string[]) =>
    a.some(
      (_, from) => !(itself && from === 0) && a.slice(from, from + b.length).every((piece, at) => piece === b[at]),
    );
  return begins(left, right) || begins(right, left);
}

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
