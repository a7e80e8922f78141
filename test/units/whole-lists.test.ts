import { beforeEach, describe, expect, test } from 'vitest';
import { countEvents } from '../../src/simulator/server/monitoring.ts';
import { servedCommands } from '../support/served-commands.ts';

/** Lists are whole, or say what they lack. */

const itemsIn = (out: string): readonly unknown[] => JSON.parse(out).items;

describe('on a deployment whose pages are smaller than asked', () => {
  const { simulator, orgdeck } = servedCommands({ monitors: 120, issues: 0, furnished: false });
  beforeEach(() => {
    simulator.switches.smallPages = true;
    for (let at = 0; at < 130; at += 1) {
      simulator.has('users', { name: `User ${at}`, email: `user${at}@example.test` });
      simulator.has('roles', { name: `role ${at}` });
      simulator.has('application_keys', { name: `key ${at}`, owned_by: [...simulator.org.users.keys()][0] });
    }
  });

  /** Holds that a list prints so many rows and lacks none. */
  const whole = async (list: string, count: number) => {
    const ran = await orgdeck([list, 'list', '--json', 'id']);
    expect(ran, ran.err).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(ran.out).partial).toBeNull();
    expect(itemsIn(ran.out)).toHaveLength(count);
  };

  test('lists and calls read all pages', async () => {
    const { users, roles, applicationKeys } = simulator.org;
    await whole('people', [...users.values()].filter(({ disabled }) => !disabled).length);
    await whole('roles', roles.size);
    await whole('keys-org', applicationKeys.size);
    await whole('monitors', 120);
    const called = await orgdeck(['call', 'roles.list', '--paginate']);
    expect(called).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(called.out).data).toHaveLength(roles.size);
  });

  test('what is missing at an empty page is told, with exit code 3', async () => {
    const { roles, monitors } = simulator.org;
    const full = [...roles.values()].slice(0, 50).map(({ id, name }) => ({ type: 'roles', id, attributes: { name } }));
    const page = (data: readonly unknown[]) => ({ data, meta: { page: { total_count: roles.size } } });
    simulator.refuses(200, { match: 'roles.list', body: page(full) });
    simulator.refuses(200, { match: 'roles.list', body: page([]) });
    const part = await orgdeck(['roles', 'list', '--json', 'id']);
    expect(part).toMatchObject({ exit: 3 });
    expect(JSON.parse(part.out).partial).toEqual([`50 of ${roles.size}`]);
    // Of a total that only the first page tells, too.
    const told = () => {
      simulator.refuses(200, { match: 'roles.list', body: page(full) });
      simulator.refuses(200, { match: 'roles.list', body: { data: full.slice(0, 1) } });
    };
    told();
    const untold = await orgdeck(['roles', 'list', '--json', 'id']);
    expect(untold).toMatchObject({ exit: 3 });
    expect(JSON.parse(untold.out).partial).toEqual([`50 of ${roles.size}`]);
    told();
    const called = await orgdeck(['call', 'roles.list', '--paginate']);
    expect(called).toMatchObject({ exit: 3 });
    expect(JSON.parse(called.out).partial).toBe(`50 of ${roles.size}`);
    simulator.refuses(200, {
      match: 'downtimes.list',
      body: { data: [], meta: { page: { total_filtered_count: 7 } } },
    });
    const mutes = await orgdeck(['mutes', 'list', '--json', 'id']);
    expect(mutes).toMatchObject({ exit: 3 });
    expect(JSON.parse(mutes.out).partial).toEqual(['some downtimes could not be read: 0 of 7']);
    const role = [...roles.keys()].at(-1) ?? '';
    const users = { data: [], meta: { page: { total_count: 7 } } };
    simulator.refuses(200, { match: 'roles.users', body: users });
    const deleted = await orgdeck(['roles', 'delete', role, '--yes']);
    expect(deleted).toMatchObject({ exit: 1 });
    expect(deleted.err).toContain('not all of its users could be read');
    const [first] = monitors.keys();
    simulator.refuses(200, { match: 'monitors.list', body: [{ id: Number(first), name: 'the only one' }] });
    simulator.refuses(200, { match: 'monitors.list', body: [] });
    const some = await orgdeck(['monitors', 'list', '--json', 'id']);
    expect(some).toMatchObject({ exit: 3 });
    expect(JSON.parse(some.out).partial).toEqual([`1 of ${monitors.size} monitors`]);
    expect(itemsIn(some.out)).toHaveLength(1);
  });
});

describe('of 1,200 issues', () => {
  const { simulator, orgdeck } = servedCommands({ monitors: 0, issues: 1200, furnished: false });
  const days = 30;
  const list = ['issues', 'list', '--states', '', '--range', `${days}d`, '--json', 'id'];
  const searches = () => simulator.received().filter(({ operation }) => operation === 'issues.search').length;

  test('all are listed, in about as many searches as have room for them', async () => {
    const now = simulator.now();
    const ran = await orgdeck(list);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    const seen = [...simulator.org.issues.values()].filter(
      ({ stream }) => countEvents(stream, now - days * 86_400_000, now, now) > 0,
    );
    const idsOf = (rows: readonly unknown[]) => rows.map((row) => (row as { readonly id: string }).id).sort();
    expect(seen.length).toBeGreaterThan(1000);
    expect(idsOf(itemsIn(ran.out))).toEqual(idsOf(seen));
    expect(searches()).toBeLessThan(50);
  });

  test('so many as are wanted take one request, in the order of the service', async () => {
    const few = await orgdeck([...list, '--limit', '5']);
    expect(few).toMatchObject({ exit: 0, err: '' });
    expect(searches()).toBe(1);
    const all = await orgdeck(list);
    expect(itemsIn(few.out)).toEqual(itemsIn(all.out).slice(0, 5));
    simulator.forgets();
    expect(await orgdeck([...list, '--limit', '5', '--sort', 'name'])).toMatchObject({ exit: 0 });
    expect(searches()).toBeGreaterThan(10);
  });

  test('home reads some of them, which is no partial list', async () => {
    const ran = await orgdeck(['home', 'list', '--json', 'block,total']);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(ran.out)).toMatchObject({ partial: null });
    expect(itemsIn(ran.out)).toContainEqual({ block: 'services', total: null });
  });
});
