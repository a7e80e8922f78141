import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screens } from '../../screens/index.ts';
import { type Call, isRead } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { createJournalAccess } from '../../src/cli/journal-access.ts';
import type { Client, Recorder } from '../../src/client/client.ts';
import { createParts } from '../../src/client/upload-parts.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { Context, Rows } from '../../src/describe/context.ts';
import { type Pick, whoAmI } from '../../src/describe/picks.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { createJournal, type Journal } from '../../src/journal/journal.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createUndoer, type Pending } from '../../src/session/send/pending-edit.ts';
import { createPerformer } from '../../src/session/send/perform.ts';
import type { Upload } from '../../src/simulator/kinds/table-store.ts';
import type { Intercept } from '../../src/simulator/server/handler.ts';
import { createRandom, hash, type Random } from '../../src/simulator/server/random.ts';
import { nothing, ready } from './action-values.ts';
import { clientAt } from './client-at.ts';
import { everyFault } from './every-fault.ts';
import { put } from './fixtures/put.ts';
import { checkUnknown, delaysOver, judge, type Run, type Sent, type Tally } from './judge-edits.ts';
import { contextOf } from './plans.ts';
import { fastClock } from './scripted-server.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** What the store has beside what it is seeded with, and what nobody may take away from the run itself. */
const lists = screens.flatMap((screen) => screen.lists).filter((list) => list.actions.length > 0);
const monitors = lists.find((list) => list.id === 'monitors') as AnyList;
const ourKeys = /^this dashboard/;

/** Edits that one service gets, and how many services there are at once: a fault that hangs leaves the processor idle. */
const ofBatch = 100;
const lanes = 3;

/** Real milliseconds: short, because a fault that hangs takes them. */
const timeouts = { connect: 2_000, headers: 90, idle: 90, read: 400, edit: 130 };

/**
 * Performs edits of the product's own lists, and undoes some, through the real client and journal, against a simulator that
 * fails by a plan; compares what was told of each with what the simulator did. Waits take no real time. In a batch, which has a
 * service and a seed of its own, one edit follows the other, so that a run can be replayed.
 */
export async function performUnderFaults(seed: number, count: number): Promise<Tally> {
  const tally: Tally = {
    edits: { read: 0, settable: 0, once: 0, delete: 0, replace: 0, part: 0 },
    told: { applied: 0, refused: 0, unknown: 0 },
    plans: 0,
    checked: { applied: 0, 'not applied': 0, 'look yourself': 0 },
    wrong: [],
  };
  const batches = Array.from({ length: Math.ceil(count / ofBatch) }, (_, batch) => batch);
  const lane = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift())
      await performBatch(hash(seed, batch), Math.min(ofBatch, count - batch * ofBatch), tally);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return tally;
}

async function performBatch(seed: number, count: number, tally: Tally): Promise<void> {
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
    around: intercept,
  });
  hasMutedTwice(service);
  const at = await service.start();
  const directory = mkdtempSync(join(tmpdir(), 'orgdeck-faulty-'));
  const journal = createJournal({ directory, clock, origin: at.url, profile: 'test' });
  const person = { service, at, clock, journal, random, sent, seed, tally };
  try {
    const first = clientOf(person);
    const me = await first.run(whoAmI.plan(contextOf()));
    await first.close();
    const context = contextOf({ now: clock.now(), origin: at.url, ...(me.ok && { me: me.value }) });
    for (let round = 0; sent.length < count && round < count; round += 1) await performRound(person, context, round);
    service.recovers();
    await sendParts(person, Math.ceil(count / 20));
    await delaysOver();
    await judge(person);
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
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
  return clientAt({ url: at.url, ...keys }, { clock, recorder, timeouts, random: random.next });
}

/** Edits up to five rows of one list, with one action each, and undoes some. */
async function performRound(run: Run, context: Context, round: number): Promise<void> {
  const { service, journal, sent, tally } = run;
  // Of its own, so that a timeout in one round changes no other.
  const random = createRandom(hash(run.seed, 'round', round));
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
  const remember = (...edit: Parameters<Journal['remember']>) => void journal.remember(...edit);
  const perform = createPerformer({ client, random: run.random.next, remember });
  const undo = createUndoer({ client, journal: createJournalAccess({ journal, client }) });
  service.plans(everyFault(hash(run.seed, round)));
  for (const pending of work) {
    const before = sent.length;
    const performed = await perform(pending, context);
    if (sent.length > before + 1) tally.plans += 1;

    const [told] = performed.results;
    const made = sent.slice(before);
    if (told?.ok && made.length > 0 && !made.some(({ outcome }) => outcome?.state === 'applied'))
      tally.wrong.push(`${pending.action.id}: told as done (${told.text}), and nothing of it was`);
    // What nobody applied was so before, and is compared with what is there now.
    const isOurs = made.every(({ applied }) => applied.length > 0);
    if (performed.undo && isOurs && random.chance(0.4)) {
      const offer = await journal.undoOffer();
      const edit = offer.ok && offer.value.kind === 'undo' ? offer.value.edit : [];
      if (edit[0]?.group === performed.undo.group) await undo({ entries: edit, text: '', edit: performed.undo });
    }
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
async function sendParts({ service, at, tally, ...run }: Run, count: number): Promise<void> {
  const random = createRandom(hash(run.seed, 'parts'));
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
    const part = { url: service.world.partUrl(stored, 0), length: bytes.length, until: clock.now() + 200_000 };
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
