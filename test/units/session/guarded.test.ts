import { expect, test } from 'vitest';
import { toResult } from '../../../src/api/problem.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import { guarded, layerPicks } from '../../../src/session/guarded.ts';
import { walk } from '../../support/plans.ts';

/** What stands for the answer of a function of a description that throws. */

const fault = 'a fault in orgdeck (TypeError: planted)';
function planted(): never {
  throw new TypeError('planted');
}
/** An object whose every named member throws. */
const throwing = (...names: string[]) => Object.fromEntries(names.map((name) => [name, planted]));

const broken = {
  id: 'things',
  title: 'Things',
  ...throwing('load', 'find', 'output', 'columnsOf', 'idOf', 'nameOf', 'words', 'trend', 'comparable'),
  ...throwing('service', 'now', 'openEnds', 'alarms'),
  columns: [{ id: 'c', ...throwing('text', 'says', 'tone', 'sort') }],
  shown: [{ id: 'c', ...throwing('text') }],
  states: [{ label: 'ON', isIn: planted, aside: { label: 'x', isSo: planted } }],
  derived: { feeds: { f: throwing('source', 'samples', 'changes') }, ...throwing('rows', 'notes', 'subject', 'place') },
  board: throwing('blocks'),
  detail: { ...throwing('load', 'sections', 'tabs', 'preview'), inside: throwing('get', 'set') },
  search: throwing('says'),
  order: { column: 'c', save: 's', may: planted },
  actions: [
    {
      id: 'things.turn',
      title: 'turn on',
      ...throwing('enabled', 'ready', 'needs'),
    },
  ],
  empty: '',
} as unknown as AnyList;
const one = (of: unknown): AnyList => guarded([{ id: 's', title: '', lists: [of as AnyList] }])[0]?.lists[0] as AnyList;

const list = one(broken);
/** Calls the member at this path of the list: `columns.0.text`. */
const does = (path: string, ...given: readonly unknown[]): unknown => {
  const member = path.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown>)[name], list);
  return (member as (...given: readonly unknown[]) => unknown)(...given);
};
const act = (name: string, ...given: readonly unknown[]) => does(`actions.0.${name}`, ...given);
const row = { id: 'r' };
const told = (plan: unknown) => walk((plan as { plan: () => never }).plan(), () => toResult(undefined)).value;
const unreadable = { ok: false, problem: { kind: 'unreadable', text: `this cannot be read: ${fault}` } };
const line = (what: string) => expect.objectContaining({ text: `${what} cannot be shown: ${fault}` });

test('every function of a list has a fallback, which says so or is left out', () => {
  const fallbacks = {
    ...{ nameOf: '(no name: a fault in orgdeck)', words: '', now: 'unreadable', service: undefined, trend: Number.NaN },
    ...{ columnsOf: undefined, openEnds: [], alarms: [], output: { fields: [] }, comparable: row },
    ...{ 'search.says': '(a fault in orgdeck)', 'order.may': fault },
    ...{ 'columns.0.text': '(unreadable)', 'columns.0.says': '(unreadable)', 'columns.0.tone': 'dim' },
    ...{ 'columns.0.sort': '', 'shown.0.text': '(unreadable)' },
    ...{ 'states.0.isIn': false, 'states.0.aside.isSo': undefined },
  };
  for (const [path, fallback] of Object.entries(fallbacks)) expect(does(path, row), path).toEqual(fallback);
  for (const path of ['load', 'find']) expect(told(does(path)), path).toMatchObject(unreadable);
});

test('rows whose id cannot be read have one each, the same again', () => {
  const [first, second] = [{}, {}];
  expect([first, second, first].map((one) => list.idOf(one))).toEqual(['(no id 1)', '(no id 2)', '(no id 1)']);
  expect([undefined, null, 'text'].map((one) => list.idOf(one))).toEqual(['(no id)', '(no id)', '(no id)']);
});

test('a detail says what cannot be shown, and takes no edit inside', () => {
  expect(told(does('detail.load', row))).toMatchObject(unreadable);
  expect(does('detail.sections', row)).toMatchObject([{ id: 'fault', lines: [line('this detail')] }]);
  expect(does('detail.tabs', row)).toMatchObject([{ id: 'fault', sections: [{ lines: [line('this part')] }] }]);
  expect(does('detail.preview', row)).toEqual([line('this preview')]);
  expect([does('detail.inside.get', {}), does('detail.inside.set', row, {})]).toEqual([undefined, row]);
});

test('a derived list shows no rows and says why; its board one block', () => {
  expect(told(does('derived.feeds.f.source'))).toMatchObject(unreadable);
  expect([does('derived.feeds.f.samples', []), does('derived.feeds.f.changes', [], [])]).toEqual([{}, []]);
  expect(['rows', 'subject', 'place'].map((name) => does(`derived.${name}`))).toEqual([[], undefined, undefined]);
  expect(does('derived.notes', {})).toEqual([`this cannot be shown: ${fault}`]);
  expect(does('board.blocks')).toMatchObject([
    { id: 'fault', lines: [], columns: [], least: 1, trouble: `this cannot be shown: ${fault}` },
  ]);
});

test('an action that throws is refused, and needs what cannot be read', () => {
  expect([act('enabled', row), act('ready')]).toEqual([fault, fault]);
  expect(told(act('needs', row))).toMatchObject(unreadable);
});

test('a description without a function has none, and a picker that throws reads nothing', () => {
  const bare = one({ id: 'bare', columns: [], actions: [] }) as unknown as Record<string, unknown>;
  expect(Object.keys(bare).sort()).toEqual(['actions', 'columns', 'id']);
  const pick = { kind: 'pick', picker: { load: planted }, asked: '', pending: { list: {} } };
  expect(told(layerPicks(pick as never))).toMatchObject(unreadable);
});
