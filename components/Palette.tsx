import { type Painted, plain, spaces } from '../src/lib/painted.ts';
import { cells, cutAfterPart, fit } from '../src/lib/text.ts';
import { Lines } from './Lines.tsx';
import { choosable, type Span, windowAt } from './span.ts';
import type { Theme } from './theme.ts';
import { typing } from './typing.ts';

interface PaletteRow {
  /** One of a kind in the palette. */
  readonly id?: string | undefined;
  readonly label: Painted;
  readonly hint?: Painted | undefined;
  readonly keys?: Painted | undefined;
  readonly disabled?: boolean | undefined;
}

export interface PaletteProps {
  /** As typed. */
  readonly query: string;
  /** Graphemes before the cursor. */
  readonly cursorInQuery: number;
  /** The matching rows, the best first. */
  readonly rows: readonly PaletteRow[];
  readonly cursor: number;
  /** Before the query; `:` where none is given. */
  readonly prompt?: Painted;
  readonly placeholder?: Painted | undefined;
  /** Said when no row matches. */
  readonly empty?: Painted;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** A search field with its results, for the palette and every picker. */
export function Palette(props: PaletteProps) {
  const { query, cursorInQuery, rows, cursor, prompt = plain`:`, placeholder, width, height, theme } = props;
  const { ellipsis } = theme.glyphs;
  const lead = plain` ${prompt}`;
  const search: Span[] = [
    { text: lead, tone: 'strong' },
    ...typing({ text: query, cursor: cursorInQuery, placeholder }, Math.max(1, width - cells(lead)), theme),
  ];
  const room = Math.max(0, height - 1);
  const top = windowAt(cursor, room, rows.length);
  const { labelCells, keyCells, rowCells } = paletteCells(rows, width);
  const lines = rows
    .slice(top, top + room)
    .map((row, at) =>
      choosable(rowSpans(row, labelCells, keyCells, rowCells, ellipsis), width, top + at === cursor, theme),
    );
  const nothing: Span[] = [{ text: plain`  ${props.empty ?? plain`No match`}`, tone: 'dim' }];
  return (
    <Lines lines={[search, ...(rows.length > 0 ? lines : [nothing])]} width={width} height={height} theme={theme} />
  );
}

/** The hint of each row where a palette of `width` cells cuts it; else nothing. */
export function cutPaletteHints(rows: readonly PaletteRow[], width: number): readonly Painted[] {
  const { labelCells, keyCells, rowCells } = paletteCells(rows, width);
  const room = Math.max(0, rowCells - 2 - (keyCells > 0 ? keyCells + 2 : 0));
  return rows.map((row) => {
    const { hint = plain`` } = row;
    return cells(hint) > room - widthOfLabel(row, labelCells, room) - 2 ? hint : plain``;
  });
}

function paletteCells(rows: readonly PaletteRow[], width: number) {
  const keyCells = rows.reduce((most, row) => Math.max(most, cells(row.keys ?? '')), 0);
  const labelCells = Math.max(
    0,
    ...rows.map((row) => cells(row.label)).filter((wide) => wide <= Math.max(widestLabel, width * 0.4)),
  );
  const longest = rows.reduce((most, { hint = plain`` }) => Math.max(most, cells(hint)), 0);
  const whole = labelCells + longest + keyCells + 6;
  return { keyCells, labelCells, rowCells: Math.min(width, Math.max(usualRow, whole)) };
}

/** Labels up to so many cells, or up to two fifths of the width, have their hints below each other. */
const widestLabel = 24;

/** A label over that is cut where its hint needs the cells; no further than the labels below each other. */
function widthOfLabel({ label, hint = plain`` }: PaletteRow, labelCells: number, room: number): number {
  const wanted = Math.max(labelCells, cells(label));
  const left = hint === '' ? room : Math.max(room - cells(hint) - 2, Math.floor(room * 0.4), labelCells);
  return Math.min(wanted, left, room);
}

/** Cells of a row in a wide terminal, where no hint needs more: its keys would stand too far from its label. */
const usualRow = 140;

/** Label and hint from the left, the keys in a column at the right. */
function rowSpans(row: PaletteRow, labelCells: number, keyCells: number, width: number, ellipsis: Painted): Span[] {
  const room = Math.max(0, width - 2 - (keyCells > 0 ? keyCells + 2 : 0));
  const label = fit(row.label, widthOfLabel(row, labelCells, room), 'left', ellipsis);
  const hint = row.hint
    ? fit(plain`  ${cutAfterPart(row.hint, room - cells(label) - 2, ellipsis)}`, Math.max(0, room - cells(label)))
    : spaces(room - cells(label));
  return [
    { text: label, tone: row.disabled ? 'dim' : 'plain' },
    { text: hint, tone: 'dim' },
    {
      text: keyCells > 0 ? plain`  ${fit(row.keys ?? plain``, keyCells)}` : plain``,
      tone: row.disabled ? 'dim' : 'info',
    },
  ];
}
