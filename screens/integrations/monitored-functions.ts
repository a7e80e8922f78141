import type * as v from 'valibot';
import type { providerBServiceAccount } from '../../src/api/provider-b.ts';
import type { SetDifference } from '../../src/describe/changed-field.ts';
import { type Field, readAs } from '../../src/describe/field.ts';
import { filterField } from './fields.ts';

/** Filters by type of resource: one list for all types, which mirrors the deprecated ones (docs/contract/integrations.md#provider_b). */

type Attributes = NonNullable<v.InferOutput<typeof providerBServiceAccount>['attributes']>;
type Monitored = Attributes['monitored_resource_configs'];

const functions = 'cloud_function';

/** The filters of one type of monitored resources. */
const filtersOf = (now: Monitored, type: string): readonly string[] =>
  now?.find((entry) => entry.type === type)?.filters ?? [];

/** One entry for a type, with what else it holds; the other types as they were. Without filters there is none. */
function withFilters(now: Monitored, type: string, filters: readonly string[]): NonNullable<Monitored> {
  const entries = now ?? [];
  const first = entries.findIndex((entry) => entry.type === type);
  const entry = { ...entries[first], type, filters: [...filters] };
  const others = entries.filter((one) => one.type !== type);
  if (filters.length === 0) return others;
  return first < 0 ? [...others, entry] : others.toSpliced(first, 0, entry);
}

/** The filters of functions, read as a difference: the list that holds them has filters of other types too. */
export function functionsField(now: Monitored): Field<SetDifference> {
  const before = filtersOf(now, functions);
  return readAs(filterField('Functions', before), (now) => ({
    ok: true,
    value: {
      taken: now.filter((filter) => !before.includes(filter)),
      left: before.filter((filter) => !now.includes(filter)),
    },
  }));
}

/** The list with a difference laid over the filters of functions. */
export function withFunctions({ taken, left }: SetDifference, now: Monitored): NonNullable<Monitored> {
  const kept = filtersOf(now, functions).filter((filter) => !left.includes(filter));
  return withFilters(now, functions, [...kept, ...taken]);
}

interface Filtering {
  readonly hosts?: readonly string[] | undefined;
  readonly revisions?: readonly string[] | undefined;
}

/** The deprecated lists and the one that takes their place say the same thing twice (docs/contract/integrations.md#provider_b). */
export function mirrored(attributes: Attributes, { hosts, revisions }: Filtering): Attributes {
  const { host_filters, cloud_run_revision_filters, monitored_resource_configs: now } = attributes;
  if (now == null || !(hosts || revisions)) return attributes;
  const withHosts = hosts ? withFilters(now, 'vm_instance', host_filters ?? []) : now;
  const both = revisions ? withFilters(withHosts, 'cloud_run_revision', cloud_run_revision_filters ?? []) : withHosts;
  return { ...attributes, monitored_resource_configs: both };
}
