import { appendFileSync, chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { createJournalAccess } from '../../src/cli/journal-access.ts';
import { sessionFile } from '../../src/cli/session-files.ts';
import { createClient } from '../../src/client/client.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { systemClock } from '../../src/lib/time.ts';
import { didWords } from '../../src/session/outside/outside.ts';
import { handoverFacts } from '../../src/session/state/journal-words.ts';
import { hasDisk } from '../support/monitors.ts';
import { type Mutation, mutated, mutations } from '../support/mutate.ts';
import { contextOf } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { servedCommands } from '../support/served-commands.ts';

const seed = 20_261_124;
const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 3, issues: 0, rate: 0 });

/** The lines of three edits, as this version writes them. */
const linesNow = (at: number) => {
  const call = { endpoint: 'monitors.mute', params: { monitor_id: '4211' }, query: { end: 5 }, body: { scope: 'a:b' } };
  const line = (n: number, more: object) => ({ version: 1, id: `0000000${n}-0000-4000-8000-000000000000`, ...more });
  const intent = (n: number, more: object = {}) =>
    line(n, {
      kind: 'intent',
      at: at - n * 60_000,
      run: { host: 'elsewhere', pid: 7, began: 'then' },
      org: 'acme',
      origin: there.url,
      actor: 'kim',
      action: 'monitors.mute',
      target: { id: '4211', name: 'disk full' },
      before: { id: 4211, raw: { name: 'disk full', options: { silenced: {} } } },
      group: `g${n}`,
      call,
      ...more,
    });
  const outcome = (n: number, state: string) =>
    line(n, { kind: 'outcome', at, outcome: { state, attempts: 1, status: 200, text: 'done' }, by: 'answer' });
  return [
    intent(1),
    outcome(1, 'applied'),
    line(1, { kind: 'undo', calls: [{ ...call, endpoint: 'monitors.unmute' }] }),
    intent(2, { at: at - 30 * 60_000 }),
    outcome(2, 'unknown'),
    intent(3, { action: 'issues.resolve' }),
    outcome(3, 'applied'),
    line(3, { kind: 'undone', at }),
    line(2, { kind: 'forgotten', at }),
  ];
};

/** Puts these lines into the place of the journal. */
const journalHas = (lines: readonly unknown[]) => {
  const text = lines.map((line) => `${stringifyExact(line)}\n`).join('');
  writeFileSync(join(machine.directory, 'journal.jsonl'), text, { mode: 0o600 });
};

const open = () => {
  const clock = { ...systemClock, now: () => simulator.now() };
  const journal = createJournal({ directory: machine.directory, clock, origin: there.url, profile: 'acme' });
  const client = createClient({
    origin: there.url,
    keys: there,
    readOnly: false,
    clock,
    recorder: journal,
    random: Math.random,
    find: findEndpoint,
  });
  return { journal, port: createJournalAccess({ journal, client }) };
};

test('lines with anything in any field end no command and no reading of the dashboard', async () => {
  const changes = fc.array(fc.tuple(fc.nat({ max: 8 }), mutations), { minLength: 1, maxLength: 3 });
  const holds = async (changed: readonly (readonly [line: number, readonly Mutation[]])[]) => {
    const lines: unknown[] = linesNow(simulator.now());
    for (const [at, round] of changed)
      lines[at] = mutated(
        lines[at],
        round.slice(0, 2).map((one) => ({ ...one, answer: 0 })),
        0,
      );
    journalHas(lines);
    const { journal, port } = open();
    const facts = handoverFacts({ hours: 8 }, screens, contextOf({ now: simulator.now() }), () => undefined);
    const { entries, trouble } = await port.journal(facts);
    expect(trouble).toBeUndefined();
    for (const entry of [...entries, ...(await port.unsettled()).entries])
      expect(didWords(entry, screens)).toMatch(/./s);
    expect(journal.skipped() ?? '').toMatch(/^$|^Left out, because they cannot be read as edits: \d+ lines? of /);
    for (const { id } of entries) for (const what of ['check', 'undo'] as const) await port.entry(id, what, 'it');
    for (const line of [['journal'], ['journal', '--json'], ['journal', '--markdown'], ['undo', '--yes']]) {
      const ran = await orgdeck(line);
      expect(ran.err).not.toContain('its own mistake');
    }
  };
  await fc.assert(fc.asyncProperty(changes, holds), { seed, numRuns: runs(100) });
});

const edit = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;

test('each edit is listed with what can be done about it', async () => {
  const at = simulator.now();
  journalHas(linesNow(at));
  const { port } = open();
  const about = { target: 'disk full', targetId: '4211', undoable: false, repeatable: false, checkable: true };
  const mute = { ...about, operation: 'monitors.mute' };
  expect(await port.journal()).toEqual({
    entries: [
      { ...about, id: edit(3), at: at - 180_000, operation: 'issues.resolve', outcome: 'applied', text: 'Undone' },
      {
        ...{ ...mute, id: edit(2), at: at - 1_800_000, outcome: 'unknown', isDismissed: true },
        text: 'Outcome unknown, dismissed',
      },
      { ...mute, id: edit(1), at: at - 60_000, outcome: 'applied', text: 'applied', undoable: true },
    ],
  });
  expect(await port.unsettled()).toEqual({ entries: [] });
  const unchecked = /^the outcome of an edit is unknown: mute.* disk full; nothing is undone before the dashboard has/;
  expect((await orgdeck(['undo', edit(2)])).err).toMatch(unchecked);
  expect((await orgdeck(['undo', '0000'])).err).toBe('3 edits begin with 0000: type more of the ID\n');
  expect(await port.entry(edit(4), 'check', 'it')).toBe('that edit is no longer in the journal');
  expect(await port.entry(edit(3), 'undo', 'it')).toBe('Nothing was sent, this was undone already: it');
  expect(await port.entry(edit(2), 'repeat', 'it')).toContain('sent again or dismissed already. Nothing was sent');
  expect(await port.entry(edit(1), 'check', 'it')).toBe('disk full: it is no longer there. x: dismiss it');
  chmodSync(join(machine.directory, 'journal.jsonl'), 0o644);
  const trouble = expect.stringContaining('can be opened by others (mode 0644)');
  const refused = open().port;
  expect(await refused.journal()).toEqual({ entries: [], trouble });
  expect(await refused.unsettled()).toEqual({ entries: [], trouble });
  expect(await refused.entry(edit(1), 'check', 'it')).toEqual(trouble);
});

test('of a shift with many edits the handover has each in its order, and each is found by its id', async () => {
  const { journal, port } = open();
  const [intent, outcome] = linesNow(simulator.now()) as [Record<string, unknown>, object];
  const ids = Array.from({ length: 1001 }, (_, at) => `${10_000_000 + at}`);
  journalHas(ids.flatMap((id) => [intent, outcome].map((line) => ({ ...line, id, group: id }))));
  const facts = handoverFacts({ hours: 8 }, screens, contextOf({ now: simulator.now() }), () => undefined);
  const { entries, report } = await port.journal(facts);
  expect(entries).toHaveLength(200);
  expect(report?.sections.flatMap(({ items }) => items.flatMap((item) => item.entries))).toEqual(ids);
  expect(await journal.entries()).toMatchObject({ value: { length: 1001 } });
  expect((await orgdeck(['undo', '10000000'])).err).toBe('it has no undo: muted disk full (applied)\n');
});

test('a handover tells the undo of an edit from before the shift as an edit of the shift', async () => {
  const lines = linesNow(simulator.now()).slice(0, 3) as [Record<string, unknown>, Record<string, unknown>, object];
  const undo = { ...lines[0], id: edit(5), action: 'undo', group: `undo-${edit(1)}` };
  journalHas([
    { ...lines[0], at: simulator.now() - 3_600_000 },
    ...lines.slice(1),
    undo,
    { ...lines[1], id: edit(5) },
    { version: 1, kind: 'undone', id: edit(1), at: simulator.now() },
  ]);
  const { out } = await orgdeck(['journal', '--markdown', '--since', '10m']);
  expect(out).toMatch(/^- \d\d:\d\d undid mute \*\*disk full\*\*/m);
});

test('a handover that lacks what was not read says so, and ends with 3; the note of the dashboard is in it', async () => {
  const settings = { name: new URL(there.url).host, baseUrl: there.url };
  const file = sessionFile({ directory: machine.directory, redact: (text) => text, settings });
  const session = { lists: {}, searches: {}, filters: {}, views: {}, drafts: {} };
  await file.write({ ...session, note: { at: simulator.now(), text: 'the disk is cleaned at six' } });
  simulator.refuses(403, { match: 'monitors.search', times: 99 });
  simulator.refuses(403, { match: 'monitors.list', times: 99 });
  const told = await orgdeck(['journal', '--markdown']);
  expect(told).toMatchObject({ exit: 3, out: expect.stringContaining('## Not read\n\n- monitors') });
  expect(told.out).toContain('the disk is cleaned at six');
  expect(told.err).toMatch(/^Monitors: .*; the report lacks what was not read\n.*incomplete result/s);
});

test('an edit that a check shows as not applied stays listed until it is sent again or dismissed', async () => {
  hasDisk(simulator, { id: 4211 });
  const lines = linesNow(simulator.now());
  journalHas([lines[3], lines[4], lines[0]]);
  const { port } = open();
  const [first, second] = [edit(1), edit(2)];
  const unsettled = async () =>
    (await port.unsettled()).entries.map(({ id, outcome, repeatable }) => [id, outcome, repeatable]);
  // The first is still under way, elsewhere.
  expect(await unsettled()).toEqual([[second, 'unknown', false]]);
  expect(await port.entry(first, 'check', 'it')).toBe('disk full: it was not applied. x: retry or dismiss it');
  expect(await unsettled()).toEqual([
    [second, 'unknown', false],
    [first, 'refused', true],
  ]);
  expect(await port.entry(second, 'check', 'it')).toContain('it was not applied');
  // The oldest stays the first.
  expect((await unsettled()).map(([id]) => id)).toEqual([second, first]);
  expect(await Promise.all([port.entry(first, 'repeat', 'it'), port.entry(first, 'repeat', 'it')])).toEqual([
    'disk full: sent again',
    'Still being sent: it',
  ]);
  expect(simulator.received('POST').map(({ operation }) => operation)).toEqual(['monitors.mute']);
  expect(await unsettled()).toEqual([[second, 'refused', true]]);
  expect(await port.entry(second, 'forget', 'it')).toBe('Dismissed disk full');
  expect(await unsettled()).toEqual([]);
});

test('an undo of which a mute has ended since sends no request twice, and is not done where none is left', async () => {
  const disk = hasDisk(simulator);
  for (const line of ['mute', 'extend'])
    await orgdeck(['monitors', line, disk, '--for', line === 'mute' ? '1h' : '4h']);
  const { port } = open();
  const [extended] = (await port.journal()).entries;
  simulator.passes(2 * 3_600_000);
  const sent = simulator.received('POST').length;
  expect([extended?.undoable, await port.entry(extended?.id ?? '', 'undo', 'it')]).toEqual([
    true,
    'Not undone, the former end of the mute has passed: nothing was sent: it',
  ]);
  const [intent, outcome] = linesNow(simulator.now()) as [Record<string, unknown>, object];
  const mute = (body: object) => ({ endpoint: 'monitors.mute', params: { monitor_id: disk }, query: {}, body });
  const [ended, lasts] = [mute({ scope: 'a:b', end: simulator.now() / 1000 - 60 }), mute({ scope: 'c:d' })];
  const begun = { ...intent, id: edit(5), action: 'undo', group: `undo-${edit(1)}`, call: lasts };
  const undo = { version: 1, id: edit(1), kind: 'undo', calls: [lasts, ended] };
  journalHas([intent, outcome, undo, begun, { ...outcome, id: edit(5) }]);
  expect(await port.entry(edit(1), 'undo', 'it')).toBe('Undone: it');
  expect(simulator.received('POST')).toHaveLength(sent);
});

test('an undo sends its last request also where the mute of the first ends meanwhile', async () => {
  const disk = hasDisk(simulator);
  await orgdeck(['monitors', 'mute', disk, '--for', '4h']);
  const { journal, port } = open();
  const mute = (body: object) => ({ endpoint: 'monitors.mute', params: { monitor_id: disk }, query: {}, body });
  const end = simulator.now() / 1000;
  const read = await journal.entries();
  const [muted] = read.ok ? read.value : [];
  const undo = [mute({ scope: 'a:b', end: end + 60 }), mute({ scope: 'c:d', end: end + 3600 })];
  const line = { version: 1, id: muted?.id, kind: 'undo', calls: undo };
  appendFileSync(journal.path, `${stringifyExact(line)}\n`);
  expect(muted && (await port.takeBack({ ...muted, undo }, () => simulator.passes(120_000)))).toBeUndefined();
  expect(simulator.received('POST').map(({ body }) => body)).toMatchObject([{}, undo[0]?.body, undo[1]?.body]);
});

test('an edit whose undo was refused is named with the reason', async () => {
  await orgdeck(['monitors', 'mute', hasDisk(simulator), '--for', '1h']);
  simulator.refuses(403, { times: 9, body: { errors: ['Ask Kim'] } });
  expect((await orgdeck(['undo', '--yes'])).exit).toBe(4);
  const { exit, err } = await orgdeck(['undo', '--yes']);
  expect([exit, err]).toEqual([
    1,
    expect.stringMatching(/^the last edit cannot be undone: muted .* \(.*Ask Kim.*\)\n$/),
  ]);
});

test('of something that may have been made, a check counts what is like it', async () => {
  const body = { data: { type: 'roles', attributes: { name: 'night shift' } } };
  const call = { endpoint: 'roles.create', params: {}, query: {}, body };
  const [, , , intent, outcome] = linesNow(simulator.now()) as readonly Record<string, unknown>[];
  journalHas([
    { ...intent, before: undefined, action: 'roles.create', target: { id: '', name: 'night shift' }, call },
    outcome,
  ]);
  const { port } = open();
  const says: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    says.push(await port.entry(edit(2), 'check', 'it'));
    simulator.has('roles', { name: 'night shift' });
  }
  expect(says).toEqual([
    'night shift: none like it is listed. x: retry or dismiss it',
    'night shift: 1 like it is there now. x: dismiss it, or retry to make another',
    'night shift: 2 like it are there now. x: dismiss it, or retry to make another',
  ]);
});
