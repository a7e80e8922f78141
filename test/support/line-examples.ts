import { paint } from '../../src/lib/paint.ts';
import { type Hint, headerLine, hintLine, type StripEntry } from '../../src/scene/edge-lines.ts';
import { type FormField, type FormProps, formLines, layoutForm } from '../../src/scene/form-lines.ts';
import { listLines, type TableColumn, type TableProps, type TableRow } from '../../src/scene/list-lines.ts';
import { tabsLine } from '../../src/scene/page-lines.ts';
import { asLines, framedLines, type Spans } from '../../src/scene/scene.ts';
import { typing } from '../../src/scene/span.ts';
import { createTheme, type Theme } from '../../src/scene/theme.ts';

/** Lines with maximal content, for tests of size and content. */

export const theme = createTheme({ name: 'default', noColor: false, ascii: false });
export const mono = createTheme({ name: 'default', noColor: true, ascii: false });
export const plain = createTheme({ name: 'mono', noColor: false, ascii: true });

/** Sequences that style a text. */
export const codes = /\u001b\[[\d;]*m/g;
/** The text of a line. */
export const textOf = (spans: Spans): string => spans.map(({ text }) => text).join('');
export const textsOf = (lines: readonly Spans[]): string[] => lines.map(textOf);
/** Lines in a frame of this size, which is as wide as the lines have room for and two cells more. */
export const inFrame = (lines: readonly Spans[], width: number, height: number, drawnBy: Theme, title = 'title') =>
  framedLines(
    {
      title: [{ text: paint(title), tone: 'bad' }],
      foot: [{ text: paint('x'.repeat(150)) }],
      footRight: [{ text: paint('1-18/18') }],
      ...{ width, height, active: true, lines: asLines(lines) },
    },
    drawnBy,
  );
/** The lines of a list. */
export function tableLines(
  props: Omit<TableProps, 'hscroll' | 'loading' | 'empty'> & Partial<TableProps>,
): readonly Spans[] {
  const lines = listLines({ hscroll: 0, loading: false, empty: paint(''), ...props });
  return lines.map(({ spans }) => spans).slice(0, Math.max(0, props.height));
}
/** The lines of a form. */
export const linesOfForm = (props: FormProps): readonly Spans[] =>
  formLines(props, layoutForm(props)).map(({ spans }) => spans);

export const columns: TableColumn[] = [
  { id: 'state', title: paint('ST'), min: 3, priority: 1 },
  { id: 'count', title: paint('COUNT'), min: 6, align: 'right', priority: 1, sorted: 'down' },
  { id: 'users', title: paint('USERS'), min: 6, align: 'right', priority: 5 },
  { id: 'service', title: paint('SERVICE'), min: 12, max: 20, priority: 3 },
  { id: 'type', title: paint('TYPE'), min: 10, max: 24, priority: 2 },
  { id: 'message', title: paint('MESSAGE'), min: 12, flex: true, priority: 1 },
  { id: 'last', title: paint('LAST'), min: 4, priority: 4 },
];
export const row = (id: string, cells: readonly string[], more: Partial<TableRow> = {}): TableRow => ({
  id,
  cells: cells.map(paint),
  tones: ['bad', 'plain', 'dim', 'plain', 'plain', 'plain', 'dim'],
  cursor: false,
  marked: false,
  fresh: false,
  pending: false,
  ...more,
});
export const rows = [
  row('a', ['OPN', '9124', '812', 'checkout-api', 'TypeError', 'cannot read properties of undefined', '2m'], {
    cursor: true,
  }),
  row('b', ['OPN', '4410', '377', 'checkout-web', 'ChunkLoadError', 'Loading chunk 7 failed', '5m'], { marked: true }),
  row('c', ['OPN', '733', '12', 'checkout-api', '型エラー', '値が未定義です 👩‍👩‍👧 ❤️ e\u0301', '1h'], { fresh: true }),
  row('d', ['ACK', '1', '1', 'サービス', 'Error', '🇩🇪 1️⃣ 👍🏽 ｱﾞ 한국', '3d'], { pending: true }),
];
export const fields: FormField[] = [
  {
    name: 'name',
    label: paint('Name'),
    kind: 'text',
    text: 'checkout errors',
    cursor: 3,
    hint: paint('at most 80 characters'),
  },
  { name: 'key', label: paint('Key'), kind: 'text', text: 'hunter2-secret', cursor: 0, secret: true },
  { name: 'reason', label: paint('Reason'), kind: 'text', text: '', cursor: 0, placeholder: paint('why') },
  { name: 'rate', label: paint('割合'), kind: 'text', text: '2', cursor: 1, error: paint('rate must be 0 to 1') },
  {
    name: 'order',
    label: paint('Order'),
    kind: 'choice',
    text: 'b',
    cursor: 0,
    options: ['a', 'b', 'c'].map((value) => ({ value, label: paint(`by ${value}`) })),
  },
  {
    name: 'on',
    label: paint('Enabled'),
    kind: 'toggle',
    text: 'yes',
    cursor: 0,
    options: [
      { value: 'yes', label: paint('yes') },
      { value: 'no', label: paint('no') },
    ],
  },
  {
    name: 'states',
    label: paint('States'),
    kind: 'many',
    text: 'x1,x3',
    cursor: 2,
    options: Array.from({ length: 40 }, (_, at) => ({ value: `x${at}`, label: paint(`state ${at}`) })),
  },
];
const hints: readonly Hint[] = [...'abcdefghij']
  .map((keys): Hint => ({ keys: paint(keys), title: paint(`does ${keys}`), disabled: keys === 'c' }))
  .concat([
    { keys: paint('?'), title: paint('help'), disabled: false, keep: true },
    { keys: paint('q'), title: paint('back'), disabled: false },
  ]);
export const strip: readonly StripEntry[] = ['home', 'issues', 'monitors', 'keys', '値値値', 'mappings'].map(
  (name, at) => ({
    key: paint(String(at)),
    name: paint(name),
    count: paint(at === 1 ? '96' : at === 2 ? '24' : ''),
    needsPerson: at === 2,
    isCurrent: at === 1,
  }),
);

/** Lines that stand alone. */
export const single: Record<string, (width: number, theme: Theme) => Spans> = {
  header: (width, theme) =>
    headerLine({
      profile: [{ text: paint('acme-prod 値値 ') }, { text: paint('▌PROD▐'), keep: true, tone: 'bad', inverse: true }],
      screens: strip,
      host: paint('eu1'),
      right: [{ text: paint(' ● live 12s  throttled 3x ') }],
      width,
      theme,
    }),
  tabs: (width, theme) =>
    tabsLine({
      tabs: Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, title: paint(`値 ${at}`) })),
      tab: 20,
      width,
      theme,
    }),
  hints: (width) => hintLine({ hints, width }),
  field: (width, theme) => typing({ text: '値x'.repeat(90), cursor: 100 }, width, theme),
};
