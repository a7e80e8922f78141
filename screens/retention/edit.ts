import { type AttributesOf, ask, type Call, call, type Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import {
  createFilter,
  deleteFilter,
  getFilter,
  listFilters,
  orderFilters,
  updateFilter,
} from '../../src/api/retention-filters.ts';
import { type Field, numberField, shownWhen, textField, toggleField, whenEmpty } from '../../src/describe/field.ts';
import { ordering } from '../../src/describe/order-action.ts';
import { ignored, namePart, receipt, warning } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings, noResult } from '../../src/describe/setting.ts';
import { editing, readToRestore } from '../../src/describe/setting-edits.ts';
import { deleting } from '../../src/describe/standard-actions.ts';
import { capitalized, plural } from '../../src/lib/text.ts';
import { at, idIn, items, without } from '../../src/lib/values.ts';

/** Retention filters. The list numbers them; one alone does not tell its place. */
export const filters = kind({
  noun: 'retention filter',
  short: 'filter',
  of: ['apm_retention_filter'],
  list: () => call(listFilters),
  get: (id) => call(getFilter, { filter_id: id }),
  remove: (id) => call(deleteFilter, { filter_id: id }),
  name: (row) => row.attributes.name,
  number: (told) => told.attributes?.execution_order,
});

export type FilterRow = RowOf<typeof filters>;

/** The only type of filter that can be created; those of other types come with the organization (docs/contract/retention-filters.md#bodies). */
export const ordinary = 'spans-sampling-processor';

/**
 * Whether a filter came with the organization: `editable` does not tell, a type of its own or a creation time of 0 does
 * (docs/contract/retention-filters.md#filter).
 */
export function isBuiltIn(row: FilterRow): boolean {
  const { created_at, filter_type } = row.attributes;
  return (filter_type != null && filter_type !== ordinary) || (created_at != null && Number(created_at) === 0);
}

/** True, or why nothing of it may be changed. */
const mayChange = (row: FilterRow): true | string =>
  row.attributes.editable === false ? 'managed by the service: not editable' : true;

/** A share as percent: `50%`, `0.1%`; empty when it was not told. */
export function percent(share: number | bigint | null | undefined): string {
  return share == null || Number.isNaN(share) ? '' : `${Number((Number(share) * 100).toPrecision(6))}%`;
}

/** The name and the query of a built-in filter are the service's. */
const ours = <V>(row: FilterRow | undefined, field: Field<V>): Field<V> =>
  shownWhen(() => row === undefined || !isBuiltIn(row), field);

/** Edits of filters need more than a permission (docs/contract/retention-filters.md): it is said wherever one begins. */
const whoseKeys = "Needs an admin's keys";

const share = { min: 0, max: 1 };
const setting = defineSettings(filters);

/** What a person can set. */
const settings = {
  // What has a name keeps one; a filter without one stays without.
  name: setting('name', 'name', (now, row) =>
    ours(row, textField('Name', now, { required: row === undefined || (now ?? '').trim() !== '' })),
  ),
  query: setting('query', 'filter.query', (now, row) =>
    ours(
      row,
      textField('Query', now, {
        required: true,
        placeholder: 'service:checkout',
        hint: 'Spans to keep; * matches all',
      }),
    ),
  ),
  rate: setting('span rate', 'rate', (now) =>
    numberField('Span rate', now, {
      ...share,
      required: true,
      hint: '0 to 1: share of matching spans to keep; 1 keeps all',
    }),
  ),
  traceRate: setting(
    'trace rate',
    'trace_rate',
    (now) =>
      whenEmpty(
        0,
        numberField('Trace rate', now, {
          ...share,
          hint: '0 to 1: share of whole traces with a matching span to keep',
        }),
      ),
    { untold: 0 },
  ),
  enabled: setting('enabled', 'enabled', (now) =>
    toggleField('Enabled', now ?? true, `A disabled filter keeps nothing. ${whoseKeys}`),
  ),
};

/** Members that the service sets. */
const own = ['created_at', 'created_by', 'modified_at', 'modified_by', 'editable', 'execution_order'];

const edits = editing({
  kind: filters,
  settings,
  uses: [updateFilter],
  enabled: mayChange,
  own,
  fixed: { filter_type: 'set when the filter is created' },
  replace(id, { name, ...attributes }: AttributesOf<typeof updateFilter>) {
    const named = name == null || name.trim() === '' ? {} : { name };
    const settable = { ...named, ...attributes, filter_type: attributes.filter_type ?? ordinary };
    return call(updateFilter, {
      filter_id: id,
      body: { data: { id, type: 'apm_retention_filter', attributes: settable } },
    });
  },
});

export const { comparable } = edits;

/** `e`: name, query, rates, on or off; of a built-in filter only what may be changed. */
export const editAction = edits.edit({
  id: 'retention.edit',
  help: 'Edit name, query and rates; shows the differences before saving',
});

/** On or off. Spans that only a filter that is off would keep are lost, so the receipt says which it is now. */
const switching = (
  isOn: (row: FilterRow) => boolean,
  head: { readonly id: string; readonly key?: string; readonly title: string; readonly help: string },
) =>
  edits.to((row) => ({ enabled: isOn(row) }), {
    ...head,
    enabled(row) {
      const may = mayChange(row);
      if (may !== true) return may;
      return row.attributes.enabled != null || 'the service did not send its state: edit it with e';
    },
    already: (row) => (row.attributes.enabled === isOn(row) ? `already ${stateWord(row)}` : undefined),
    done(row, _, { asked, now }) {
      const name = namePart(filters.nameOf(row));
      const said = receipt`${capitalized(stateWord(asked))} ${name}`;
      if (!now) return warning(receipt`${said}${noResult}`);
      return now.attributes.enabled === asked.attributes.enabled
        ? said
        : ignored(receipt`Still ${stateWord(now)}: ${name}`);
    },
    doneAll(answers) {
      // A filter that is not as asked has a receipt of its own.
      if (answers.some(({ asked, now }) => now?.attributes.enabled !== asked.attributes.enabled)) return undefined;
      const [on, off] = [true, false].map(
        (wanted) => answers.filter(({ asked }) => asked.attributes.enabled === wanted).length,
      );
      return capitalized(
        [on && `enabled ${plural(on, 'filter')}`, off && `disabled ${plural(off, 'filter')}`]
          .filter(Boolean)
          .join(', '),
      );
    },
  });

const stateWord = ({ attributes: { enabled } }: FilterRow): string =>
  enabled == null ? 'in an unknown state' : enabled ? 'enabled' : 'disabled';

/** `t`. */
export const toggleAction = switching((row) => !row.attributes.enabled, {
  id: 'retention.toggle',
  key: 't',
  title: 'enable/disable',
  help: `Enable or disable the filter; a disabled filter keeps nothing. ${whoseKeys}`,
});

export const enableFilterAction = switching(() => true, {
  id: 'retention.enable',
  title: 'enable',
  help: `Enable the filter. ${whoseKeys}`,
});

export const disableFilterAction = switching(() => false, {
  id: 'retention.disable',
  title: 'disable',
  help: `Disable the filter; a disabled filter keeps nothing. ${whoseKeys}`,
});

const orderCall = (ids: readonly string[]): Call =>
  call(orderFilters, { body: { data: ids.map((id) => ({ type: 'apm_retention_filter' as const, id })) } });

type NewFilter = AttributesOf<typeof createFilter>;

const createCall = (attributes: NewFilter): Call =>
  call(createFilter, {
    body: { data: { type: 'apm_retention_filter', attributes: { ...attributes, filter_type: ordinary } } },
  });

/**
 * Another change at the same time refuses a new filter: it is tried once more after a look
 * (docs/contract/retention-filters.md#errors).
 */
function* creating(attributes: AttributesOf<typeof createFilter>): Plan<Result<unknown>> {
  const first = yield* ask(createCall(attributes));
  if (first.ok || first.problem.kind !== 'conflict') return first;
  const look = yield* ask(call(listFilters));
  if (!look.ok) return first;
  return yield* ask(createCall(attributes));
}

/** `keeps 50% of matching spans`, for a sentence about a filter. */
const keepsText = ({ attributes: { enabled, rate } }: FilterRow): string =>
  enabled === false ? 'disabled, keeps nothing' : `keeps ${percent(rate) || 'an unknown share'} of matching spans`;

/** `n`: a filter of the only type that can be created; it comes last. */
export const newAction = edits.make({
  id: 'retention.create',
  help: 'Create a filter, last in the order; J and K move it',
  brief: 'Create a filter, last in the order',
  uses: [createFilter, listFilters],
  starts: { rate: 1, trace_rate: 0 },
  create: creating,
  says: (row) => `, last in the order; ${keepsText(row)}`,
});

/** `d`: deletes a filter; what it would have kept meanwhile is lost, so the name must be typed. */
export const deleteAction = deleting({
  id: 'retention.delete',
  kind: filters,
  help: 'Delete the filter; spans that only it keeps are lost from then on',
  enabled: (row) => (isBuiltIn(row) ? 'built-in filter; it can only be disabled' : mayChange(row)),
  details: (row) => [
    ...(row ? [`${row.attributes.filter?.query ?? 'Unknown query'} · ${keepsText(row)} now`] : []),
    `Spans that no other filter keeps are lost from now on. ${whoseKeys}`,
  ],
  restore: {
    *read(row) {
      const now = yield* readToRestore(filters, row, own);
      if (!now.ok) return now;
      const order = yield* filters.orderNow();
      return order.ok ? { ...order, value: { row: now.value, order: order.value } } : order;
    },
    calls: ({ row: { attributes }, order }) => [createCall(without(attributes, own) as NewFilter), orderCall(order)],
    uses: [createFilter, getFilter, listFilters, orderFilters],
    place: {
      operation: orderFilters.id,
      now: () => filters.orderNow(),
      ids: (body) => items(at(body, 'data')).flatMap((one) => idIn(one) ?? []),
      order: orderCall,
    },
    lost: [],
  },
});

/** Ctrl-S after J and K: the whole order as one edit. */
export const orderAction = ordering({
  id: 'retention.set-order',
  kind: filters,
  reads: listFilters,
  order: orderCall,
  rule: `The first enabled filter that matches decides. ${whoseKeys}`,
});
