import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { action } from '../../../src/describe/action.ts';
import { section, subColumn, type Tab, textLine } from '../../../src/describe/column.ts';
import type { Context } from '../../../src/describe/context.ts';
import {
  checksField,
  choiceField,
  type Fields,
  fileField,
  manyField,
  pickField,
  queryField,
  textField,
  toggleField,
} from '../../../src/describe/field.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import { bothSides } from '../../../src/lib/text-matches.ts';
import { keyLabel } from '../../../src/session/keyboard/keyboard.ts';
import { bindings, generalId } from '../../../src/session/keys/bindings.ts';
import { layerKindOf } from '../../../src/session/layers/index.ts';
import type { Undoable } from '../../../src/session/send/pending-edit.ts';
import { chooses } from '../../../src/session/stack/kind.ts';
import type { FormFor } from '../../../src/session/state/form-layer.ts';
import type { Message } from '../../../src/session/state/message.ts';
import type { Binding } from '../../../src/session/state/moment.ts';
import type { Layer, LayerOf, State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { bareLayer, reportOf } from '../../support/bare-layer.ts';
import { dropThing, setThing } from '../../support/calls.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';
import { stepper } from '../../support/stepper.ts';
import { smallLanguage } from '../../support/test-screen.ts';
import { bareList, turning } from '../../support/things.ts';

/**
 * What each key does in each layer and over each kind of list: `keys · title · message · group and place in the footer`, then
 * its help, and why it is refused or doubted. A key that changes its meaning changes a stored table, to be read in the review:
 * `npm run stored`.
 */

const stored = (name: string): string => fileURLToPath(new URL(`../../support/stored/${name}`, import.meta.url));

const said = ({ keys, title, help, run, hint, refused, doubt, deliberate, group }: Binding): string => {
  const { type: name, ...more } = run;
  const parts = [
    keys.join(' ') || '(palette)',
    title,
    [name, ...Object.values(more).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))].join(
      ' ',
    ),
    [group, ...(hint === undefined ? [] : [hint])].join(' '),
    ...(deliberate ? ['deliberate'] : []),
    ...(help === undefined ? [] : [help]),
    ...(refused === undefined ? [] : [`refused: ${refused}`]),
    ...(doubt === undefined ? [] : [`doubt: ${doubt}`]),
  ];
  return parts.join(' · ');
};

const page = (groups: Readonly<Record<string, readonly Binding[]>>): string =>
  Object.entries(groups)
    .map(([title, all]) => [title, ...all.map((binding) => `  ${said(binding)}`)].join('\n'))
    .join('\n\n');

interface Thing {
  readonly id: string;
  readonly on: boolean;
  readonly parts: readonly string[];
}

const edit = { uses: [setThing], send: () => ({}) as never, done: () => '' };
const turn = action<Thing>({
  ...edit,
  id: 'things.turn',
  key: 't',
  title: 'turn on',
  help: 'turns it on',
  main: true,
  enabled: (row) => (row.on ? 'already on' : true),
});
const rename = action<Thing>({ ...edit, id: 'things.name', key: 'n', title: 'rename', help: 'one', bulk: false });
const remove = action<Thing>({
  ...edit,
  id: 'things.drop',
  key: 'd',
  title: 'delete',
  help: 'for ever',
  uses: [dropThing],
  removes: true,
});
const add = action<Thing>({ ...edit, id: 'things.add', key: 'a', title: 'add', help: 'a new one', on: 'list' });
const save = action<Thing>({ ...edit, id: 'things.order', key: 'ctrl+s', title: 'order', help: '', on: 'list' });

const things = bareList<Thing>({
  columns: [{ id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.id, sort: (row) => row.id }],
  search: { form: () => ({}), initial: { query: '' }, says: () => '' },
  ranges: { options: ['1h', '1d'], initial: '1h' },
  states: [{ label: 'on', isIn: (row) => row.on }],
  order: { column: 'name', save: save.id },
  detail: {
    sections: (row) => [section('about', '', [textLine(row.id)])],
    tabs: (row): readonly Tab[] => [
      {
        kind: 'rows',
        id: 'parts',
        title: 'parts',
        empty: 'none',
        columns: [subColumn({ id: 'name', title: 'NAME', min: 4, priority: 1 })],
        rows: row.parts.map((name) => ({ id: name, cells: { name } })),
      },
    ],
  },
  actions: [turn, rename, remove, add, save],
});
const plainThings: AnyList = {
  ...things,
  id: 'plain',
  title: 'Plain',
  search: undefined,
  ranges: undefined,
  states: undefined,
  order: undefined,
  detail: undefined,
  actions: [turn],
} as never;

const board: AnyList = { ...things, id: 'board', title: 'Board', board: { blocks: () => [] } } as never;

const rows: readonly Thing[] = [
  { id: 'a', on: false, parts: ['p', 'q'] },
  { id: 'b', on: true, parts: [] },
  { id: 'c', on: true, parts: [] },
];
const undoable: Undoable = {
  group: 'g',
  text: 'a is on',
  list: 'things',
  forward: { action: turn, list: things, rows: [rows[0]] },
  steps: [{ id: 'a', name: 'a', calls: [], before: {}, after: {} }],
};
const lastAction = { action: turn.id, list: 'things', values: {}, title: 'turn on' };
const says = { text: 'a is off soon', at: 1 };
const notice = {
  key: 'k',
  subject: { parts: [says.text] },
  ends: 2,
  end: '09:00 UTC',
  at: 1,
  list: 'things',
  rowId: 'a',
  action: turn.id,
};
const job = bareLayer('job');

interface Case {
  readonly of?: AnyList;
  readonly read?: readonly Thing[] | null;
  readonly sent?: readonly Message[];
  readonly more?: Partial<State>;
  readonly profile?: Partial<Context['profile']>;
  readonly tabs?: readonly AnyList[];
}

function over({ of = things, read = rows, sent = [], more = {}, profile = {}, tabs = [of] }: Case): readonly Binding[] {
  const context = contextOf();
  const known = { ...context, profile: { ...context.profile, ...profile } };
  const session = stepper<Thing>(of, known);
  if (read) session.poll(read);
  session.send(...sent);
  const screens = [
    { id: of.id, title: of.title, key: '1', lists: tabs },
    { id: 'others', title: 'Others', lists: [plainThings] },
  ];
  const view = session.view();
  const screen = { ...view.screen, lists: tabs };
  return bindings({ ...session.state(), ...more }, { ...view, screen }, known, screens);
}

const lists: Readonly<Record<string, Case>> = {
  'a list that was not read': { read: null },
  'a list without rows': { read: [] },
  'a list that has little': { of: plainThings },
  'one of several tabs': { of: plainThings, tabs: [plainThings, things] },
  'a filter': { sent: [{ type: 'openFilter' }, { type: 'pasteText', text: 'a' }, { type: 'choose' }] },
  'marked rows, of which one can be turned on': { sent: [{ type: 'toggleMark' }, { type: 'toggleMark' }] },
  'marked rows, of which none can': {
    sent: [{ type: 'moveCursor', by: 1 }, { type: 'toggleMark' }, { type: 'toggleMark' }],
  },
  'a range': { sent: [{ type: 'toggleRange' }] },
  'an order that is not saved': {
    sent: [
      { type: 'moveRow', by: 1 },
      { type: 'moveRow', by: 1 },
    ],
  },
  'a watched row': { sent: [{ type: 'toggleWatch' }] },
  'an open detail': { sent: [{ type: 'openCurrent' }] },
  'the last of the details': { sent: [{ type: 'moveToEnd', last: true }, { type: 'openCurrent' }] },
  'the rows of a detail': { sent: [{ type: 'openCurrent' }, { type: 'moveTab', by: 1 }] },
  'a search in a detail': {
    sent: [{ type: 'openCurrent' }, { type: 'openFind' }, { type: 'pasteText', text: 'a' }, { type: 'choose' }],
  },
  'a search in a detail that finds nothing': {
    sent: [{ type: 'openCurrent' }, { type: 'openFind' }, { type: 'pasteText', text: 'zz' }, { type: 'choose' }],
  },
  'a profile that is read-only': { profile: { readOnly: true }, more: { undo: [undoable] } },
  'a kiosk': { profile: { isKiosk: true } },
  'after an edit': {
    more: {
      undo: [undoable],
      last: lastAction,
      touched: [{ list: 'things', row: 'a', name: 'a' }],
      underWay: [turning],
    },
  },
  'after an edit on another screen': { more: { last: { ...lastAction, list: 'plain' } } },
  'after an undo': { more: { redo: undoable, paused: true } },
  'after the undo of a deletion': { more: { redo: { ...undoable, forward: { ...undoable.forward, action: remove } } } },
  'after a refusal for want of a permission': { more: { refused: { [setThing.id]: 'things_write' } } },
  'a notice, messages, a running job and a view': {
    more: {
      notices: [notice],
      messages: [{ ...says, tone: 'info' }],
      behind: [job],
      views: [{ name: 'mine', screen: 'things', list: 'things', filter: '' } as never],
    },
  },
  'a notice whose key does something else here': {
    of: { ...plainThings, id: 'twisted', actions: [{ ...turn, title: 'twist' }] } as never,
    more: { notices: [{ ...notice, list: 'plain' }] },
  },
  'a notice whose action this list has not': { of: plainThings, more: { notices: [{ ...notice, action: 'none' }] } },
  'a notice of an action of one list alone': { more: { notices: [{ ...notice, action: rename.id }] } },
  'the one tab of a detail': {
    of: { ...things, detail: { sections: () => [] } } as never,
    sent: [{ type: 'openCurrent' }],
  },
  'a marked row': { sent: [{ type: 'toggleMark' }] },
  'rows of a service': { of: { ...things, services: () => ['web'] } as never },
  'the page of a service': {
    of: {
      ...things,
      services: () => ['web'],
      search: { ...things.search, initial: { subject: 'service:web' } },
    } as never,
  },
  'a board': { of: board },
  'a board without lines': { of: board, read: [] },
  'a terminal without room for a preview': { more: { size: { columns: 60, rows: 20 } } },
  'a terminal that is too small': { more: { size: { columns: 59, rows: 30 } } },
  'a layer on top': { sent: [{ type: 'openPalette' }] },
};

test('the keys of a list', async () => {
  const usual = over({}).map(said);
  const pages = Object.entries(lists).map(([title, one]) => {
    const now = over(one).map(said);
    const [gone, come] = [usual.filter((key) => !now.includes(key)), now.filter((key) => !usual.includes(key))];
    return [title, ...gone.map((key) => `- ${key}`), ...come.map((key) => `+ ${key}`)].join('\n');
  });
  const told = [['a list of three rows', ...usual.map((key) => `  ${key}`)].join('\n'), ...pages].join('\n\n');
  await expect(told).toMatchFileSnapshot(stored('keys-of-lists.txt'));
});

test('what the keys of lists do: whether a person may move the key, and whether a click may do it', async () => {
  const all = new Map(
    Object.values(lists)
      .flatMap(over)
      .map((binding) => [binding.run.type, binding]),
  );
  const told = Array.from(all, ([name, binding]) => {
    const id = generalId(binding);
    return `${name} · ${id === undefined ? 'its key stays' : `moves as ${id}`} · ${chooses(binding) ? 'a click' : 'a key alone'}`;
  });
  await expect(`${told.toSorted().join('\n')}\n`).toMatchFileSnapshot(stored('keys-that-move.txt'));
});

const pending = { action: turn, list: things, rows };
const typed = (text = '') => ({ text, cursor: text.length });

const fields: Fields = {
  name: textField('Name', ''),
  where: { ...textField('Where', ''), isPath: true },
  file: fileField('File', (content) => ({ ok: true, value: content }), { limit: 9 }),
  who: pickField('Who', undefined, () => ({}) as never),
  some: checksField('Some', [], () => ({}) as never),
  color: choiceField('Color', 'red', ['red', 'blue']),
  days: manyField('Days', [], ['mo', 'tu']),
  on: toggleField('On', false),
  more: { ...toggleField('More', false), aside: true },
  query: queryField('Query', 'zap', async () => smallLanguage()),
  last: textField('Last', ''),
};
const names = Object.keys(fields);
const form = (more: Partial<LayerOf<'form'>> = {}, of: Fields = fields): LayerOf<'form'> => ({
  ...formLayer('Form', of, { kind: 'action', pending }),
  ...more,
});
const focusOn = (name: string) => ({ focus: names.indexOf(name) });
const offers = { completion: { start: 0, end: 3, items: [{ text: 'zap' }] }, cursor: 0 };
const [diagnostic] = smallLanguage().check('zap', {});
const written = { diagnostics: diagnostic ? [diagnostic] : [] };
const forAction = (more: object): FormFor => ({
  kind: 'action',
  pending: { ...pending, action: { ...turn, ...more } },
});
const difference = { label: 'Name', parts: bothSides('a', 'b') };

const forms: Readonly<Record<string, LayerOf<'form'>>> = {
  'a path that can be completed': form({
    ...focusOn('where'),
    lines: { ...form().lines, where: typed('/d/a') },
    paths: { where: { directory: '/d/', entries: ['ab'] } },
  }),
  ...Object.fromEntries(names.map((name) => [`the field ${name}`, form(focusOn(name))])),
  'a query with a diagnostic': form({ ...focusOn('query'), written: { query: written } }),
  'a query with completions': form({ ...focusOn('query'), written: { query: { ...written, offers } } }),
  'a query that stopped a save': form({
    ...focusOn('last'),
    written: { query: { ...written, refused: { text: 'zap', message: diagnostic?.message ?? '' } } },
  }),
  'a search': form({ for: { kind: 'search', list: 'things' } }),
  'a search in its second field': form({ for: { kind: 'search', list: 'things' }, focus: 1, recalled: 2 }),
  'the search before the last': form({ for: { kind: 'search', list: 'things' }, recalled: 1 }),
  'the search before that': form({ for: { kind: 'search', list: 'things' }, recalled: 2 }),
  'a view': form({ for: { kind: 'view' } }),
  'an upload': form({ for: forAction({ job: () => ({}) as never }) }),
  'something new': form({ for: forAction({ on: 'list' }) }),
  'something new of one field': form({ for: forAction({ on: 'list' }) }, { name: textField('Name', '') }),
  'a form with a review': form({ for: forAction({ reviews: true }) }),
  'a form with a secret': form({}, { name: textField('Name', ''), key: textField('Key', '', { secret: true }) }),
  'a review of changes': form({ review: [difference] }),
  'a review of more changes than there is room for': form({ review: Array(9).fill(difference) }),
  'a review without changes': form({ review: [] }),
  'a draft': form({ draft: { texts: { name: 'x' }, at: 1 } as never }),
  'a form about to be left': form({ leaving: true, touched: true }),
  'a form with something typed': form({ touched: true, lines: { ...form().lines, name: typed('typed') } }),
};

const entry = { id: 'e', at: 1, operation: 'things.turn', target: 'a', text: '', undoable: false, checkable: false };
const edits = (more: object) =>
  bareLayer('timeline', { view: 'edits', entries: [{ ...entry, outcome: 'applied', ...more } as never] });

const bar: LayerOf<'bar'> = {
  kind: 'bar',
  bar: {
    title: 'mute',
    choices: [
      { key: '1', title: '1h', values: {} },
      { key: 'f', title: 'for ever', values: {} },
    ],
    inputs: [
      { key: 'u', name: 'until', field: textField('Until', ''), ends: true },
      { key: 'w', name: 'why', title: 'note', field: textField('Why', ''), ends: false },
    ],
    cycles: [{ key: 's', name: 'scope', title: 'scope', options: [] }],
    values: {},
  },
  values: {},
  pending,
};
const pick = bareLayer('pick', { pending });
const help = bareLayer('help');
const confirm = bareLayer('confirm');
const secret = bareLayer('secret');
const outcome = { id: 'a', name: 'a', row: rows[0], text: '' };
const results = [
  { ...outcome, ok: true },
  { ...outcome, ok: false },
];

const layers: Readonly<Record<string, Layer>> = {
  'a wait': { kind: 'wait', title: '', pending },
  'a bar': bar,
  'a bar without a text that ends it': { ...bar, bar: { ...bar.bar, inputs: [] } },
  'the text of a bar': { ...bar, input: { name: 'until', line: typed() } },
  'a question': confirm,
  'a question with a text to type': { ...confirm, confirm: { question: 'Sure?', typed: 'yes' } },
  'a search in a detail': bareLayer('find'),
  'an empty filter': bareLayer('filter'),
  'a filter': bareLayer('filter', { line: typed('a') }),
  'a filter before it': bareLayer('filter', { line: typed('a'), recalled: 1 }),
  'the filter of now': bareLayer('filter', { line: typed('a'), recalled: 0 }),
  help,
  'a search in the help': { ...help, searching: true },
  'a job': job,
  'a job that stops': { ...job, stopping: true },
  'a job that has ended': { ...job, ended: { at: 0, ok: true, text: '' } },
  'a menu whose keys go before those that move': {
    kind: 'menu',
    title: '',
    items: [
      { id: 'j', key: 'j', label: 'join', run: { type: 'refresh' } },
      { id: 'q', key: 'q', label: 'query', refused: 'off', run: { type: 'refresh' } },
      { id: 'x', label: 'without a key', run: { type: 'refresh' } },
    ],
    cursor: 0,
  },
  messages: bareLayer('timeline', { view: 'messages' }),
  palette: bareLayer('palette'),
  'a pick': pick,
  'a pick with a text': { ...pick, query: typed('a') },
  'a pick that is typed': { ...pick, typing: true },
  'values for a field': bareLayer('take', { several: true }),
  'a value for a field': bareLayer('take'),
  profiles: bareLayer('profiles'),
  results: bareLayer('results', { title: '1 of 2', results, pending }),
  'results of another edit': bareLayer('results', { results, pending: { ...pending, action: rename } }),
  'results without a failure': bareLayer('results', { title: '1 of 2', results: results.slice(0, 1), pending }),
  'a secret': secret,
  'a secret that is shown': { ...secret, shown: true },
  'a secret about to be left': { ...secret, leaving: true },
  'a copied secret': { ...secret, copied: true, leaving: true },
  text: { kind: 'text', title: 'Message\nof two lines', lines: ['one', 'two'], top: 0 },
  'a timeline that is read': bareLayer('timeline', { view: 'all', isLoading: true }),
  'a timeline without an event': bareLayer('timeline', { view: 'all' }),
  'an edit that was applied': edits({}),
  'an edit that can be undone': edits({ undoable: true, targetId: 'a' }),
  'an edit under way, of no list': edits({ outcome: 'sending', operation: 'call', targetId: 'a' }),
  'an edit in doubt': edits({ outcome: 'unknown' }),
  'an edit in doubt that can be checked': edits({ outcome: 'open', checkable: true }),
  'an edit that can be repeated': edits({ outcome: 'refused', repeatable: true }),
  'a handover': bareLayer('timeline', { report: reportOf([]) }),
  'a handover with an edit in doubt': bareLayer('timeline', {
    report: reportOf(['e'], { list: 'things', row: 'a' }),
    entries: [{ ...entry, outcome: 'unknown', checkable: true } as never],
  }),
  'the start of a shift': bareLayer('timeline', { asking: { for: 'since', line: typed() } }),
};

const keysOf = (layer: Layer): readonly Binding[] => {
  const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
  const notices = [notice];
  return layerKindOf(layer).keys(
    layer,
    { ...emptyState(screens), notices, undo: [undoable], layers: [layer] },
    screens,
    contextOf(),
  );
};

test('copies are made of up to 500 marked rows: more fit in no terminal, and take a key half a second', () => {
  const refused = (count: number) => {
    const read = Array.from({ length: count }, (_, at) => ({ id: `${at}`, on: false, parts: [] }));
    const keys = over({ read, sent: [{ type: 'markAll' }] });
    return ['y', 'Y'].map((key) => keys.find(({ keys: [first] }) => first === key)?.refused);
  };
  expect(refused(500)).toEqual([undefined, undefined]);
  expect(refused(501)).toEqual([undefined, 'more than 500 rows: y copies their ids']);
});

test('the keys of a form', async () => {
  const pages = Object.fromEntries(Object.entries(forms).map(([title, layer]) => [title, keysOf(layer)]));
  await expect(page(pages)).toMatchFileSnapshot(stored('keys-of-forms.txt'));
});

test('the keys of other layers', async () => {
  const pages = Object.fromEntries(Object.entries(layers).map(([title, layer]) => [title, keysOf(layer)]));
  await expect(page(pages)).toMatchFileSnapshot(stored('keys-of-layers.txt'));
});

test('over each layer that only shows, the keys that work everywhere do, and one step leads back', () => {
  const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
  const showing = Object.entries(layers).filter(
    ([, layer]) => layerKindOf(layer).isShowing && !layerKindOf(layer).takesText(layer),
  );
  expect(showing.length).toBeGreaterThan(8);
  for (const [title, layer] of showing) {
    const behind = [{ kind: 'job', id: 'j', title: 'Upload', since: 0, stopping: false }] as const;
    const underWay = [{ ...turning, rows: 2 }];
    const state: State = { ...emptyState(screens), layers: [layer], behind, underWay };
    const { view, context } = emptyWorld(screens, state);
    const bound = bindings(state, view, context, screens).flatMap(({ keys }) => keys);
    const everywhere = '1 : ctrl+p P H ! W u ctrl+y Q ? esc q ctrl+r ctrl+l ctrl+x ctrl+z'.split(' ');
    expect(
      everywhere.filter((key) => !bound.includes(key)),
      title,
    ).toEqual([]);
    expect(new Set(bound).size, `${title}: ${bound.join(' ')}`).toBe(bound.length);
  }
});

test('a key is named as keyboards name it', () => {
  const keys = ['j', 'ctrl+r', 'ctrl+space', 'ctrl+_', 'alt+return', 'alt+x', 'shift+tab', 'pageup', 'insert'];
  expect(keys.map(keyLabel)).toEqual([
    ...['j', 'Ctrl-R', 'Ctrl-Space', 'Ctrl-_', 'Alt-Enter', 'Alt-x', 'Shift-Tab', 'PgUp', 'insert'],
  ]);
});
