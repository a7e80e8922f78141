import type { LaidPage } from './detail-page.ts';

/** Where a part of a match is drawn: in which column, line and piece, and which part of the piece. */
export interface Spot extends Range {
  readonly column: number;
  readonly line: number;
  readonly piece: number;
}

/** A match: one spot, or one for each line that it is wrapped over. */
export type TextMatch = readonly [Spot, ...Spot[]];

/** Every match of a text on the page, in the order of reading; case is ignored. */
export function matchesOn({ columns }: LaidPage<unknown>, text: string): TextMatch[] {
  if (text === '') return [];
  const find = finder(text);
  const matches: TextMatch[] = [];
  columns.forEach(({ lines }, column) => {
    let run = { text: '', parts: [] as Omit<Spot, 'end'>[] };
    const end = () => {
      for (const { start, end } of find(run.text)) {
        const spots = run.parts.flatMap((part, at): Spot[] => {
          const until = run.parts[at + 1]?.start ?? run.text.length;
          const [from, to] = [Math.max(start, part.start), Math.min(end, until)];
          return from < to ? [{ ...part, start: from - part.start, end: to - part.start }] : [];
        });
        if (spots.length > 0) matches.push(spots as unknown as TextMatch);
      }
    };
    lines.forEach((pieces, line) => {
      pieces.forEach((piece, place) => {
        if (piece.text.trim() === '') return;
        if (!piece.continues) {
          end();
          run = { text: '', parts: [] };
        }
        run.parts.push({ column, line, piece: place, start: run.text.length });
        run.text += piece.text;
      });
    });
    end();
  });
  return matches;
}

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds where `wanted` stands in texts; case is ignored and no code point is split. */
export function finder(wanted: string): (text: string) => Range[] {
  if (wanted === '') return () => [];
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  // Most texts have none.
  return (text) =>
    text.search(pattern) < 0
      ? []
      : Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length }));
}
