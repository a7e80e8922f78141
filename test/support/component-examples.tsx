import type { ReactNode } from 'react';
import { Confirm } from '../../components/Confirm.tsx';
import type { EditorView } from '../../components/editorrows.ts';
import { Footer, type Hint } from '../../components/Footer.tsx';
import { Form, type FormField } from '../../components/Form.tsx';
import { Header } from '../../components/Header.tsx';
import { Help } from '../../components/Help.tsx';
import { Menu } from '../../components/Menu.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Palette } from '../../components/Palette.tsx';
import { Reveal } from '../../components/Reveal.tsx';
import type { StripEntry } from '../../components/strip.ts';
import type { TableColumn, TableRow } from '../../components/Table.tsx';
import { TextField } from '../../components/TextField.tsx';
import { createTheme, type Theme } from '../../components/theme.ts';
import { gap, head, type Line, pair, type Tone, text } from '../../src/describe/column.ts';
import { layoutPage } from '../../src/lib/detail-page.ts';
import { matchesOn } from '../../src/lib/matches.ts';
import { paint } from '../../src/lib/paint.ts';
import { mount } from '../../src/shell/mount.tsx';
import { Detail, Table, Tabs } from './blocks.tsx';

/** Example components with maximal content, for tests of size and content. */

export const theme = createTheme({ name: 'default', noColor: false, ascii: false });
export const mono = createTheme({ name: 'default', noColor: true, ascii: false });
export const plain = createTheme({ name: 'mono', noColor: false, ascii: true });
export const widths = [60, 80, 100, 140, 200];

export const codes = /\u001b\[[\d;]*m/g;
/** What a component draws, lines that are too wide included. */
export function draw(node: ReactNode): string {
  const mounted = mount(node, () => {});
  const frame = mounted.frame();
  mounted.close();
  return frame;
}
export const bare = (node: ReactNode) => draw(node).replaceAll(codes, '');
export const lines = (node: ReactNode) => bare(node).split('\n');

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
/** The same with a query field that has a finding and completions. */
export const withQuery = (width: number): FormField[] => {
  const text = `avg(last_5m):${'sum:shop.errors{env:prod,host:値} by {host} + '.repeat(9)}\n"👩‍🚒" > 1`;
  const query: EditorView = {
    text,
    cursor: 90,
    width: Math.max(1, width - 4),
    marks: [
      { start: 80, end: 120, tone: 'bad' },
      { start: text.length, end: text.length, tone: 'warn' },
    ],
    remarks: [
      { text: paint(`${'long '.repeat(30)}値`), tone: 'bad' },
      { text: paint('write something else'), tone: 'dim' },
    ],
    offers: { items: items.map(({ label, hint }) => ({ label, hint: paint(hint) })), cursor: 17 },
  };
  return [
    ...fields,
    { name: 'query', label: paint('Query'), kind: 'query', text: '', cursor: 0, hint: paint('what to watch'), query },
  ];
};
export const detail: Line[] = [
  head('where'),
  pair('service', 'checkout-api', 'strong'),
  pair('メッセージ', `値が未定義です ${'x'.repeat(300)}`, 'bad'),
  gap,
  text(`${'words and '.repeat(40)}end`),
];
const sections = ['値'.repeat(60), 'place', 'case'].map((title, at) => ({ id: `${at}`, title, lines: detail }));
const page = (width: number, height: number) => layoutPage<Tone>(sections, width - 2, height - 1);
const groups = [
  {
    title: paint('anywhere'),
    rows: [
      { keys: paint('0'), title: paint('home') },
      { keys: paint(':, ctrl+p'), title: paint('palette') },
    ],
  },
  {
    title: paint('write'),
    rows: Array.from({ length: 30 }, (_, at) => ({
      keys: paint(`k${at}`),
      title: paint(`verb ${at} ${'long '.repeat(30)}`),
      reason: at % 2 ? paint('read-only') : undefined,
    })),
  },
];
export const items = Array.from({ length: 30 }, (_, at) => ({
  id: `i${at}`,
  label: paint(`verb ${at} 値 ${'long '.repeat(at)}`),
  key: paint('x'),
  hint: at % 3 ? paint('why not') : undefined,
  disabled: at % 2 === 0,
}));

/** Every component with a width and a height, with maximal content. */
export const bodies: Record<string, (width: number, height: number, theme: Theme) => ReactNode> = {
  table: (width, height, theme) => (
    <Table
      columns={columns}
      rows={rows}
      width={width}
      height={height}
      theme={theme}
      hscroll={0}
      loading={false}
      empty={paint('')}
    />
  ),
  'table without rows': (width, height, theme) => (
    <Table
      columns={columns}
      rows={[]}
      width={width}
      height={height}
      theme={theme}
      hscroll={0}
      loading={false}
      empty={paint('no issue is open in this window '.repeat(4))}
    />
  ),
  detail: (width, height, theme) => (
    <Detail
      tabs={['error', 'place', 'versions', 'first and last', 'teams', 'case', 'raw'].map((id) => ({
        id,
        title: paint(id),
      }))}
      tab={5}
      page={page(width, height)}
      top={1}
      found={matchesOn(page(width, height), 'e').map((spots) => ({ spots }))}
      foundAt={0}
      width={width}
      height={height}
      theme={theme}
    />
  ),
  form: (width, height, theme) => (
    <Form
      title={paint('Edit')}
      fields={fields}
      focus={0}
      width={width}
      height={height}
      theme={theme}
      busy={paint('saving')}
      problem={paint('the service says no '.repeat(30))}
    />
  ),
  'form at its end': (width, height, theme) => (
    <Form fields={fields} focus={6} width={width} height={height} theme={theme} />
  ),
  'query in a form': (width, height, theme) => (
    <Form
      fields={withQuery(width)}
      focus={7}
      width={width}
      height={height}
      theme={theme}
      problem={paint('403: forbidden')}
    />
  ),
  'query at rest': (width, height, theme) => (
    <Form fields={withQuery(width)} focus={6} width={width} height={height} theme={theme} />
  ),
  review: (width, height, theme) => (
    <Form
      fields={fields}
      focus={0}
      width={width}
      height={height}
      theme={theme}
      review={[{ label: paint('Name'), before: paint(''), after: paint('値'.repeat(200)) }]}
    />
  ),
  confirm: (width, height, theme) => (
    <Confirm
      question={paint('delete this? '.repeat(12))}
      details={['値'.repeat(150), 'b'.repeat(500)].map(paint)}
      destructive
      typed={{ wanted: paint('checkout errors'), text: 'check', cursor: 5 }}
      width={width}
      height={height}
      theme={theme}
    />
  ),
  help: (width, height, theme) => (
    <Help groups={groups} query="k" cursorInQuery={1} cursor={20} width={width} height={height} theme={theme} />
  ),
  palette: (width, height, theme) => (
    <Palette
      query="値x"
      cursorInQuery={2}
      rows={items.map((item) => ({ ...item, keys: paint('ctrl+p') }))}
      cursor={29}
      width={width}
      height={height}
      theme={theme}
    />
  ),
  menu: (width, height, theme) => <Menu items={items} cursor={17} width={width} height={height} theme={theme} />,
  notice: (width, height, theme) => (
    <Notice text={paint('needs 60x16, has 40x10')} width={width} height={height} theme={theme} />
  ),
  reveal: (width, height, theme) => (
    <Reveal
      title={paint('link')}
      lines={[`https://example.test/${'a'.repeat(500)}`, '値'.repeat(90)].map(paint)}
      width={width}
      height={height}
      theme={theme}
    />
  ),
};
/** The components of one line. */
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
export const parts = [...'14hdwtrs'].map((key) => ({ key, title: `for ${key}`, chosen: key === 'h' }));

export const single: Record<string, (width: number, theme: Theme) => ReactNode> = {
  header: (width, theme) => (
    <Header
      profile={[{ text: paint('acme-prod 値値 ') }, { text: paint('▌PROD▐'), keep: true, tone: 'bad', inverse: true }]}
      screens={strip}
      host={paint('eu1')}
      right={[{ text: paint(' ● live 12s  throttled 3x ') }]}
      width={width}
      theme={theme}
    />
  ),
  tabs: (width, theme) => (
    <Tabs
      tabs={Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, title: paint(`値 ${at}`) }))}
      tab={20}
      width={width}
      theme={theme}
    />
  ),
  footer: (width, theme) => <Footer hints={hints} width={width} theme={theme} />,
  field: (width, theme) => <TextField text={'値x'.repeat(90)} cursor={100} width={width} focused theme={theme} />,
  'field at rest': (width, theme) => (
    <TextField text={'値x'.repeat(90)} cursor={0} width={width} focused={false} theme={theme} />
  ),
};
