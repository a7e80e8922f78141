import { at } from '../../lib/object-paths.ts';
import type { ApiKey, ApplicationKey } from '../server/access.ts';
import { type ApiResponse, refused, type World } from '../server/handler.ts';
import { asText, iso } from '../server/wire-values.ts';

/** What API keys and application keys have in common (docs/contract/keys.md). */
type Key = ApplicationKey | ApiKey;

/** A secret of `length` characters, recognisably of no service. */
export function secretOf({ random }: World, length: 32 | 40): string {
  return `fake-new-${`${random.uuid()}${random.uuid()}`.replaceAll('-', '')}`.slice(0, length);
}

/** The last four characters, which may be shown. */
export const last4 = (key: Key): string => key.secret.slice(-4);

/** `relationships.leak_information`: empty for a key that was not leaked. */
export const leakRelation = ({ leak }: Key): unknown => ({ data: leak && { type: 'leaked_keys', id: leak.id } });

/** The leaks of some keys as `included` shows them. */
export const showLeaks = (keys: readonly Key[]): unknown[] =>
  keys.flatMap(({ leak }) =>
    leak ? [{ type: 'leaked_keys', id: leak.id, attributes: { date: iso(leak.date), leak_source: leak.source } }] : [],
  );

/** The refusal of a wrong `type`, or of an `id` that differs from the path; else undefined. */
export function envelopeRefusal(body: unknown, type: string, id?: string): ApiResponse | undefined {
  if (at(body, 'data.type') !== type) return refused(400, `Invalid data.type: must be ${type}`);
  if (id !== undefined && asText(at(body, 'data.id')) !== id)
    return refused(400, 'The id in the request body does not match the id in the URL');
  return undefined;
}

/** The trimmed name; undefined when it is empty or no text. */
export const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The refusal of a missing or blank name. */
export const nameMissing: ApiResponse = refused(400, "Required parameter 'name' is missing");
