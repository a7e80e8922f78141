import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJournalAccess } from '../../src/cli/journal-access.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { systemClock as clock } from '../../src/lib/time.ts';
import type { FaultRule } from '../../src/simulator/faults/read-fault-plan.ts';
import { createRandom } from '../../src/simulator/server/random.ts';
import { bundled } from '../support/bundled.ts';
import { clientAt } from '../support/client-at.ts';
import { put } from '../support/fixtures/put.ts';
import { issueId } from '../support/issue-id.ts';
import { createSimulator, type Simulator, type Started } from '../support/simulator.ts';

const seed = Number(process.env.TEST_SEED ?? 20_261_122);
const boundaries = [
  'before the journal',
  'after the journal',
  'after it was sent',
  'after it was applied',
  'after the answer',
  'before the outcome is written',
] as const;
type Boundary = (typeof boundaries)[number];

const editing = await bundled('test/support/editing-child.ts');

/** Ids of issues that the service has changed since the last kill began. */
let applied: string[] = [];
/** Number of the first of the twelve issues of a kill: what the service applies late is of a kill before. */
let first = 1;
let service: Simulator;
let at: Started;
let child: ChildProcess | undefined;
let onApplied = () => {};

beforeAll(async () => {
  service = createSimulator({
    seed: 9,
    monitors: 0,
    issues: 0,
    lively: false,
    rate: 0,
    around(incoming, _, next) {
      const answer = next(incoming);
      const { issue_id: id = '' } = incoming.params;
      if (incoming.endpoint?.id === 'issues.set-state' && issues().includes(id)) {
        applied.push(id);
        onApplied();
      }
      return answer;
    },
  });
  at = await service.start();
});
afterAll(() => service.stop());

const issues = () => Array.from({ length: 12 }, (_, at) => issueId(first + at));
const reached = () => service.received('PUT').map(({ path }) => path.split('/').at(-2) ?? '');

/** Sockets of this process, the service's side of the child's connections among them. */
const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** Starts edits in a process, kills it at the boundary of the n-th, and looks at what the next start lists. */
async function killedAt(boundary: Boundary, nth: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'orgdeck-killed-'));
  first += 12;
  for (const id of issues()) put(service.world, 'issue', { id, state: 'OPEN' }, service.now());
  applied = [];
  service.forgets();
  const isOurs = boundary === 'after it was sent' || boundary === 'after it was applied';
  const when = boundary === 'after it was sent' ? 'before' : 'after';
  const late: FaultRule = { fault: 'delay', ms: 2_000, when, of: ['issues.set-state'], first: nth, last: nth };
  service.plans(isOurs ? { seed, faults: [late] } : undefined);
  onApplied = () => boundary === 'after it was applied' && applied.length >= nth && child?.kill('SIGKILL');
  const env = { PATH: process.env.PATH, ORGDECK_API_KEY: at.apiKey, ORGDECK_APP_KEY: at.appKey };
  const argv = [editing, at.url, directory, boundary, String(nth), ...issues()];
  const before = sockets();
  child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<string | null>((done) => child?.once('exit', (_, signal) => done(signal)));
  const watch = setInterval(() => {
    if (boundary === 'after it was sent' && reached().length >= nth) child?.kill('SIGKILL');
  }, 1);
  const signal = await ended;
  clearInterval(watch);
  // What the child had sent is still read by the service after its end: another edit may be on its way.
  await expect.poll(sockets).toBeLessThanOrEqual(before);
  const said = `${boundary}, edit ${nth}, seed ${seed}`;
  expect(signal, said).toBe('SIGKILL');

  // The next start.
  const journal = createJournal({ directory, clock, origin: at.url, profile: 'test' });
  const [all, open] = [await journal.entries(), await journal.openEdits()];
  if (!all.ok || !open.ok) throw new Error(`the journal cannot be read: ${said}`);
  const settled = all.value.filter(({ outcome }) => outcome !== undefined).map(({ target }) => target.id);
  const listed = open.value.map(({ target }) => target.id);
  const known = [...settled, ...listed];
  expect(new Set(known).size, said).toBe(known.length);
  // Nothing has reached the service that is not known, and what is told as applied was.
  expect(
    reached().filter((id) => !known.includes(id)),
    said,
  ).toEqual([]);
  expect(
    settled.filter((id) => !applied.includes(id)),
    said,
  ).toEqual([]);
  expect(listed.length, said).toBeGreaterThan(boundary === 'before the journal' ? -1 : 0);

  // The key that checks tells the truth of each.
  service.plans(undefined);
  const client = clientAt(at, { clock, recorder: journal });
  const port = createJournalAccess({ journal, client });
  for (const entry of open.value) {
    const text = await port.entry(entry.id, 'check', '');
    const isApplied = service.org.issues.get(entry.target.id)?.state === 'RESOLVED';
    expect(text, said).toMatch(isApplied ? /it was applied/ : /it was not applied/);
  }
  await client.close();
  rmSync(directory, { recursive: true, force: true });
}

test('an edit that was killed on its way is listed by the next start', async () => {
  for (const boundary of ['after the journal', 'after it was applied'] as const) await killedAt(boundary, 3);
});

test('200 kills at every boundary of an edit: the next start lists every unfinished one, and no other', {
  timeout: 600_000,
  tags: ['long', 'faults'],
}, async () => {
  process.stdout.write(`seed ${seed}\n`);
  const random = createRandom(seed);
  for (let kill = 0; kill < 200; kill += 1)
    await killedAt(boundaries[kill % boundaries.length] as Boundary, random.between(1, 12));
});
