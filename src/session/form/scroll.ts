import { remarkLines } from '../../lib/form-widths.ts';
import { paint, paintLines } from '../../lib/paint.ts';
import { wrap } from '../../lib/text.ts';
import { textRows } from '../../lib/text-rows.ts';
import { geometry } from '../rows/geometry.ts';
import { formLayout } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import type { State } from '../state/state.ts';

/** Lines that messages, long doubts and `sending` may take from a review: they are known when it is drawn. */
const spare = 3;

/**
 * Scrolls a review. Down from its last lines goes as far as messages may hide some, and back from there is one step, so that
 * each line can be read and no key does nothing.
 */
export function scrollForm(form: OpenForm, by: number, size: State['size']): OpenForm {
  const most = hiddenLines(form, size);
  const from = form.reviewTop ?? 0;
  const top = by > 0 && from + by > most ? most + spare : Math.min(from, most) + by;
  return { ...form, reviewTop: Math.max(0, top) };
}

/**
 * How many lines of a review have no room: of its changes, with what will be sent below them, or of the longer one where they
 * stand beside each other. Counted as they are drawn.
 */
export function hiddenLines(form: OpenForm, size: State['size']): number {
  const { form: width, pane } = formLayout(form, size.columns);
  const written = Object.values(form.written);
  const room = geometry(size, { lines: 0 }).bodyRows - 2;
  // Two of each text at most, mostly of one line.
  const doubts = written.reduce((all, { diagnostics }) => all + Math.min(2, diagnostics.length), 0);
  const problem = sum(form.problem ? [form.problem] : [], width - 4, remarkLines.problem);
  const left = room - doubts - problem;
  const changes = changeLines(form, width - 6);
  // That it is valid, what the texts mean, a blank line and the request with its title.
  const inner = (pane || width) - 4;
  const means = written.flatMap(({ says = [] }) => says);
  const sent = (doubts > 0 ? 0 : 1) + sum(means, inner - 2) + 1 + requestLines(form, inner);
  // A blank line and a title stand above it, where it is below the changes.
  return Math.max(0, pane > 0 ? Math.max(changes - left, sent - room) : changes + 2 + sent - left);
}

/** Lines of texts that are wrapped, each of at most so many. */
const sum = (texts: readonly string[], width: number, most = 1e9): number =>
  texts.reduce((all, text) => all + Math.min(most, wrap(paint(text), width).length), 0);

/** Of each change a line with its label, and its parts. */
const changeLines = ({ review = [] }: OpenForm, width: number): number =>
  review
    .flatMap(({ parts }) => parts)
    .reduce((all, { text }) => all + textRows(paintLines(text).join('\n'), width).length, review.length);

const requestLines = ({ request }: OpenForm, width: number): number =>
  request?.reduce((all, line) => {
    const text = line.trimStart();
    return all + sum([text], width - line.length + text.length);
  }, 1) ?? 0;
