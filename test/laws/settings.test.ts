import * as v from 'valibot';
import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { Setting } from '../../src/describe/setting.ts';
import { createFaults, emptyFaults, settingFaults } from './settings.ts';

const actions = screens.flatMap((screen) => screen.lists.flatMap((list) => list.actions));

test('every setting has a schema member, and every member that can be sent is a setting or has a reason', () => {
  expect(actions.filter((action) => action.settings).length).toBeGreaterThan(3);
  expect(settingFaults(actions)).toEqual([]);
});

test('every create identifies its new row, and every write can be undone or asks for confirmation', () => {
  expect(createFaults(actions)).toEqual([]);
  expect(emptyFaults(actions)).toEqual([]);
});

// A body of its own: a further setting of the product changes nothing here.
const attributes = v.looseObject({
  name: v.string(),
  enabled: v.boolean(),
  filter: v.looseObject({ query: v.string() }),
  filter_type: v.string(),
  rate: v.number(),
  trace_rate: v.optional(v.number()),
});
const update: Endpoint = {
  ...(findEndpoint('retention.update') as Endpoint),
  body: v.looseObject({ data: v.looseObject({ attributes }) }),
};
const create = findEndpoint('retention.create') as Endpoint;
const at = (path: string) => ({ label: path, path, field: () => ({}) as never }) as Setting<unknown>;
const all = Object.fromEntries(
  ['name', 'enabled', 'filter', 'rate', 'trace_rate'].map((path) => [path, at(path)] as const),
);
const action = (more: Partial<AnyAction>): AnyAction =>
  ({ id: 'a.b', key: 'n', on: 'list', uses: [update], fixed: { filter_type: 'a reason' }, ...more }) as AnyAction;

test('the law of settings reports each planted violation', () => {
  expect(settingFaults([action({ settings: all })])).toEqual([]);
  expect(settingFaults([action({ settings: { ...all, odd: at('filter.words') } })])).toEqual([
    'a.b: no operation in its uses has filter.words',
  ]);
  const { rate: _, ...fewer } = all;
  expect(settingFaults([action({ settings: fewer })])).toEqual([
    'a.b: rate can be sent, is no setting and has no reason in fixed',
  ]);
  expect(settingFaults([action({ settings: { ...all, filter: at('filter.name') } })])).toContain(
    'a.b: filter.query can be sent, is no setting and has no reason in fixed',
  );
  expect(settingFaults([action({ settings: all, fixed: { filter_type: 'a', place: 'b' } })])).toEqual([
    'a.b: place cannot be sent, so it needs no reason',
  ]);
  // Members of every option of a variant count.
  const either = v.variant('type', [
    v.looseObject({ type: v.literal('a'), bucket: v.string() }),
    v.looseObject({ type: v.literal('b'), container: v.optional(v.string()) }),
  ]);
  const both = { ...update, body: v.looseObject({ to: either }) };
  expect(settingFaults([action({ uses: [both], fixed: {}, settings: { bucket: at('to.bucket') } })])).toEqual([
    'a.b: to.type can be sent, is no setting and has no reason in fixed',
    'a.b: to.container can be sent, is no setting and has no reason in fixed',
  ]);
});

test('the law of settings counts a relationship as a member', () => {
  const body = v.looseObject({
    data: v.looseObject({
      attributes: v.looseObject({ name: v.string() }),
      relationships: v.optional(v.looseObject({ role: v.looseObject({ data: v.looseObject({ id: v.string() }) }) })),
    }),
  });
  const faults = (...paths: string[]) => {
    const settings = Object.fromEntries(paths.map((path) => [path, at(path)]));
    return settingFaults([action({ uses: [{ ...update, body }], fixed: {}, settings })]);
  };
  expect(faults('name', 'role')).toEqual([]);
  expect(faults('name')).toEqual(['a.b: role.data.id can be sent, is no setting and has no reason in fixed']);
});

test('the law of creates reports one without an id', () => {
  expect(createFaults([action({ uses: [create] })])).toEqual(['a.b: a create says which row it has made']);
  expect(createFaults([action({ uses: [create], made: () => ({ id: '1', name: 'one' }) })])).toEqual([]);
});

test('the law of writes reports an empty confirmation and an empty undo', () => {
  expect(emptyFaults([action({ confirm: () => undefined })])).toEqual(['a.b: it neither asks nor can be undone']);
  expect(emptyFaults([action({ undo: () => [] })])).toEqual(['a.b: it neither asks nor can be undone']);
  expect(emptyFaults([action({ confirm: () => ({ question: 'Confirm' }), undo: () => [] })])).toEqual([]);
});
