import type { Person } from '../../src/describe/context.ts';
import { personOf } from '../../src/describe/people.ts';
import { field, idIn, items, word } from '../../src/lib/loose.ts';
import { readMoment } from '../../src/lib/time.ts';
import { momentOf } from './shared.ts';

/** A person, or a program with an account, as a row (contract/users.md 1). */
export interface PersonRow {
  readonly id: string;
  /** Never empty: name, else e-mail, else handle, else the id. */
  readonly name: string;
  /** The name as it is kept, which may be none. */
  readonly named: string;
  readonly email: string;
  readonly handle: string;
  readonly title: string;
  /** `Active`, `Pending`, `Disabled`, or a word of the deployment's own. */
  readonly status: string;
  readonly disabled: boolean;
  readonly service: boolean;
  readonly roles: readonly Person[];
  readonly created?: number;
  /** Milliseconds; null = never, undefined = not told. */
  readonly seen?: number | null;
}

/** A row out of an answer, whatever of it is missing; undefined without an id. */
export function readPerson(it: unknown, included: readonly unknown[] = []): PersonRow | undefined {
  const who = personOf(it as Parameters<typeof personOf>[0]);
  if (!who) return undefined;
  const about = field(it, 'attributes');
  const disabled = field(about, 'disabled') === true;
  return {
    id: who.id,
    name: who.name,
    named: word(field(about, 'name')),
    email: word(field(about, 'email')),
    handle: word(field(about, 'handle')),
    title: word(field(about, 'title')),
    status: word(field(about, 'status')) || (disabled ? 'Disabled' : ''),
    disabled: disabled || word(field(about, 'status')) === 'Disabled',
    service: field(about, 'service_account') === true,
    roles: rolesOf(it, included),
    created: readMoment(field(about, 'created_at')),
    seen: momentOf(about, 'last_login_time'),
  };
}

function rolesOf(it: unknown, included: readonly unknown[]): Person[] {
  return items(field(field(field(it, 'relationships'), 'roles'), 'data')).flatMap((one): Person[] => {
    const id = idIn(one);
    if (id === undefined) return [];
    const role = included.find((other) => word(field(other, 'type')) === 'roles' && idIn(other) === id);
    return [{ id, name: word(field(field(role, 'attributes'), 'name')) || id }];
  });
}
