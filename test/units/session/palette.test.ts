import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { matchingPalette, palette } from '../../../src/session/layers/palette.ts';
import { type Binding, offInKiosk } from '../../../src/session/state/moment.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const state = emptyState(screens);
const key = (title: string, more: Partial<Binding> = {}): Binding => ({
  keys: ['k'],
  title,
  group: 'anywhere',
  run: { type: 'refresh' },
  ...more,
});
const worldOf = (...below: Binding[]) => emptyWorld(screens, state, { below });
const layerOf = (text: string, cursor = 0) => ({
  kind: 'palette' as const,
  query: { text, cursor: text.length },
  cursor,
});
const labels = (text: string, ...below: Binding[]) =>
  matchingPalette(layerOf(text), worldOf(...below)).map(({ label }) => label);

test('the palette lists no key that moves, marks or sorts, none of this moment, not itself, and no second way to quit', () => {
  const keys = [
    key('refresh'),
    key('down', { group: 'move' }),
    key('mark', { group: 'choose' }),
    key('sort', { group: 'find', run: { type: 'openSortMenu' } }),
    key('extend it', { group: 'here' }),
    key('palette', { run: { type: 'openPalette' } }),
    key('quit', { group: 'back', run: { type: 'goBack' } }),
    key('quit', { run: { type: 'interrupt' } }),
    key('back', { group: 'back', run: { type: 'goBack' }, refused: 'nothing to close' }),
    key('clear marks', { group: 'back', run: { type: 'goBack' } }),
  ];
  expect(labels('', ...keys).filter((label) => !label.startsWith('theme'))).toEqual(['refresh', 'clear marks']);
  expect(labels('down', ...keys)).toEqual([]);
});

test('q, q! and quit mean quit alone', () => {
  const keys = [key('quit', { run: { type: 'askQuit' } }), key('query')];
  for (const typed of ['q', 'q!', 'quit', ' q ']) expect(labels(typed, ...keys), typed).toEqual(['quit']);
  expect(labels('qu', ...keys).toSorted()).toEqual(['query', 'quit']);
});

test('a name that matches stands before help that does, and each once', () => {
  const keys = [key('copy', { help: 'mute of a row as a command' }), key('mute', { help: 'mute the monitor' })];
  expect(labels('mute', ...keys)).toEqual(['mute', 'copy']);
});

test('a name that is what was typed stands before those that begin with it or have it', () => {
  const keys = ['eu_acme_prod', 'acme_prod_2', 'acme_prod'].map((title) => key(title));
  expect(labels('acme_prod', ...keys)).toEqual(['acme_prod', 'acme_prod_2', 'eu_acme_prod']);
});

test('words that mean something stand first, words that do not stand last', () => {
  expect(labels('theme light')[0]).toBe('theme light');
  expect(labels('theme li')).toEqual(['theme light', 'theme li']);
  expect(labels('1', key('refresh'))[0]).toBe('1');
});

test('typing goes back to the first row; Backspace without text leaves', () => {
  const typed = (text: string, name: string) => {
    const layer = layerOf(name === 'backspace' ? text : '', 3);
    const over = { ...state, layers: [layer] };
    return palette.typed?.(over, layer, { text: name === 'backspace' ? '' : text, key: name }, worldOf()).state.layers;
  };
  expect(typed('m', 'm')).toEqual([{ kind: 'palette', query: { text: 'm', cursor: 1 }, cursor: 0 }]);
  expect(typed('m', 'backspace')).toEqual([{ kind: 'palette', query: { text: '', cursor: 0 }, cursor: 0 }]);
  expect(typed('', 'backspace')).toEqual([]);
});

test('Enter says that nothing matches', () => {
  const layer = layerOf('zoe');
  const next = palette.update.choose?.({ ...state, layers: [layer] }, layer, { type: 'choose' }, worldOf());
  expect(next?.state.flash?.text).toBe('Nothing matches what is typed: change it, or Esc');
});

/** What the first item for this text would do, or why it does nothing. */
function meant(text: string, world = worldOf()) {
  const [item] = matchingPalette(layerOf(text), world);
  return item?.refused ?? item?.run;
}

test.each<[string, unknown]>([
  ['poll 9', 'poll every 10 to 300 seconds'],
  ['poll 10', { type: 'setPollInterval', seconds: 10 }],
  ['poll 300', { type: 'setPollInterval', seconds: 300 }],
  ['poll 301', 'poll every 10 to 300 seconds'],
  ['poll 10.5', 'poll every 10 to 300 seconds'],
  ['poll often', 'poll every 10 to 300 seconds'],
  ['theme mono', { type: 'setTheme', name: 'mono', isSaved: false }],
  ['theme mono !', { type: 'setTheme', name: 'mono', isSaved: true }],
  ['theme pink', expect.stringContaining('themes: ')],
  ['profile acme', { type: 'useProfile', name: 'acme' }],
  ['view Mine', { type: 'openView', name: 'mine' }],
  ['view other', 'the views are mine, yours'],
])('%s', (text, expected) => {
  const views = ['mine', 'yours'].map((name) => key(`view ${name}`, { keys: [], run: { type: 'openView', name } }));
  expect(meant(text, worldOf(...views))).toEqual(expected);
});

test('without a saved view the palette says how to save one; a kiosk is refused what it never does', () => {
  expect(meant('view other')).toBe('no view is saved yet: b saves the first one');
  const kiosk = contextOf({ profile: { name: 'test', production: false, readOnly: false, isKiosk: true } });
  expect(meant('profile acme', { ...worldOf(), context: kiosk })).toBe(offInKiosk);
});

test('each profile can be named once they are read; a name that none has is refused, and so are all in a kiosk', () => {
  const profiles = ['acme', 'beta'].map((name) => ({
    name,
    says: `https://${name}.example`,
    current: name === 'beta',
  }));
  const rows = (text: string, world = worldOf()) => matchingPalette({ ...layerOf(text), profiles }, world);
  const named = rows('profile ').filter(({ label }) => label.startsWith('profile'));
  expect(named.map(({ label, hint }) => `${label}: ${hint}`)).toEqual([
    'profile acme: https://acme.example',
    'profile beta: in use · https://beta.example',
  ]);
  expect(rows('profile acme')[0]).toMatchObject({ run: { type: 'useProfile', name: 'acme' } });
  expect(rows('profile ac').map(({ label, refused }) => [label, refused])).toEqual([
    ['profile acme', undefined],
    ['profile ac', 'profiles: acme, beta'],
  ]);
  const world = worldOf();
  const kiosk = { ...world, context: { ...world.context, profile: { ...world.context.profile, isKiosk: true } } };
  expect(rows('acme', kiosk)[0]).toMatchObject({ label: 'profile acme', refused: offInKiosk });
});
