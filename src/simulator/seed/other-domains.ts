import { storeArchive } from '../kinds/archives.ts';
import { storeMapping } from '../kinds/mappings.ts';
import { storeFilter } from '../kinds/retention.ts';
import { readSecret } from '../kinds/secrets.ts';
import type { ServiceWorld } from '../server/handler.ts';
import { storeApiKey, storeApplicationKey } from '../server/keys.ts';
import { createRandom } from '../server/random.ts';
import { seconds } from '../server/wire-values.ts';
import accounts from './accounts.json' with { type: 'json' };
import archives from './archives.json' with { type: 'json' };
import filters from './filters.json' with { type: 'json' };
import keys from './keys.json' with { type: 'json' };
import mappings from './mappings.json' with { type: 'json' };
import { aged, dayMs, type Ids } from './people.ts';
import { putAccountA, putAccountB, putAccountBV1, putTable } from './put-accounts.ts';
import tables from './tables.json' with { type: 'json' };

/** Keys, mappings, retention filters, archives, cloud accounts and reference tables; `roles` by neutral name. */
export function seedOtherDomains(world: ServiceWorld, roles: Ids, now: number): void {
  const { org } = world;
  const random = createRandom(org.seed + 5);
  const seeded: ServiceWorld = { ...world, random };
  const users: Ids = new Map([...org.users.values()].map(({ email, id }) => [email, id]));
  const teams: Ids = new Map([...org.teams.values()].map(({ handle, id }) => [handle, id]));
  seedKeys(seeded, users, now);
  for (const { key, value, role, team, ...age } of mappings) {
    const id = roles.get(role ?? '') ?? teams.get(team ?? '') ?? '';
    storeMapping(seeded, now, { key, value, target: { type: role ? 'roles' : 'team', id }, ...aged(age, now) });
  }
  for (const { created, modified, ...filter } of filters) {
    const moment = (days: number | undefined) => (days === undefined ? 0 : seconds(now - days * dayMs));
    storeFilter(seeded, { ...filter, created_at: moment(created), modified_at: moment(modified) });
  }
  for (const { attributes, readers, edited, ...overrides } of archives)
    storeArchive(seeded, random, attributes, {
      edited: now - edited * dayMs,
      readers: new Set(readers.flatMap((name) => roles.get(name) ?? [])),
      overrides,
    });
  for (const account of accounts.a) putAccountA(seeded, account, now);
  for (const account of accounts.bV1) putAccountBV1(seeded, account, now);
  for (const { projects, ...account } of accounts.b) {
    const accessible_projects = numbered(projects, (number) => `shop-prod-${number}`);
    putAccountB(seeded, account, { meta: { accessible_projects } }, now);
  }
  org.accounts.delegate = accounts.delegate;
  for (const { hours, count = 0, columns = {}, ...table } of tables) {
    const by = random.pick([...users.values()]);
    const updated_at = new Date(now - (hours / 24) * dayMs).toISOString();
    const rows = numbered(count, (number) =>
      Object.fromEntries(Object.entries<Cell>(columns).map(([name, cell]) => [name, cellAt(cell, number)])),
    );
    putTable(seeded, { id: random.uuid(), updated_at, created_by: by, last_updated_by: by, rows, ...table }, now);
  }
}

function seedKeys(world: ServiceWorld, users: Ids, now: number): void {
  const past = (days: number | undefined) => (days === undefined ? null : now - days * dayMs);
  const leaked = (source: string | undefined) =>
    source === undefined ? null : { id: world.random.uuid(), date: now - 2 * dayMs, source };
  for (const { owner, created, used, leak, ...key } of keys.application)
    storeApplicationKey(world, {
      ...key,
      secret: readSecret(world, 40),
      owner: users.get(owner) ?? '',
      created: now - created * dayMs,
      used: past(used),
      leak: leaked(leak),
    });
  for (const { creator, modifier, used, leak, created, modified, ...key } of keys.api)
    storeApiKey(world, {
      ...key,
      secret: readSecret(world, 32),
      creator: users.get(creator) ?? null,
      modifier: users.get(modifier ?? '') ?? null,
      ...aged({ created, modified }, now),
      used: past(used),
      leak: leaked(leak),
    });
}

const numbered = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at + 1));

/** How the cells of a column follow from the number of their row. */
type Cell = string | number | readonly (string | number)[];

/** A cell of the row with this number: `#` in a text is the number, of a list comes the next one, a number is multiplied. */
const cellAt = (cell: Cell, number: number): string | number =>
  typeof cell === 'string'
    ? cell.replace('#', String(number))
    : typeof cell === 'number'
      ? cell * number
      : (cell[(number - 1) % cell.length] ?? '');
