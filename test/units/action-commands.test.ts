import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { ask, call, isRead, type Plan } from '../../src/api/endpoint.ts';
import { createMonitor, getMonitor } from '../../src/api/monitors.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { faultIn } from '../../src/cli/actions/pending-edits.ts';
import { type ActionCommand, commandName, commandShape, leftOut } from '../../src/cli/actions/shape.ts';
import type { Ports } from '../../src/cli/command-ports.ts';
import { addActionCommands } from '../../src/cli/domain-commands.ts';
import { flagName } from '../../src/cli/search-flags.ts';
import { runPlan } from '../../src/client/client.ts';
import { helpContext } from '../../src/describe/context.ts';
import { noonClock } from '../support/clock.ts';
import { hasDisk, silences } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { servedCommands } from '../support/served-commands.ts';

const verbs: readonly ActionCommand[] = screens.flatMap((screen) =>
  screen.lists.flatMap((list) => list.actions.map((action) => ({ list, action }))),
);
const commands = verbs.filter(({ action }) => !(action.id in leftOut));

describe('every action of every screen', () => {
  const root = new Command('orgdeck');
  addActionCommands({ root, ports: {} as Ports, end: () => {} });
  const commandOf = (verb: ActionCommand) =>
    commandName(verb)
      .split(' ')
      .reduce<Command | undefined>((parent, word) => parent?.commands.find((one) => one.name() === word), root);

  test('is a command of its own, or left out with a reason', () => {
    expect(verbs.length).toBeGreaterThan(60);
    expect(commands.filter((verb) => commandOf(verb) === undefined).map(commandName)).toEqual([]);
    expect(new Set(commands.map(commandName)).size).toBe(commands.length);
    const ids = verbs.map(({ action }) => action.id);
    for (const [id, reason] of Object.entries(leftOut)) {
      expect(ids).toContain(id);
      expect(reason).toMatch(/orgdeck /);
    }
  });

  test.each(commands.map((verb) => [commandName(verb), verb] as const))('%s has a help with its flags', (_, verb) => {
    const command = commandOf(verb);
    const help = command?.helpInformation() ?? '';
    const { fields, rows } = commandShape(verb, helpContext);
    for (const [name, field] of Object.entries(fields))
      if (!field.aside) expect(help).toContain(flagName(field.flag ?? name));
    // What only a create sets is no flag of an edit, which would not send it.
    for (const [name, { has }] of Object.entries(verb.action.made ? {} : (verb.action.settings ?? {})))
      if (has === 'new') expect(Object.keys(fields)).not.toContain(name);
    // A command has no cursor and no keys, and a person at a pipe has no poll.
    expect(command?.description()).not.toMatch(/cursor|selected|differences|J and K|(?:^|[;:] )(?!a )[b-zB-Z+] [a-z]/);
    expect(help).not.toMatch(/--poll|--plain/);
    expect(/<ids\.\.\.>|<id>/.test(help.split('\n')[0] ?? '')).toBe(rows !== 'none');
    const long = command?.options.map((option) => option.long) ?? [];
    expect(new Set(long).size).toBe(long.length);
  });

  test.each(
    commands
      .map((verb) => [commandName(verb), verb] as const)
      .filter(([, verb]) => {
        const { fields } = commandShape(verb, helpContext);
        return Object.values(fields).some(({ kind }) => kind === 'toggle' || kind === 'choice' || kind === 'many');
      }),
  )('%s refuses a word that its flags do not know', (_, verb) => {
    for (const [name, field] of Object.entries(commandShape(verb, helpContext).fields)) {
      if (field.kind !== 'toggle' && field.kind !== 'choice' && field.kind !== 'many') continue;
      expect(faultIn({ [name]: field }, { [name]: 'no such word' })).toMatch(new RegExp(`^${flagName(name)}: .+`));
    }
  });
});

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 12, issues: 12, clock: noonClock() });
/** A profile of production, whose keys are in the environment. */
const production = () => machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']);
const edits = () => simulator.received().filter(({ method }) => method !== 'GET');
const journal = () => readFileSync(join(machine.directory, 'journal.jsonl'), 'utf8');
const issueIds = () => [...simulator.org.issues.keys()];
/** A row of one of the kinds that need no code of their own in the simulator, by a new name. */
const has = (kind: string, members: Readonly<Record<string, unknown>>): string => simulator.has(kind, members);
/** Ids of filters may begin with a dash. */
const filter = (name: string) =>
  has('apm_retention_filter', { name, enabled: true, filter: { query: '*' }, rate: 1, trace_rate: 0, editable: true });

describe('rows', () => {
  test('several ids, names and standard input; one failure leaves the others and has an exit code of its own', async () => {
    const [a = '', b = '', c = ''] = issueIds();
    const [first, second, third] = [a, b, c].map((id) => simulator.org.issues.get(id));
    for (const issue of [first, second, third]) if (issue) issue.state = 'OPEN';
    simulator.refuses(400, { match: 'issues.set-state', times: 1, body: { errors: [{ detail: 'Boom' }] } });
    const ran = await orgdeck(['issues', 'resolve', '-'], { stdin: `${a}\tanything\n${b}\n${c}\n` });
    expect(ran.exit).toBe(3);
    expect(ran.out.split('\n').filter(Boolean)).toHaveLength(2);
    expect(ran.err).toContain('Boom');
    expect(ran.err).toContain('2 of 3 were done');
    expect([first, second, third].filter((issue) => issue?.state === 'RESOLVED')).toHaveLength(2);
    expect(journal().match(/"intent"/g)).toHaveLength(3);
  });

  test('a name of several rows and an id of none send nothing, and say so', async () => {
    hasDisk(simulator);
    hasDisk(simulator);
    const twice = await orgdeck(['monitors', 'mute', 'name:Disk', '--for', '1h']);
    expect(twice).toMatchObject({
      exit: 1,
      out: '',
      err: expect.stringMatching(/2 rows .* give one of the ids \d+, \d+/),
    });
    const none = await orgdeck(['monitors', 'mute', 'nope', '--for', '1h']);
    expect(none).toMatchObject({ exit: 1, out: '', err: expect.stringMatching(/^nope: .*Invalid/) });
    expect(edits()).toEqual([]);
  });

  test('a row that the dashboard would refuse is refused with its words', async () => {
    const [id = ''] = issueIds();
    const issue = simulator.org.issues.get(id);
    if (issue) issue.state = 'RESOLVED';
    simulator.forgets();
    expect((await orgdeck(['issues', 'reopen', id, '--read-only'])).err).toContain('read-only');
    expect(simulator.received()).toEqual([]);
  });

  test('an operand that a flag separates is a usage error that names it', async () => {
    const ran = await orgdeck(['monitors', 'mute', '1', '--for', '1h', '--reason', 'known', 'issue']);
    expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('"issue" stands apart') });
    const edit = await orgdeck(['retention', 'edit', 'a', 'b', '--rate', '1']);
    expect(edit).toMatchObject({ exit: 2, err: expect.stringContaining('"b"') });
    expect(simulator.received()).toEqual([]);
  });

  test('a flag is never taken for the text of the flag before it, unless = says so', async () => {
    const id = hasDisk(simulator);
    const mute = (...more: string[]) => orgdeck(['monitors', 'mute', id, '--for', '1h', ...more]);
    expect(await mute('--reason', '--dry-run')).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringContaining('write --reason=--dry-run'),
    });
    expect(simulator.received()).toEqual([]);
    expect((await mute('--reason=--dry-run')).exit).toBe(0);
    expect(edits()).not.toEqual([]);
  });

  test('an empty id, as of a variable that is not set, is a usage error', async () => {
    const ran = await orgdeck(['monitors', 'unmute', '']);
    expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('an ID is empty') });
    expect(simulator.received()).toEqual([]);
  });
});

describe('mutes', () => {
  test('a second mute gives the first one a new end and says so; --add mutes beside it', async () => {
    const id = hasDisk(simulator);
    const mute = (...more: string[]) => orgdeck(['monitors', 'mute', id, ...more]);
    expect((await mute('--for', '1h')).out).toBe(`${receiptOf.mute('Disk')} 13:00 UTC\n`);
    const second = await mute('--for', '4h');
    expect(second.out).toBe(
      'Muted until 16:00 UTC: Disk; it was muted until 13:00 UTC: --add mutes it a second time\n',
    );
    expect(silences(simulator, id)).toHaveLength(1);
    expect((await mute('--for', '1h')).out).toContain('Stays muted until 16:00 UTC');
    const scope = await mute('--for', '6h', '--scope', 'host:web-1');
    expect(scope.exit).toBe(0);
    expect(silences(simulator, id)).toHaveLength(2);
    const unmute = (...more: string[]) => orgdeck(['monitors', 'unmute', id, ...more]);
    expect(await unmute()).toMatchObject({
      exit: 3,
      out: '',
      err: "Disk has 2 mutes: all groups by a mute until 16:00 UTC (--scope '*'); host:web-1 by a mute until 18:00 UTC (--scope host:web-1). Choose one, or all of them (--all)\n",
    });
    expect((await unmute('--all')).exit).toBe(0);
    expect(silences(simulator, id)).toEqual([]);
    await mute('--for', '1h');
    expect((await mute('--for', '4h', '--add', '--reason', 'a disk is on its way')).exit).toBe(0);
    expect(silences(simulator, id)).toEqual(['* mute', '* v2']);
  });
});

test('unmute ends with 3 while the monitor is still muted, and says by what until when', async () => {
  const id = hasDisk(simulator);
  const end = Math.floor(simulator.now() / 1000) + 7200;
  const wide = simulator.has('downtime', { monitor_tags: ['team:core'], scope: ['host:web-2'], end });
  await orgdeck(['monitors', 'mute', id, '--for', '1h']);
  const say = `on host:web-2 until 14:00 UTC (downtime ${wide}, which mutes every monitor tagged team:core)`;
  const until = expect.stringMatching(/T14:00:0\dZ$/);
  const left = { kind: 'mutes', id: wide, scope: 'host:web-2', until, say };
  const ran = await orgdeck(['monitors', 'unmute', id, '--json']);
  expect(ran).toMatchObject({ exit: 3, err: '' });
  expect(JSON.parse(ran.out).items).toMatchObject([{ outcome: 'done', leaves: [left] }]);
  const again = await orgdeck(['monitors', 'unmute', id]);
  expect(again).toMatchObject({ exit: 3, out: '', err: expect.stringContaining(`(--downtime ${wide})`) });
  const other = await orgdeck(['monitors', 'mute', id, '--for', '1h', '--scope', 'host:web-1']);
  expect(other.exit).toBe(0);
  // The mute of one group was asked for, and another group is no part of it.
  expect((await orgdeck(['monitors', 'unmute', id, '--scope', 'host:web-1'])).exit).toBe(0);
  expect((await orgdeck(['monitors', 'unmute', id, '--downtime', wide])).exit).toBe(0);
});

test('the help of unmute names the flag for the whole monitor and for a downtime', async () => {
  const { out } = await orgdeck(['monitors', 'unmute', '--help']);
  expect(out).toMatch(/--scope.*'\*'/);
  expect(out).toContain('--downtime');
});

test('a delete says which downtimes of the monitor stay; mutes end ends them by their ids, as --end-mutes does', async () => {
  const [id, other] = [hasDisk(simulator, { name: 'Old' }), hasDisk(simulator, { name: 'Older' })];
  const downtime = (monitor: string) =>
    simulator.has('downtime', {
      monitor_id: Number(monitor),
      scope: ['*'],
      end: Math.floor(simulator.now() / 1000) + 7200,
    });
  const [one, two] = [downtime(id), downtime(other)];
  const deleted = await orgdeck(['monitors', 'delete', id, '--yes']);
  expect(deleted).toMatchObject({
    exit: 0,
    out: `Deleted Old; downtime ${one} stays until 14:00 UTC (mutes end ${one})\n`,
  });
  expect(await orgdeck(['mutes', 'end', one])).toMatchObject({ exit: 0, out: `Unmuted monitor ${id}\n`, err: '' });
  expect((await orgdeck(['monitors', 'delete', other, '--yes', '--end-mutes'])).out).toBe('Deleted Older\n');
  expect((await orgdeck(['mutes', 'list', '--json', 'downtime_id'])).out).not.toMatch(new RegExp(`${one}|${two}`));
});

test('a downtime of several monitors is extended and ended by its id alone', async () => {
  const id = hasDisk(simulator);
  const end = Math.floor(simulator.now() / 1000) + 3600;
  const downtime = simulator.has('downtime', { id: 8130, monitor_tags: ['team:core'], scope: ['*'], end });
  const verb = (name: string, ...more: string[]) => orgdeck(['monitors', name, id, ...more]);
  const extend = (...more: string[]) => verb('extend', '--for', '1h', ...more);
  expect(await extend()).toMatchObject({ exit: 1, err: expect.stringContaining(`(--downtime ${downtime})`) });
  expect(await extend('--downtime', '1')).toMatchObject({ exit: 1, err: 'Disk has no downtime 1 with an end\n' });
  expect(await verb('unmute')).toMatchObject({ exit: 3, err: expect.stringContaining(`(--downtime ${downtime})`) });
  const wrong = await verb('unmute', '--downtime', '1');
  expect(wrong).toMatchObject({ exit: 1, err: expect.stringContaining('by downtime 1') });
  expect(edits()).toEqual([]);
  expect(await extend('--downtime', downtime)).toMatchObject({ exit: 0, out: 'Muted until 14:00 UTC: Disk\n' });
  expect((await verb('unmute', '--downtime', downtime)).exit).toBe(0);
  expect(edits().map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
});

test('an hour that clocks show twice is named before the edit and after it, one that they skip is refused', async () => {
  const id = hasDisk(simulator);
  const mute = (until: string, ...more: string[]) =>
    orgdeck(['monitors', 'mute', id, '--for', until, '--tz', 'Europe/Berlin', ...more]);
  const year = new Date(simulator.now()).getUTCFullYear() + 1;
  const sunday = (month: number) => {
    const last = new Date(Date.UTC(year, month, 31));
    return `${year}-${month === 2 ? '03' : '10'}-${31 - last.getUTCDay()}`;
  };
  const named = `until ${sunday(9)} 02:30 UTC+2 (the first of two 02:30 of that night)`;
  const planned = await mute(`until ${sunday(9)} 02:30`, '--dry-run');
  expect(planned).toMatchObject({ exit: 0, err: expect.stringContaining(`${named}, in `) });
  expect((await mute(`until ${sunday(9)} 02:30`)).out).toBe(`Muted Disk ${named}\n`);
  const skipped = await mute(`until ${sunday(2)} 02:30`);
  expect(skipped).toMatchObject({ exit: 2, err: expect.stringContaining(`there is no 02:30 on ${sunday(2)}`) });
  expect(skipped.err).toContain(`type ${sunday(2)} 01:59 or ${sunday(2)} 03:00`);
});

test('an end in the last year that a date has is printed as that', async () => {
  const id = hasDisk(simulator);
  simulator.has('downtime', { monitor_id: Number(id), scope: ['*'], end: 253_402_300_799 });
  const { out } = await orgdeck(['mutes', 'list', '--json', 'until']);
  expect(out).toContain('"9999-12-31T23:59:59Z"');
});

describe('--dry-run', () => {
  test('prints every request of a plan, as far as none depends on an answer', async () => {
    const id = hasDisk(simulator);
    await orgdeck(['monitors', 'mute', id, '--for', '1h', '--scope', 'host:web-1']);
    await orgdeck(['monitors', 'mute', id, '--for', '2h', '--reason', 'a downtime', '--add']);
    expect(silences(simulator, id)).toHaveLength(2);
    const { exit, out, err } = await orgdeck(['monitors', 'unmute', id, '--all', '--dry-run']);
    expect(exit).toBe(0);
    expect(out.match(/^[A-Z]+ \S+$/gm)).toEqual([
      expect.stringMatching(/^DELETE .*\/downtime\/\d+$/),
      expect.stringMatching(/^POST .*\/unmute/),
    ]);
    expect(err).toBe('nothing was sent; what follows depends on the answer\n');
    expect(silences(simulator, id)).toHaveLength(2);
    const undone = await orgdeck(['undo', '--dry-run']);
    expect(undone).toMatchObject({ exit: 0, err: 'nothing was sent\n' });
    expect(undone.out).toMatch(/^(DELETE|POST) /);
    expect(silences(simulator, id)).toHaveLength(2);
  });

  test('a plan that looks at an answer nobody has is followed no further', async () => {
    const sent: string[] = [];
    const [edit, look] = [createMonitor, getMonitor].map((endpoint) => call(endpoint as never, {} as never));
    const follow = (plan: Plan<Result<unknown>>) =>
      runPlan(plan, async ({ endpoint }) => {
        sent.push(endpoint.id);
        return isRead(endpoint) ? { ok: true, value: 1, status: 200, unread: [] } : problemResult('dryRun', 'not sent');
      });
    const depends = function* (reads: (answer: Result<unknown>) => unknown): Plan<Result<unknown>> {
      yield* ask(look as never);
      const first = yield* ask<unknown>(edit as never);
      reads(first);
      return yield* ask<unknown>(edit as never);
    };
    expect(await follow(depends(({ ok }) => ok))).toMatchObject({ problem: { kind: 'dryRun', messages: [] } });
    expect(sent.splice(0)).toEqual([look?.endpoint.id, edit?.endpoint.id, edit?.endpoint.id]);
    const readsIt = depends((answer) => answer.ok && (answer.value as { readonly id: string }).id);
    expect(await follow(readsIt)).toMatchObject({
      problem: { kind: 'dryRun', messages: ['what follows depends on the answer'] },
    });
    expect(sent).toEqual([look?.endpoint.id, edit?.endpoint.id]);
  });
});

describe('forms', () => {
  test('a create takes its values from flags; what is needed and missing is named', async () => {
    const line = ['retention', 'new', '--name', 'by hand', '--rate', '0.25'];
    expect(await orgdeck(line)).toMatchObject({ exit: 2, err: '--query: Query is required\n' });
    const bad = await orgdeck([...line, '--query', '*', '--rate', '7']);
    expect(bad).toMatchObject({ exit: 2, err: '--rate: Span rate must be 0 to 1\n' });
    expect(edits()).toEqual([]);
    const made = await orgdeck([...line, '--query', 'service:x', '--json']);
    expect(JSON.parse(made.out)).toMatchObject({
      version: 1,
      items: [{ action: 'retention.create', outcome: 'done', text: expect.stringContaining('Created by hand') }],
    });
    expect(edits()[0]?.body).toMatchObject({ data: { attributes: { rate: 0.25, filter: { query: 'service:x' } } } });
  });

  test('a create tells the id that the service gave, a copy that of the copy', async () => {
    const idIn = ({ out }: { readonly out: string }) => JSON.parse(out).items[0].target.id;
    const made = await orgdeck(['roles', 'new', '--name', 'day shift', '--json']);
    expect(simulator.org.roles.get(idIn(made))?.name).toBe('day shift');
    const copied = await orgdeck(['roles', 'clone', `id:${idIn(made)}`, '--name', 'late shift', '--json']);
    expect(JSON.parse(copied.out).items[0].target.name).toBe('late shift');
    expect(simulator.org.roles.get(idIn(copied))?.name).toBe('late shift');
  });

  test('an edit sends what was given and leaves the rest; nothing to change sends nothing', async () => {
    const id = filter('checkout');
    expect(await orgdeck(['retention', 'edit', `id:${id}`])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--help'),
    });
    expect((await orgdeck(['retention', 'edit', `id:${id}`, '--rate', '1'])).out).toContain('nothing was sent');
    expect(edits()).toEqual([]);
    const ran = await orgdeck(['retention', 'edit', 'name:checkout', '--rate', '0.5', '--enabled', 'no']);
    expect(ran).toMatchObject({ exit: 0, out: `${receiptOf.save('checkout')}\n`, err: '' });
    expect(edits()[0]?.body).toMatchObject({ data: { attributes: { name: 'checkout', rate: 0.5, enabled: false } } });
  });

  test('someone else changes the same setting while production asks: nothing is sent', async () => {
    const id = filter('carts');
    const answer = async () => {
      const now = simulator.org.filters.get(id);
      if (now) now.rate = 0.75;
      return 'y';
    };
    await production();
    const ran = await orgdeck(['retention', 'edit', `id:${id}`, '--rate', '0.5', '--profile', 'acme'], {
      io: { answer },
    });
    expect(ran).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('changed the span rate') });
    expect(edits()).toEqual([]);
  });

  test('a name picks what a field wants by id, a secret comes from the environment, --dry-run sends nothing', async () => {
    const role = [...simulator.org.roles.values()].find(({ name }) => name === 'Auditors');
    const line = ['mappings', 'create', '--key', 'groups', '--value', 'sre', '--role', 'name:Auditors'];
    const shown = await orgdeck([...line, '--dry-run']);
    expect(shown.exit).toBe(0);
    expect(shown.out).toContain('POST ');
    expect(shown.err).toMatch(/^nothing was sent; /);
    expect(shown.out).not.toContain(there.appKey);
    expect(edits()).toEqual([]);
    expect((await orgdeck(line)).exit).toBe(0);
    expect(JSON.stringify(edits()[0]?.body)).toContain(role?.id ?? 'no role');
    const onLine = ['integrations', 'a', 'create', '--tenant', 't', '--client', 'c', '--secret'];
    const seen = await orgdeck([...onLine, 'hunter2hunter2']);
    expect(seen).toMatchObject({ exit: 2, err: expect.stringContaining('env:VARIABLE') });
    expect(seen.err).not.toContain('hunter2');
  });

  test('with a vocabulary, help and manual have none of the neutral words', async () => {
    const file = join(machine.directory, 'all-words.json');
    const names = {
      provider_a: 'nimbus',
      provider_b: 'cumulus',
      provider_c: 'stratus',
      tracker_a: 'ticketer',
      tracker_b: 'desk',
    };
    writeFileSync(file, JSON.stringify({ words: names }));
    const neutral = /\b(?:provider_[abc]|tracker_[ab])\b|--\w+-in-[abc]\b/gi;
    const manual = await orgdeck(['--vocabulary', file, 'man', '--all']);
    expect(manual.out).toContain('accounts of nimbus');
    expect(manual.out.match(neutral)).toBeNull();
    const helps = [
      'integrations',
      'integrations a list',
      'tables create',
      'archives create',
      'call integrations.list-b-v1',
    ];
    for (const about of helps.map((line) => line.split(' ')))
      expect((await orgdeck(['--vocabulary', file, ...about, '--help'])).out.match(neutral)).toBeNull();
    const operations = await orgdeck(['--vocabulary', file, 'call', '--list', '--json']);
    expect(operations.out).toContain('the v2 operations of cumulus replace it');
    expect(operations.out.match(/(?:provider|tracker)_[abc]/g)).toBeNull();
  });

  test('values are typed, and shown in the help, in the words of the deployment', async () => {
    const file = join(machine.directory, 'words.json');
    writeFileSync(file, JSON.stringify({ words: { provider_c: 'stratus' }, labels: { provider_c: 'Stratus' } }));
    const create = (...more: string[]) => machine.orgdeck(['--vocabulary', file, 'archives', 'create', ...more]);
    expect((await create('--help')).out).toContain('stratus');
    const where = ['--bucket', 'b', '--account-id', '1', '--role-name', 'r'];
    const made = await create('--demo', '--dry-run', '--name', 'x', '--query', '*', '--kind', 'stratus', ...where);
    expect(made).toMatchObject({ exit: 0, out: expect.stringContaining('"type": "stratus"') });
    // One flag names the file in each of the clouds.
    const about = ['--name', 'codes', '--key', 'a', '--columns', 'a', '--bucket', 'b', '--file', 'c.csv'];
    const table = ['tables', 'create', '--demo', '--dry-run', ...about, '--source'];
    const sent = await machine.orgdeck(['--vocabulary', file, ...table, 'stratus', '--account-id', '1']);
    expect(sent).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/stratus_bucket_name": "b",\s+"file_path": "c.csv"/),
    });
    const other = await orgdeck([...table, 'provider_a']);
    expect(other).toMatchObject({ exit: 2, err: expect.stringContaining('--bucket does not apply') });
  });

  test('a query that the service is sure to refuse is not sent without --anyway; --yes answers questions alone', async () => {
    const id = hasDisk(simulator);
    const line = ['monitors', 'edit', id, '--query', 'avg(last_5m)::', '--yes'];
    expect(await orgdeck(line)).toMatchObject({ exit: 2, err: expect.stringMatching(/^--query: .*--anyway/) });
    expect(edits()).toEqual([]);
    await orgdeck([...line, '--anyway']);
    expect(edits()).not.toEqual([]);
  });
});

describe('what stands behind a row', () => {
  test('flags of one name stand for the setting that the form has', async () => {
    const made = await orgdeck(['roles', 'new', '--name', 'readers', '--permissions', 'monitors_write']);
    expect(made).toMatchObject({ exit: 0, out: expect.stringContaining('Created readers') });
    const edited = await orgdeck(['roles', 'edit', 'name:readers', '--permissions', 'monitors_downtime']);
    expect(edited.exit).toBe(0);
    const not = await orgdeck(['roles', 'edit', 'name:readers', '--without-defaults', 'yes']);
    expect(not).toMatchObject({
      exit: 2,
      err: expect.stringContaining(
        "unknown option '--without-defaults'\norgdeck roles edit --help shows what it takes",
      ),
    });
  });

  test('permissions by name, users by id; an unknown one sends nothing', async () => {
    const id = has('roles', { name: 'night shift' });
    expect(await orgdeck(['roles', 'grant', id, 'monitors_write', 'nope'])).toMatchObject({
      exit: 2,
      err: 'no permission with the name nope\n',
    });
    expect(await orgdeck(['roles', 'new', '--name', 'x', '--permissions', 'name:nope'])).toMatchObject({
      exit: 2,
      err: '--permissions: no permissions with the name nope\n',
    });
    expect(await orgdeck(['issues', 'assign', issueIds()[0] ?? '', '--to', 'nosuch'])).toMatchObject({
      exit: 2,
      err: 'no user with ID nosuch: give an ID, or name: and a name\n',
    });
    expect(edits()).toEqual([]);
    // Every role has the default permissions: a new one may be told to have one, a grant is done, a revoke is ignored.
    expect((await orgdeck(['roles', 'new', '--name', 'x', '--permissions', 'name:monitors_read'])).exit).toBe(0);
    expect(await orgdeck(['roles', 'grant', id, 'monitors_read'])).toMatchObject({
      exit: 0,
      out: 'night shift: already has monitors_read\n',
    });
    expect(await orgdeck(['roles', 'revoke', id, 'monitors_read'])).toMatchObject({
      exit: 1,
      err: 'NOT REVOKED: night shift still has monitors_read\n',
    });
    const granted = await orgdeck(['roles', 'grant', 'name:night shift', 'monitors_write', 'monitors_downtime']);
    // The second edit begins with what the first has left: it adds nothing that was not there.
    expect(granted.out).toBe('Granted monitors_write to night shift\nGranted monitors_downtime to night shift\n');
    expect((await orgdeck(['roles', 'revoke', id, 'monitors_write'])).out).toBe(
      'Revoked monitors_write from night shift\n',
    );
  });

  test('rows of a table stand behind its name, cells are set by column', async () => {
    const tables = [...simulator.org.tableStore.tables.values()];
    const { name = '', key: column = '' } =
      tables.find((one) => one.status === 'DONE' && one.source === 'LOCAL_FILE') ?? {};
    const set = await orgdeck(['tables', 'add-row', `name:${name}`, '--set', `${column}=zz-1`]);
    expect(set).toMatchObject({ exit: 0, out: expect.stringContaining('Added row zz-1') });
    const unknown = await orgdeck(['tables', 'add-row', `name:${name}`, '--set', 'no_such_column=1']);
    expect(unknown).toMatchObject({ exit: 2, err: expect.stringContaining('does not apply here') });
    const gone = await orgdeck(['tables', 'rows', 'delete', name, 'zz-1']);
    expect(gone.out).toBe(`Deleted zz-1 from ${name}\n`);
  });
});

describe('questions', () => {
  test('what cannot be undone as it was is asked with its name typed; without a terminal nothing is sent', async () => {
    const id = filter('old spans');
    const alone = await orgdeck(['retention', 'delete', `id:${id}`]);
    expect(alone).toMatchObject({ exit: 2, err: expect.stringContaining('--yes') });
    expect((await orgdeck(['retention', 'delete', `id:${id}`], { types: ['old'] })).exit).toBe(1);
    expect(edits()).toEqual([]);
    const done = await orgdeck(['retention', 'delete', `id:${id}`], { types: ['old spans'] });
    expect(done).toMatchObject({ exit: 0, out: 'Deleted old spans\n' });
  });

  test('production asks before every edit, once for all rows', async () => {
    await production();
    const id = hasDisk(simulator);
    const other = hasDisk(simulator);
    const line = ['monitors', 'mute', id, other, '--for', '1h', '--profile', 'acme'];
    const alone = await orgdeck(line);
    expect(alone).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('in production (acme)?') });
    expect(silences(simulator, id)).toEqual([]);
    const grant = ['roles', 'grant', 'name:Auditors', 'monitors_write', 'monitors_downtime', '--profile', 'acme'];
    const named = await orgdeck(grant, { types: ['n'] });
    expect(named).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/Auditors in production.*monitors_write\n.*_downtime/s),
    });
    expect(named.err.match(/in production/g)).toHaveLength(1);
    const [, , role, one] = grant;
    const single = await orgdeck(['roles', 'grant', role, one, '--profile', 'acme'] as string[], { types: ['n'] });
    expect(single.err).toContain('Grant monitors_write to Auditors in production (acme)?\n');
    expect(edits()).toEqual([]);
    const asked = await orgdeck(line, { types: ['y'] });
    expect(asked.exit).toBe(0);
    expect(silences(simulator, other)).toHaveLength(1);
  });
});

describe('order', () => {
  test('rows are moved where they are wanted; an order with gaps is a usage error', async () => {
    const id = filter('last of all');
    expect(await orgdeck(['retention', 'order', `id:${id}`])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--first'),
    });
    const ran = await orgdeck(['retention', 'order', `id:${id}`, '--first']);
    expect(ran.out).toMatch(/^Saved the order of \d+ filters\n$/);
    const sent = edits().at(-1)?.body as { data: { id: string }[] };
    expect(sent.data[0]?.id).toBe(id);
    expect((await orgdeck(['retention', 'order', `id:${id}`, '--first', '--last'])).exit).toBe(2);
  });
});

describe('a secret that is shown once', () => {
  test('nothing is sent before it is known where the secret goes', async () => {
    const line = ['keys-own', 'create', '--scopes', 'monitors_read', '--name', 'ci'];
    expect(await orgdeck(line)).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('--secret-file') });
    expect(edits()).toEqual([]);
    const file = join(machine.directory, 'ci-key');
    const kept = await orgdeck([...line, '--secret-file', file]);
    expect(kept.exit).toBe(0);
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret.length).toBeGreaterThan(20);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(kept.out + kept.err).not.toContain(secret);
    const again = await orgdeck([...line, '--secret-file', file]);
    expect(again).toMatchObject({ exit: 2, err: expect.stringContaining('not overwritten') });
    const told = await orgdeck([...line, '--name', 'ci-3', '--reveal', '--json']);
    expect(JSON.parse(told.out).items[0].secret.value.length).toBeGreaterThan(20);
    const shown = await orgdeck([...line, '--name', 'ci-2', '--reveal']);
    expect(shown.out.trim().split('\n').at(-1)?.length).toBeGreaterThan(20);
    expect(journal()).not.toContain(secret);
    simulator.refuses(403, { match: 'keys.create-own', body: { errors: ['Forbidden'] } });
    const other = join(machine.directory, 'other');
    expect((await orgdeck([...line, '--secret-file', other])).exit).toBe(4);
    expect(existsSync(other)).toBe(false);
  });
});

describe('journal and undo', () => {
  test('a journal without edits says so, and since when', async () => {
    const ran = await machine.orgdeck(['journal', '--demo', '--since', '1h']);
    expect(ran).toMatchObject({ exit: 0, out: '' });
    expect(ran.err).toMatch(/^no edits of this organization since \d{4}-\d\d-\d\d 11:\d\d UTC\n$/);
  });

  test('the last edit is undone with all its rows, then the one before; what changed since is left alone', async () => {
    const [a = '', b = ''] = issueIds();
    for (const id of [a, b]) Object.assign(simulator.org.issues.get(id) ?? {}, { state: 'OPEN' });
    const state = (id: string) => simulator.org.issues.get(id)?.state;
    await orgdeck(['issues', 'ignore', a]);
    await orgdeck(['issues', 'resolve', a, b], {
      io: { clock: { ...noonClock(), now: () => noonClock().now() + 60_000 } },
    });
    const listed = await orgdeck(['journal', '--json']);
    const { version, items } = JSON.parse(listed.out);
    expect(items.every(({ target }: { target: { id: unknown } }) => target.id !== '')).toBe(true);
    expect(version).toBe(1);
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'issues.resolve',
      'issues.resolve',
      'issues.ignore',
    ]);
    const unasked = await orgdeck(['undo']);
    const question = 'Undo what a command did at 12:01 UTC on Issues: resolved 2 issues?';
    expect([unasked.exit, unasked.err]).toEqual([2, expect.stringContaining(question)]);
    const questions: string[] = [];
    const asked = async (text: string) => {
      questions.push(text);
      return 'n';
    };
    expect((await orgdeck(['undo'], { io: { answer: asked } })).exit).toBe(1);
    expect(questions).toEqual([expect.stringContaining('y sends it')]);
    expect([state(a), state(b)]).toEqual(['RESOLVED', 'RESOLVED']);
    expect((await orgdeck(['undo', '--yes'])).exit).toBe(0);
    expect([state(a), state(b)]).toEqual(['IGNORED', 'OPEN']);
    Object.assign(simulator.org.issues.get(a) ?? {}, { state: 'EXCLUDED' });
    simulator.forgets();
    const changed = await orgdeck(['undo', '--yes']);
    expect(changed).toMatchObject({ exit: 3, err: expect.stringContaining('changed it since') });
    expect(edits()).toEqual([]);
    // What was refused for certain makes way, and says why.
    const passed = await orgdeck(['undo', '--yes']);
    expect(passed.exit).toBe(1);
    expect(passed.err).toMatch(
      /^the last edit cannot be undone: ignored .* \(someone has changed it since: nothing was sent\)\n$/,
    );
    expect(await orgdeck(['undo', 'ffffffff-none'])).toMatchObject({
      exit: 1,
      err: expect.stringContaining('no edit'),
    });
    const report = await orgdeck(['journal', '--markdown', '--since', '1h']);
    expect(report.out).toMatch(/^# Handover of /);
    expect(await orgdeck(['journal', '--since', 'x'])).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/^--since: /),
    });
  });

  test('the rows of an edit are undone from the last one to the first; where one cannot be, the exit code is 3', async () => {
    const [a = '', b = '', c = ''] = issueIds();
    const set = (id: string, state: string) => Object.assign(simulator.org.issues.get(id) ?? {}, { state });
    for (const id of [a, b, c]) set(id, 'OPEN');
    await orgdeck(['issues', 'resolve', a, b, c]);
    set(b, 'EXCLUDED');
    simulator.forgets();
    const part = await orgdeck(['undo', '--yes']);
    expect(part).toMatchObject({ exit: 3, err: expect.stringContaining('2 of 3 were done') });
    expect(edits().map(({ path }) => [a, b, c].find((id) => path.includes(id)))).toEqual([c, a]);
    expect([a, b, c].map((id) => simulator.org.issues.get(id)?.state)).toEqual(['OPEN', 'EXCLUDED', 'OPEN']);
  });

  test('of a last edit without a way back undo says so, and how the one before it is undone', async () => {
    const id = hasDisk(simulator);
    const key = simulator.has('api_keys', { name: 'old agents' });
    await orgdeck(['monitors', 'mute', id, '--for', '1h']);
    const [muted = ''] = (await orgdeck(['journal'])).out.split('\n');
    await orgdeck(['api-keys', 'delete', `id:${key}`, '--yes'], {
      io: { clock: { ...noonClock(), now: () => noonClock().now() + 60_000 } },
    });
    const { exit, err } = await orgdeck(['undo']);
    const entry = muted.slice(0, 8);
    const before = `orgdeck undo ${entry} undoes the one before it (muted Disk)`;
    expect([exit, err]).toEqual([1, `the last edit cannot be undone: deleted old agents; ${before}\n`]);
    expect(silences(simulator, id)).toHaveLength(1);
    expect((await orgdeck(['undo', entry])).exit).toBe(0);
    expect(silences(simulator, id)).toEqual([]);
  });

  test('a new monitor about an SLO says where the id of one belongs, and sends nothing', async () => {
    const { exit, err } = await orgdeck(['monitors', 'create', '--kind', 'slo-burn-rate', '--name', 'x']);
    expect([exit, err]).toEqual([
      2,
      expect.stringMatching(/^Query: put the ID of your SLO in place of id-of-the-slo: burn_rate\("id/),
    ]);
    expect(simulator.received('POST')).toEqual([]);
  });

  test('the journal says what was done to what, also of what was made', async () => {
    const role = [...simulator.org.roles.values()].at(-1);
    await orgdeck([
      'mappings',
      'create',
      '--key',
      'groups',
      '--value',
      'night',
      '--kind',
      'role',
      '--role',
      role?.id ?? '',
    ]);
    await orgdeck(['retention', 'order', `id:${filter('old spans')}`, '--first']);
    const lines = (await orgdeck(['journal'])).out.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^.* UTC {2}/, ''))).toEqual([
      'saved order of Retention filters: applied',
      'created groups = night: applied',
    ]);
    const report = (await orgdeck(['journal', '--markdown'])).out;
    expect(report.match(/^- .*(Mappings|Retention).*/gm)?.map((line) => line.replace(/ \d\d:\d\d/, ''))).toEqual([
      '- created **groups = night** in Mappings · attribute: groups · value: night',
      '- saved order of Retention filters',
    ]);
  });

  test('an edit is undone by the beginning of its id, and only once', async () => {
    const id = hasDisk(simulator);
    await orgdeck(['monitors', 'mute', id, '--for', '1h']);
    const [line = ''] = (await orgdeck(['journal'])).out.split('\n');
    expect(line).toMatch(/^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}muted Disk: applied$/);
    const short = line.slice(0, 8);
    expect((await orgdeck(['undo', short])).exit).toBe(0);
    expect(silences(simulator, id)).toEqual([]);
    expect(await orgdeck(['undo', short])).toMatchObject({ exit: 0, out: expect.stringContaining('Already undone: ') });
    expect((await orgdeck(['undo'])).err).toContain('nothing to undo');
  });

  test('an undo as JSON is a receipt that names the edit that it undid, its own entry, and what left the row as it was', async () => {
    const id = hasDisk(simulator);
    const muted = JSON.parse((await orgdeck(['monitors', 'mute', id, '--for', '1h', '--json'])).out).items[0];
    const planned = await orgdeck(['undo', muted.entry, '--json', '--dry-run']);
    expect([planned.exit, JSON.parse(planned.out).items[0].outcome]).toEqual([0, 'planned']);
    const { exit, out } = await orgdeck(['undo', muted.entry, '--json']);
    const [receipt] = JSON.parse(out).items;
    expect([exit, receipt]).toMatchObject([0, { action: 'undo', undoes: muted.entry, outcome: 'done', problem: null }]);
    expect(receipt.target).toEqual({ kind: 'monitors', id, name: 'Disk' });
    const listed = JSON.parse((await orgdeck(['journal', '--json'])).out).items;
    expect(listed.find((entry: { id: string }) => entry.id === receipt.entry)).toMatchObject({ action: 'undo' });
    // What others have changed since stays, and the receipt says so.
    const again = JSON.parse((await orgdeck(['monitors', 'mute', id, '--for', '1h', '--json'])).out).items[0];
    simulator.org.silences.clear();
    const late = await orgdeck(['undo', again.entry, '--json']);
    expect(late.exit).toBe(0);
    expect(JSON.parse(late.out).items[0]).toMatchObject({ outcome: 'already', entry: null, undoes: again.entry });
  });
});
