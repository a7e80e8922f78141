import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAction, deleteAction, editAction } from '../../screens/mappings/edit.ts';
import { loadMappings, type MappingRow, mappingKind, mappingTarget } from '../../screens/mappings/kind.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const answer = (id: string, attributes: object = {}, more: object = {}) => ({
  data: {
    id,
    attributes: { attribute_key: 'groups', attribute_value: 'sre', ...attributes },
    relationships: { role: { data: { id: 'r1', type: 'roles' } } },
    ...more,
  },
  included: [{ id: 'r1', type: 'roles', attributes: { name: 'On call' } }],
});
const rowOf = ({ data, included }: { data: object; included?: readonly object[] }): MappingRow =>
  there(mappingKind.row(data as Parameters<typeof mappingKind.row>[0], { included: included as never }));
const row = rowOf(answer('m1'));
const withoutTarget = rowOf({ data: { id: 'm1', attributes: row.attributes } });
const form = { key: 'groups', value: 'sre', kind: 'role' as const, role: 'r1' };
const toTeam = { kind: 'team' as const, team: 't1' };

type Values = Parameters<typeof editAction.send>[1];
const edited = (before: MappingRow, values: Values, answers: (call: Call, nth: number) => Result<unknown>) =>
  acted(editAction, before, values, answers);

test('the target is found among the included resources, by type and id', () => {
  const included = [
    { id: 'x', type: 'team', attributes: { name: 'Core', handle: 'core', avatar: null } },
    { id: 'x', type: 'roles', attributes: { name: 'Operators', managed: true } },
  ];
  const to = (kind: string) =>
    mappingTarget(rowOf({ data: { id: 'm', relationships: { [kind]: { data: { id: 'x' } } } }, included }));
  expect(to('role')).toMatchObject({ kind: 'role', id: 'x', name: 'Operators' });
  expect(to('team')).toMatchObject({ kind: 'team', id: 'x', name: 'Core' });
  expect(to('planet')).toBeUndefined();
  const missing = rowOf({ data: { id: 'm', relationships: { role: { data: { id: 'gone' } } } }, included });
  expect(mappingTarget(missing)).toEqual({ kind: 'role', id: 'gone', name: undefined, about: {} });
  for (const odd of [null, undefined, {}, { id: '' }]) expect(mappingKind.row(odd)).toBeUndefined();
});

test('both kinds are read, roles first; teams that cannot be read are a note', () => {
  const load = () => loadMappings({ search: { kind: 'all' }, range: '' }).plan(context);
  const { value, calls } = walk(load(), (_, nth) =>
    nth === 1 ? answered({ data: [answer('m1').data] }) : refused('invalid', 'unknown resource_type'),
  );
  expect(calls.map(({ query }) => query.resource_type)).toEqual(['role', 'team']);
  expect(value).toMatchObject({
    ok: true,
    value: {
      rows: [{ id: 'm1' }],
      notes: ['mappings to teams could not be read: unknown resource_type'],
      missing: ['mappings to teams could not be read: unknown resource_type'],
    },
  });
  // A deployment that ignores the parameter returns the same rows twice.
  const twice = walk(load(), () => answered({ data: [answer('m1').data] }));
  expect(twice.value).toMatchObject({ value: { rows: { length: 1 } } });
  expect(walk(load(), () => refused('forbidden', 'no')).value).toMatchObject({ ok: false });
});

test('a search for one kind reads that kind alone', () => {
  const { calls } = walk(loadMappings({ search: { kind: 'team', text: ' core ' }, range: '' }).plan(context), () =>
    answered({ data: [] }),
  );
  expect(calls.map(({ query }) => query)).toMatchObject([{ resource_type: 'team', filter: 'core' }]);
});

test('a mapping needs an attribute, a value, and the role or team that it leads to', () => {
  const fields = Object.entries(createAction.form?.(row, context, undefined) ?? {});
  expect(fields.flatMap(([name, { required }]) => (required ? [name] : []))).toEqual(['key', 'value', 'role', 'team']);
});

test('another kind of target: the new mapping is created, then the old one deleted; a failure in between is reported', () => {
  expect(editAction.confirm?.([row], toTeam, context)?.question).toContain('Replace groups = sre');
  const replaced = (now: object, ended: Result<unknown> = answered(undefined)) =>
    edited(row, toTeam, (_, nth) => there([answered(now), answered(answer('m2')), ended][nth - 1]));
  const whole = replaced(answer('m1', { attribute_value: 'sre-eu' }));
  expect(whole.operations).toEqual(['mappings.get', 'mappings.create', 'mappings.delete']);
  // What others have changed meanwhile stays; where they changed the target too, nothing is sent.
  const attributes = { attribute_value: 'sre-eu' };
  const relationships = { team: { data: { id: 't1', type: 'team' } } };
  expect(whole.bodies).toMatchObject([{ data: { attributes, relationships } }]);
  const theirs = replaced(answer('m1', {}, { relationships: { role: { data: { id: 'r2', type: 'roles' } } } }));
  expect([theirs.operations, theirs.value]).toMatchObject([['mappings.get'], { problem: { kind: 'conflict' } }]);
  expect(whole.truth()).toMatchObject({ id: 'm1' });
  const [first, second] = whole.back();
  expect([first?.endpoint.id, second?.endpoint.id, second?.params]).toEqual([
    'mappings.create',
    'mappings.delete',
    { authn_mapping_id: 'm2' },
  ]);
  expect(first?.body).toMatchObject({ data: { attributes, relationships: { role: { data: { id: 'r1' } } } } });
  const half = replaced(answer('m1'), refused('forbidden', 'no'));
  expect(half.value).toMatchObject({
    ok: false,
    problem: { text: expect.stringContaining('the mapping to the team was created, but the old one still exists') },
  });
  expect(replaced(answer('m1'), refused('notFound', 'gone')).value.ok).toBe(true);
  const doubt = 'the mapping to the team was created, but whether the old one is deleted is unknown: no answer';
  expect(replaced(answer('m1'), refused('unknown', 'no answer')).value).toMatchObject({ problem: { text: doubt } });
  const unseen = edited(row, toTeam, (_, nth) => answered(nth === 1 ? answer('m1') : { data: { attributes } }));
  expect([unseen.operations, unseen.says()]).toEqual([
    ['mappings.get', 'mappings.create'],
    'the response does not show the new mapping, so the old one was kept',
  ]);
  const none = edited(row, toTeam, (_, nth) => (nth === 1 ? answered(answer('m1')) : refused('conflict', 'equal')));
  expect(none.calls).toHaveLength(2);
});

test('there is no undo where the target is unknown, and a delete says so', () => {
  const details = (one: MappingRow) => deleteAction.confirm?.([one], {}, context)?.details?.at(-1);
  expect([row, withoutTarget].map(details)).toEqual([
    'Undo creates it again with a new ID',
    'Cannot be undone: a mapping without attribute, value and target cannot be created',
  ]);
  const result = { before: withoutTarget, asked: withoutTarget, now: undefined };
  expect(mappingTarget(withoutTarget)).toBeUndefined();
  expect(deleteAction.undo?.(withoutTarget, {}, undefined, context)).toEqual([]);
  expect(editAction.undo?.(row, toTeam, { ...result, before: row }, context)).toEqual([]);
  expect(createAction.undo?.(row, form, result, context)).toEqual([]);
});

test('receipts show the values of the response', () => {
  const said = (response: unknown) => {
    const { says, warns } = acted(createAction, row, form, () => answered(response));
    return [says(), warns()];
  };
  expect(said(answer('m2'))).toEqual(['Created mapping groups = sre grants role On call', false]);
  expect(said({})).toEqual(['Created mapping groups = sre; the response does not show the result', true]);
  expect(said(answer('m2', { attribute_value: 'SRE' }))).toEqual([
    'Created mapping groups = SRE grants role On call; the service reports value "SRE"',
    true,
  ]);
  expect(mappingKind.nameOf(rowOf({ data: { id: 'm9', attributes: {} } }))).toBe('mapping m9');
});

test('an edit of one field sends that field alone, whatever undocumented members the mapping has', () => {
  const unknown = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}_x$/), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(unknown, unknown, (more, around) => {
      const odd = answer('m1', more, { ...around, id: 'm1' });
      expect(edited(rowOf(odd), { key: 'team' }, () => answered(odd)).bodies).toEqual([
        { data: { id: 'm1', type: 'authn_mappings', attributes: { attribute_key: 'team' } } },
      ]);
    }),
  );
});
