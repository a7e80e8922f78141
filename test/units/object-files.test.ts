import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/time.ts';
import { schemaLines } from '../support/schema-lines.ts';
import { servedCommands } from '../support/served-commands.ts';
import { createSimulator } from '../support/simulator.ts';

/** `export`, `diff` and `apply`: an organization as files. */

const { simulator, machine, orgdeck } = servedCommands({ monitors: 6, issues: 0 });

type Content = Record<string, unknown>;
const at = { directory: '' };
const path = (name: string) => join(at.directory, `${name}.json`);
const content = (name: string): Content => JSON.parse(readFileSync(path(name), 'utf8')) as Content;
const write = (name: string, value: unknown) => writeFileSync(path(name), JSON.stringify(value));
const change = (name: string, more: Content) => write(name, { ...content(name), ...more });
const files = () =>
  Object.fromEntries(
    readdirSync(at.directory, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(join(at.directory, name), 'utf8')]),
  );
const run = (command: string, ...more: string[]) => orgdeck([command, at.directory, ...more]);

beforeEach(async () => {
  at.directory = mkdtempSync(join(machine.directory, 'org-'));
  expect(await run('export')).toMatchObject({ exit: 0, err: '' });
});

test('--kind offers every kind that an export writes, each with the schema that is stored', async () => {
  const { out } = await orgdeck(['__complete', 'orgdeck export --kind ']);
  const offered = out.trim().split(/\s+/);
  const written = readdirSync(at.directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== '_schemas')
    .map(({ name }) => name.split('.')[0]);
  expect(offered.toSorted()).toEqual([...new Set(written)].toSorted());
  const schemas = readdirSync(join(at.directory, '_schemas')).toSorted();
  const texts = schemas.map((name) =>
    schemaLines(JSON.parse(readFileSync(join(at.directory, '_schemas', name), 'utf8')), name),
  );
  await expect(`${texts.flat().join('\n')}\n`).toMatchFileSnapshot('../support/stored/schema-of-objects.txt');
});

test('what a file leaves out differs from no empty list and from no default, and readers of null are left as they are', async () => {
  const id = simulator.has('monitor', { name: 'Bare', tags: [] });
  await run('export', '--kind', 'monitors');
  expect(content('monitors/bare')).toMatchObject({ id, tags: [] });
  change('monitors/bare', { tags: undefined });
  change('archives/audit-trail', { readers: null });
  expect(content('retention/staging')).not.toHaveProperty('trace_rate');
  change('retention/staging', { trace_rate: 0 });
  expect(await run('diff')).toEqual({ exit: 0, out: '', err: '' });
});

test('a fresh export differs in nothing, and a second one writes the same', async () => {
  const before = files();
  expect(await run('diff')).toMatchObject({ exit: 0, out: '', err: '' });
  expect(await run('apply')).toEqual({ exit: 0, out: 'Nothing to apply\n', err: '' });
  const asJson = await run('apply', '--json');
  expect([asJson.exit, JSON.parse(asJson.out)]).toEqual([0, { version: 1, items: [], partial: null }]);
  await run('export');
  expect(files()).toEqual(before);
  expect(Object.keys(before).length).toBeGreaterThan(60);
});

test('an export leaves the files of another organization as they are', async () => {
  write('_organization', { id: 'another' });
  const before = files();
  expect(await run('export')).toMatchObject({ exit: 2, err: expect.stringContaining('of another organization') });
  expect(files()).toEqual(before);
});

test.each([
  ['export', 2],
  ['diff', 3],
  ['apply', 3],
])('%s refuses files of an organization where it could not read which one this is', async (command, exit) => {
  simulator.refuses(403, { match: 'current-user.get' });
  const before = files();
  expect(await run(command)).toMatchObject({ exit, err: expect.stringContaining('which one this is') });
  expect(files()).toEqual(before);
  simulator.recovers();
});

test('where it could not be read whose the files are, their ids count at the address that they are of', async () => {
  rmSync(path('_organization'));
  change('roles/auditors', { name: 'Auditing' });
  const [renamed, made] = ['~ roles/auditors: name: "Auditors"', '+ roles/auditors: not in the organization'];
  expect((await run('diff', '--kind', 'roles')).out).toContain(made);
  simulator.refuses(403, { match: 'current-user.get' });
  await run('export', '--kind', 'roles');
  change('roles/auditors', { name: 'Auditing' });
  expect((await run('diff', '--kind', 'roles')).out).toContain(renamed);
  simulator.recovers();
  expect((await run('diff', '--kind', 'roles')).out).toContain(renamed);
  change('_organization', { id: 'https://api.another.test' });
  expect((await run('diff', '--kind', 'roles')).out).toContain(made);
});

test('an export that cannot say whose its files are says so', async () => {
  rmSync(path('_organization'));
  mkdirSync(path('_organization'));
  const err = expect.stringContaining('_organization.json: cannot be written (EISDIR)');
  expect(await run('export')).toMatchObject({ exit: 3, err });
});

test('objects whose names and ids make one file name have a file each', async () => {
  const create = async (name: string) =>
    String(JSON.parse((await orgdeck(['roles', 'create', '--name', name, '--json'])).out).items[0].target.id);
  await create('Night');
  await create(`night ${await create('night')}`);
  await run('export', '--kind', 'roles');
  expect(await run('diff', '--kind', 'roles')).toEqual({ exit: 0, out: '', err: '' });
});

test('a file has the name of its object in small letters, cut, or its id', async () => {
  const names = ['Disk  full!', 'n'.repeat(300), '***'];
  const ids = names.map((name) => simulator.has('monitor', { name }));
  await run('export', '--kind', 'monitors');
  const stems = ['disk-full', 'n'.repeat(80), ids[2]];
  expect(stems.map((stem) => content(`monitors/${stem}`).name)).toEqual(names);
});

test('query check of an export checks its monitors, and what else is in it is no fault', async () => {
  const { length } = readdirSync(join(at.directory, 'monitors'));
  expect(await orgdeck(['query', 'check', at.directory])).toMatchObject({
    exit: 0,
    out: expect.stringContaining(`${length} files: ${length} fine, 0 doubtful, 0 wrong`),
  });
  change(`monitors/${readdirSync(join(at.directory, 'monitors'))[0]?.replace('.json', '')}`, { query: 'avg(' });
  expect(await orgdeck(['query', 'check', at.directory])).toMatchObject({ exit: 1 });
});

test('two objects of a kind are compared without files: 1 where they differ, in a line for each setting', async () => {
  const one = simulator.has('monitor', { name: 'Disk', tags: ['team:core', 'env:prod'], priority: 2 });
  const other = simulator.has('monitor', { name: 'Disk copy', tags: ['team:core'], priority: 3 });
  expect(await orgdeck(['monitors', 'diff', one, other])).toMatchObject({
    exit: 1,
    out: 'name: "Disk" → "Disk copy"\npriority: 2 → 3\ntags: -"env:prod"\n',
  });
  expect(await orgdeck(['monitors', 'diff', one, one])).toMatchObject({ exit: 2 });
  expect(await orgdeck(['monitors', 'diff', one, '999'])).toMatchObject({
    exit: 3,
    err: expect.stringContaining('999'),
  });
  const [role = ''] = simulator.org.roles.keys();
  const twin = await orgdeck(['roles', 'clone', role, '--name', 'twin', '--json']);
  expect((await orgdeck(['roles', 'diff', role, JSON.parse(twin.out).items[0].target.id])).out).toMatch(
    /^name: .*"twin"\n$/,
  );
});

test('of a text of several lines each that differs is told, and of a long line its words', async () => {
  const about = (step: string, metric: string) => ({
    name: 'Long',
    message: `${step}\n\nlast`,
    query: `sum(last_5m):${'sum:disk.used{*} + '.repeat(9)}sum:disk.${metric}{*} > 90`,
  });
  const ids = [about('step 10', 'free'), about('step ten', 'idle')].map((one) => simulator.has('monitor', one));
  expect((await orgdeck(['monitors', 'diff', ...ids])).out).toMatch(
    /^message:\n {2}- step 10\n {2}-\n {2}- last\n {2}\+ step ten\n {2}\+\n {2}\+ last\nquery: … .*free.* → … .*idle.*\n$/,
  );
});

test('ids of roles, teams and permissions are names, members are sorted, and what changes by itself is left out', () => {
  const role = content('roles/auditors');
  expect(Object.keys(role)).toEqual(['$schema', 'id', 'name', 'permissions', 'receives_permissions_from']);
  expect(role.permissions).toContain('name:audit_logs_read');
  expect(content('mappings/department-customer-care').role).toBe('name:Log readers (customer care)');
  const [monitor = ''] = readdirSync(join(at.directory, 'monitors'));
  expect(content(`monitors/${monitor.slice(0, -5)}`)).not.toHaveProperty('overall_state');
});

test('what is changed by hand is told, applied as a person would, and taken back by undo', async () => {
  const before = files();
  const [monitor = ''] = readdirSync(join(at.directory, 'monitors')).map((name) => name.slice(0, -5));
  const { message } = content(`monitors/${monitor}`);
  change(`monitors/${monitor}`, { message: `${message} Call the desk.`, priority: 1 });
  const { permissions } = content('roles/auditors') as { readonly permissions: readonly string[] };
  change('roles/auditors', {
    name: 'Auditing',
    permissions: [...permissions.filter((one) => one !== 'name:rum_apps_read'), 'name:monitors_write'],
  });
  change('mappings/department-customer-care', { role: 'name:Auditing desk' });
  change('mappings/department-internal-audit', { role: 'name:Auditing' });
  // Whatever names the role has its new name.
  for (const name of Object.keys(before).filter((one) => one.startsWith('archives/') && !one.includes('_order')))
    write(name.slice(0, -5), JSON.parse((before[name] ?? '').replaceAll('name:Auditors', 'name:Auditing')));
  write('roles/auditing-desk', { name: 'Auditing desk', permissions: ['name:monitors_read'] });
  change('retention/staging', { rate: 0.25 });
  change('archives/audit-trail', { query: 'source:audit env:prod', readers: ['name:Auditing'] });
  const order = JSON.parse(before['retention/_order.json'] ?? '') as string[];
  write('retention/_order', [...order.filter((one) => one !== 'staging'), 'staging']);
  rmSync(path('archives/warehouse'));
  write(
    'archives/_order',
    (JSON.parse(before['archives/_order.json'] ?? '') as string[]).filter((one) => one !== 'warehouse'),
  );

  const told = await run('diff');
  expect(told.exit).toBe(1);
  for (const line of [
    '~ roles/auditors: name: "Auditors" → "Auditing"',
    '~ roles/auditors: permissions: +"name:monitors_write", -"name:rum_apps_read"',
    '+ roles/auditing-desk: not in the organization',
    `~ monitors/${monitor}: priority: 4 → 1`,
    '~ mappings/department-customer-care: role: "name:Log readers (customer care)" → "name:Auditing desk"',
    '~ retention/staging: span rate:',
    '~ retention/_order: ',
    '~ archives/audit-trail: query: "source:audit" → "source:audit env:prod"',
    '- archives warehouse (',
  ])
    expect(told.out).toContain(line);

  const answered = (answer: string, ...more: string[]) =>
    orgdeck(['apply', at.directory, ...more], { types: [answer] });
  const applied = await answered('y');
  expect(applied).toMatchObject({
    exit: 0,
    err: expect.stringContaining('kept 1 object without a file; --delete deletes what has none'),
  });
  expect(applied.out.split('\n').filter(Boolean)).toHaveLength(7);
  expect(await run('diff')).toMatchObject({ exit: 1, out: expect.stringMatching(/^- archives warehouse \(.*\n$/) });
  expect((await run('apply', '--delete')).exit, 'without a terminal').toBe(2);
  expect((await answered('y', '--delete')).exit, 'without the name of the profile').toBe(1);
  expect(await run('apply', '--delete', '--yes')).toMatchObject({ exit: 0, err: '' });
  expect(await run('diff')).toMatchObject({ exit: 0, out: '' });

  for (let times = 0; times < 8; times += 1) expect((await orgdeck(['undo', '--yes'])).exit).toBe(0);
  at.directory = mkdtempSync(join(machine.directory, 'org-'));
  await run('export');
  const same = (text = '') => text.replaceAll(/"id": ".*"/g, '"id": ""');
  const after = files();
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [name, text] of Object.entries(before)) expect(same(after[name]), name).toBe(same(text));
});

test('what differs is told whole, and so is what an apply would do', async () => {
  write('roles/night-desk', { name: 'Night desk', permissions: ['name:monitors_read'] });
  change('retention/staging', { rate: 0.25 });
  rmSync(path('retention/slow-search'));
  rmSync(path('retention/old-gateway'));
  const order = JSON.parse(readFileSync(path('retention/_order'), 'utf8')) as string[];
  const wanted = order.filter((name) => !/slow-search|old-gateway/.test(name)).toReversed();
  write('retention/_order', wanted);
  const some = ['--kind', 'roles,retention'];
  const lines = [
    '+ roles/night-desk: not in the organization',
    '~ retention/staging: span rate: 0.1 → 0.25',
    expect.stringMatching(/^- retention Slow search \(\S+\): without a file$/),
    expect.stringMatching(/^- retention Old gateway \(\S+\): without a file$/),
    `~ retention/_order: ${wanted.filter((name) => !/^(error|application-security)-default$/.test(name)).join(', ')}, application-security-default, error-default`,
  ];
  const told = await run('diff', ...some);
  expect([told.exit, told.err, told.out.split('\n')]).toEqual([1, '', [...lines, '']]);
  const asked = await orgdeck(['apply', at.directory, '--delete', ...some], { types: ['n'] });
  expect([asked.exit, asked.out, asked.err.split('\n')]).toEqual([
    ...[1, ''],
    [
      expect.stringMatching(/^Apply 1 create, 1 edit, 2 deletes, 1 new order to 127\.0\.0\.1:\d+\?$/),
      ...told.out
        .split('\n')
        .slice(0, -1)
        .map((line) => `  ${line}`),
      ...['nothing was sent', ''],
    ],
  ]);
  const planned = await run('apply', '--dry-run', '--read-only', '--delete', ...some);
  const requests = planned.out.match(/^[A-Z]+ (?=http).*$/gm)?.map((line) => line.replace(/http.*\/api/, '/api'));
  const filters = '/api/v2/apm/config/retention-filters';
  expect(planned).toMatchObject({ exit: 0, err: expect.stringContaining('nothing was sent') });
  expect(requests).toEqual([
    ...['POST /api/v2/roles', expect.stringContaining(`PUT ${filters}/`), `PUT ${filters}-execution-order`],
    ...[expect.stringContaining(`DELETE ${filters}/`), expect.stringContaining(`DELETE ${filters}/`)],
  ]);
  const asJson = JSON.parse((await run('apply', '--dry-run', '--json', '--delete', ...some)).out);
  expect(asJson.items).toHaveLength(5);
  expect(asJson.requests.map(({ method }: { method: string }) => method)).toEqual(
    requests?.map((request) => request.split(' ')[0]),
  );
  expect(await run('apply', '--yes', '--delete', ...some)).toEqual({
    exit: 0,
    err: '',
    out: [
      ...['Created Night desk with 1 permission; no users yet', 'Saved Staging', 'Saved the order of 14 filters'],
      ...['Deleted Slow search', 'Deleted Old gateway', ''],
    ].join('\n'),
  });
  expect(await run('diff', ...some)).toEqual({ exit: 0, out: '', err: '' });
});

test('the files of one organization fit another, where names stand for ids', async () => {
  const other = createSimulator({ seed: 6, lively: false, monitors: 0, issues: 0 });
  const there = await other.start();
  try {
    const env = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
    const on = (...line: string[]) => machine.orgdeck(['--base-url', there.url, ...line], { env });
    const kinds = ['--kind', 'roles,monitors,mappings'];
    expect(await on('diff', at.directory, ...kinds)).toMatchObject({ exit: 1, err: '' });
    write('roles/night-desk', { name: 'Night desk', permissions: ['name:monitors_read'] });
    write('mappings/night', { attribute_key: 'shift', attribute_value: 'night', role: 'name:Night desk' });
    expect(await on('apply', at.directory, ...kinds, '--yes')).toMatchObject({ exit: 0 });
    const rest = await on('diff', at.directory, ...kinds);
    expect(rest.out.split('\n').filter((line) => !/^- |^$/.test(line))).toEqual([]);
  } finally {
    await other.stop();
  }
});

describe('before anything is sent it is said', () => {
  const refused = async (sentence: string, ...more: string[]) => {
    simulator.forgets();
    const { exit, err, out } = await run('apply', '--yes', ...more);
    expect(err).toContain(sentence);
    expect([exit === 0, out]).toEqual([false, '']);
    expect(simulator.received().filter(({ method }) => method !== 'GET')).toEqual([]);
  };

  test('that a name is that of nothing', async () => {
    change('mappings/department-customer-care', { role: 'name:Nobody' });
    await refused('mappings/department-customer-care: no object, or more than one, is name:Nobody of roles');
  });

  test('that two files have the id of one object', async () => {
    write('roles/a-copy', { ...content('roles/auditors'), name: 'A copy' });
    await refused('roles: a-copy and auditors have one id: the file of a new object has none', '--kind', 'roles');
  });

  test('that a member cannot be set', async () => {
    change('roles/auditors', { user_count: 7 });
    change('retention/staging', { filter: { query: '*', colour: 'red' } });
    await refused('roles/auditors: user_count is not a setting');
    await refused('retention/staging: filter.colour is not a setting', '--kind', 'retention');
  });

  test('that a file cannot be read', async () => {
    writeFileSync(path('roles/broken'), '{ "name": ');
    await refused('broken.json: not a JSON object');
    expect(simulator.received()).toEqual([]);
    for (const order of [{ first: 'staging' }, ['staging', 7]]) {
      write('retention/_order', order);
      await refused('_order.json: not a list of names of files', '--kind', 'retention');
    }
  });

  test('that a file is about one of several, and what is built in is left out', async () => {
    const finance = [...simulator.org.roles.values()].find(({ name }) => name === 'Finance');
    Object.assign(finance ?? {}, { name: 'Auditors' });
    rmSync(path('roles/finance'));
    change('roles/auditors', { id: 'gone' });
    await refused('2 roles have its name, and it has no id that counts here', '--kind', 'roles');
    Object.assign(finance ?? {}, { name: 'Finance' });
    change('retention/error-default', { id: 'gone', name: 'Another' });
    expect((await run('diff', '--kind', 'retention')).out).toContain(
      'retention/error-default: left out: it is built in, and this organization has none\n',
    );
  });

  test('that there is nothing to compare', async () => {
    await refused(
      '--kind people: there are roles, monitors, mappings, retention, archives, integrations.a, integrations.b-v1, integrations.b, tables',
      '--kind',
      'people',
    );
    at.directory = join(at.directory, 'nowhere');
    await refused('has none of the folders');
    await refused('this profile is read-only', '--read-only');
  });
});

test('what names an object whose creation is refused is not sent', async () => {
  write('roles/night-desk', { name: 'Night desk', permissions: ['name:monitors_read'] });
  write('mappings/night', { attribute_key: 'shift', attribute_value: 'night', role: 'name:Night desk' });
  change('mappings/department-customer-care', { role: 'name:Night desk' });
  change('archives/audit-trail', { readers: ['name:Night desk'] });
  simulator.refuses(403, { match: 'roles.create', times: 9 });
  simulator.forgets();
  const applied = await run('apply', '--yes', '--kind', 'roles,mappings,archives');
  expect(simulator.received().filter(({ method }) => method !== 'GET')).toHaveLength(1);
  expect([applied.exit, applied.err.match(/not sent: name:Night desk is not there yet/g)?.length]).toEqual([4, 3]);
});

test('a limit of the service is waited for, and said', async () => {
  const headers = { 'x-ratelimit-reset': '30' };
  simulator.refuses(429, { match: 'roles.list', headers });
  const waits: number[] = [];
  const clock: Clock = {
    now: () => simulator.now(),
    after(ms, then) {
      if (ms > 25_000) waits.push(ms);
      return systemClock.after(ms > 25_000 ? 0 : ms, then);
    },
  };
  const ran = await orgdeck(['diff', at.directory, '--kind', 'roles'], { io: { clock, random: () => 0 } });
  expect([waits, ran]).toEqual([[30_000], { exit: 0, out: '', err: 'rate limited, wait 30s\n' }]);
});

test('a list that cannot be read whole writes and compares nothing', async () => {
  simulator.refuses(403, { match: 'monitors.get', times: 99 });
  const empty = join(machine.directory, 'empty');
  mkdirSync(empty);
  expect((await orgdeck(['export', empty, '--kind', 'monitors'])).exit).toBe(3);
  expect(existsSync(join(empty, 'monitors'))).toBe(false);
  expect((await run('diff')).exit).toBe(3);
});

test('an edit that fails stops no other, and export removes only files of objects that are gone', async () => {
  change('retention/staging', { rate: 0.5 });
  change('retention/slow-search', { rate: 7 });
  const { exit, err } = await run('apply', '--yes', '--kind', 'retention');
  expect([exit, err]).toEqual([3, expect.stringContaining('1 of 2 were done')]);
  const order = JSON.parse(readFileSync(path('retention/_order'), 'utf8')) as string[];
  write('retention/_order', [...order, 'nobody']);
  expect((await run('diff', '--kind', 'retention')).out).toContain(
    'retention/_order: left out, without a file: nobody\n',
  );
  write('retention/new', { name: 'new one' });
  change('retention/old-gateway', { id: 'gone', name: 'gone' });
  write('retention/renamed', { ...content('retention/staging'), name: 'renamed' });
  expect((await run('export', '--kind', 'retention')).out).toBe('retention: 13 files, 1 old file removed\n');
  expect([existsSync(path('retention/new')), content('retention/old-gateway').name]).toEqual([true, 'Old gateway']);
});

test('a definition that breaks a rule of options is refused before anything is sent; --anyway leaves it to the service', async () => {
  const [name = ''] = readdirSync(join(at.directory, 'monitors')).map(
    (file) => `monitors/${file.replace('.json', '')}`,
  );
  const before = simulator.org.monitors.get(String(content(name).id));
  change(name, { options: { ...(content(name).options as object), timeout_h: 48 } });
  const refused = await run('apply');
  expect(refused).toMatchObject({ exit: 3, out: '' });
  expect(refused.err).toContain(`${name}: timeout_h must be 0 to 24`);
  expect(refused.err).toContain('nothing was sent; --anyway sends it');
  expect((await run('apply', '--anyway', '--yes')).err + before).not.toContain('nothing was sent');
});

test('accounts, tables and the readers of archives are files too, without secrets; undo brings all back', async () => {
  const before = files();
  expect(Object.values(before).join('')).not.toMatch(/secret"|private_key|BEGIN/);
  const named = (folder: string, has: string) =>
    Object.keys(before)
      .find((name) => name.startsWith(`${folder}/`) && before[name]?.includes(has))
      ?.slice(0, -5) ?? '';
  const [tenant, project, account] = [
    named('integrations.a', 'storefront.example.test'),
    named('integrations.b-v1', 'billing-prod'),
    named('integrations.b', 'search-prod'),
  ];
  change('archives/audit-trail', { readers: undefined });
  expect(await run('diff')).toMatchObject({ exit: 0, out: '' });
  change(tenant, { host_filters: 'env:prod' });
  change(project, { automute: false });
  const functions = [{ type: 'cloud_function', filters: ['env:prod'] }];
  const filters = { host_filters: ['env:prod'], monitored_resource_configs: functions };
  change(account, { ...filters, account_tags: ['team:search', 'tier:2'] });
  change('tables/feature-flags', { description: 'Flags', tags: ['team:storefront', 'env:prod'] });
  change('archives/audit-trail', { readers: ['name:Finance'] });
  const told = await run('diff');
  expect([told.exit, told.err]).toEqual([1, '']);
  for (const line of [
    `~ ${tenant}: hosts: `,
    `~ ${account}: tags: +"tier:2"`,
    '~ tables/feature-flags: tags: +"env:prod"',
    '~ archives/audit-trail: readers: +"name:Finance", -"name:Auditors"',
  ])
    expect(told.out).toContain(line);
  const applied = await run('apply', '--yes');
  expect([applied.exit, applied.err]).toEqual([0, '']);
  expect(applied.out).toContain('Added reader Finance to audit trail');
  expect(await run('diff')).toMatchObject({ exit: 0, out: '' });
  const edits = applied.out.split('\n').filter(Boolean).length;
  for (let times = 0; times < edits; times += 1) expect(await orgdeck(['undo', '--yes'])).toMatchObject({ exit: 0 });
  await run('export');
  expect(files()).toEqual(before);
});

test('what no file can make is said, and what no edit can change is refused', async () => {
  const account = readdirSync(join(at.directory, 'integrations.b')).map((file) => file.slice(0, -5))[0] ?? '';
  write('integrations.a/new', { tenant_name: 'new.example.test', client_id: 'c' });
  write('tables/new', { table_name: 'new', source: 'LOCAL_FILE' });
  const told = await run('diff', '--kind', 'integrations,tables');
  expect(told.out).toContain('integrations.a/new: left out: no file has its client secret: add it by hand');
  expect(told.out).toContain('tables/new: left out: its rows are in a file: upload that');
  expect(await run('apply', '--kind', 'integrations,tables', '--yes')).toEqual({
    ...{ exit: 0, out: 'Nothing to apply\n', err: told.out },
  });
  change(`integrations.b/${account}`, { client_email: 'another@example.test' });
  const refused = await run('apply', '--kind', 'integrations', '--yes');
  expect([refused.exit, refused.out]).toEqual([3, '']);
  expect(refused.err).toContain(`integrations.b/${account}: client_email cannot be changed`);
});

test('every file names its schema and fits it; what no form has, and what a rule of options forbids, does not', () => {
  const faults = (name: string, more: Content = {}) => {
    const own = content(name);
    const schema = String(own.$schema).replace('../', '').replace('.json', '');
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(content(schema));
    return validate({ ...own, ...more }) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath);
  };
  const names = Object.keys(files()).filter((name) => !/_order|_schemas|_organization/.test(name));
  expect(names.length).toBeGreaterThan(60);
  for (const name of names) expect([name, faults(name.slice(0, -5))]).toEqual([name, []]);
  const monitor = names.find((name) => name.startsWith('monitors/'))?.slice(0, -5) ?? '';
  expect(faults(monitor, { options: { timeout_h: 48 } })).toEqual(['/options/timeout_h']);
  expect(faults(monitor, { options: { on_missing_data: 'shrug' } })).toEqual(['/options/on_missing_data']);
  expect(faults('retention/staging', { colour: 'red' })).toEqual(['']);
});
