import { type Painted, plain } from '../lib/painted.ts';
import { wrap } from '../lib/text.ts';

/** Most lines of a text that is said in full; a longer one is a sample of something and stays cut. */
const most = 2;

/**
 * Where a frame of `width` cells says the text of the row under the cursor that the row itself cuts: in the line of its
 * border, or where some row needs more than that on lines of their own, the same number whichever row it is.
 * `cutTexts`: of each row, empty where it is not cut.
 */
export function wholeText(cutTexts: readonly Painted[], cursor: number, width: number) {
  const wrapped = cutTexts.map((text) => (text === '' ? [] : wrap(text, Math.max(1, width - 4))));
  const isLong = wrapped.some((lines) => lines.length === most);
  const own = wrapped[cursor] ?? [];
  const said = own.length > most ? [] : own;
  return {
    foot: isLong ? plain`` : (said[0] ?? plain``),
    below: isLong ? Array.from({ length: most }, (_, at) => said[at] ?? plain``) : [],
  };
}
