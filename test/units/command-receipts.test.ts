import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutcomeWord } from '../../src/cli/actions/receipts.ts';
import { root } from '../laws/sources.ts';
import { noonClock } from '../support/clock.ts';
import { hasDisk, silences } from '../support/monitors.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, machine, orgdeck } = servedCommands({ monitors: 12, issues: 12, clock: noonClock() });
const edits = () => simulator.received().filter(({ method }) => method !== 'GET');
const journalPath = () => join(machine.directory, 'journal.jsonl');
const entries = () =>
  readFileSync(journalPath(), 'utf8')
    .split('\n')
    .flatMap((line) => (line.includes('"intent"') ? [JSON.parse(line)] : []));
/** The receipts of a command that was run with `--json`. */
const receiptsOf = async (...line: string[]) => {
  const ran = await orgdeck([...line, '--json']);
  const { version, items, partial } = JSON.parse(ran.out);
  expect(version).toBe(1);
  return { ...ran, items, partial };
};
const anIssue = (state: string): string => {
  const [id = ''] = simulator.org.issues.keys();
  Object.assign(simulator.org.issues.get(id) ?? {}, { state });
  return id;
};

describe('a receipt as JSON', () => {
  test('of an edit tells its entry, what changed and how it is undone', async () => {
    const id = anIssue('OPEN');
    const { items, partial, exit } = await receiptsOf('issues', 'resolve', id);
    const [entry] = entries();
    expect([exit, partial]).toEqual([0, null]);
    expect(items).toEqual([
      {
        entry: entry.id,
        group: entry.group,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
        organization: expect.any(String),
        actor: entry.actor,
        action: 'issues.resolve',
        target: { kind: 'issues', id, name: entry.target.name },
        outcome: 'done',
        changes: [{ field: 'state', label: null, from: 'OPEN', to: 'RESOLVED' }],
        facts: { state: 'RESOLVED', assignee: simulator.org.issues.get(id)?.assignee ?? null },
        leaves: [],
        undo: { kind: 'undo' },
        text: expect.stringMatching(/^Resolved /),
        warning: false,
        problem: null,
      },
    ]);
    expect((await orgdeck(['undo', items[0].entry])).exit).toBe(0);
    expect(simulator.org.issues.get(id)?.state).toBe('OPEN');
  });

  test('of a mute of a tag names it, and the command of its row is the same', async () => {
    const { items } = await receiptsOf(
      'mutes',
      'create',
      '--tag',
      'service:shop',
      '--for',
      '2h',
      '--reason',
      'deploys',
    );
    const name = 'mute of every monitor tagged service:shop';
    expect(items).toMatchObject([
      {
        target: { kind: 'mutes', name },
        facts: { tag: 'service:shop', scope: '*', reason: 'deploys' },
        undo: { kind: 'undo' },
      },
    ]);
    expect(items[0].text).toMatch(/^Muted every monitor tagged service:shop until /);
    expect((await orgdeck(['undo', '--yes'])).out).toBe(`Undone: created ${name}\n`);
    const refusals = [
      [['--tag', 'service:shop', '--for', 'forever'], '--for: a mute of a tag needs an end'],
      [['--tag', 'a b', '--for', '1h'], '--tag: one tag, such as service:checkout-api'],
      [['--for', '1h'], '--tag: Tag is required'],
    ] as const;
    for (const [flags, sentence] of refusals)
      expect(await orgdeck(['mutes', 'create', ...flags])).toMatchObject({
        exit: 2,
        err: expect.stringContaining(sentence),
      });
  });

  test('of a dry run is planned, with the requests, and nothing else is printed', async () => {
    const id = hasDisk(simulator);
    const { items, out, exit, err } = await receiptsOf('monitors', 'mute', id, '--for', '1h', '--dry-run');
    expect([exit, edits()]).toEqual([0, []]);
    expect(items).toMatchObject([{ entry: null, outcome: 'planned', target: { id }, undo: { kind: 'none' } }]);
    const url = expect.stringContaining(`/monitor/${id}/mute`);
    expect(JSON.parse(out).requests).toEqual([{ method: 'POST', url, body: { end: expect.any(Number) } }]);
    expect(err).toContain('nothing was sent');
  });

  test('has the fields that docs/json.md describes', async () => {
    const page = readFileSync(join(root, 'docs/json.md'), 'utf8');
    const [section = ''] = page.slice(page.indexOf('## Receipts')).split('\n## Fields');
    const namesIn = (table = '') => [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    const [fields, words] = section.split('| outcome |').map(namesIn);
    const key = ['keys-own', 'create', '--scopes', 'monitors_read', '--name', 'ci', '--reveal'];
    const ofKey = Object.keys((await receiptsOf(...key)).items[0]);
    expect(ofKey).toEqual(fields?.filter((field) => field !== 'undoes' && field !== 'steps'));
    const muted = await receiptsOf('monitors', 'mute', hasDisk(simulator), '--for', '1h');
    const ofUndo = Object.keys((await receiptsOf('undo', muted.items[0].entry)).items[0]);
    expect(ofUndo.sort()).toEqual(fields?.filter((field) => field !== 'secret' && field !== 'steps').sort());
    const all: Record<OutcomeWord, true> = {
      done: true,
      already: true,
      partly: true,
      failed: true,
      unknown: true,
      notSent: true,
      planned: true,
    };
    expect(Object.keys(all)).toEqual(expect.arrayContaining(words ?? []));
    expect(words).toHaveLength(7);
  });

  test('of a mute tells its end, scope and groups; of a longer one that stays, nothing was sent', async () => {
    const id = hasDisk(simulator);
    const mute = (...more: string[]) => receiptsOf('monitors', 'mute', id, ...more);
    const [first] = (await mute('--for', 'until 18:00', '--reason', 'a new disk')).items;
    const facts = { until: expect.stringMatching(/T18:00:00Z$/), forever: false, scope: '*', reason: 'a new disk' };
    expect(first).toMatchObject({ outcome: 'done', facts, undo: { kind: 'undo' } });
    expect(first.facts.groups).toBeGreaterThanOrEqual(first.facts.alerting);
    const sent = edits().length;
    const again = await mute('--for', 'until 18:00');
    expect(again).toMatchObject({ exit: 0, err: '' });
    expect(again.items).toMatchObject([{ outcome: 'already', entry: null, undo: { kind: 'none' }, warning: false }]);
    expect(edits()).toHaveLength(sent);
  });

  test('of a create tells the values of what was made; of an edit from what to what', async () => {
    const { items } = await receiptsOf(
      'retention',
      'new',
      '--name',
      'carts',
      '--query',
      'service:carts',
      '--rate',
      '0.5',
    );
    expect(items[0]).toMatchObject({ target: { kind: 'retention', name: 'carts' }, outcome: 'done' });
    expect(items[0].changes).toContainEqual({ field: 'rate', label: 'span rate', from: null, to: 0.5 });
    const edited = await receiptsOf('retention', 'edit', `id:${items[0].target.id}`, '--rate', '0.25');
    expect(edited.items[0].changes).toContainEqual({ field: 'rate', label: 'span rate', from: 0.5, to: 0.25 });
    const same = await receiptsOf('retention', 'edit', `id:${items[0].target.id}`, '--rate', '0.25');
    expect([same.exit, same.items]).toMatchObject([0, [{ outcome: 'already', changes: [] }]]);
  });

  test('names a setting that was changed as its form does, by its path, and the journal keeps it', async () => {
    const id = hasDisk(simulator, { options: { renotify_interval: 60, notify_no_data: false } });
    const { items } = await receiptsOf('monitors', 'edit', id, '--renotify-interval', '30');
    const change = { field: 'options.renotify_interval', label: 'renotify interval', from: 60, to: 30 };
    expect(items[0].changes).toContainEqual(change);
    expect(items[0].changes.map(({ field }: { field: string }) => field)).not.toContain('options');
    const kept = JSON.parse((await orgdeck(['journal', '--json'])).out).items;
    const [{ changes, facts, leaves, said }] = kept.filter((entry: { id: string }) => entry.id === items[0].entry);
    expect({ changes, facts, leaves, said }).toEqual({
      changes: items[0].changes,
      facts: items[0].facts,
      leaves: items[0].leaves,
      said: items[0].text,
    });
  });

  test('of an edit of several requests tells what became of each, and what is left', async () => {
    const id = hasDisk(simulator);
    await orgdeck(['monitors', 'mute', id, '--for', '1h', '--scope', 'host:web-1']);
    await orgdeck(['monitors', 'mute', id, '--for', '4h', '--add', '--reason', 'a new disk']);
    simulator.refuses(400, { match: 'monitors.unmute', body: { errors: ['Boom'] } });
    const { items, exit } = await receiptsOf('monitors', 'unmute', id, '--all');
    expect(exit).toBe(3);
    expect(items[0]).toMatchObject({
      outcome: 'partly',
      steps: [
        { operation: 'downtimes-v1.delete', outcome: 'done' },
        { operation: 'monitors.unmute', outcome: 'failed' },
      ],
      leaves: [{ kind: 'mutes', id: null, scope: 'host:web-1', until: expect.stringMatching(/T13:00:0\dZ$/) }],
    });
    const again = await receiptsOf('monitors', 'unmute', id, '--all');
    expect(again).toMatchObject({ exit: 0, items: [{ outcome: 'done', leaves: [] }] });
    expect(again.items[0]).not.toHaveProperty('steps');
  });

  test('of a refusal tells the problem; of an edit in doubt, with an exit code of its own', async () => {
    const id = anIssue('OPEN');
    simulator.refuses(400, { match: 'issues.set-state', times: 1, body: { errors: [{ detail: 'Boom' }] } });
    const refused = await receiptsOf('issues', 'resolve', id);
    expect(refused.exit).toBe(1);
    expect(refused.items).toMatchObject([
      {
        outcome: 'failed',
        changes: [],
        undo: { kind: 'none', why: 'nothing was changed' },
        problem: { kind: 'invalid', status: 400, messages: ['Boom'] },
      },
    ]);
    simulator.refuses(504, { match: 'roles.create', body: {} });
    const doubtful = await receiptsOf('roles', 'new', '--name', 'perhaps');
    expect([doubtful.exit, doubtful.items[0].outcome]).toEqual([5, 'unknown']);
  });
});

describe('what is so already', () => {
  const sendsNothing = async (...line: string[]) => {
    simulator.forgets();
    const { exit, err, items } = await receiptsOf(...line);
    expect([exit, err, edits()]).toEqual([0, '', []]);
    expect(items).toMatchObject([{ outcome: 'already', entry: null, group: null, changes: [] }]);
    return items[0];
  };

  test('a state, and an assignee, is success; it has no entry and is not undone', async () => {
    const id = anIssue('RESOLVED');
    expect((await sendsNothing('issues', 'resolve', id)).text).toMatch(/: already RESOLVED$/);
    expect(existsSync(journalPath())).toBe(false);
    const [user = ''] = simulator.org.users.keys();
    expect((await orgdeck(['issues', 'assign', id, '--to', user])).exit).toBe(0);
    await sendsNothing('issues', 'assign', id, '--to', user);
  });

  test('the end of a mute', async () => {
    const id = hasDisk(simulator);
    await sendsNothing('monitors', 'unmute', id);
    expect((await orgdeck(['monitors', 'mute', id, '--for', '1h'])).exit).toBe(0);
    expect((await orgdeck(['monitors', 'unmute', id])).exit).toBe(0);
    await sendsNothing('monitors', 'unmute', id);
    expect(silences(simulator, id)).toEqual([]);
    // By its own id, too, but for one that there never was.
    const mine = `mute ${id} *`;
    expect((await orgdeck(['monitors', 'mute', id, '--for', '1h'])).exit).toBe(0);
    expect((await orgdeck(['mutes', 'end', mine])).exit).toBe(0);
    await sendsNothing('mutes', 'end', mine);
    const downtimes = [
      simulator.has('downtime', { monitor_id: Number(id), scope: ['host:web-1'] }),
      simulator.has('downtime', { monitor_identifier: { monitor_id: Number(id) }, scope: 'host:web-2', schedule: {} }),
    ];
    for (const downtime of downtimes) {
      expect(await orgdeck(['mutes', 'end', downtime]), downtime).toMatchObject({ exit: 0 });
      await sendsNothing('mutes', 'end', downtime);
    }
    expect(silences(simulator, id)).toEqual([]);
    for (const none of ['999999', '00000000-0000-4000-8000-00000000ffff', 'mute 999999 *'])
      expect(await orgdeck(['mutes', 'end', none])).toMatchObject({ exit: 1, err: `no mute with ID ${none}\n` });
  });

  test('enabled and disabled', async () => {
    const filter = simulator.has('apm_retention_filter', { name: 'checkout errors', enabled: true });
    await sendsNothing('retention', 'enable', filter);
    expect((await orgdeck(['retention', 'disable', filter])).exit).toBe(0);
    await sendsNothing('retention', 'disable', filter);
  });

  test('a membership: users and permissions of a role, readers of an archive', async () => {
    const role = simulator.has('roles', { name: 'night shift' });
    const [user = '', { name } = {}] = [...simulator.org.users][2] ?? [];
    const names: Record<string, string> = { [user]: name ?? '', [role]: 'night shift' };
    const archive = simulator.has('archives', { name: 'errors' });
    for (const [add, remove, thing] of [
      [['roles', 'add-user', role], ['roles', 'remove-user', role], user],
      [['roles', 'grant', role], ['roles', 'revoke', role], 'monitors_write'],
      [['archives', 'add-reader', archive], ['archives', 'remove-reader', archive], role],
    ] as const) {
      expect(await orgdeck([...add, thing]), add.join(' ')).toMatchObject({
        exit: 0,
        out: expect.stringContaining(` ${names[thing] ?? thing} to `),
      });
      await sendsNothing(...add, thing);
      expect(await orgdeck([...remove, thing]), remove.join(' ')).toMatchObject({
        exit: 0,
        out: expect.stringContaining(` ${names[thing] ?? thing} from `),
      });
      await sendsNothing(...remove, thing);
    }
  });
});

describe('ids', () => {
  const open = () => {
    const ids = [...simulator.org.issues.keys()].slice(0, 3);
    for (const id of ids) Object.assign(simulator.org.issues.get(id) ?? {}, { state: 'OPEN' });
    return ids;
  };
  const outcomes = (items: readonly { readonly target: { readonly id: string }; readonly outcome: string }[]) =>
    items.map(({ target, outcome }) => [target.id, outcome]);

  test.each([
    ['few', 1, 'not-one'],
    ['more than are read one by one', 9, '999999'],
  ])('of which one is wrong, %s: it is named, alone, and nothing is sent', async (_, count, wrong) => {
    const ids = Array.from({ length: count }, () => hasDisk(simulator));
    simulator.forgets();
    const line = ['monitors', 'mute', ...ids, wrong, '--for', '1h'];
    const ran = await orgdeck(line);
    expect([ran.exit, ran.out, edits()]).toEqual([1, '', []]);
    expect(ran.err.trim().split('\n')).toEqual([expect.stringContaining(wrong)]);
    expect(ids.filter((id) => ran.err.includes(id))).toEqual([]);
    const { items } = await receiptsOf(...line);
    expect(outcomes(items)).toEqual([[wrong, 'failed'], ...ids.map((id) => [id, 'notSent'])]);
    const going = await receiptsOf(...line, '--keep-going');
    expect(going).toMatchObject({ exit: 3, partial: [`${count} of ${count + 1} were done`] });
    expect(outcomes(going.items)).toEqual([[wrong, 'failed'], ...ids.map((id) => [id, 'done'])]);
    expect(ids.map((id) => silences(simulator, id))).toEqual(ids.map(() => ['* mute']));
  });

  test('a delete of what is not found fails, unless --if-exists says that it may be gone', async () => {
    const role = simulator.has('roles', { name: 'day shift' });
    const remove = (...more: string[]) => orgdeck(['roles', 'delete', `id:${role}`, '--yes', ...more]);
    expect((await remove('--if-exists')).exit).toBe(0);
    expect(simulator.org.roles.has(role)).toBe(false);
    expect(await remove()).toMatchObject({ exit: 1, err: `no role with ID ${role}\n` });
    expect(await remove('--if-exists')).toMatchObject({ exit: 0, out: `no role with ID ${role}\n`, err: '' });
  });

  test('the pipeline of the README works twice in a row', async () => {
    const ids = open().join('\n');
    for (const word of ['Acknowledged ', ': already ACKNOWLEDGED']) {
      const ran = await orgdeck(['issues', 'acknowledge', '-'], { stdin: ids });
      expect([ran.exit, ran.err, ran.out.split(word).length]).toEqual([0, '', 4]);
    }
  });
});

test('--quiet says nothing on standard error but of what failed, and asks as ever', async () => {
  const archive = simulator.has('archives', { name: 'errors' });
  const key = (name: string) => ['keys-own', 'create', '--scopes', 'monitors_read', '--reveal', '--name', name];
  expect((await orgdeck(key('loud'))).err).not.toBe('');
  expect(await orgdeck([...key('quiet'), '--quiet'])).toMatchObject({ exit: 0, err: '' });
  expect((await orgdeck(['monitors', 'mute', 'none', '--for', '1h', '--quiet'])).err).toContain('none');
  const remove = ['archives', 'delete', `id:${archive}`, '--quiet'];
  expect(await orgdeck(remove, { types: ['errors'] })).toMatchObject({
    exit: 0,
    err: expect.stringContaining('errors?'),
  });
});
