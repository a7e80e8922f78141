import type { ApiKey, ApplicationKey } from '../server/access.ts';
import type { ServiceWorld } from '../server/handler.ts';
import { iso } from '../server/wire-values.ts';

/** What API keys and application keys have in common (docs/contract/keys.md). */
type Key = ApplicationKey | ApiKey;

/** A secret of `length` characters, recognizably of no service. */
export function readSecret({ random }: ServiceWorld, length: 32 | 40): string {
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
