import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAction, deleteAction, editAction } from '../../screens/mappings/edit.ts';
import { loadMappings } from '../../screens/mappings/load.ts';
import { type MappingRow, readMapping } from '../../screens/mappings/row.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';

const context = contextOf();
const row: MappingRow = {
  id: 'm1',
  key: 'groups',
  value: 'sre',
  target: { kind: 'role', id: 'r1', name: 'On call' },
  about: {},
};
const values = { key: 'groups', value: 'sre', kind: 'role' as const, role: 'r1', team: undefined };
const answer = (id: string, more: object = {}) => ({
  data: {
    id,
    attributes: { attribute_key: 'groups', attribute_value: 'sre' },
    relationships: { role: { data: { id: 'r1', type: 'roles' } } },
    ...more,
  },
  included: [{ id: 'r1', type: 'roles', attributes: { name: 'On call' } }],
});
const body = (it: Call | Plan<Result<unknown>>) => (it as Call).body;

test('the target is found among what was included, by type and id', () => {
  const included = [
    { id: 'x', type: 'team', attributes: { name: 'Core', handle: 'core', avatar: null } },
    { id: 'x', type: 'roles', attributes: { name: 'Operators', managed: true } },
  ];
  const to = (kind: string) => readMapping({ id: 'm', relationships: { [kind]: { data: { id: 'x' } } } }, included);
  expect(to('role')?.target).toEqual({ kind: 'role', id: 'x', name: 'Operators' });
  expect(to('team')?.target).toEqual({ kind: 'team', id: 'x', name: 'Core' });
  expect(to('planet')?.target).toBeUndefined();
  expect(readMapping({ id: 'm', relationships: { role: { data: { id: 'gone' } } } })?.target?.name).toBeUndefined();
  for (const odd of [null, 3, [], {}, { id: '' }]) expect(readMapping(odd)).toBeUndefined();
});

test('both kinds are read, roles first; teams that cannot be read are a note', () => {
  const load = () => loadMappings({ search: { kind: 'all' }, range: '' }).plan(context);
  const { value, calls } = walk(load(), (_, nth) =>
    nth === 1 ? answered({ data: [answer('m1').data] }) : refused('invalid', 'unknown resource_type'),
  );
  expect(calls.map((it) => it.query.resource_type)).toEqual(['role', 'team']);
  expect(value).toMatchObject({
    ok: true,
    value: { rows: [{ id: 'm1' }], notes: ['those to teams were not read: unknown resource_type'] },
  });
  // One that does not know the parameter answers the same twice.
  const twice = walk(load(), () => answered({ data: [answer('m1').data] }));
  expect(twice.value).toMatchObject({ value: { rows: { length: 1 } } });
  expect(walk(load(), () => refused('forbidden', 'no')).value).toMatchObject({ ok: false });
});

test('one kind alone is asked for alone', () => {
  const { calls } = walk(loadMappings({ search: { kind: 'team', text: ' core ' }, range: '' }).plan(context), () =>
    answered({ data: [] }),
  );
  expect(calls.map((it) => it.query)).toMatchObject([{ resource_type: 'team', filter: 'core' }]);
});

test('an edit sends what differs, and the way back the same', () => {
  const sent = body(editAction.send(row, { ...values, value: 'ops' }, context));
  expect(sent).toEqual({ data: { id: 'm1', type: 'authn_mappings', attributes: { attribute_value: 'ops' } } });
  const [back] = editAction.undo?.(row, { ...values, value: 'ops' }, answer('m1'), context) ?? [];
  expect(back?.body).toEqual({ data: { id: 'm1', type: 'authn_mappings', attributes: { attribute_value: 'sre' } } });
  expect(body(editAction.send(row, { ...values, role: 'r2' }, context))).toMatchObject({
    data: { attributes: {}, relationships: { role: { data: { id: 'r2', type: 'roles' } } } },
  });
  expect(editAction.confirm?.([row], { ...values, role: 'r2' }, context)).toBeUndefined();
});

test('another kind of target: made, then the old one deleted; half of it is told', () => {
  const turned = { ...values, kind: 'team' as const, role: undefined, team: 't1' };
  expect(editAction.confirm?.([row], turned, context)?.question).toContain('in the place of groups = sre');
  const plan = () => editAction.send(row, turned, context) as Plan<Result<unknown>>;
  const whole = walk(plan(), () => answered(answer('m2')));
  expect(whole.calls.map((it) => it.endpoint.id)).toEqual(['mappings.create', 'mappings.delete']);
  expect(whole.value.ok).toBe(true);
  const [first, second] = editAction.undo?.(row, turned, answer('m2'), context) ?? [];
  expect([first?.endpoint.id, second?.endpoint.id, second?.params]).toEqual([
    'mappings.create',
    'mappings.delete',
    { authn_mapping_id: 'm2' },
  ]);
  const half = walk(plan(), (_, nth) => (nth === 1 ? answered(answer('m2')) : refused('forbidden', 'no')));
  expect(half.value).toMatchObject({
    ok: false,
    problem: { text: expect.stringContaining('the old one is still there') },
  });
  const gone = walk(plan(), (_, nth) => (nth === 1 ? answered(answer('m2')) : refused('notFound', 'gone')));
  expect(gone.value.ok).toBe(true);
  const none = walk(plan(), () => refused('conflict', 'equal'));
  expect(none.calls).toHaveLength(1);
});

test('no way back is offered where the target was not told', () => {
  const blind: MappingRow = { ...row, target: undefined };
  expect(deleteAction.undo?.(blind, {}, undefined, context)).toEqual([]);
  expect(editAction.undo?.(blind, values, answer('m1'), context)).toEqual([]);
  expect(createAction.undo?.(row, values, {}, context)).toEqual([]);
});

test('receipts tell what the answer says', () => {
  expect(createAction.done(row, values, answer('m2'), context)).toBe('created: groups = sre leads to role On call');
  expect(createAction.done(row, values, {}, context)).toContain('did not say what it leads to');
});

test('whatever else a mapping has, an edit of one field sends that field and nothing else', () => {
  const unknown = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}_x$/), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(unknown, unknown, (more, around) => {
      const odd = answer('m1', { ...around, id: 'm1' });
      const read = readMapping({ ...odd.data, attributes: { ...more, ...odd.data.attributes } }, odd.included);
      if (!read) throw new Error('no row');
      expect(body(editAction.send(read, { ...values, key: 'team' }, context))).toEqual({
        data: { id: 'm1', type: 'authn_mappings', attributes: { attribute_key: 'team' } },
      });
    }),
  );
});
