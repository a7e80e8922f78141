import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, type Call, call, type Plan } from '../../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../../src/api/problem.ts';
import { createOverlays } from '../../../src/cache/entries.ts';
import { type Purpose, runPlan } from '../../../src/client/client.ts';
import { type Action, type AnyAction, type AnySendingAction, action } from '../../../src/describe/action.ts';
import { receipt, receiptText, warning } from '../../../src/describe/receipt.ts';
import type { Entry } from '../../../src/journal/journal-entry.ts';
import { createUndoer, type Undoable, type Undoing } from '../../../src/session/send/pending-edit.ts';
import { createPerformer, type Performed } from '../../../src/session/send/perform.ts';
import { dropThing, getThing, setThing } from '../../support/calls.ts';
import { contextOf } from '../../support/plans.ts';
import { runs } from '../../support/runs.ts';
import { settled } from '../../support/steppedclock.ts';
import { bareList } from '../../support/things.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly on: boolean;
}

const things = (count: number): readonly Thing[] =>
  Array.from({ length: count }, (_, at) => ({ id: `t${at}`, name: `thing ${at}`, on: false }));

const turnOn: Action<Thing, { on: boolean }, Thing> = action({
  id: 'things.on',
  key: 't',
  title: 'turn on',
  help: 'turns a thing on',
  uses: [setThing],
  send: (row: Thing) => setOf(row.id, true) as Call<never>,
  show: (row) => ({ ...row, on: true }),
  truth: (_, answer: Thing) => answer,
  done: (row) => `${row.name} is on`,
  undo: (before) => [setOf(before.id, before.on), setOf(before.id, false, 'again')],
});

const setOf = (id: string, on: boolean, name = 'once') =>
  call(setThing, { thing_id: id, body: { data: { attributes: { on, name } } } });

const thingList = bareList<Thing>({
  nameOf: (row) => row.name,
});

/** A pending request that the test answers. */
interface Sent {
  readonly call: Call;
  readonly purpose?: Purpose | undefined;
  answer(result: Result<unknown>): Promise<void>;
}

const ok = (value: unknown): Result<unknown> => ({ ok: true, value, status: 200, unread: [] });

function byHand() {
  const sent: Sent[] = [];
  const open: Sent[] = [];
  const changed: string[] = [];
  const remembered: string[] = [];
  const calls: (readonly unknown[])[] = [];
  const marked: (readonly [entry: string, isUndone: boolean])[] = [];
  const overlays = createOverlays({ startedAt: () => 0, changed: () => {} });
  const client = {
    send(request: Call, how?: { readonly purpose?: Purpose }) {
      const { promise, resolve } = Promise.withResolvers<never>();
      const one: Sent = {
        call: request,
        purpose: how?.purpose,
        answer(result) {
          open.splice(open.indexOf(one), 1);
          resolve(result as never);
          return settled();
        },
      };
      sent.push(one);
      open.push(one);
      return promise;
    },
    run: () => Promise.reject(new Error('no plan is sent here')),
  };
  const with_ = {
    client,
    overlays,
    random: () => 0.5,
    changed: (kinds: readonly string[], told?: string) => changed.push([...kinds, told].filter(Boolean).join(' of ')),
    remember(_: string, id: string, undo: readonly unknown[]) {
      remembered.push(id);
      calls.push(undo);
    },
    journal: {
      takeBack: () => Promise.reject(new Error('every row is known')),
      undoEnded: async (entry: string, problem: unknown) => void marked.push([entry, problem === undefined]),
    },
  };
  const seen = (rows: readonly Thing[]) => overlays.over('things', ['things'], rows, (row) => row.id);
  return {
    sent,
    open,
    changed,
    remembered,
    calls,
    marked,
    overlays,
    seen,
    with_,
    perform: createPerformer(with_),
    undo: createUndoer(with_),
  };
}

/** The edit as the journal has it, the last row first. */
function undoingOf(edit: Undoable | undefined): Undoing {
  if (!edit) throw new Error('there is no way back');
  const entries = edit.steps.map(
    ({ id, name, calls: undo }) => ({ id: `e-${id}`, target: { id, name }, undo }) as unknown as Entry,
  );
  return { entries: entries.toReversed(), text: edit.text, edit, isInFront: true };
}

/** Counts the rows of an edit, and stops it when it is told to. */
const stoppedBy = (held: { ended: number; readonly isStopped: boolean }) => ({
  rowEnded() {
    held.ended += 1;
  },
  isStopped: () => held.isStopped,
});

/** Performs it on the rows and answers the requests in an order made of `turns`. */
async function performed(
  by: ReturnType<typeof byHand>,
  what: AnyAction,
  rows: readonly Thing[],
  turns: readonly number[],
  answer: (id: string) => Result<unknown>,
): Promise<Performed> {
  const pending = { action: what, list: thingList, rows, values: { on: true }, leftOut: '1 left out' };
  const ended = by.perform(pending, contextOf());
  await settled();
  for (let at = 0; by.open.length > 0; at += 1) {
    expect(by.open.length).toBeLessThanOrEqual(4);
    const one = by.open[(turns[at % turns.length] ?? 0) % by.open.length] as Sent;
    await one.answer(answer(String(one.call.params.thing_id)));
  }
  return ended;
}

const applied = (id: string) => ok({ id, name: `thing ${id.slice(1)}`, on: true });
const count = fc.integer({ min: 1, max: 9 });
const order = fc.array(fc.nat(9), { minLength: 1, maxLength: 9 });

describe('an edit', () => {
  test('is sent once for each row, four at a time; results have the order of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(count, order, async (length, turns) => {
        const by = byHand();
        const rows = things(length);
        const { results, undo } = await performed(by, turnOn, rows, turns, applied);
        expect(by.sent.map((one) => one.call.params.thing_id)).toEqual(rows.map((row) => row.id));
        expect(results.map(({ id, ok: isDone, text }) => [id, isDone, text])).toEqual(
          rows.map((row) => [row.id, true, `${row.name} is on`]),
        );
        expect(undo?.steps.map((one) => one.id)).toEqual(rows.map((row) => row.id));
        expect(by.remembered.toSorted()).toEqual(rows.map((row) => row.id).toSorted());
        expect(by.changed).toEqual(['thing of things']);
      }),
      { numRuns: runs(40) },
    );
  });

  /** Performs it on one row, its plans too; every call is answered as applied. */
  const tried = async (more: Partial<AnySendingAction>) => {
    const by = byHand();
    const send = async (request: Call) => applied(String(request.params.thing_id));
    const run = <T>(plan: Plan<T>) => runPlan(plan, send);
    const perform = createPerformer({ ...by.with_, client: { send, run } as never });
    const rows = things(1);
    const what = { action: { ...turnOn, ...more } as AnyAction, list: thingList, rows, values: { on: true } };
    const { results, undo } = await perform(what, contextOf());
    return { ...results[0], isUndoable: (undo?.steps.length ?? 0) > 0, seen: by.seen(rows)[0] };
  };
  const planted = (): never => {
    throw new TypeError('planted');
  };
  const fault = 'an internal error of orgdeck (TypeError: planted)';

  test('that throws has sent nothing, or is in doubt where it has sent an edit', async () => {
    const nothing = { ok: false, text: `nothing was sent: ${fault}`, seen: { on: false } };
    expect(await tried({ send: planted })).toMatchObject(nothing);
    const planOf = (...calls: readonly Call[]) =>
      function* (): Plan<Result<unknown>> {
        for (const one of calls) yield one;
        return planted();
      };
    const get = call(getThing, { thing_id: 't0' });
    for (const calls of [[], [get]]) expect(await tried({ send: planOf(...calls) })).toMatchObject(nothing);
    expect(await tried({ send: planOf(get, setOf('t0', true)) })).toMatchObject({
      ok: false,
      problem: { kind: 'unknown' },
      text: `sent, but its outcome cannot be shown: ${fault}; check before you repeat it`,
    });
  });

  test('that was sent is applied, whatever cannot be told of it', async () => {
    const told = { ok: true, text: `turn on: applied, but its result cannot be shown: ${fault}`, isUndoable: false };
    for (const name of ['done', 'undo', 'made', 'secret'])
      expect(await tried({ [name]: planted }), name).toMatchObject({ ...told, seen: { on: true } });
    expect(await tried({ truth: planted })).toMatchObject({ ok: true, text: 'thing 0 is on', seen: { on: false } });
    expect(await tried({ show: planted })).toMatchObject({ ok: true, text: 'thing 0 is on', seen: { on: true } });
    const by = byHand();
    const all = { ...turnOn, doneAll: planted } as AnyAction;
    const { receipt } = await performed(by, all, things(2), [0], applied);
    expect(receipt && receiptText(receipt)).toBe(`done, but its receipt cannot be shown: ${fault}`);
  });

  test('is shown at once; then each row is as answered, and as before where the edit was refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        count,
        order,
        fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
        async (length, turns, refused) => {
          const by = byHand();
          const rows = things(length);
          const isRefused = (id: string) => refused[Number(id.slice(1))] === true;
          const ended = performed(by, turnOn, rows, turns, (id) =>
            isRefused(id) ? problemResult('conflict', `no ${id}`) : ok({ id, name: `told ${id}`, on: true }),
          );
          expect(by.seen(rows)).toEqual(rows.map((row) => ({ ...row, on: true })));
          const { results, problem, undo } = await ended;
          expect(by.seen(rows)).toEqual(
            rows.map((row) => (isRefused(row.id) ? row : { id: row.id, name: `told ${row.id}`, on: true })),
          );
          expect(results.filter((one) => !one.ok).map((one) => one.id)).toEqual(
            rows.map((row) => row.id).filter(isRefused),
          );
          expect(problem === undefined).toBe(results.every((one) => one.ok));
          expect((undo?.steps ?? []).map((one) => one.id)).toEqual(
            rows.map((row) => row.id).filter((id) => !isRefused(id)),
          );
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test('whose answer is about another row shows the requested values on its own row', async () => {
    const by = byHand();
    const rows = things(2);
    const { undo } = await performed(by, turnOn, rows, [0], () => ok({ id: 't1', name: 'another', on: true }));
    expect(by.seen(rows)).toEqual([
      { id: 't0', name: 'thing 0', on: true },
      { id: 't1', name: 'another', on: true },
    ]);
    expect(undo?.steps[0]?.after).toEqual({ id: 't0', name: 'thing 0', on: true });
  });

  test('that deletes a row hides the row at once, and permanently only once confirmed', async () => {
    const by = byHand();
    const rows = things(2);
    const remove = action({
      id: 'things.drop',
      key: 'D',
      title: 'delete',
      help: 'deletes a thing',
      uses: [dropThing],
      removes: true,
      send: (row: Thing) => call(dropThing, { thing_id: row.id }),
      done: (row) => `${row.name} deleted`,
    });
    const ended = performed(by, remove, rows, [0], (id) =>
      id === 't0' ? ok(undefined) : problemResult('forbidden', 'no'),
    );
    expect(by.seen(rows)).toEqual([]);
    await ended;
    expect(by.seen(rows)).toEqual([rows[1]]);
    expect([...by.overlays.removed('things')]).toEqual(['t0']);
  });

  test('is undone as what it said: its receipt, that of all its rows, or how many were done', async () => {
    const doneAll = (answers: readonly Thing[]) => `all ${answers.length} on`;
    const only = (id: string) => (id === 't0' ? applied(id) : problemResult('conflict', 'no'));
    const said = async (
      rows: number,
      answer: (id: string) => Result<unknown>,
      more: Partial<AnySendingAction> = {},
    ) => {
      const { undo, receipt } = await performed(byHand(), { ...turnOn, ...more }, things(rows), [0], answer);
      return [undo?.text, receipt && receiptText(receipt), undo?.forward.rows.length];
    };
    expect(await said(1, applied, { doneAll })).toEqual(['thing 0 is on', undefined, 1]);
    expect(await said(1, applied, { done: () => warning(receipt`only half`) })).toEqual([
      'turned on thing 0',
      undefined,
      1,
    ]);
    expect(await said(2, applied, { doneAll })).toEqual(['all 2 on', 'all 2 on', 2]);
    expect(await said(2, applied)).toEqual(['turned on 2 rows', undefined, 2]);
    expect(await said(2, only, { doneAll })).toEqual(['thing 0 is on', undefined, 1]);
    const partly = (id: string) => (id === 't2' ? problemResult('conflict', 'no') : applied(id));
    expect(await said(3, partly, { doneAll, preposition: 'of' })).toEqual(['turned on of 2 rows', undefined, 2]);
  });

  test('without a way back has no steps to undo, and none in the journal', async () => {
    const by = byHand();
    const undo = (row: Thing) => (row.id === 't0' ? [] : [setOf(row.id, false)]);
    const done = await performed(by, { ...turnOn, undo }, things(2), [0], applied);
    expect(done.undo).toMatchObject({ steps: [{ id: 't1' }], forward: { rows: [{ id: 't1' }], leftOut: undefined } });
    expect(by.remembered).toEqual(['t0', 't1']);
    expect(by.calls.map((calls) => calls.length)).toEqual([0, 1]);
    const none = byHand();
    const { show: _, truth: __, ...plain } = turnOn;
    const row = things(1);
    const ended = performed(none, { ...plain, undo: () => [] } as AnyAction, row, [0], applied);
    expect(none.seen(row)).toEqual(row);
    expect((await ended).undo).toMatchObject({ text: 'thing 0 is on', steps: [] });
    expect(none.calls).toEqual([[]]);
  });

  test('whose plan sends no edit is nothing to undo', async () => {
    const answer = async () => ok(things(1)[0]);
    const client = { ...byHand().with_.client, run: <T>(plan: Plan<T, unknown>) => runPlan(plan, answer) };
    const perform = createPerformer({ client, random: () => 0.5 });
    const undoOf = async (asked: Call) => {
      const action = { ...turnOn, send: () => ask(asked), undo: () => [] } as AnyAction;
      return (await perform({ action, list: thingList, rows: things(1), values: {} }, contextOf())).undo;
    };
    expect(await undoOf(call(getThing, { thing_id: 't0' }))).toBeUndefined();
    expect(await undoOf(setOf('t0', true))).toMatchObject({ steps: [] });
  });

  test('returns a secret and the id of a created row for a single row only', async () => {
    const create: AnyAction = {
      ...turnOn,
      made: ({ id }: Thing) => ({ id: `${id} copy`, name: id }),
      secret: (answer: Thing) => ({ title: answer.id, value: 'planted', notes: [] }),
    };
    const single = await performed(byHand(), create, things(1), [0], applied);
    expect([single.made, single.secret?.value]).toEqual(['t0 copy', 'planted']);
    const many = await performed(byHand(), create, things(2), [0], applied);
    expect([many.made, many.secret]).toEqual([undefined, undefined]);
  });
});

describe('an undo', () => {
  test('of rows that no list in front shows, or of which a request has lapsed, goes by the journal, which reads them first', async () => {
    const by = byHand();
    const { undo } = await performed(by, turnOn, things(2), [0, 1], applied);
    by.sent.length = 0;
    const taken: string[] = [];
    const journal = { ...by.with_.journal, takeBack: async ({ id }: Entry) => void taken.push(id) };
    const elsewhere = { ...undoingOf(undo), isInFront: false };
    const lapsed = { ...undoingOf(undo), entries: elsewhere.entries.map((entry) => ({ ...entry, undo: [] })) };
    for (const one of [elsewhere, lapsed])
      expect(await createUndoer({ ...by.with_, journal })(one)).toEqual({ done: 2, left: [] });
    expect(taken).toEqual(['e-t1', 'e-t0', 'e-t1', 'e-t0']);
    expect(by.sent).toEqual([]);
  });

  const undoing = async (by: ReturnType<typeof byHand>, rows: readonly Thing[], fails: (call: Call) => boolean) => {
    const { undo } = await performed(by, turnOn, rows, [2, 1], applied);
    by.sent.length = 0;
    const ended = by.undo(undoingOf(undo));
    await settled();
    while (by.open[0])
      await by.open[0].answer(fails(by.open[0].call) ? problemResult('conflict', 'not now') : ok(undefined));
    return ended;
  };
  const nameOf = ({ body }: Call) => (body as { data: { attributes: { name: string } } }).data.attributes.name;

  test('starts with the last row, four at a time, and sends the calls of each row in order', async () => {
    await fc.assert(
      fc.asyncProperty(count, async (length) => {
        const by = byHand();
        const rows = things(length);
        expect(await undoing(by, rows, () => false)).toEqual({ done: length, left: [] });
        const sent = by.sent.map((one) => [String(one.call.params.thing_id), nameOf(one.call)] as const);
        expect(sent.filter(([, name]) => name === 'once').map(([id]) => id)).toEqual(
          rows.toReversed().map((row) => row.id),
        );
        const firsts = sent.findIndex(([, name]) => name === 'again');
        expect(firsts).toBe(Math.min(4, length));
        for (const row of rows)
          expect(sent.flatMap(([id, name]) => (id === row.id ? [name] : []))).toEqual(['once', 'again']);
        expect(by.sent.every((one) => one.purpose?.action === 'undo')).toBe(true);
        expect(by.seen(rows)).toEqual(rows);
        expect(by.sent.every((one) => one.purpose?.group === `undo-e-${one.call.params.thing_id}`)).toBe(true);
        expect(by.marked).toEqual(rows.map(({ id }) => [`e-${id}`, true]).toReversed());
        expect(by.changed).toEqual(['thing of things', 'things']);
      }),
      { numRuns: 20 },
    );
  });

  test('skips the remaining calls of a row whose call fails, and goes on with the other rows', async () => {
    const by = byHand();
    const rows = things(3);
    const undone = await undoing(by, rows, (request) => request.params.thing_id === 't1');
    expect(undone).toMatchObject({ done: 2, left: [{ id: 't1' }], problem: { text: 'not now' } });
    expect(by.sent.map((one) => [one.call.params.thing_id, nameOf(one.call)])).toEqual([
      ['t2', 'once'],
      ['t1', 'once'],
      ['t0', 'once'],
      ['t2', 'again'],
      ['t0', 'again'],
    ]);
    expect(by.seen(rows).map((row) => row.on)).toEqual([false, true, false]);
    expect(by.marked).toEqual([
      ['e-t1', false],
      ['e-t2', true],
      ['e-t0', true],
    ]);
  });

  test('that is stopped sends no further row, and names those that are left', async () => {
    const by = byHand();
    const rows = things(7);
    const { undo } = await performed(by, turnOn, rows, [0], applied);
    by.sent.length = 0;
    const held = { ended: 0, isStopped: false };
    const ended = by.undo(undoingOf(undo), stoppedBy(held));
    await settled();
    held.isStopped = true;
    while (by.open[0]) await by.open[0].answer(ok(undefined));
    expect(await ended).toMatchObject({
      done: 4,
      left: ['t0', 't1', 't2'].map((id) => ({ id, text: 'not sent: stopped' })),
    });
    expect([by.sent.length, held.ended]).toEqual([8, 4]);
    expect(by.seen(rows).map(({ on }) => on)).toEqual([true, true, true, false, false, false, false]);
  });
});

test('an edit that is stopped sends no further row, and shows the others as they were', async () => {
  const by = byHand();
  const rows = things(6);
  const held = { ended: 0, isStopped: false };
  const pending = { action: turnOn, list: thingList, rows, values: { on: true } };
  const performing = by.perform(pending, contextOf(), stoppedBy(held));
  await settled();
  held.isStopped = true;
  for (const one of [...by.open]) await one.answer(applied(String(one.call.params.thing_id)));
  const { results, undo } = await performing;
  expect(results.map(({ ok, text, isUnsent }) => [ok, ok ? '' : text, isUnsent ?? false])).toEqual([
    ...Array.from({ length: 4 }, () => [true, '', false]),
    ...Array.from({ length: 2 }, () => [false, 'not sent: stopped', true]),
  ]);
  expect([by.sent.length, held.ended, undo?.steps.length]).toEqual([4, 4, 4]);
  expect(by.seen(rows).map(({ on }) => on)).toEqual([true, true, true, true, false, false]);
});

test('an edit of several requests tells them from the second edit on', async () => {
  const told: (readonly string[])[] = [];
  function* twice(): Plan<Result<unknown>> {
    yield* ask(setOf('t0', true));
    yield* ask(call(getThing, { thing_id: 't0' }));
    return yield* ask(setOf('t0', true, 'again'));
  }
  const answer = async () => applied('t0') as never;
  const perform = createPerformer({
    client: { send: answer, run: (plan) => runPlan(plan, answer) as never },
    random: () => 0.5,
  });
  const pending = { action: { ...turnOn, send: twice }, list: thingList, rows: things(1), values: { on: true } };
  const sending = { rowEnded() {}, isStopped: () => false, requestsBegan: (all: readonly string[]) => told.push(all) };
  expect((await perform(pending as never, contextOf(), sending)).results).toMatchObject([{ ok: true }]);
  expect(told).toEqual([[setThing.title, setThing.title]]);
});
