import { type Call, call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { updateFilter } from '../../src/api/retention.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { fresh } from './load.ts';
import { type FilterRow, nameOf, ordinary, type Settings, settingsOf } from './row.ts';

/** Fields that the service keeps itself and a replacement does not send. */
const own: readonly string[] = [
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'editable',
  'execution_order',
];

const words: Readonly<Record<keyof Settings, string>> = {
  name: 'name',
  enabled: 'on or off',
  query: 'query',
  rate: 'span rate',
  traceRate: 'trace rate',
};

/** Settings that are asked for; those that are not are missing or undefined. */
export type Wanted = { readonly [N in keyof Settings]?: Settings[N] | undefined };

/** What of the values is not as the row has it. */
export function changesOf(row: Pick<FilterRow, 'attributes'>, values: Wanted): Partial<Settings> {
  const before = settingsOf(row);
  const names = Object.keys(words) as (keyof Settings)[];
  const changed = names.filter((name) => values[name] !== undefined && values[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, values[name]]));
}

/**
 * The replacement of a filter: everything that was read, unknown fields included, with the changes. Undefined when it
 * lacks what the service requires.
 */
export function replacement(
  id: string,
  attributes: FilterRow['attributes'],
  changes: Partial<Settings>,
): Call | undefined {
  const { query, traceRate, ...rest } = changes;
  const kept = Object.fromEntries(Object.entries(attributes).filter(([name]) => !own.includes(name)));
  const { name, enabled, rate } = { ...settingsOf({ attributes }), ...rest };
  const asked = query ?? attributes.filter?.query;
  if (name === undefined || enabled === undefined || rate === undefined || asked == null) return undefined;
  return call(updateFilter, {
    filter_id: id,
    body: {
      data: {
        id,
        type: 'apm_retention_filter',
        attributes: {
          ...kept,
          name,
          enabled,
          filter: { ...attributes.filter, query: asked },
          filter_type: attributes.filter_type ?? ordinary,
          rate,
          ...(traceRate === undefined ? {} : { trace_rate: traceRate }),
        },
      },
    },
  });
}

/**
 * Reads the filter as it is now, carries the changes over to it, and replaces it. What somebody else has changed
 * meanwhile stays; where both changed the same, nothing is sent.
 */
export function* changing(row: FilterRow, changes: Partial<Settings>): Plan<Result<unknown>> {
  const now = yield* fresh(row);
  if (!now.ok) return now;
  const [before, theirs] = [settingsOf(row), settingsOf(now.value)];
  const clash = (Object.keys(changes) as (keyof Settings)[]).find(
    (name) => theirs[name] !== before[name] && theirs[name] !== changes[name],
  );
  if (clash)
    return refusal(
      'conflict',
      `not sent: the ${words[clash]} of ${nameOf(now.value)} was changed meanwhile, it is now ${stringifyExact(theirs[clash] ?? null)}`,
    );
  if (now.value.unread.length > 0)
    return refusal(
      'unreadable',
      `not sent: a change replaces the whole filter, and parts of it could not be read: ${now.value.unread.slice(0, 2).join('; ')}`,
      { fields: now.value.unread },
    );
  const sent = replacement(row.id, now.value.attributes, changes);
  if (!sent) return refusal('unreadable', `not sent: the service does not tell all that a change must repeat`);
  return yield* ask(sent);
}
