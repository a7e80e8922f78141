import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { endpoints, findEndpoint } from '../../src/api/all-endpoints.ts';
import type { AnyAction, AnySendingAction } from '../../src/describe/action.ts';
import { type AnyList, list, type Screen } from '../../src/describe/screen.ts';
import { bindingsOfLists } from '../support/bindings.ts';
import { apart, keyFaults, screenFaults, sharedKeyFaults, tabFaults, unreached } from './screens.ts';
import { sources } from './sources.ts';

test('every screen keeps the rules common to all screens', () => {
  expect(screenFaults(screens, endpoints)).toEqual([]);
});

test('every operation is reachable from a screen or has a reason not to be', () => {
  expect(unreached(screens, endpoints, apart)).toEqual([]);
});

test('no two live keys of a list are the same', () => {
  expect(keyFaults(bindingsOfLists(screens))).toEqual([]);
  expect(sharedKeyFaults(screens)).toEqual([]);
});

test('every file in screens/ is a tab of the index', () => {
  const files = sources('screens');
  const index = files.find((file) => file.path === 'screens/index.ts')?.text ?? '';
  expect(
    tabFaults(
      files.map((file) => file.path),
      index,
    ),
  ).toEqual([]);
});

const update = findEndpoint('retention.update');
const toggle = {
  id: 'retention.toggle',
  key: 't',
  title: 'turn on or off',
  help: 'filters that are off index nothing',
  uses: update ? [update] : [],
  send: () => ({}) as never,
  undo: () => [],
  done: () => 'done',
} as unknown as AnyAction;

const good: AnyList = list<{ id: string }>({
  id: 'retention',
  title: 'Retention',
  load: () => ({ key: '', of: ['apm_retention_filter'], plan: () => ({}) as never }),
  idOf: (row) => row.id,
  nameOf: (row) => row.id,
  columns: [{ id: 'name', title: 'name', min: 4, priority: 1, text: (row) => row.id }],
  actions: [toggle],
  empty: 'no filters',
});
const one = (partial: Partial<AnyList>): Screen[] => [
  { id: 'retention', title: 'Retention', key: '8', lists: [{ ...good, ...partial }] },
];
const act = (partial: Partial<AnySendingAction>) => one({ actions: [{ ...toggle, ...partial } as AnySendingAction] });
const { undo: _, ...final } = toggle;
/** A screen whose only action has no undo. */
const actFinally = (partial: Partial<AnySendingAction>) =>
  one({ actions: [{ ...final, ...partial } as AnySendingAction] });

test('the laws report each planted violation', () => {
  expect(screenFaults(one({}), endpoints)).toEqual([]);
  for (const [planted, fault] of [
    [[...one({}), ...one({ id: 'other' })], 'two screens have the id retention'],
    [one({ columns: [] }), 'no column stays'],
    [
      one({ load: () => ({ key: '', of: ['filter'], plan: () => ({}) as never }) }),
      'no operation is about its kind filter',
    ],
    [
      one({ load: (_, { now }) => ({ key: `${now}`, of: [], plan: () => ({}) as never }) }),
      'its read depends on now, so it must not be kept',
    ],
    [one({ sorted: { by: 'name', down: true } }), 'cannot be sorted by'],
    [
      one({ columns: [{ id: 'p', title: 'P', min: 1, priority: 1, text: () => '', sort: () => 1 }] }),
      'calls a column "p"',
    ],
    [act({ id: 'toggle' }), 'domain.verb'],
    [actFinally({}), 'neither be undone nor asks first'],
    [act({ uses: [] }), 'which operations it uses'],
    [act({ uses: update ? [{ ...update }] : [] }), 'not in src/api/all-endpoints.ts'],
    [act({ title: 'Toggle' }), 'lower case'],
    [act({ help: '' }), 'one sentence'],
    [one({ actions: [toggle, { ...toggle }] }), 'two actions have the id'],
  ] as const)
    expect(screenFaults(planted, endpoints).join('\n'), fault).toContain(fault);
  expect(screenFaults(actFinally({ confirm: () => undefined }), endpoints)).toEqual([]);
});

test('the law reports an operation that no screen uses, and a needless reason', () => {
  const known = update ? [update] : [];
  expect(unreached(one({}), known, {})).toEqual([]);
  expect(unreached(one({ actions: [] }), known, {})).toEqual(['no screen uses retention.update']);
  expect(unreached(one({ actions: [], reads: known }), known, {})).toEqual([]);
  expect(unreached(one({ actions: [] }), known, { 'retention.update': 'a reason' })).toEqual([]);
  expect(unreached(one({}), known, { 'retention.update': 'a reason', 'retention.gone': 'a reason' })).toEqual([
    'retention.update needs no reason',
    'retention.gone needs no reason',
  ]);
});

test('the law reports two actions on one key, and an action on a key of the frame', () => {
  expect(keyFaults(bindingsOfLists(act({ key: 'z' })))).toEqual([]);
  expect(keyFaults(bindingsOfLists(act({ key: 'j' })))).toEqual(['retention: j is down and turn on or off']);
  const both = one({
    actions: [
      { ...toggle, key: 'z' },
      { ...toggle, id: 'retention.other', key: 'z', title: 'other' },
    ],
  });
  expect(sharedKeyFaults(both)).toEqual(['retention: z is turn on or off and other']);
});

test('the law reports a file that is no tab', () => {
  const index = "import { issues } from './issues.ts';";
  expect(tabFaults(['screens/issues.ts', 'screens/issues/row.ts', 'screens/index.ts'], index)).toEqual([]);
  expect(tabFaults(['screens/roles.ts', 'screens/parts/a.ts'], index)).toHaveLength(2);
});
