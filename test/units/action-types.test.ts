import { expectTypeOf, test } from 'vitest';
import { ask, call, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { createFilter, deleteFilter } from '../../src/api/retention-filters.ts';
import { action } from '../../src/describe/action.ts';
import { textField } from '../../src/describe/field.ts';

/** These tests fail when the types are compiled (`tsc`), not when they run. */

interface Row {
  readonly id: string;
}
const common = { id: 'a.b', key: 'a', title: 'a', help: 'a', uses: [createFilter] } as const;
const body = {
  data: {
    type: 'apm_retention_filter' as const,
    attributes: {
      name: 'a',
      enabled: true,
      filter: { query: '*' },
      filter_type: 'spans-sampling-processor' as const,
      rate: 1,
    },
  },
};
type Answer = ResponseOf<typeof createFilter>;

function* twoCalls(row: Row): Plan<Result<{ readonly before: string }>> {
  const sent = yield* ask(call(deleteFilter, { filter_id: row.id }));
  return sent.ok ? { ...sent, value: { before: row.id } } : sent;
}

test('the response of a call has its type in done, undo, truth, made and secret', () => {
  action({
    ...common,
    send: (_: Row) => call(createFilter, { body }),
    truth(row, answer) {
      expectTypeOf(row).toEqualTypeOf<Row>();
      expectTypeOf(answer).toEqualTypeOf<Answer>();
      return row;
    },
    done(_, __, answer) {
      expectTypeOf(answer).toEqualTypeOf<Answer>();
      return 'done';
    },
    made(answer) {
      expectTypeOf(answer).toEqualTypeOf<Answer>();
      return undefined;
    },
    undo(_, __, answer) {
      expectTypeOf(answer).toEqualTypeOf<Answer>();
      return [];
    },
    secret(answer) {
      expectTypeOf(answer).toEqualTypeOf<Answer>();
      return undefined;
    },
  });
});

test('the result of a plan has its type, with a form and its values', () => {
  action({
    ...common,
    form: (_: Row) => ({ name: textField('Name', '') }),
    send: (row) => twoCalls(row),
    done(row, values, answer) {
      expectTypeOf(row).toEqualTypeOf<Row>();
      expectTypeOf(values).toEqualTypeOf<{ name: string }>();
      expectTypeOf(answer).toEqualTypeOf<{ readonly before: string }>();
      return 'done';
    },
  });
});

test('an action with explicit types has an unknown response', () => {
  action<Row>({
    ...common,
    send: () => call(createFilter, { body }),
    done(_, __, answer) {
      expectTypeOf(answer).toEqualTypeOf<unknown>();
      return 'done';
    },
  });
});
