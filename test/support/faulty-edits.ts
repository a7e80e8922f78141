import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screens } from '../../screens/index.ts';
import { endpoints, findEndpoint } from '../../src/api/all-endpoints.ts';
import { type Call, isRead, type Repeat } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { journalPort } from '../../src/cli/journalport.ts';
import { checkOf } from '../../src/client/check-edit.ts';
import type { Client, Outcome, Recorder } from '../../src/client/client.ts';
import { compareWithRead } from '../../src/client/compare-with-read.ts';
import { createClient } from '../../src/client/create-client.ts';
import { createParts } from '../../src/client/upload-parts.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { whoAmI } from '../../src/describe/people.ts';
import type { Pick } from '../../src/describe/pick.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import type { Rows } from '../../src/describe/source.ts';
import { createJournal, type Journal } from '../../src/journal/journal.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import type { Pending } from '../../src/session/edit/pending.ts';
import { createPerformer } from '../../src/session/edit/perform.ts';
import { createUndoer } from '../../src/session/edit/undo.ts';
import type { FaultPlan, FaultRule } from '../../src/simulator/faults/read-fault-plan.ts';
import type { Upload } from '../../src/simulator/kinds/table-store.ts';
import type { Intercept } from '../../src/simulator/server/handler.ts';
import { createRandom, hash, type Random } from '../../src/simulator/server/random.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { nothing, ready } from './action-values.ts';
import { put } from './fixtures/put.ts';
import { contextOf } from './plans.ts';
import { fastClock } from './scripted-server.ts';

/** What became of the edits of a run. */
export interface Tally {
  /** Edits by class, as the client sent them. */
  readonly edits: Record<Repeat, number>;
  /** Edits by what was told of them. */
  readonly told: Record<Outcome['state'], number>;
  /** Edits that made no more than one request, and plans that made several. */
  plans: number;
  /** Of the unknown: what the key that checks said. */
  readonly checked: Record<'applied' | 'not applied' | 'look yourself', number>;
  /** Sentences, one for each edit that was lost, doubled or wrongly reported; empty is what is promised. */
  readonly wrong: string[];
}

/** One edit that the client was about to send, and what the service did with it. */
interface Sent {
  readonly id: string;
  readonly call: Call;
  readonly before: unknown;
  outcome?: Outcome;
  /** Nobody applied it, and yet the service has what it asks for: it had that before. */
  isSo?: boolean;
  /** Who had it applied, in order. */
  readonly applied: { readonly by: 'caller' | 'other operator'; readonly body: unknown }[];
}

/** Faults of every kind, so that about every third edit meets one. A body is what another operator sets. */
const edits: readonly FaultRule[] = [
  ...(['before', 'after'] as const).flatMap((when): FaultRule[] => [
    { fault: 'drop', when, of: 'edits', share: 0.03 },
    { fault: 'hang', when, of: 'edits', share: 0.006 },
    { fault: 'delay', ms: [20, 160], when, of: 'edits', share: 0.012 },
    { fault: 'page', when, of: 'edits', share: 0.02 },
    { fault: 'status', status: 500, when, of: 'edits', share: 0.01 },
    { fault: 'status', status: 504, when, of: 'edits', share: 0.02 },
    { fault: 'redirect', when, of: 'edits', share: 0.01 },
    { fault: 'huge', packed: true, when, of: 'edits', share: 0.002 },
    ...rivals(when),
    { fault: 'other-operator', when, of: 'edits', share: 0.01 },
  ]),
  { fault: 'page', status: 200, when: 'after', of: 'edits', share: 0.02 },
  { fault: 'empty', when: 'after', of: 'edits', share: 0.02 },
  { fault: 'envelope', when: 'after', of: 'edits', share: 0.02 },
  { fault: 'drip', ms: 2, of: 'edits', share: 0.01 },
  { fault: 'truncate', of: 'edits', share: 0.03 },
  { fault: 'lie', about: 'length', of: 'edits', share: 0.02 },
  { fault: 'lie', about: 'type', of: 'edits', share: 0.02 },
  { fault: 'lie', about: 'encoding', of: 'edits', share: 0.02 },
  ...(['right', 'none', 'lying'] as const).map(
    (headers): FaultRule => ({ fault: 'rate-limit', headers, requests: 2, of: 'edits', share: 0.01 }),
  ),
  { fault: 'unauthorized', of: 'edits', share: 0.004 },
];

function rivals(when: 'before' | 'after'): FaultRule[] {
  const rival = (id: string, body: unknown): FaultRule => ({
    fault: 'other-operator',
    when,
    of: [id],
    body,
    share: 0.05,
  });
  return [
    rival('issues.set-state', { data: { type: 'error_tracking_issue', attributes: { state: 'EXCLUDED' } } }),
    rival('monitors.mute', { scope: '*', end: 1_999_999_999 }),
    rival('monitors.update', { name: 'theirs' }),
  ];
}

const reads: readonly FaultRule[] = [
  { fault: 'reset-on-reuse', of: 'reads', share: 0.03 },
  { fault: 'drop', of: 'reads', share: 0.03 },
  { fault: 'truncate', of: 'reads', share: 0.02 },
  { fault: 'status', status: 503, of: 'reads', share: 0.03 },
  { fault: 'page', status: 200, of: 'reads', share: 0.01 },
  { fault: 'empty', of: 'reads', share: 0.01 },
  { fault: 'envelope', of: 'reads', share: 0.01 },
  { fault: 'lie', about: 'length', of: 'reads', share: 0.01 },
  { fault: 'rate-limit', headers: 'lying', of: 'reads', share: 0.02 },
  { fault: 'unauthorized', of: 'reads', share: 0.004 },
];

const plan = (seed: number): FaultPlan => ({ seed, faults: [...edits, ...reads] });

/** What the store has beside what it is seeded with, and what nobody may take away from the run itself. */
const lists = screens.flatMap((screen) => screen.lists).filter((list) => list.actions.length > 0);
const monitors = lists.find((list) => list.id === 'monitors') as AnyList;
const ourKeys = /^this dashboard/;

/** Real milliseconds: short, because a fault that hangs takes them. */
const timeouts = { connect: 2_000, headers: 90, idle: 90, read: 400, edit: 130 };

/**
 * Performs edits of the product's own lists, and undoes some, through the real client and journal, against a simulator that
 * fails by a plan; compares what was told of each with what the simulator did. Waits take no real time. One edit follows the
 * other, so that a run can be replayed.
 */
export async function performUnderFaults(seed: number, count: number): Promise<Tally> {
  const tally: Tally = {
    edits: { read: 0, settable: 0, once: 0, delete: 0, replace: 0, part: 0 },
    told: { applied: 0, refused: 0, unknown: 0 },
    plans: 0,
    checked: { applied: 0, 'not applied': 0, 'look yourself': 0 },
    wrong: [],
  };
  for (let done = 0, batch = 0; done < count; batch += 1)
    done += await performBatch(hash(seed, batch), Math.min(100, count - done), tally);
  return tally;
}

async function performBatch(seed: number, count: number, tally: Tally): Promise<number> {
  const random = createRandom(seed);
  const clock = fastClock(Date.UTC(2026, 10, 21, 10));
  const sent: Sent[] = [];
  const intercept: Intercept = (incoming, _, next) => {
    const answer = next(incoming);
    const { endpoint, params, query, body } = incoming;
    if (endpoint && !isRead(endpoint) && answer.status < 300) {
      const key = keyOf(endpoint.id, params, Object.fromEntries(query), body);
      // What arrives late belongs to the last edit of these words.
      const target = incoming.by === 'caller' ? sent.findLast((one) => key === keyOfCall(one.call)) : sent.at(-1);
      target?.applied.push({ by: incoming.by, body });
    }
    return answer;
  };
  const service = createSimulator({
    seed: 1 + (seed % 1000),
    monitors: 30,
    issues: 25,
    lively: false,
    rate: 0,
    clock,
    intercept,
  });
  hasMutedTwice(service);
  const at = await service.start();
  const directory = mkdtempSync(join(tmpdir(), 'orgdeck-faulty-'));
  const journal = createJournal({ directory, clock, origin: at.url, org: 'test' });
  const person = { service, at, clock, journal, random, sent, seed, tally };
  try {
    const first = clientOf(person);
    const me = await first.run(whoAmI.plan(contextOf()));
    await first.close();
    const context = contextOf({ now: clock.now(), origin: at.url, ...(me.ok && { me: me.value }) });
    for (let round = 0; sent.length < count && round < count; round += 1) await performRound(person, context, round);
    service.recovers();
    await sendParts(person, Math.ceil(count / 20));
    await settled();
    await judge(person);
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  return sent.length;
}

/** Monitors with two downtimes each: to unmute them takes several edits. */
function hasMutedTwice({ world, now }: Simulator): void {
  for (let at = 0; at < 8; at += 1) {
    const groups = { 'host:a': 'Alert', 'host:b': 'OK' };
    const monitor_id = put(world, 'monitor', { name: `Muted ${at}`, groups }, now());
    for (const scope of ['host:a', 'host:b'])
      put(world, 'downtime', { monitor_identifier: { monitor_id }, scope, schedule: {} }, now());
  }
}

interface Run {
  readonly service: Simulator;
  readonly at: { readonly url: string };
  readonly clock: ReturnType<typeof fastClock>;
  readonly journal: Journal;
  readonly random: Random;
  readonly sent: Sent[];
  readonly seed: number;
  readonly tally: Tally;
}

/** A client with keys of its own, whose edits are noted on their way to the journal. */
function clientOf({ service, at, clock, journal, random, sent }: Run): Client {
  const recorder: Recorder = {
    async intent(call, purpose) {
      const entry = await journal.intent(call, purpose);
      if (entry.ok) sent.push({ id: entry.value, call, before: purpose.before, applied: [] });
      return entry;
    },
    async outcome(id, outcome) {
      const one = sent.find((one) => one.id === id);
      if (one) one.outcome = outcome;
      await journal.outcome(id, outcome);
    },
  };
  const keys = service.keys.make({ name: 'this dashboard too' });
  const common = { origin: at.url, keys, readOnly: false, clock, recorder, timeouts };
  return createClient({ ...common, random: random.next, find: findEndpoint });
}

/** Edits up to five rows of one list, with one action each, and undoes some. */
async function performRound(run: Run, context: Context, round: number): Promise<void> {
  const { random, service, sent, tally } = run;
  const isLong = random.chance(0.1);
  const list = isLong ? monitors : random.pick(lists);
  const begun = sent.length;
  const client = clientOf(run);
  service.plans(undefined);
  const search = { ...list.search?.initial, ...(list.search && { states: '' }) };
  const read = (await client.run(
    list.load({ search, range: list.ranges?.initial ?? '' }, context).plan(context),
  )) as Result<Rows<unknown>>;
  const rows = (read.ok ? read.value.rows : []).filter((row) => !ourKeys.test(list.nameOf(row)));
  const work: Pending[] = [];
  const mutedTwice = rows.filter((row) => /^Muted/.test(list.nameOf(row))).slice(0, 5);
  for (const row of isLong ? mutedTwice : random.some(rows, 5)) {
    const actions = list.actions.filter(({ id }) => !isLong || id === 'monitors.unmute');
    const text = `${round}-${work.length}`;
    const pending = await pendingOf(list, random.pick(actions), row, context, client, random, text);
    if (pending) work.push(pending);
  }
  const perform = createPerformer({ client, random: random.next });
  const undo = createUndoer({ client, random: random.next });
  service.plans(plan(hash(run.seed, round)));
  for (const pending of work) {
    const before = sent.length;
    const performed = await perform(pending, context);
    if (sent.length > before + 1) tally.plans += 1;

    const [told] = performed.results;
    const made = sent.slice(before);
    if (told?.ok && made.length > 0 && !made.some(({ outcome }) => outcome?.state === 'applied'))
      tally.wrong.push(`${pending.action.id}: told as done (${told.text}), and nothing of it was`);
    if (performed.undo && random.chance(0.4)) await undo(performed.undo);
  }
  service.plans(undefined);
  await client.close();
  const checking = clientOf(run);
  await checkUnknown(run, checking, sent.slice(begun));
  await checking.close();
}

/** An action on a row with one of its possible values; undefined where it cannot be done, or must not. */
async function pendingOf(
  list: AnyList,
  action: AnyAction,
  given: unknown,
  context: Context,
  client: Client,
  random: Random,
  text: string,
): Promise<Pending | undefined> {
  const row = action.on === 'list' ? undefined : given;
  if (action.job || action.goes || list.order?.save === action.id) return undefined;
  if (row !== undefined && action.enabled?.(row, context) !== undefined && action.enabled(row, context) !== true)
    return undefined;
  // Whoever takes away the own account or its role can do nothing more.
  if (context.me !== undefined && row !== undefined && list.idOf(row) === context.me.id) return undefined;
  const need = await client.run((action.needs?.(row, context) ?? nothing).plan(context));
  const { context: known, values } = ready(list, action, row, context, need, {
    tries: (name, { initial, options = [] }) =>
      options.length > 0 ? [random.pick(options).value] : triesFor(name, initial, text),
  });
  const picker = action.pick?.([row], known);
  const picks = picker && ((await client.run(picker.load('').plan(known))) as Result<Rows<Pick>>);
  const all = [
    ...values,
    ...(picker && picks?.ok ? picks.value.rows.slice(0, 3).map((pick) => picker.values(pick)) : []),
    ...(action.id === 'monitors.unmute' ? [{ which: 'all' }] : []),
  ];
  const chosen = all.length === 0 ? undefined : random.pick(all);
  if (chosen === undefined) return undefined;
  return { action, list, rows: [row], values: chosen, ...('known' in known && { known: known.known }) };
}

const triesFor = (name: string, initial: string, text: string): string[] => {
  if (/email/i.test(name)) return [`of-${text}@example.test`];
  if (/name|title|label|note|message/i.test(name)) return [`${initial || 'new'} ${text}`];
  return /rate/i.test(name) ? [String((Number.parseInt(text, 10) % 90) / 100)] : [];
};

/** Sends parts of files to an object store that fails, and compares what was told with what is stored. */
async function sendParts({ service, at, random, tally, ...run }: Run, count: number): Promise<void> {
  // Waits take no time; what an attempt may take does.
  const clock = {
    ...systemClock,
    after: (ms: number, then: () => void) => (ms < 15_000 ? run.clock : systemClock).after(ms, then),
  };
  const { uploads } = service.org.tableStore;
  const parts = createParts({ origin: at.url, clock, random: random.next });
  for (let nth = 0; nth < count; nth += 1) {
    const bytes = Buffer.from(`id,name\n${nth},part ${nth}\n`);
    const id = `upload-${nth}`;
    const upload = { id, table: 'routes', headers: ['id', 'name'], partSize: bytes.length, parts: [undefined] };
    uploads.set(id, { ...upload, created: service.now(), sha256: null });
    const stored = uploads.get(id) as Upload;
    for (let more = random.between(0, 3); more > 0; more -= 1) service.objectStore.fails(random.pick(partFaults), 1, 0);
    const part = { url: service.objectStore.urlOf(stored, 0), length: bytes.length, until: clock.now() + 200_000 };
    const told = await parts.send(
      {
        ...part,
        bytes: async function* () {
          yield bytes;
        },
      },
      new AbortController().signal,
    );
    service.objectStore.recovers();
    tally.edits.part += 1;
    if (told.kind === 'stored' && stored.parts[0] === undefined)
      tally.wrong.push('a part was told as stored, and it is not');
    if (told.kind === 'stored') tally.told.applied += 1;
  }
  await parts.close();
}

const partFaults = ['drops', 'busy', 'cuts', 'loses', 'moves'] as const;

/** Compares what was told of every edit with what the service did. */
async function judge(run: Run): Promise<void> {
  const { sent, journal, tally } = run;
  const written = await journal.entries({ limit: 10_000 });
  const known = new Map((written.ok ? written.value : []).map((entry) => [entry.id, entry]));
  for (const one of sent) {
    const { call, outcome, applied } = one;
    const { repeat } = call.endpoint;
    tally.edits[repeat] += 1;
    const times = applied.filter(({ by }) => by === 'caller').length;
    const isRivalled = applied.some(({ by }) => by === 'other operator');
    const entry = known.get(one.id);
    const isWritten = entry?.outcome?.state === outcome?.state || entry?.settled?.by === 'check';
    if (outcome === undefined || !isWritten) wrongly(run, one, 'lost');
    if (outcome === undefined) continue;
    tally.told[outcome.state] += 1;
    if (outcome.state === 'applied' && times === 0 && !isRivalled && !one.isSo) wrongly(run, one, 'it was not applied');
    if (outcome.state === 'refused' && times > 0) wrongly(run, one, 'it was applied');
    if ((repeat === 'once' || repeat === 'replace') && times > 1) wrongly(run, one, 'doubled');
    if (outcome.state === 'applied' && hasOverwritten(one)) wrongly(run, one, "it overwrote another operator's");
  }
}

/** Whether ours was applied over another operator's, who had set something else than what was there before or what we set. */
function hasOverwritten({ call, before, applied }: Sent): boolean {
  const rival = applied.find(({ by }) => by === 'other operator');
  if (!rival || applied.at(-1)?.by !== 'caller' || stringifyExact(rival.body) === stringifyExact(call.body))
    return false;
  return compareWithRead({ ...call, body: rival.body }, before, undefined) !== 'ours';
}

/** Presses the key that checks for each edit of unknown outcome, and compares what it says with what the service did. */
async function checkUnknown(run: Run, client: Client, sent: readonly Sent[]): Promise<void> {
  const { journal, tally } = run;
  for (const one of sent.filter(({ outcome, applied }) => outcome?.state === 'applied' && applied.length === 0)) {
    const checks = checkOf(one.call, endpoints);
    one.isSo = checks?.find(await client.send(checks.look), undefined) === 'ours';
  }
  const unknown = sent.filter(({ outcome }) => outcome?.state === 'unknown');
  if (unknown.length === 0) return;
  if (unknown.some(({ outcome }) => /in time/.test(outcome?.text ?? ''))) await settled();
  const port = journalPort({ journal, client });
  const noted = new Map((await port.journal()).entries.map((entry) => [entry.id, entry]));
  for (const one of unknown) {
    const { endpoint } = one.call;
    if (noted.get(one.id)?.checkable !== true) {
      // Such a key is named by the key itself, which the journal does not keep.
      if (!endpoint.secrets?.includes('{key}')) wrongly(run, one, 'no key checks it');
      continue;
    }
    const text = await port.entry(one.id, 'check', '');
    const times = one.applied.filter(({ by }) => by === 'caller').length;
    const isRivalled = one.applied.some(({ by }) => by === 'other operator');
    if (/it was applied|like it (is|are) there now/.test(text)) {
      tally.checked.applied += 1;
      // What is as it was asked for may have been so before; what was deleted was there.
      if (times === 0 && !isRivalled && endpoint.repeat === 'delete') wrongly(run, one, `checked: "${text}"`);
    } else if (/it was not applied|none like it is listed/.test(text)) {
      tally.checked['not applied'] += 1;
      if (times > 0 && !isRivalled) wrongly(run, one, `checked: "${text}"`);
    } else {
      tally.checked['look yourself'] += 1;
      if (!/dismisses this|^Re-check failed: refused \(403\)/.test(text)) wrongly(run, one, `checked: "${text}"`);
    }
  }
}

function wrongly({ tally, seed }: Run, { call, before, outcome, applied }: Sent, what: string): void {
  const { id, repeat } = call.endpoint;
  const by = applied.map((one) => one.by).join(', ') || 'nobody';
  tally.wrong.push(
    `${id} (${repeat}): ${what}; told ${JSON.stringify(outcome)}, applied by ${by} (seed ${seed}, ${call.key.slice(0, 300)}, before ${stringifyExact(before)?.slice(0, 300)})`,
  );
}

/** Requests that were delayed are handled by now. */
const settled = () => new Promise((done) => setTimeout(done, 200));

const keyOfCall = ({ endpoint, params, query, body }: Call): string =>
  keyOf(
    endpoint.id,
    params,
    Object.fromEntries(
      Object.entries(query)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => [name, String(value)]),
    ),
    body,
  );

const keyOf = (id: string, params: object, query: object, body: unknown): string =>
  stringifyExact([id, params, query, body ?? null]);
