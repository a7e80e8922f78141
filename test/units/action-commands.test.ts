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
import { runPlan } from '../../src/client/client.ts';
import { helpContext } from '../../src/describe/context.ts';
import { flagName } from '../../src/lib/text.ts';
import { noonClock } from '../support/clock.ts';
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

describe('--dry-run', () => {
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
  test('someone else changes the same setting while production asks: nothing is sent', async () => {
    const id = simulator.has('apm_retention_filter', { name: 'carts', rate: 1, editable: true });
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
    const about = ['--name', 'codes', '--columns', 'a,b', '--bucket', 'b', '--file', 'c.csv'];
    const table = ['tables', 'create', '--demo', '--dry-run', ...about, '--source'];
    const sent = await machine.orgdeck(['--vocabulary', file, ...table, 'stratus', '--account-id', '1']);
    expect(sent).toMatchObject({
      exit: 0,
      out: expect.stringMatching(
        /stratus_bucket_name": "b",\s+"file_path": "c.csv"[\s\S]*"primary_keys": \[\s*"a"\s*\]/,
      ),
    });
    const other = await orgdeck([...table, 'provider_a']);
    expect(other).toMatchObject({ exit: 2, err: expect.stringContaining('--bucket does not apply') });
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
