import type * as v from 'valibot';
import type { archive } from '../../src/api/archives.ts';

type Archive = v.InferOutput<typeof archive>;
type Attributes = NonNullable<Archive['attributes']>;

/** A log archive. `attributes` are as they were read, so that what is not known here is written back unchanged. */
export interface ArchiveRow {
  readonly id: string;
  /** Its place in the order, from 1; 0 while the order does not name it. */
  readonly place: number;
  readonly attributes: Attributes;
  /** Places of the answer that could not be read and are missing from `attributes`. */
  readonly unread: readonly string[];
}

/** A row from an object of an answer; undefined without an id. */
export function archiveRow(
  it: Archive | null | undefined,
  place: number,
  unread: readonly string[] = [],
): ArchiveRow | undefined {
  const id = it?.id == null ? '' : String(it.id);
  return id === '' ? undefined : { id, place, attributes: it?.attributes ?? {}, unread };
}

/** Its name, else its id: names need not be unique, and may be missing. */
export function nameOf(row: ArchiveRow): string {
  return row.attributes.name?.trim() ? row.attributes.name : `archive ${row.id}`;
}

/** Where it writes, in one line: `provider_c logs/web`; an answer may hold no destination at all. */
export function targetOf(row: ArchiveRow): string {
  const { destination } = row.attributes;
  if (destination == null) return '';
  const place =
    destination.type === 'provider_a' ? [destination.storage_account, destination.container] : [destination.bucket];
  const path = destination.path?.replace(/^\/+/, '');
  return [...place, path].filter((it) => it != null && it !== '').join('/');
}

/** A number of gigabytes, or no limit; undefined when it was not told. */
export function scanLimit(row: ArchiveRow): number | null | undefined {
  const limit = row.attributes.rehydration_max_scan_size_in_gb;
  return limit == null ? limit : Number(limit);
}
