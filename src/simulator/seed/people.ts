import { endpoints } from '../../api/all-endpoints.ts';
import { managedRoles } from '../../api/envelope.ts';
import { capitalized } from '../../lib/text.ts';
import { storeRole } from '../kinds/roles.ts';
import { implicit, makeUser, storeUser } from '../kinds/users.ts';
import type { ServiceWorld } from '../server/handler.ts';
import { createRandom } from '../server/random.ts';
import type { StoredPermission, StoredRole } from '../server/store.ts';
import people from './people.json' with { type: 'json' };
import groups from './permissions.json' with { type: 'json' };
import customRoles from './roles.json' with { type: 'json' };
import shop from './services.json' with { type: 'json' };

const kinds = { r: 'read', w: 'write', o: 'other' } as const;
const verbs = { read: 'See', write: 'Make and change', other: 'Use' } as const;
/** 2019-03-01, the creation date of the oldest entries. */
const first = Date.UTC(2019, 2, 1);
const month = 30 * 86_400_000;
const abbreviations = new Set(['apm', 'rum', 'ci', 'cd', 'dbm']);

/**
 * Fills the permission catalog from names with marks: `d` for a default, then `r` (read), `w` (write) or `o` (other). Permissions
 * that an operation requires and the list does not have are added.
 */
function seedPermissions({ org }: ServiceWorld): void {
  const random = createRandom(org.seed + 6);
  const keep = (group: string, name: string, marks: string): void => {
    const number = org.permissions.size;
    const kind: StoredPermission['kind'] = kinds[marks.replace('d', '') as keyof typeof kinds];
    const object = name.replace(/_(read|write|manage|edit)$/, '').replaceAll('_', ' ');
    const description = `${verbs[kind]} ${object}${kind === 'read' ? ' and their settings' : ''}.`;
    org.permissions.set(name, {
      id: random.uuid(),
      name,
      display: name.split('_').map(titled).join(' '),
      description: number % 41 === 40 ? `Deprecated, and without effect since last year. ${description}` : description,
      group,
      kind,
      restricted: marks.startsWith('d'),
      created: first + Math.floor(number / 3) * month,
    });
  };
  for (const [group, list] of Object.entries(groups))
    for (const entry of list.split(', ')) {
      const [name = '', marks = 'o'] = entry.split(' ');
      keep(group, name, marks);
    }
  for (const name of [...new Set(endpoints.flatMap((endpoint) => endpoint.permission))].sort())
    if (!org.permissions.has(name) && !implicit.has(name)) keep('Other', name, name.endsWith('read') ? 'r' : 'w');
}

const titled = (word: string): string =>
  word === 'slos' ? 'SLOs' : abbreviations.has(word) ? word.toUpperCase() : capitalized(word);

/** Milliseconds. */
export const dayMs = 86_400_000;
/** Ids by name. */
export type Ids = ReadonlyMap<string, string>;

/** Moments that the seed tells as days before `now`. */
export const aged = (row: { readonly created: number; readonly modified: number }, now: number) => ({
  created: now - row.created * dayMs,
  modified: now - row.modified * dayMs,
});

/**
 * Roles, permissions, teams and at least 35 people (docs/contract/users.md#choices). The first is an administrator.
 * Returns the roles by neutral name.
 */
export function seedPeople(world: ServiceWorld, now: number, roleName: (name: string) => string): Ids {
  const { org, random } = world;
  seedPermissions(world);
  const roles = seedRoles(world, now, roleName);
  for (const team of shop.teams) {
    const id = random.uuid();
    org.teams.set(id, { id, ...team, ...(team.handle === 'platform' ? { avatar: null } : {}) });
  }
  for (const [index, { roles: names, ...person }] of people.entries()) {
    const { status = 'Active', service = false } = person;
    const state = { status, disabled: status === 'Disabled', verified: status !== 'Pending', service };
    const id = random.uuid();
    const user = makeUser(
      id,
      1200 + index * 5,
      { ...person, ...state, roles: names.flatMap((name) => roles.get(name) ?? []) },
      now,
    );
    storeUser(org, { ...user, ...aged(person, now), ...(service ? { handle: random.uuid() } : {}) });
  }
  return roles;
}

/** Permissions that only administrators have, and those that reading roles do not have. */
const secret = /^(admin|user_access|api_keys|org_app_keys|org_management|service_account|billing)/;
const unread = /^(api_keys|org_app_keys|billing)/;
const managed: readonly ((permission: StoredPermission) => boolean)[] = [
  () => true,
  ({ name }) => !secret.test(name),
  ({ name, kind }) => (kind === 'read' && !unread.test(name)) || name === 'user_app_keys',
];

/** The three built-in roles and over twenty of the organization's own (docs/contract/roles.md#choices): ids by neutral name. */
function seedRoles(world: ServiceWorld, now: number, roleName: (name: string) => string): Ids {
  const { org } = world;
  const random = createRandom(org.seed + 4);
  const roles = new Map<string, StoredRole>();
  const add = (name: string, which: (permission: StoredPermission) => boolean, more: Partial<StoredRole>): void => {
    const granted = [...org.permissions.values()].filter(which).map((permission) => permission.name);
    roles.set(
      name,
      storeRole({ ...world, random }, now, { name: roleName(name), permissions: new Set(granted), ...more }),
    );
  };
  for (const [at, name] of managedRoles.entries())
    add(name, managed[at] ?? (() => false), {
      managed: true,
      ...aged({ created: 800 - at * 300, modified: 780 - at * 300 }, now),
    });
  for (const { name, permissions, inherits, optedOut = false, ...age } of customRoles) {
    const prefixes = permissions.split(' ').filter(Boolean);
    const source = inherits === undefined ? undefined : roles.get(inherits);
    add(name, (one) => one.name !== 'admin' && prefixes.some((start) => one.name.startsWith(start)), {
      optedOut,
      inherits: source ? { name: source.name, had: new Set(source.permissions) } : null,
      ...aged(age, now),
    });
  }
  return new Map([...roles].map(([name, { id }]) => [name, id]));
}
