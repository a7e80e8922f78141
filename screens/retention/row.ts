import type { RetentionFilter } from '../../src/api/retention.ts';

type Attributes = NonNullable<RetentionFilter['attributes']>;

/** A retention filter. `attributes` are as they were read, so that what is not known here is written back unchanged. */
export interface FilterRow {
  readonly id: string;
  /** Its place in the order, from 1. */
  readonly place: number;
  readonly attributes: Attributes;
  /** Places of the answer that could not be read and are missing from `attributes`. */
  readonly unread: readonly string[];
}

/** What a person can set. */
export interface Settings {
  readonly name: string;
  readonly enabled: boolean;
  readonly query: string;
  readonly rate: number;
  readonly traceRate: number;
}

/** The one type that can be created; the others come with the organisation (contract/retention-filters.md 2). */
export const ordinary = 'spans-sampling-processor';

const kinds = new Map(
  Object.entries({
    'spans-errors-sampling-processor': 'errors',
    'spans-appsec-sampling-processor': 'appsec',
    [ordinary]: '',
  }),
);

/** A row from an object of an answer; undefined without an id. */
export function filterRow(
  it: RetentionFilter | null | undefined,
  place: number,
  unread: readonly string[] = [],
): FilterRow | undefined {
  const id = it?.id == null ? '' : String(it.id);
  return id === '' ? undefined : { id, place, attributes: it?.attributes ?? {}, unread };
}

/** Its name, else its id: a name may be missing. */
export function nameOf(row: FilterRow): string {
  return row.attributes.name?.trim() ? row.attributes.name : `filter ${row.id}`;
}

/** A number of an answer; undefined when it was not told. */
export const numberIn = (it: number | bigint | null | undefined): number | undefined =>
  it == null ? undefined : Number(it);

/** The settings as they are; what was not told is missing. */
export function settingsOf(row: Pick<FilterRow, 'attributes'>): Partial<Settings> {
  const { name, enabled, filter, rate, trace_rate } = row.attributes;
  return {
    ...(name == null ? {} : { name }),
    ...(enabled == null ? {} : { enabled }),
    ...(filter?.query == null ? {} : { query: filter.query }),
    ...(rate == null ? {} : { rate: Number(rate) }),
    ...(trace_rate == null ? {} : { traceRate: Number(trace_rate) }),
  };
}

/**
 * Whether it came with the organisation: `editable` does not tell, a type of its own or a creation time of 0 does
 * (contract/retention-filters.md 3).
 */
export function isBuiltIn(row: FilterRow): boolean {
  const { created_at, filter_type } = row.attributes;
  return (filter_type != null && filter_type !== ordinary) || (created_at != null && Number(created_at) === 0);
}

/** Its kind in one word: empty for the ordinary one, an unknown type as it is. */
export function kindOf(row: FilterRow): string {
  const type = row.attributes.filter_type ?? '';
  const kind = kinds.get(type) ?? type;
  return kind === '' && isBuiltIn(row) ? 'built-in' : kind;
}

/** True, or why nothing of it may be changed. */
export function mayChange(row: FilterRow): true | string {
  return row.attributes.editable === false ? 'managed by the service: it cannot be changed' : true;
}

/** A share as percent: `50 %`, `0.1 %`; empty when it was not told. */
export function percent(share: number | undefined): string {
  return share === undefined || Number.isNaN(share) ? '' : `${Number((share * 100).toPrecision(6))} %`;
}
