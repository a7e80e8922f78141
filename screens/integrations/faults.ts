import { type DetailLine, type Tone, textLine } from '../../src/describe/column.ts';
import type { RowState } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { plural } from '../../src/lib/text.ts';

/** What the service finds out about an account by itself: read, never sent. */
export const findings = ['errors', 'warnings'];

/** As much of an account as tells what is wrong with it. */
interface Checked {
  readonly attributes: { readonly errors?: unknown; readonly warnings?: unknown };
}

const linesIn = (told: unknown): readonly string[] =>
  (Array.isArray(told) ? told : []).map((one) => (typeof one === 'string' ? one : stringifyExact(one)));

/** What the service finds wrong with an account, worst first. */
export const faults = ({ attributes: { errors, warnings } }: Checked): readonly string[] => [
  ...linesIn(errors),
  ...linesIn(warnings),
];

/** Errors and warnings of an account, as lines of its detail. */
export const integrationCheckLines = ({ attributes: { errors, warnings } }: Checked): readonly DetailLine[] => [
  ...linesIn(errors).map((line) => textLine(line, 'bad')),
  ...linesIn(warnings).map((line) => textLine(line, 'warn')),
];

/** The worst of them at the end of a receipt; empty where the service finds nothing. */
export function faultSaid(row: Checked): string {
  const [worst] = faults(row);
  return worst === undefined ? '' : `; the service reports: ${worst}`;
}

/** How an account is, in a cell. */
export function health({ attributes: { errors, warnings } }: Checked): { readonly text: string; readonly tone: Tone } {
  const [wrong, odd] = [linesIn(errors).length, linesIn(warnings).length];
  if (wrong > 0) return { text: plural(wrong, 'error'), tone: 'bad' };
  return odd > 0 ? { text: plural(odd, 'warning'), tone: 'warn' } : { text: 'ok', tone: 'good' };
}

/** For sorting: errors before warnings before none. */
export const gravity = ({ attributes: { errors, warnings } }: Checked): number =>
  linesIn(errors).length * 1000 + linesIn(warnings).length;

/** States that the titles of lists of accounts count. */
export const faultStates: readonly RowState<Checked>[] = [
  {
    label: 'ERROR',
    tone: 'bad',
    needsPerson: 'error',
    isIn: ({ attributes: { errors } }) => linesIn(errors).length > 0,
  },
  { label: 'WARNING', tone: 'warn', isIn: ({ attributes: { warnings } }) => linesIn(warnings).length > 0 },
];

/** What the title bar says of accounts that are not well. */
export function faultNotes(rows: readonly Checked[]): readonly string[] {
  const wrong = rows.filter(({ attributes }) => linesIn(attributes.errors).length > 0).length;
  return wrong > 0 ? [`${plural(wrong, 'account')} ${wrong === 1 ? 'has' : 'have'} errors`] : [];
}
