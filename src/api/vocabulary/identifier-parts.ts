import { neutralWords, type Vocabulary } from './neutral-words.ts';

/** Replacing parts of identifiers. A part ends before no letter and no digit: `provider_a` is none of `provider_account`. */
export interface IdentifierParts {
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
