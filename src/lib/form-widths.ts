import { cells } from './text.ts';

/** From this width on, the right part of a form says what would happen (docs/design/screens.md#forms). */
const paneFrom = 120;
const leastForm = 72;
const formShare = 0.45;

/** Cells of a form with its borders, and of the pane beside it; 0 where there is none. */
export function formParts(columns: number, hasPane: boolean): { readonly form: number; readonly pane: number } {
  const form = hasPane && columns >= paneFrom ? Math.max(leastForm, Math.floor(columns * formShare)) : columns;
  return { form, pane: columns - form };
}

/** Cells left of an input: the mark of the focus, the label and a gap. */
const aroundLabel = 4;
/** Cells of a box besides its text: brackets, a sign or space behind the first, and the cell behind the last letter. */
const aroundText = 4;
/** The most cells of a label on a form of any width. */
const widestLabel = 26;

/** The cells inside the borders of a form: of its labels, and of an input with its brackets. */
export function inputParts(
  labels: readonly string[],
  inner: number,
): { readonly label: number; readonly input: number } {
  const longest = labels.reduce((most, label) => Math.max(most, cells(label)), 0);
  const label = Math.min(longest, Math.max(Math.floor(inner / 3), Math.min(widestLabel, Math.floor(inner * 0.42))));
  return { label, input: Math.max(aroundText + 1, inner - label - aroundLabel - 1) };
}

/** Cells of a row of a text on several lines. */
export const textCells = (labels: readonly string[], inner: number): number =>
  inputParts(labels, inner).input - aroundText;

/** The most lines of each remark below the fields of a form. */
export const remarkLines = { doubt: 2, problem: 4, busy: 1 } as const;
