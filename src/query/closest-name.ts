/** The name that a word was probably meant to be: other case, hyphens or plural, or one letter wrong. */
export const closestName = (word: string, names: readonly string[]): string | undefined =>
  names.find((name) => bones(name) === bones(word)) ?? names.find((name) => isOneOff(name, word));

const bones = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/[es]+$/, '');

/** Whether the names differ by one edit: an insertion, deletion, substitution or transposition. */
function isOneOff(name: string, word: string): boolean {
  if (name.length < 4) return false;
  const least = Math.min(name.length, word.length);
  let head = 0;
  while (head < least && name[head] === word[head]) head += 1;
  let tail = 0;
  while (tail < least - head && name.at(-1 - tail) === word.at(-1 - tail)) tail += 1;
  const [left, right] = [name, word].map((text) => text.slice(head, text.length - tail)) as [string, string];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}
