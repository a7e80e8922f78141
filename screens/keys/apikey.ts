import type { Context, Person } from '../../src/describe/context.ts';
import { nameless, personOf } from '../../src/describe/people.ts';
import { field, idIn, word } from '../../src/lib/loose.ts';
import { readMoment } from '../../src/lib/time.ts';
import { type Leak, leakOf, momentOf } from './shared.ts';

/** An API key of the modern form as a row (contract/keys.md 5.1). The secret is never part of it. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly category: string;
  /** Undefined = not told. */
  readonly remote?: boolean;
  readonly created?: number;
  readonly modified?: number;
  /** Milliseconds; null = never, undefined = not told. */
  readonly used?: number | null;
  readonly creator?: Person;
  readonly modifier?: Person;
  readonly leak?: Leak;
}

/** A row out of an answer, whatever of it is missing; undefined without an id. */
export function readApiKey(it: unknown, included: readonly unknown[] = []): ApiKeyRow | undefined {
  const id = idIn(it);
  if (id === undefined) return undefined;
  const about = field(it, 'attributes');
  const remote = field(about, 'remote_config_read_enabled');
  const used = momentOf(about, 'date_last_used');
  return {
    id,
    name: word(field(about, 'name')) || `key ${id.slice(0, 8)}`,
    last4: word(field(about, 'last4')),
    category: word(field(about, 'category')),
    remote: typeof remote === 'boolean' ? remote : undefined,
    created: readMoment(field(about, 'created_at')),
    modified: readMoment(field(about, 'modified_at')),
    used: used === undefined ? momentOf(field(about, 'last_used_date'), 'timestamp') : used,
    creator: personIn(it, 'created_by', included),
    modifier: personIn(it, 'modified_by', included),
    leak: leakOf(it, included),
  };
}

function personIn(it: unknown, relation: string, included: readonly unknown[]): Person | undefined {
  const id = idIn(field(field(it, 'relationships'), relation));
  if (id === undefined) return undefined;
  const found = included.find((one) => /^users?$/.test(word(field(one, 'type'))) && idIn(one) === id);
  return personOf(found as Parameters<typeof personOf>[0]) ?? { id, name: nameless(id) };
}

/** Whether it ends like the API key that this dashboard uses. */
export function isApiKeyInUse(row: { readonly last4: string }, context: Context): boolean {
  const end = context.ends?.apiKey ?? '';
  return end !== '' && row.last4 === end;
}
