import { graphemeBefore, graphemeBoundary } from './grapheme-positions.ts';

/** UTF-16 units of context on both sides of what differs. */
const around = 40;
/** UTF-16 units up to which a text is short. */
const short = 160;

/**
 * Shortens two long texts to the parts that differ, with some words of context on both sides; short texts stay as they are.
 * An ellipsis stands for what is left out.
 */
export function changedParts(
  before: string,
  after: string,
  ellipsis = '…',
): { readonly before: string; readonly after: string } {
  const same = Math.min(before.length, after.length);
  if (same === 0 || Math.max(before.length, after.length) <= short) return { before, after };
  let head = 0;
  while (head < same && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < same - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const start = wordStart(before, head - around);
  const part = (text: string) => {
    const end = wordEnd(text, text.length - tail + around);
    return `${start > 0 ? `${ellipsis} ` : ''}${text.slice(start, end)}${end < text.length ? ` ${ellipsis}` : ''}`;
  };
  return { before: part(before), after: part(after) };
}

const wordBreak = /[\s,]/;

/** The start of the word in which a place stands; a word that is very long is cut. */
function wordStart(text: string, at: number): number {
  for (let place = at; place > Math.max(0, at - around); place -= 1)
    if (wordBreak.test(text[place - 1] as string)) return place;
  return at <= around ? 0 : graphemeBefore(text, at);
}

function wordEnd(text: string, at: number): number {
  for (let place = at; place < Math.min(text.length, at + around); place += 1)
    if (wordBreak.test(text[place] as string)) return place;
  return at + around >= text.length ? text.length : graphemeBoundary(text, at);
}
