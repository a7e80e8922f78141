import { type Painted, plain } from '../lib/painted.ts';
import { cells, cutAfterPart, fit, wrap } from '../lib/text.ts';
import type { Spans } from './scene.ts';
import type { Span } from './span.ts';

/** An item of a menu as it is drawn. */
export interface MenuEntry {
  readonly label: Painted;
  readonly key?: Painted | undefined;
  readonly hint: Painted;
  /** Whether the row cannot be chosen, or will be refused; the hint says why. */
  readonly isRefused?: boolean;
}

const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, cells(text)), 0);

/**
 * Items as rows of `width` cells: keys, labels and hints below each other. `leastLabel`: cells for the labels at least, so that the
 * hints stay where they are while the items change. `cutHints`: the hint of each row that cuts it, else nothing.
 */
export function menuRows(items: readonly MenuEntry[], width: number, ellipsis: Painted, leastLabel = 0) {
  const keyCells = widest(items.map(({ key }) => key ?? ''));
  const labelCells = Math.min(Math.max(leastLabel, widest(items.map(({ label }) => label))), Math.floor(width * 0.6));
  const hintCells = width - 2 - (keyCells > 0 ? keyCells + 2 : 0) - labelCells - 2;
  const rows = items.map(({ key = plain``, label, hint, isRefused }): Spans => {
    const keys: Span = { text: plain`${fit(key, keyCells)}  `, tone: isRefused ? 'dim' : 'strong' };
    return [
      ...(keyCells > 0 ? [keys] : []),
      { text: fit(label, labelCells, 'left', ellipsis), tone: isRefused ? 'dim' : 'plain' },
      ...(hint === '' ? [] : [{ text: plain`  ${cutAfterPart(hint, hintCells, ellipsis)}`, tone: 'dim' as const }]),
    ];
  });
  return { rows, cutHints: items.map(({ hint }) => (cells(hint) > hintCells ? hint : plain``)) };
}

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
