import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { ears } from '../support/ears.ts';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const base = '/api/v2/reference-tables';
const folder = mkdtempSync(join(tmpdir(), 'orgdeck-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

const access = {
  provider_c_detail: {
    provider_c_account_id: '000011112222',
    provider_c_bucket_name: 'exports',
    file_path: 'devices.csv',
    kept: 'yes',
  },
};

/** Three tables: one from a local file, one in the cloud, one that a product fills. */
function hasTables(service: Simulator): void {
  service.org.tableStore.tables.clear();
  service.has('reference_table', {
    table_name: 'routes',
    description: 'who is called',
    tags: ['team:core'],
    rows: [
      { service: 'web', team: 'core', tier: 1 },
      { service: 'shop', team: 'store', tier: 2 },
    ],
  });
  service.has('reference_table', {
    table_name: 'devices',
    source: 'PROVIDER_C',
    rows: [{ serial: 'a1', model: 'one' }],
    file_metadata: { sync_enabled: true, access_details: access },
  });
  service.has('reference_table', { table_name: 'runtimes', source: 'API', rows: [{ id: 'r1' }] });
}

const mine = { columns: 90, rows: 30, monitors: 0, issues: 0, before: hasTables } as const;
const story = stories(journey, mine);
const named = (service: Simulator, name: string) =>
  [...service.org.tableStore.tables.values()].find((table) => table.name === name);
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

story(
  'the form of a new table from the cloud requires the settings of its storage; u deletes the table',
  async (user, service) => {
    await user.opens('tables');
    await user.presses('n');
    await user.sees('upload file');
    await user.presses('2', 'Limits', 'tab', 'right', 'ctrl+s');
    await user.sees('Table: at most 56 lowercase letters');
    await user.presses('ctrl+u', 'limits', 'ctrl+s');
    await user.sees('Project ID is required');
    await user.presses('finance', 'tab', 'reader@finance.example.test', 'tab', 'exports', 'tab', 'limits.csv', 'tab');
    await user.presses('tab', 'merchant, limit:INT32', 'ctrl+s', 'return');
    await user.sees('✓ Created limits; importing its file (initialized)');
    expect(named(service, 'limits')).toMatchObject({
      source: 'PROVIDER_B',
      key: 'merchant',
      sync: true,
      access: {
        provider_b_detail: {
          provider_b_project_id: 'finance',
          provider_b_service_account_email: 'reader@finance.example.test',
          provider_b_bucket_name: 'exports',
          file_path: 'limits.csv',
        },
      },
    });
    await user.presses('u');
    await user.sees(receiptOf.undo('created limits'));
    expect(named(service, 'limits')).toBeUndefined();
  },
);

story('table rows: one is edited as a whole, one is deleted and restored by u, one is added', async (user, service) => {
  await user.opens('tables');
  await user.presses('G', 'k', ']');
  await user.sees(/web +core +1 *│/);
  const cells = (id: string) => named(service, 'routes')?.rows.get(id);
  await user.presses('e', 'tab', 'ctrl+u', 'many', 'ctrl+s');
  await user.sees('tier must be a whole number');
  await user.presses('ctrl+u', '7', 'ctrl+s', 'return');
  await user.sees('Updated web');
  expect(cells('web')).toEqual({ service: 'web', team: 'core', tier: 7 });
  await user.presses('u');
  await user.sees(receiptOf.undo('updated web'));
  expect(cells('web')).toEqual({ service: 'web', team: 'core', tier: 1 });
  await user.presses('d');
  await user.sees('Delete row web?');
  await user.presses('y');
  await user.sees('Deleted web from routes');
  expect(cells('web')).toBeUndefined();
  await user.presses('u');
  await user.sees(receiptOf.undo('deleted web'));
  expect(cells('web')).toEqual({ service: 'web', team: 'core', tier: 1 });
  await user.presses('n', 'shop', 'tab', ' store');
  await user.sees('┌ New row ─');
  await user.presses('ctrl+s');
  await user.sees('row shop already exists');
  await user.presses('shift+tab', 'ctrl+u', 'pay', 'ctrl+s');
  await user.sees('Added row pay to routes');
  expect(cells('pay')).toEqual({ service: 'pay', team: ' store' });
  await user.presses('u');
  await user.sees(receiptOf.undo('added row pay'));
  expect(cells('pay')).toBeUndefined();
});

for (const columns of [80, 120])
  story(
    `rows stand in the columns of their schema, and are sorted by each, at ${columns} columns`,
    {
      columns,
      before: (service) => {
        service.org.tableStore.tables.clear();
        service.has('reference_table', {
          table_name: 'devices',
          rows: [{ serial: 'a1', model: 'one' }],
        });
        service.has('reference_table', {
          table_name: 'routes',
          rows: [
            { service: 'web', team: 'core', tier: 10 },
            { service: 'shop', team: 'store', tier: 9 },
          ],
        });
        service.has('reference_table', { table_name: 'runtimes', rows: [{ id: 'r1' }] });
      },
    },
    async (user, service) => {
      await user.opens('tables');
      await user.presses('G', 'k', ']');
      await user.sees(/SERVICE +TEAM +TIER/);
      const [head, web, shop] = [
        await user.line('SERVICE'),
        await user.line(/web +core/),
        await user.line(/shop +store/),
      ];
      expect([web.indexOf('web'), web.indexOf('core')]).toEqual([head.indexOf('SERVICE'), head.indexOf('TEAM')]);
      // Numbers end where their title does: at the border.
      for (const line of [web, shop]) expect(line).toMatch(/ (9|10) *│/);
      expect(web.search(/10 *│/) + 2).toBe(head.indexOf('TIER') + 4);
      await user.presses('S');
      await user.sees(/3 +TIER/i);
      await user.presses('3');
      await user.sees('by tier ▲');
      const screen = await user.screen();
      expect(screen.indexOf('shop ')).toBeLessThan(screen.indexOf('web '));
      await user.presses('/', '10', 'return');
      await user.sees('1 of 2');
      service.has('reference_table', { table_name: 'zones', rows: [{ id: 'z1', place: 'north' }] });
      await user.presses('q', 's', 'ctrl+u', 'zones', 'ctrl+s');
      await user.sees(/ID +PLACE/);
      await user.sees(/z1 +north/);
    },
  );

story('rows are read by key, and missing keys are named', async (user, service) => {
  await user.opens('tables');
  await user.presses(']');
  await user.sees(/Rows 1 · devices/);
  await user.presses('s', 'ctrl+u', 'routes', 'tab', 'shop, nobody', 'ctrl+s');
  await user.sees(/shop +store +2 *│/);
  await user.sees('not found: nobody');
  service.withdraws(['tables.rows']);
  await user.presses('s', 'tab', 'ctrl+u', 'web', 'ctrl+s');
  await user.sees(/web +core +1 *│/);
  expect(service.received('POST', 'batch-rows')).toHaveLength(1);
  await user.presses('s', 'ctrl+u', 'nothing', 'ctrl+s');
  await user.sees('no table nothing');
});

story('a local CSV file becomes a table, which is followed until it is ready', async (user, service, clock) => {
  const path = file('orders.csv', 'order,total\r\n"a, 1",5\r\nb,7\r\n');
  await user.opens('tables');
  await user.presses('n', '1');
  await user.sees('[ e.g. ~/routes.csv');
  await user.pastes(path);
  await user.presses('tab', 'tab', 'order', 'tab', 'total', 'ctrl+s');
  await user.sees('Upload orders.csv as table orders?');
  await user.presses('y');
  await user.sees('Upload orders.csv as orders');
  await user.sees('Waiting for the service to import the rows');
  await clock.passes(2000);
  await user.sees('Importing the rows');
  for (let step = 0; step < 4; step += 1) await clock.passes(2000);
  await user.sees('orders has 2 rows and is ready');
  expect(named(service, 'orders')).toMatchObject({ key: 'order', status: 'DONE' });
  expect(service.objectStore.received().map(({ status }) => status)).toEqual([200]);
  await user.presses('esc');
  await user.sees(/orders +done/);
});

story('errors of a file are listed by line, and nothing is sent', async (user, service) => {
  const path = file('broken.csv', 'id,name\r\na,one\r\na,two\r\nb\r\n');
  await user.opens('tables');
  await user.presses('n', '1');
  await user.pastes(path);
  await user.presses('tab', 'names', 'ctrl+s', 'y');
  await user.sees('Nothing was sent');
  expect((await user.screen()).match(/Nothing was sent/g)).toHaveLength(1);
  await user.sees('line 4');
  expect(service.received('POST', base)).toEqual([]);
  // The form is offered again as it was typed.
  await user.presses('esc', 'n', '1');
  await user.sees(/Draft of .*: Enter continues it, n starts over/);
  await user.presses('return');
  await user.sees(/Table \* +\[ brokennames/);
});

story('a file replaces the rows of a table from a local file, and of no other', async (user, service, clock) => {
  const path = file('routes.csv', 'service,team,tier\r\nweb,edge,3\r\npay,core,1\r\n');
  await user.opens('tables');
  await user.presses(':', 'replace rows');
  await user.sees('its file is in cloud storage: edit it with e');
  await user.presses('esc', 'G', 'k', ':', 'replace rows', 'return');
  await user.pastes(path);
  await user.presses('ctrl+s');
  await user.sees('Replace the rows of routes with routes.csv?');
  await user.presses('y');
  await user.sees('Load routes.csv into routes');
  await user.sees('Importing');
  for (let step = 0; step < 5; step += 1) await clock.passes(2000);
  await user.sees('routes has 2 rows and is ready');
  expect([...(named(service, 'routes')?.rows.keys() ?? [])]).toEqual(['web', 'pay']);
});

/** The unfinished upload of a killed run: all parts had arrived, or none. */
const leftBehind =
  (path: string, table: string) =>
  async (directory: string, origin: string): Promise<void> => {
    const { size, mtimeNs, ino } = statSync(path, { bigint: true });
    const note = {
      version: 1,
      // No process has this number.
      run: { host: hostname(), pid: 2 ** 22 + 1, began: '' },
      origin,
      table: { name: table, key: 'id' },
      file: { path, size: Number(size), modified: String(mtimeNs), inode: String(ino) },
      upload: '00000000-0000-4000-8000-000000000000',
      parts: [false],
      phase: 'sending',
      expires: 0,
    };
    const name = 'upload-00000000-0000-4000-8000-000000000001.json';
    writeFileSync(join(directory, name), JSON.stringify(note), { mode: 0o600 });
  };
const killed = file('killed.csv', 'id,name\r\na,one\r\n');
const after = { ...mine, leaves: leftBehind(killed, 'killed') };

story(
  'an unfinished upload of a killed run is offered, and starts again where parts are missing',
  after,
  async (user, service, clock) => {
    await user.opens('tables');
    await user.sees('Interrupted upload of killed.csv into killed: 0 of 1 part arrived');
    // Above the list, and there still when a message says something else.
    await user.presses('y');
    await user.sees(/Interrupted upload of killed\.csv.*\n┌ Reference tables/);
    await user.presses('x');
    await user.sees(/interrupted upload/);
    await user.presses('end', 'return');
    await user.sees('killed.csv into killed: 0 of 1 part arrived, it has to start again');
    await user.sees('r  start again');
    await user.neverSees('resume');
    await user.presses('r');
    await user.sees('Importing');
    for (let step = 0; step < 5; step += 1) await clock.passes(2000);
    await user.sees('killed has 1 row and is ready');
    await user.presses('esc', ':', 'interrupted');
    await user.sees(/interrupted upload +no upload was interrupted/);
    expect(named(service, 'killed')?.key).toBe('id');
  },
);

story(
  'in plain lines, too, an unfinished upload is offered once, with its keys, until it is settled',
  after,
  async (user) => {
    const hear = ears(user.session);
    await user.opens('tables');
    await user.sees('Interrupted upload');
    const offer =
      'Warning: Interrupted upload of killed.csv into killed: 0 of 1 part arrived, it has to start again. x more\n';
    expect(hear()).toContain(offer);
    await user.presses('j');
    expect(hear()).not.toContain('Interrupted');
    await user.presses('x');
    await user.sees(/interrupted upload/);
    expect(hear()).toContain('8. interrupted upload, Continue an interrupted upload');
    await user.presses('end', 'return');
    expect(hear()).toMatch(
      /^killed\.csv into killed: 0 of 1 part .*Type a key.*\n1\. r: start again\n2\. a: abandon\n/m,
    );
    await user.presses('a');
    await user.sees('Discarded');
    expect(hear()).toContain('Discarded; the service drops the parts by itself\n');
    await user.presses('esc', 'x');
    await user.sees('no upload was interrupted');
    expect(hear()).toContain('8. interrupted upload, not now: no upload was interrupted\n');
  },
);

story('a canceled upload creates no table', async (user, service) => {
  const path = file('slow.csv', `id,text\r\n${'x'.repeat(20)},y\r\n`);
  service.objectStore.fails('stalls', 9);
  await user.opens('tables');
  await user.presses('n', '1');
  await user.pastes(path);
  await user.presses('ctrl+s', 'y');
  await user.sees('Sending');
  await user.presses('esc');
  await user.sees('routes');
  await user.presses('W');
  await user.sees('Sending');
  await user.presses('c');
  await user.sees('Canceled');
  await user.presses('esc', 'W');
  await user.neverSees('Sending');
  expect(named(service, 'slow')).toBeUndefined();
});

story(
  'Tab completes the path of a file, its columns are listed, and the key is chosen of them',
  async (user, service, clock) => {
    file('owners-of-services.csv', 'service,team,tier\nweb,core,1\nshop,store,2\n');
    file('owners-of-teams.csv', 'team,lead\ncore,a\n');
    await user.opens('tables');
    await user.presses('n', '1');
    rmSync(join(folder, 'late.csv'), { force: true });
    await user.pastes(join(folder, 'late.csv'));
    await user.sees('No such file');
    file('late.csv', 'id,name\n1,a\n');
    await user.presses('tab');
    await user.sees(/Primary key +\(id\) name/);
    await user.neverSees('No such file');
    await user.presses('shift+tab', 'ctrl+u');
    await user.pastes(join(folder, 'own'));
    await user.sees('Tab completes: owners-of-services.csv  owners-of-teams.csv');
    await user.presses('tab');
    await user.sees('owners-of- ');
    await user.presses('s');
    await user.sees('Tab completes: owners-of-services.csv');
    await user.presses('tab');
    await user.sees('3 columns: service, team, tier');
    await user.presses('tab');
    await user.sees(/> Table \* +\[ owners_of_services /);
    await user.presses('ctrl+u', 'owners', 'tab');
    await user.sees(/> Primary key +\(service\) team {2}tier/i);
    await user.presses('right', 'tab', 'right', 'right', 'space');
    await user.sees(/\[x\] tier/);
    await user.presses('ctrl+s');
    await user.sees('owners-of-services.csv');
    await user.presses('y');
    await user.sees('Waiting for the service to import the rows');
    for (let step = 0; step < 5; step += 1) await clock.passes(2000);
    await user.sees(/owners .*2 rows/);
    expect(named(service, 'owners')).toMatchObject({ key: 'team' });
    expect(named(service, 'owners')?.fields.map((field) => `${field.name} ${field.type}`)).toEqual([
      'service STRING',
      'team STRING',
      'tier INT32',
    ]);
  },
);
