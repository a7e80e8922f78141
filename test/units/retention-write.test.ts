import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deleteAction,
  disableFilterAction,
  editAction,
  enableFilterAction,
  type FilterRow,
  filters as filterKind,
  isBuiltIn,
  newAction,
  orderAction,
  percent,
  toggleAction,
} from '../../screens/retention/edit.ts';
import { filterKindWord, filterList } from '../../screens/retention.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { getFilter, type RetentionFilter, retentionFilter } from '../../src/api/retention-filters.ts';
import { read } from '../../src/client/read-response.ts';
import { shownNames } from '../../src/describe/field.ts';
import { arbitrary } from '../support/arbitrary.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { runs } from '../support/runs.ts';

const context = contextOf();
const bodyOf = (call: Call | undefined) => call?.body as { data: { attributes: Record<string, unknown> } } | undefined;

function row(attributes: Record<string, unknown>, more: Partial<FilterRow> = {}): FilterRow {
  const row = filterKind.row({ id: 'f1', attributes } as RetentionFilter, { place: 1 });
  if (!row) throw new Error('a row without an id');
  return { ...row, ...more };
}

const checkout = {
  name: 'checkout',
  enabled: true,
  filter: { query: 'service:checkout' },
  filter_type: 'spans-sampling-processor',
  rate: 0.5,
  trace_rate: 0,
  created_at: 1_700_000_000,
};

const text = fc.string({ maxLength: 6 });
const filters = arbitrary(retentionFilter, {
  text: fc.oneof(text, fc.constant('0.5')),
  identifier: text,
  name: fc.stringMatching(/^[a-z]{3,8}_x$/),
});

describe('a replacement', () => {
  test('of any filter changes one field and repeats all that was read, unknown words and fields included', () => {
    let sent = 0;
    fc.assert(
      fc.property(filters, (given) => {
        const wire = structuredClone(given) as Record<string, unknown>;
        const seen = read(getFilter.response, { data: { ...wire, id: 'f1' } }, false);
        if (!seen.ok || seen.unread.length > 0) return;
        const value = seen.value as { data: RetentionFilter };
        const before = filterKind.row(value.data, { place: 1 });
        if (!before) return;
        const changes = { rate: 0.123 };
        const { calls, value: result } = acted(editAction, before, { ...none, ...changes }, (call) =>
          answered(call.endpoint.id === getFilter.id ? structuredClone(value) : {}),
        );
        const attributes = before.attributes as Record<string, unknown>;
        const { name, enabled, filter } = before.attributes;
        if (enabled == null || filter?.query == null) {
          // A required member is unknown, so nothing is sent.
          expect(result.ok).toBe(false);
          expect(calls.map((call) => call.endpoint.id)).toEqual(['retention.get']);
          return;
        }
        sent += 1;
        const own = ['created_at', 'created_by', 'modified_at', 'modified_by', 'editable', 'execution_order'];
        // What has no name is sent without one.
        const left = (name ?? '').trim() === '' ? [...own, 'name'] : own;
        const rest = Object.fromEntries(Object.entries(attributes).filter(([field]) => !left.includes(field)));
        const type = attributes.filter_type ?? 'spans-sampling-processor';
        expect(bodyOf(calls[1])?.data.attributes).toEqual({ ...rest, filter_type: type, rate: 0.123 });
      }),
      { numRuns: runs(400) },
    );
    expect(sent).toBeGreaterThan(runs(400) / 80);
  });

  test('starts from the list where a single filter cannot be read', () => {
    const { calls } = acted(toggleAction, row({ ...checkout, later: 1 }), {}, (_, nth) =>
      nth === 1 ? refused('notOffered', 'no', 404) : answered({}),
    );
    expect(bodyOf(calls[1])?.data.attributes).toEqual({
      ...checkout,
      created_at: undefined,
      later: 1,
      enabled: false,
    });
  });
});

const none = { name: undefined, query: undefined, rate: undefined, traceRate: undefined, enabled: undefined };

/** An edit with this response. */
const edited = (before: FilterRow, values: Parameters<typeof editAction.send>[1], response: object | undefined) =>
  acted(editAction, before, values, (call) =>
    answered(call.endpoint.id === getFilter.id ? { data: { id: before.id, attributes: before.attributes } } : response),
  );

describe('undo', () => {
  const attributes = { ...checkout, rate: 0.2, enabled: false, theirs: 'kept' };

  test('restores the changed settings and keeps the others of the response', () => {
    const done = edited(row(checkout), { rate: 0.2 }, { data: { id: 'f1', attributes } });
    expect(done.back().map((call) => bodyOf(call)?.data.attributes)).toEqual([
      { ...checkout, created_at: undefined, rate: 0.5, enabled: false, theirs: 'kept' },
    ]);
  });

  test('restores a missing trace rate as 0', () => {
    const { trace_rate: _, ...older } = checkout;
    const [back] = edited(row(older), { traceRate: 0.4 }, undefined).back();
    expect(bodyOf(back)?.data.attributes.trace_rate).toBe(0);
  });

  test('does not use a response about another filter', () => {
    const other = { data: { id: 'f2', attributes: { ...attributes, name: 'other' } } };
    const [call] = edited(row(checkout), { rate: 0.2 }, other).back();
    expect(call?.params).toEqual({ filter_id: 'f1' });
    expect(bodyOf(call)?.data.attributes).toEqual({ ...checkout, created_at: undefined });
  });

  test('is empty where the service had the same values already', () => {
    const same = { data: { id: 'f1', attributes: { ...checkout, rate: 0.2 } } };
    expect(acted(editAction, row(checkout), { rate: 0.2 }, () => answered(same)).back()).toEqual([]);
  });
});

test('receipts show the values that the service saved', () => {
  const before = row(checkout);
  const told = (attributes: object | undefined) => ({ data: attributes && { id: 'f1', attributes } });
  const toggled = (attributes: object | undefined) => {
    const done = acted(toggleAction, before, {}, (_, nth) => answered(told(nth === 1 ? checkout : attributes)));
    const together = done.value.ok && toggleAction.doneAll?.([done.value.value], {}, context);
    return [done.says(), done.warns(), together];
  };
  expect(toggled({ enabled: false })).toEqual(['Disabled checkout', false, 'Disabled 1 filter']);
  expect(toggled({ enabled: true })).toEqual(['Still enabled: checkout', true, undefined]);
  expect(toggled({ enabled: null })).toEqual(['Still in an unknown state: checkout', true, undefined]);
  expect(toggled(undefined)).toEqual(['Disabled checkout; the response does not show the result', true, undefined]);
  const said = (attributes?: object) =>
    edited(before, { rate: 0.2 }, attributes && { data: { id: 'f1', attributes } }).says();
  expect(said({ rate: 0.2, name: 'checkout' })).toBe('Saved checkout');
  expect(said({ rate: 0.25 })).toBe('Saved checkout; the service reports span rate 0.25');
  expect(said()).toBe('Saved checkout; the response does not show the result');
});

test.each([
  [toggleAction, true, false],
  [toggleAction, false, true],
  [enableFilterAction, false, true],
  [disableFilterAction, true, false],
])('$id sends and shows the other state (%#)', (action, enabled, wanted) => {
  const { bodies } = acted(action, row({ ...checkout, enabled }), {}, () =>
    answered({ data: { id: 'f1', attributes: { ...checkout, enabled } } }),
  );
  expect(bodies).toMatchObject([{ data: { attributes: { enabled: wanted } } }]);
  expect(action.show?.(row({ ...checkout, enabled }), {}, context)?.attributes.enabled).toBe(wanted);
});

test('a filter whose state is not told is not called enabled', () => {
  const meaning = (enabled: boolean | undefined) =>
    filterList.detail
      ?.sections(row({ ...checkout, rate: null, enabled }), undefined, context)[0]
      ?.lines.flatMap((line) => ('text' in line ? line.text : []));
  expect([true, false, undefined].map(meaning)).toEqual([
    ['Enabled', 'Keeps an unknown share of matching spans'],
    ['Disabled: keeps nothing', 'Would keep an unknown share of matching spans'],
    ['Unknown whether it is enabled', 'Would keep an unknown share of matching spans'],
  ]);
});

test('the question before a delete says what the filter keeps now', () => {
  const asked = (attributes: object) =>
    deleteAction.confirm?.([row({ ...checkout, ...attributes })], {}, context)?.details?.[0];
  expect([asked({}), asked({ enabled: false }), asked({ filter: null, rate: null })]).toEqual([
    'service:checkout · keeps 50% of matching spans now',
    'service:checkout · disabled, keeps nothing now',
    'Unknown query · keeps an unknown share of matching spans now',
  ]);
});

test('built-in filters are recognized by type or by a creation time of 0, not by editable', () => {
  expect(isBuiltIn(row({ ...checkout, editable: false }))).toBe(false);
  expect(isBuiltIn(row({ ...checkout, created_at: 0 }))).toBe(true);
  expect(isBuiltIn(row({ ...checkout, filter_type: 'spans-errors-sampling-processor' }))).toBe(true);
  expect(filterKindWord(row({ ...checkout, filter_type: 'spans-later-processor' }))).toBe('spans-later-processor');
  expect(filterKindWord(row({ ...checkout, created_at: 0 }))).toBe('built-in');
  const fields = editAction.form?.(row({ ...checkout, created_at: 0 }), context, undefined) ?? {};
  expect(shownNames(fields, {})).toEqual(['rate', 'traceRate', 'enabled']);
});

test('rates are shown in percent, small ones too', () => {
  expect([1, 0.5, 0.001, 0, 0.333333333, undefined].map(percent)).toEqual([
    '100%',
    '50%',
    '0.1%',
    '0%',
    '33.3333%',
    '',
  ]);
});

test('the list is in execution order, or in that of the response without numbers', () => {
  const filter = (id?: string, order?: number) => ({ id, attributes: { execution_order: order } });
  const load = (...data: object[]) =>
    walk(filterList.load({ search: {}, range: '' }, context).plan(context), () => answered({ data })).value;
  expect(load(filter('b', 2), filter('c', 10), filter('a', 1))).toMatchObject({
    value: { rows: [{ id: 'a', place: 1 }, { id: 'b', place: 2 }, { id: 'c' }], notes: [] },
  });
  expect(load(filter('b', 2), filter('c'), filter(undefined, 1))).toMatchObject({
    value: { rows: [{ id: 'b' }, { id: 'c' }], notes: ['1 filter without an id left out'] },
  });
});

test('an order is not sent while a filter of the list cannot be read', () => {
  const values = { before: ['a', 'b'], after: ['b', 'a'], names: {} };
  const data = ['a', 'b'].map((id) => ({ id, attributes: {} }));
  const ordered = (unread: readonly string[]) =>
    acted(orderAction, undefined as never, values, () => answered({ data }, unread));
  expect(ordered([]).operations).toEqual(['retention.list', 'retention.order']);
  const part = ordered(['data[2]: expected an object']);
  expect([part.operations, part.says()]).toEqual([
    ['retention.list'],
    'not all retention filters are known: 1 row could not be read: data[2]: expected an object',
  ]);
});

test('a new filter that conflicts with another change is retried once', () => {
  const values = { name: 'x', query: '*', rate: 1, traceRate: 0, enabled: true };
  const { operations, value } = acted(newAction, undefined as never, values, (call) =>
    call.endpoint.id === 'retention.list' ? answered({ data: [] }) : refused('conflict', 'again', 409),
  );
  expect(operations).toEqual(['retention.create', 'retention.list', 'retention.create']);
  expect(value).toMatchObject({ ok: false, problem: { kind: 'conflict' } });
});
