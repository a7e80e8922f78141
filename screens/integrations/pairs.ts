import type { Call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Rows } from '../../src/describe/screen.ts';
import { faults } from './common.ts';

/** Accounts without an id, named by a pair; no write tells what it made (contract/integrations.md 1, 2). */

interface Named {
  readonly id: string;
  readonly attributes: { readonly errors?: unknown; readonly warnings?: unknown };
}

/** The id of a pair; two pairs never have the same. */
export const pairId = (one: string | null | undefined, other: string | null | undefined): string =>
  [one, other].map((it) => (it ?? '').replace(/[%\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)).join(' ');

/** Each account once: the service has been known to list the same pair again. */
export function once<Row extends Named>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}

/** What the list says after a write. */
export interface Reread<Row> {
  readonly row?: Row;
  /** Why the list could not be read. */
  readonly why?: string;
  /** Id of an account that was not there before. */
  readonly made?: string;
}

/** Sends a write and reads the list for the account that it made or changed. */
export function* readingAfter<Row extends Named>(
  write: Call,
  accounts: () => Plan<Result<Rows<Row>>>,
  id: string,
  made?: string,
): Plan<Result<Reread<Row>>> {
  const sent = yield* ask(write);
  if (!sent.ok) return sent;
  const now = yield* accounts();
  const row = now.ok ? now.value.rows.find((it) => it.id === id) : undefined;
  const value = {
    ...(row ? { row } : {}),
    ...(now.ok ? {} : { why: now.problem.text }),
    ...(made === undefined ? {} : { made }),
  };
  return { ok: true, value, status: sent.status, unread: [] };
}

/** What is true after a write, from the list that was read then. */
export function receipt(what: string, answer: unknown): string {
  const { row, why } = (answer ?? {}) as Reread<Named>;
  if (why !== undefined) return `${what}; it could not be read back: ${why}`;
  if (!row) return `${what}; the list does not show it yet: Ctrl-R looks again`;
  const wrong = faults(row.attributes);
  return wrong.length > 0 ? `${what}; the service finds: ${wrong[0]}` : what;
}
