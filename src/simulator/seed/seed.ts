import { storeArchive, storeFilter } from '../kinds/archives.ts';
import { storeAccountA, storeAccountB, storeAccountBV1 } from '../kinds/integrations.ts';
import { storeMapping } from '../kinds/mappings.ts';
import { type Cells, storeTable, type TableField } from '../kinds/table-store.ts';
import { asList, asObject, asText, type ServiceWorld, seconds } from '../server/handler.ts';
import { readSecret, storeApiKey, storeApplicationKey } from '../server/keys.ts';
import { createRandom } from '../server/random.ts';
import accounts from './accounts.json' with { type: 'json' };
import archives from './archives.json' with { type: 'json' };
import filters from './filters.json' with { type: 'json' };
import { seedIssues } from './issues.ts';
import keys from './keys.json' with { type: 'json' };
import mappings from './mappings.json' with { type: 'json' };
import { seedMonitors } from './monitors.ts';
import { aged, dayMs, type Ids, seedPeople } from './people.ts';
import tables from './tables.json' with { type: 'json' };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Stores a reference table given in the response format. `rows` are objects by column: the names of the first are the columns, and
 * its first one is the key. A higher `row_count` adds rows that are counted but not stored.
 */
export function putTable(world: ServiceWorld, object: Fields, now: number): string {
  const id = world.random.uuid();
  const given = (asList(object.rows) ?? []) as readonly Cells[];
  const fields = Object.entries(given[0] ?? { id: '' }).map(
    ([name, value]): TableField => ({ name, type: typeof value === 'number' ? 'INT32' : 'STRING' }),
  );
  const key = fields[0]?.name ?? 'id';
  const rows = new Map(given.map((row) => [String(row[key]), row]));
  const user = [...world.org.users.keys()][0] ?? '';
  world.org.tableStore.tables.set(
    id,
    storeTable({
      id,
      name: asText(object.table_name) ?? `table_${world.org.tableStore.tables.size + 1}`,
      description: asText(object.description) ?? '',
      source: asText(object.source) ?? 'LOCAL_FILE',
      fields,
      key,
      tags: asList(object.tags)?.map(String) ?? null,
      status: asText(object.status) ?? 'DONE',
      creator: asText(object.created_by) ?? user,
      updater: asText(object.last_updated_by) ?? user,
      updated: Date.parse(asText(object.updated_at) ?? '') || now - dayMs,
      rows,
      unstoredRows: Math.max(0, Number(object.row_count ?? 0) - rows.size),
      ...importFacts(asObject(object.file_metadata) ?? {}),
      restricted: object.restricted === true,
    }),
  );
  return id;
}

/** What `file_metadata` says of the file that a table is read from. */
const importFacts = (metadata: Fields) => ({
  errors: {
    type: asText(metadata.error_type) ?? null,
    message: asText(metadata.error_message) ?? '',
    rows: Number(metadata.error_row_count ?? 0),
  },
  access: asObject(metadata.access_details) ?? null,
  sync: metadata.sync_enabled === true,
});

/** Keys, mappings, retention filters, archives, cloud accounts and reference tables; `roles` by neutral name. */
function seedOtherDomains(world: ServiceWorld, roles: Ids, now: number): void {
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
  for (const { attributes, readers, edited, state = null } of archives)
    storeArchive(seeded, attributes, {
      edited: now - edited * dayMs,
      readers: new Set(readers.flatMap((name) => roles.get(name) ?? [])),
      state,
    });
  for (const account of accounts.a) storeAccountA(seeded, account);
  for (const account of accounts.bV1) storeAccountBV1(seeded, account);
  for (const { projects, ...account } of accounts.b)
    storeAccountB(
      seeded,
      account,
      numbered(projects, (number) => `shop-prod-${number}`),
    );
  org.accounts.delegate = accounts.delegate;
  for (const { hours, count = 0, columns = {}, ...table } of tables) {
    const by = random.pick([...users.values()]);
    const updated_at = new Date(now - (hours / 24) * dayMs).toISOString();
    const rows = numbered(count, (number) =>
      Object.fromEntries(Object.entries<Cell>(columns).map(([name, cell]) => [name, cellAt(cell, number)])),
    );
    putTable(seeded, { updated_at, created_by: by, last_updated_by: by, rows, ...table }, now);
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

/** How many objects to seed. */
interface SeedSizes {
  readonly monitors: number;
  readonly issues: number;
  /** Also seeds keys, mappings, filters, archives, accounts and tables. */
  readonly furnished: boolean;
  /** The deployment's name of a managed role. */
  readonly roleName: (name: string) => string;
}

/** Fills an empty organization; deterministic by seed and time. */
export function seedOrg(world: ServiceWorld, { monitors, issues, furnished, roleName }: SeedSizes, now: number): void {
  const roles = seedPeople(world, now, roleName);
  seedMonitors(world, monitors, now);
  seedIssues(world, issues, now);
  if (furnished) seedOtherDomains(world, roles, now);
}
