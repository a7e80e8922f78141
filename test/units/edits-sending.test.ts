import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ask, type Call, call, endpoint } from '../../src/api/endpoint.ts';
import { many, nothing, resource, text, updateBody } from '../../src/api/envelope.ts';
import { textField } from '../../src/describe/field.ts';
import { kind } from '../../src/describe/resource.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { answered, contextOf, planOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

/** Kinds whose reads and writes are more than one call, and whose patches contain more than the changed members. */

const context = contextOf();
const common = { of: 'door', permission: [], origin: 'spec', source: 'made up' } as const;
const door = resource('door', { name: text, lock: v.looseObject({}), keys: v.array(text) });
const listDoors = endpoint({
  ...common,
  id: 'doors.list',
  title: 'List',
  verb: 'list',
  path: '/doors',
  response: many(door),
});
const editDoor = endpoint({
  ...common,
  id: 'doors.edit',
  title: 'Edit',
  verb: 'update',
  method: 'PATCH',
  path: '/doors/{id}',
  repeat: 'settable',
  body: updateBody('door', {}),
  response: nothing,
});

const doors = kind({
  noun: 'door',
  of: ['door'],
  list: () => call(listDoors),
  *read({ id }) {
    const answer = yield* ask(call(listDoors));
    return answer.ok ? { ...answer, value: { data: answer.value.data?.find((one) => one.id === id) } } : answer;
  },
  name: (row) => row.attributes.name,
});

interface Sent {
  readonly name?: string;
  readonly lock?: object;
  readonly keys?: readonly string[];
}

const setting = defineSettings(doors);
const edits = editing({
  kind: doors,
  uses: [editDoor],
  settings: {
    name: setting('name', 'name', (now) => textField('name', now)),
    keys: setting('keys', 'keys', (now) => textField('keys', String(now))),
  },
  // A new key is sent with its lock, and existing keys cannot be removed.
  patch(id, { keys, ...changes }: Sent, { attributes }) {
    const isMore = keys !== undefined && keys.length > (attributes.keys ?? []).length;
    const sent = { ...changes, ...(isMore && { keys, lock: attributes.lock ?? {} }) };
    if (Object.keys(sent).length === 0) return undefined;
    return call(editDoor, { id, body: { data: { id, type: 'door', attributes: sent } } });
  },
  *sends(sent) {
    const first = yield* ask(sent);
    return first.ok ? first : yield* ask(sent);
  },
});
const edit = edits.edit({ id: 'doors.edit', help: 'all of it' });

type Values = Parameters<typeof edit.send>[1];
const stored = { name: 'front', keys: ['k1'], lock: { bolts: 2 } };
const row = (attributes: Record<string, unknown> = stored) => there(doors.row({ id: 'd1', attributes }));
const bodyOf = ({ body }: Call) => (body as { data: { attributes: object } } | undefined)?.data.attributes;

function edited(values: object, unread: readonly string[] = [], refusals = 0) {
  let left = refusals;
  const { calls, value } = walk(planOf(edit.send(row(), values as Values, context)), ({ endpoint }) => {
    if (endpoint.id === 'doors.list') return answered({ data: [{ id: 'd1', attributes: stored }] }, unread);
    left -= 1;
    return left < 0 ? answered('') : refused('conflict', 'somebody is in the door', 409);
  });
  return { value, calls, bodies: calls.flatMap((sent) => bodyOf(sent) ?? []) };
}

test('a kind with its own read of one row uses it, and its detail keeps the object', () => {
  const read = (data: readonly object[]) => walk(doors.read(row()), () => answered({ data })).value;
  const back = { id: 'd1', attributes: { name: 'back' } };
  expect(read([{ id: 'd2' }, back])).toMatchObject({
    value: { row: { attributes: { name: 'back' } }, resource: back },
  });
  expect(read([])).toMatchObject({ problem: { kind: 'unreadable' } });
});

test('an edit with its own sending repeats it after a conflict', () => {
  const { bodies, value } = edited({ name: 'back' }, [], 1);
  expect(bodies).toEqual([{ name: 'back' }, { name: 'back' }]);
  expect(value.ok).toBe(true);
});

test('an unread part of a required member stops the edit as well', () => {
  const unread = ['data.attributes.lock.bolts: expected a number'];
  expect(edited({ keys: ['k1', 'k2'] }, unread).value).toMatchObject({ problem: { kind: 'unreadable' } });
  expect(edited({ name: 'back' }, unread).bodies).toEqual([{ name: 'back' }]);
});

test('undo starts from the current row; unchanged members are not sent', () => {
  const back = (values: object, now: Record<string, unknown>) => {
    const { value } = edited(values);
    if (!value.ok) throw new Error(value.problem.text);
    const answer = { ...value.value, now: row({ ...stored, ...values, ...now }) };
    return (edit.undo?.(row(), values as Values, answer, context) ?? []).map(bodyOf);
  };
  expect(back({ keys: ['k1', 'k2'] }, {})).toEqual([]);
  expect(back({ name: 'back', keys: ['k1', 'k2'] }, {})).toEqual([{ name: 'front' }]);
});

test('the same word in another search field has another cache key', () => {
  const keyOf = (search: Readonly<Record<string, string>>) => doors.load({ search, range: '' }).key;
  expect(keyOf({ name: 'done', state: '' })).not.toBe(keyOf({ name: '', state: 'done' }));
});
