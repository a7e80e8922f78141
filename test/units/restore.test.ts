import { describe, expect, test } from 'vitest';
import { hasSimple, silences } from '../support/monitors.ts';
import { servedCommands } from '../support/served-commands.ts';

/** What was deleted is created again by `orgdeck undo`, with all that the service can be told of it. */

const { simulator, there, orgdeck } = servedCommands({ monitors: 3, issues: 0 });

const idsOf = async (list: string) => (await orgdeck([list, 'list', '--fields', 'id'])).out.trimEnd().split('\n');
const itemOf = async (list: string, id: string) => {
  const { items } = JSON.parse((await orgdeck([list, 'get', `id:${id}`, '--json'])).out);
  const { id: _, created_at: _created, modified_at: _modified, state_since: _since, ...item } = items[0];
  return item;
};
/** The id of the only thing that is listed now and was not before. */
async function madeIn(list: string, before: readonly string[]): Promise<string> {
  const [made, ...others] = (await idsOf(list)).filter((id) => !before.includes(id));
  expect(others).toEqual([]);
  return made ?? '';
}
const lastEntry = async () => (await orgdeck(['journal'])).out.slice(0, 8);

describe('what was deleted is created again', () => {
  test('a monitor, and an edit before is undone at its new id', async () => {
    const before = await idsOf('monitors');
    const [id = ''] = before;
    const item = await itemOf('monitors', id);
    await orgdeck(['monitors', 'edit', id, '--priority', '5']);
    const edit = await lastEntry();
    const { out } = await orgdeck(['monitors', 'delete', id, '--yes', '--json']);
    const { undo } = JSON.parse(out).items[0];
    expect(undo).toMatchObject({ kind: 'recreate', steps: 1, lost: expect.arrayContaining(['its history']) });
    const asks = await orgdeck(['undo'], { types: ['n'] });
    expect(asks).toMatchObject({ exit: 1, err: expect.stringContaining('unmuted, in No Data, in 1 request') });
    expect(await orgdeck(['undo', '--yes'])).toMatchObject({ exit: 0, out: `Created again: ${item.name}\n` });
    expect((await orgdeck(['undo', edit, '--yes'])).exit).toBe(0);
    const { state: _, groups: _groups, creator: _creator, ...same } = item;
    expect(await itemOf('monitors', await madeIn('monitors', before))).toMatchObject(same);
  });

  test('the downtimes of a monitor that stayed are for it again', async () => {
    const id = hasSimple(simulator, 'long muted');
    const before = await idsOf('monitors');
    await orgdeck(['monitors', 'mute', id, '--for', '1h', '--reason', 'deploy']);
    await orgdeck(['monitors', 'delete', id, '--yes']);
    const { err } = await orgdeck(['undo'], { types: ['y'] });
    expect(err).toContain('in 2 requests');
    expect(err).toContain('It is unmuted until the downtimes that stayed are moved to it');
    const restored = await madeIn('monitors', before);
    expect([silences(simulator, restored), silences(simulator, id)]).toEqual([['* v2'], []]);
  });

  test('a mute that went with its monitor is not undone, and says so', async () => {
    const id = hasSimple(simulator, 'short muted');
    await orgdeck(['monitors', 'mute', id, '--for', '1h']);
    const mute = await lastEntry();
    await orgdeck(['monitors', 'delete', id, '--yes']);
    await orgdeck(['undo', '--yes']);
    simulator.forgets();
    expect((await orgdeck(['undo', mute, '--yes'])).out).toContain('Already undone: muted short muted');
    expect((await orgdeck(['journal'])).out).toContain('not undone: it was deleted with the object');
    expect(simulator.received('POST')).toEqual([]);
  });

  test('a role with its permissions and users', async () => {
    const before = await idsOf('roles');
    await orgdeck(['roles', 'create', '--name', 'night shift', '--permissions', 'name:monitors_write']);
    const id = await madeIn('roles', before);
    const users = [...simulator.org.users.keys()].slice(0, 3);
    await orgdeck(['roles', 'add-user', id, ...users]);
    const item = await itemOf('roles', id);
    const rest = await idsOf('roles');
    await orgdeck(['roles', 'delete', id, '--yes']);
    expect((await orgdeck(['undo', '--yes'])).exit).toBe(0);
    const made = await madeIn('roles', rest);
    expect(await itemOf('roles', made)).toEqual(item);
    expect(
      [...simulator.org.users.values()].filter(({ roles }) => roles.includes(made)).map((user) => user.id),
    ).toEqual(users);
  });

  test('a retention filter and an archive, in their places', async () => {
    for (const list of ['retention', 'archives']) {
      const before = await idsOf(list);
      const [, , id = ''] = before;
      const item = await itemOf(list, id);
      expect((await orgdeck([list, 'delete', `id:${id}`, '--yes'])).exit, list).toBe(0);
      expect((await orgdeck(['undo', '--yes'])).exit, list).toBe(0);
      const after = await idsOf(list);
      expect(after.map((one, at) => (at === 2 ? one !== id : one === before[at]))).toEqual(before.map(() => true));
      const { modified_by: _by, state: _state, ...same } = item;
      expect(await itemOf(list, after[2] ?? '')).toMatchObject({
        ...same,
        ...(item.created_by && { created_by: expect.anything() }),
      });
    }
  });

  test('a step that fails leaves the rest to the next undo; an archive is open to everyone until then', async () => {
    const [first = ''] = await idsOf('archives');
    const roles = (await idsOf('roles')).slice(0, 2);
    await orgdeck(['archives', 'add-reader', first, ...roles]);
    const rest = (await idsOf('archives')).filter((id) => id !== first);
    const { out } = await orgdeck(['archives', 'delete', `id:${first}`, '--yes', '--json']);
    const { steps } = JSON.parse(out).items[0].undo;
    simulator.refuses(401, { match: 'archives.add-reader' });
    const part = await orgdeck(['undo', '--yes']);
    expect(part).toMatchObject({
      exit: 3,
      err: expect.stringContaining('OPEN TO EVERYONE until its readers are added'),
    });
    const made = await madeIn('archives', rest);
    simulator.recovers();
    const told = /^## Undone in part \(1\)\n\n- \*\*.+\*\* \(1 of \d requests, OPEN TO EVERYONE until .*\)$/m;
    expect((await orgdeck(['journal', '--markdown'])).out).toMatch(told);
    expect((await orgdeck(['journal'])).out).toContain(': undone in part\n');
    const planned = await orgdeck(['undo', '--yes', '--dry-run', '--json']);
    expect(JSON.parse(planned.out).items).toMatchObject([{ entry: null, group: null, outcome: 'planned' }]);
    const on = await orgdeck(['undo'], { types: ['y'] });
    expect(on).toMatchObject({
      exit: 0,
      err: expect.stringContaining(`Goes on creating it again: ${steps - 1} requests are left`),
    });
    expect(on.err).toContain('OPEN TO EVERYONE');
    expect((await orgdeck(['journal', '--markdown'])).out).not.toMatch(told);
    expect(await madeIn('archives', rest)).toBe(made);
    expect((await idsOf('archives'))[0]).toBe(made);
    const again = await orgdeck(['archives', 'add-reader', made, ...roles]);
    expect(again.out.match(/was already a reader/g)).toHaveLength(2);
    expect((await orgdeck(['undo', '--yes'])).out).not.toContain('Created again');
  });

  test('a request that is refused for certain does not stop those behind it', async () => {
    const before = await idsOf('roles');
    await orgdeck(['roles', 'create', '--name', 'late shift']);
    const id = await madeIn('roles', before);
    const [gone = '', ...users] = [...simulator.org.users.keys()].slice(-3);
    await orgdeck(['roles', 'add-user', id, gone, ...users]);
    await orgdeck(['roles', 'delete', id, '--yes']);
    simulator.org.users.delete(gone);
    const part = await orgdeck(['undo', '--yes']);
    expect(part.err).toContain('created again in part');
    const made = await madeIn('roles', before);
    expect([...simulator.org.users.values()].filter(({ roles }) => roles.includes(made))).toHaveLength(2);
  });

  test('where a request is refused and a later one stops it for now, the rest keeps its place', async () => {
    const before = await idsOf('roles');
    await orgdeck(['roles', 'create', '--name', 'odd shift']);
    const id = await madeIn('roles', before);
    const users = [...simulator.org.users.keys()].slice(-3);
    await orgdeck(['roles', 'add-user', id, ...users]);
    await orgdeck(['roles', 'delete', id, '--yes']);
    simulator.refuses(400, { match: 'roles.add-user' });
    simulator.refuses(401, { match: 'roles.add-user' });
    expect((await orgdeck(['undo', '--yes'])).exit).toBe(3);
    simulator.recovers();
    expect((await orgdeck(['undo', '--yes'])).exit).toBe(0);
    const made = await madeIn('roles', before);
    expect([...simulator.org.users.values()].filter(({ roles }) => roles.includes(made))).toHaveLength(3);
  });

  test.each([
    [403, 0],
    [500, 1],
  ])('where a %i does not show whether it is there again, the undo ends with %i', async (status, code) => {
    const [id = ''] = await idsOf('monitors');
    await orgdeck(['monitors', 'delete', id, '--yes']);
    simulator.refuses(status, { match: 'monitors.get', times: 9 });
    const { exit, out, err } = await orgdeck(['undo', '--yes']);
    expect([exit, code === 0 ? out : err]).toEqual([code, expect.stringMatching(/^Created again|could not be read/)]);
  });

  test('nothing is created twice: where the outcome is unknown, the next undo sends nothing', async () => {
    const [id = ''] = await idsOf('monitors');
    await orgdeck(['monitors', 'delete', id, '--yes']);
    const { size } = simulator.org.monitors;
    simulator.appliesThenFails(1, { match: 'monitors.create' });
    expect((await orgdeck(['undo', '--yes'])).exit).toBe(5);
    const again = await orgdeck(['undo', '--yes']);
    expect(again).toMatchObject({ exit: 1, err: expect.stringContaining('the outcome of an edit is unknown') });
    expect(simulator.org.monitors.size).toBe(size + 1);
  });

  test.each([
    ['monitors', 'monitors.get'],
    ['roles', 'roles.users'],
    ['archives', 'archives.readers'],
  ] as const)('of %s nothing is deleted while what its undo needs cannot be read', async (list, read) => {
    const name = `mine of ${list}`;
    if (list === 'monitors') hasSimple(simulator, name);
    else simulator.has(list, { name });
    const ids = await idsOf(list);
    for (const [status, code] of [
      [500, 1],
      [403, 4],
    ] as const) {
      simulator.refuses(status, { match: read, times: 50 });
      const { exit, err } = await orgdeck([list, 'delete', `name:${name}`, '--yes']);
      simulator.recovers();
      expect([exit, await idsOf(list)]).toEqual([code, ids]);
      expect(err).toContain('nothing was sent: what its undo needs could not be read');
      expect(err).toMatch(new RegExp(`to delete it without an undo: orgdeck call ${list}.delete --\\w+_id \\S+`));
    }
    expect((await orgdeck([list, 'delete', `name:${name}`, '--yes'])).exit).toBe(0);
  });

  test.each([
    ['retention', 'filter'],
    ['archives', 'query'],
    ['mappings', 'attribute_value'],
  ])('of %s nothing is deleted while a part of what its undo needs cannot be read', async (list, member) => {
    const ids = await idsOf(list);
    const id = ids.at(-1) ?? '';
    simulator.refuses(200, { match: `${list}.get`, body: { data: { id, attributes: { [member]: [7] } } }, times: 9 });
    const { exit, err } = await orgdeck([list, 'delete', `id:${id}`, '--yes']);
    simulator.recovers();
    expect([exit, await idsOf(list)]).toEqual([1, ids]);
    expect(err).toContain(`nothing was sent: what its undo needs could not be read: data.attributes.${member}`);
  });

  test('nothing is created again of what has no destination, or repeats a key', async () => {
    const [secret = ''] = await idsOf('monitors');
    const nowhere = simulator.has('archives', { name: 'nowhere', query: 'a:b', destination: null });
    Object.assign(simulator.org.monitors.get(secret) ?? {}, { message: `curl -H key:${there.appKey}` });
    const undoOf = async (list: string, id: string) =>
      JSON.parse((await orgdeck([list, 'delete', `id:${id}`, '--yes', '--json'])).out).items[0].undo.kind;
    expect(await undoOf('archives', nowhere)).toBe('none');
    expect((await orgdeck(['undo', '--yes'])).err).toContain('the last edit cannot be undone: deleted nowhere');
    await undoOf('monitors', secret);
    simulator.forgets();
    expect((await orgdeck(['undo', '--yes'])).err).toContain('[key redacted] stands for a key');
    expect(simulator.received('POST')).toEqual([]);
  });
});

describe('the place in an order', () => {
  test.each(['retention', 'archives'])('of %s is found again whatever has changed meanwhile', async (list) => {
    const before = await idsOf(list);
    const [, , first = '', second = ''] = before;
    const entries: string[] = [];
    for (const id of [first, second]) {
      await orgdeck([list, 'delete', `id:${id}`, '--yes']);
      entries.push(await lastEntry());
    }
    const names = async () => (await orgdeck([list, 'list', '--fields', 'name'])).out.trimEnd().split('\n');
    const left = await names();
    expect((await orgdeck(['undo', entries[0] ?? '', '--yes'])).exit).toBe(0);
    expect((await orgdeck(['undo', entries[1] ?? '', '--yes'])).exit).toBe(0);
    const after = await names();
    expect([after.slice(0, 2), after.slice(4)]).toEqual([left.slice(0, 2), left.slice(2)]);
    expect((await idsOf(list)).slice(2, 4).some((id) => before.includes(id))).toBe(false);
  });
});
