import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { type Call, call } from '../../../src/api/endpoint.ts';
import { problemResult, toResult } from '../../../src/api/problem.ts';
import { action } from '../../../src/describe/action.ts';
import type { Person, Single, Source } from '../../../src/describe/context.ts';
import { textField } from '../../../src/describe/field.ts';
import type { Pick } from '../../../src/describe/picks.ts';
import { type AnyList, type List, list } from '../../../src/describe/screen.ts';
import { helpEntries } from '../../../src/session/layers/help.ts';
import { layerKindOf } from '../../../src/session/layers/index.ts';
import { hasRoom } from '../../../src/session/session-world.ts';
import type { Message } from '../../../src/session/state/message.ts';
import type { Layer, State } from '../../../src/session/state/state.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { bareSession, heldSource, notedClient } from '../../support/bare-session.ts';
import { setThing } from '../../support/calls.ts';
import { createSteppedClock, settled } from '../../support/steppedclock.ts';

/** The engine around the steps of the state: what it starts, keeps and closes. */

interface Lamp {
  readonly id: string;
  readonly name?: string;
}
const held = { rows: [{ id: 'a' }] as readonly Lamp[], reads: 0 };
const lamps = (more: Partial<List<Lamp>> = {}): AnyList => {
  Object.assign(held, { rows: [{ id: 'a' }, { id: 'b' }], reads: 0 });
  return list<Lamp>({
    ...{ id: 'lamps', title: 'Lamps', actions: [], empty: '' },
    columns: [
      {
        id: 'name',
        title: 'NAME',
        min: 4,
        priority: 1,
        text: (row) => row.name ?? row.id,
        sort: (row) => row.name ?? row.id,
      },
    ],
    load: () =>
      heldSource(
        'lamps',
        () => held.rows,
        () => {
          held.reads += 1;
        },
      ),
    idOf: (row) => row.id,
    nameOf: (row) => row.name ?? row.id,
    ...more,
  });
};
const screen = (more: Partial<List<Lamp>> = {}) => [{ id: 'lamps', title: 'Lamps', key: '1', lists: [lamps(more)] }];
const key = (name: string) => ({ name, text: name, alone: true }) as never;

describe('at the start', () => {
  test('edits of an earlier run without an outcome are listed, or it is said why they cannot be', async () => {
    const entries = [{ id: 'e' }];
    const began = async (unsettled: object, work = (_: Awaited<ReturnType<typeof bareSession>>) => {}) => {
      const made = await bareSession(screen(), {}, { unsettled });
      await made.clock.passes(10);
      work(made);
      await made.clock.passes(100);
      return made;
    };
    const open = await began({ entries });
    expect(open.state().layers).toMatchObject([{ kind: 'timeline', entries, unsettled: true }]);
    // A key counts for the frame that its person can have seen.
    expect(open.session.isUnread()).toBe(true);
    expect((await began({ entries: [] })).state()).toMatchObject({ layers: [], messages: [] });
    const { state } = await began({ entries: [], trouble: 'mode 0644' });
    expect(state().flash).toMatchObject({
      ...{ text: 'Edits without an outcome could not be listed: mode 0644', tone: 'bad', keys: 'H' },
    });
    // Nobody who has begun to work is stopped by a layer.
    for (const work of [
      ({ session }: typeof open) => session.press(key('j')),
      ({ session }: typeof open) => session.send({ type: 'openHelp' }),
    ]) {
      const busy = await began({ entries }, work);
      expect(busy.state().layers.some(({ kind }) => kind === 'timeline')).toBe(false);
      expect(busy.state().flash).toMatchObject({ text: '1 edit of an earlier run without an outcome', keys: 'H' });
    }
  });

  test('nothing of the journal is read before the first rows, then its end once; without rows after two seconds', async () => {
    for (const [waits, readAt] of [
      [1_500, 1_550],
      [60_000, 2_000],
    ] as const) {
      const load = (): Source<Lamp> => ({
        key: 'slow',
        of: [],
        *plan() {
          yield { pauseMs: waits };
          return toResult({ rows: [] });
        },
      });
      const { asked, clock } = await bareSession(screen({ load }));
      const reads = () => asked.filter(([name]) => name === 'journal' || name === 'unsettled');
      await clock.passes(readAt - 1);
      expect(reads()).toEqual([]);
      // Without what a handover asks for, which reads all of it.
      for (const ms of [1, 120_000]) {
        await clock.passes(ms);
        expect(reads()).toEqual([['unsettled'], ['journal']]);
      }
    }
  });

  test('the journal is read once the owner of the keys is known, and once more where the owner came later', async () => {
    const whoAmI = (ms: number): Single<Person> => ({
      key: 'me',
      of: [],
      *plan() {
        yield { pauseMs: ms };
        return toResult({ id: 'p', name: 'Ada', handle: 'ada@example.test' });
      },
    });
    for (const [waits, readAt] of [
      [1_000, [1_050]],
      [5_000, [2_000, 5_000]],
    ] as const) {
      const known = { is: false };
      // Which edits are of this organization is not known before its owner.
      const unsettled = () => ({ entries: known.is ? [{ id: 'e' }] : [] });
      const knowMe = () => Object.assign(known, { is: true });
      const { asked, clock, state } = await bareSession(screen(), { whoAmI: whoAmI(waits), knowMe }, { unsettled });
      const reads: number[] = [];
      for (let ms = 0; ms < 9_000; ms += 50) {
        await clock.passes(50);
        const count = asked.filter(([name]) => name === 'unsettled').length;
        while (reads.length < count) reads.push(ms + 50);
      }
      expect(reads).toEqual(readAt);
      expect(state().layers).toMatchObject([{ kind: 'timeline', entries: [{ id: 'e' }], unsettled: true }]);
    }
  });

  test('what was kept comes back', async () => {
    const drafts = { d: { at: 1, texts: {} } };
    const view = { at: 1, screen: 'lamps', tab: 0, list: {} };
    const saved = { lists: {}, searches: {}, filters: {}, views: { v: view }, drafts };
    const { state, session } = await bareSession(screen(), { saved, mouse: true });
    expect(state()).toMatchObject({ drafts, views: [{ name: 'v', ...view }], mouse: true });
    expect([session.isUnread(), session.idle()]).toEqual([false, 1]);
    const bare = await bareSession(screen());
    expect(bare.state()).toMatchObject({ drafts: {}, views: [], mouse: false });
  });
});

describe('a message', () => {
  test('whose step throws ends with a sentence and does nothing', async () => {
    const { session, state } = await bareSession(
      screen({
        link: () => {
          throw new TypeError('planted');
        },
      }),
    );
    session.send({ type: 'showLink' });
    expect(state().flash).toMatchObject({
      text: 'Nothing was done: an internal error of orgdeck (TypeError: planted)',
      tone: 'bad',
    });
    for (const what of ['performDone', 'undoDone'] as const) {
      session.send({ type: what } as never);
      expect(state().flash?.text).toMatch(/^The edit ended \(H: outcome\), but this failed: /);
    }
  });

  test('of the closed session does nothing, nor does anything that was begun', async () => {
    const { session, state, clock, cache } = await bareSession(screen());
    session.send({ type: 'openFilter' });
    const before = session.store.getState();
    session.close();
    expect([clock.waiting(), cache.known('lamps').value]).toEqual([0, undefined]);
    session.send({ type: 'toggleMouse' });
    await clock.passes(60_000);
    expect([session.store.getState() === before, held.reads, clock.waiting()]).toEqual([true, 1, 0]);
    expect(state().mouse).toBe(false);
  });

  test('that orders the rows anew keeps the cursor on its row', async () => {
    const { session } = await bareSession(screen());
    session.send({ type: 'moveCursor', by: 1 });
    session.send({ type: 'setSort', by: 'name' });
    session.send({ type: 'setSort', by: 'name' });
    expect(session.now().view.ids).toEqual(['b', 'a']);
    expect(session.store.getState().state.lists.lamps).toMatchObject({ order: { ids: ['b', 'a'] }, cursor: 'b' });
  });

  test('that closes the last layer shows the secret that waits for that, which no key typed before reveals', async () => {
    const { session, state } = await bareSession(screen());
    const secrets = ['a', 'b'].map((title) => bareLayer('secret', { secret: { title, value: 'fake-key', notes: [] } }));
    session.store.setState({ state: { ...state(), layers: [bareLayer('filter')], secrets } });
    session.press({ name: 'esc', alone: true });
    session.press(key('r'));
    expect(state()).toMatchObject({ layers: [{ kind: 'secret', shown: false, secret: { title: 'a' } }] });
    session.send({ type: 'copySecret' });
    session.send({ type: 'closeLayer' });
    expect(state()).toMatchObject({ layers: [{ secret: { title: 'b' } }], secrets: [] });
  });

  test('that brings other rows must be drawn before keys count, one that brings the same need not', async () => {
    const { session, clock } = await bareSession(screen());
    session.send({ type: 'moveToEnd', last: false });
    expect(session.undrawn()).toEqual([]);
    held.rows = [{ id: 'c' }, { id: 'a' }];
    session.press(key('j'));
    await clock.passes(15_000);
    const told: number[] = [];
    session.store.subscribe(() => told.push(session.undrawn().length));
    session.send({ type: 'moveToEnd', last: false });
    expect([session.isUnread(), told.at(-1)]).toEqual([true, 1]);
    for (const one of session.undrawn()) session.shown(one);
    expect([session.isUnread(), session.undrawn()]).toEqual([false, []]);
  });
});

describe('a layer whose rows a read brings', () => {
  const people: Pick[] = [];
  /** Their search, which takes a second. */
  const slowly = (typed: string): Source<Pick> => ({
    ...{ key: typed, of: [] },
    *plan() {
      yield { pauseMs: 1000 };
      return toResult({ rows: people.toReversed() });
    },
  });
  const lampAction = (id: string, letter: string, more: object) =>
    action<Lamp>({
      ...{ id, key: letter, title: id, help: id, uses: [], send: () => call(setThing, { id: 'a' } as never) },
      ...{ done: () => '', ...more },
    } as never);
  const isOn = (row: Lamp) => row.name === 'on' || 'it is off';
  const actions = [
    lampAction('lit', 'x', { enabled: isOn }),
    lampAction('next', 'c', {}),
    lampAction('dark', 'x', { enabled: (row: Lamp) => isOn(row) !== true || 'it is on' }),
    lampAction('give', 'p', {
      pick: () => ({
        ...{ title: 'Who', first: [], values: () => ({}) },
        load: (typed: string) => (typed === '' ? heldSource('people', () => people) : slowly(typed)),
      }),
    }),
  ];
  const layerOf = (state: State) => state.layers.at(-1) as Extract<Layer, { cursor: number }>;
  async function opened(open: Message) {
    const one = await bareSession(screen({ actions }));
    held.rows = [{ id: 'a', name: 'on' }];
    people.splice(0, people.length, { id: 'ann', label: 'Ann' }, { id: 'ben', label: 'Ben' });
    one.session.send({ type: 'refresh' });
    await settled();
    one.session.send(open);
    await settled();
    for (const undrawn of one.session.undrawn()) one.session.shown(undrawn);
    return { ...one, reads: () => one.clock.passes(15_000) };
  }

  test('has its cursor on its row, and Enter chooses none that took its place before it could be seen', async () => {
    const { session, state, reads } = await opened({ type: 'openHelp' });
    const lines = () => helpEntries('', session.now()).map(({ sentence }) => sentence);
    const marked = () => lines()[layerOf(state()).cursor];
    const goTo = (line: string) =>
      session.send({ type: 'moveInLayer', by: lines().indexOf(line) - layerOf(state()).cursor });
    goTo('Next');
    held.rows = [{ id: 'a', name: 'off' }];
    await reads();
    expect([marked(), lines().includes('Lit')]).toEqual(['Next', false]);
    goTo('Dark');
    held.rows = [{ id: 'a', name: 'on' }];
    await reads();
    expect(marked()).not.toBe('Dark');
    session.press({ name: 'return', alone: true });
    expect(state()).toMatchObject({
      layers: [{ kind: 'help' }],
      flash: { text: 'Enter was pressed before the row was drawn: press it again' },
    });
  });

  test.each<[string, Message, string]>([
    ['the palette', { type: 'openPalette' }, 'pause'],
    ['a pick', { type: 'startAction', id: 'give' }, 'ben'],
    ['a pick without a query, on the first row,', { type: 'startAction', id: 'give' }, 'ann'],
  ])('%s has its cursor on its row', async (_, open, row) => {
    const { session, state, reads } = await opened(open);
    const rows = () => {
      const top = layerOf(state());
      return (layerKindOf(top).rowKeys?.(top, session.now()) ?? []).map((key) => /\w+/.exec(key)?.[0]);
    };
    session.send({ type: 'moveInLayer', by: rows().indexOf(row) });
    const before = layerOf(state()).cursor;
    session.send({ type: 'sendingChanged', of: {}, change: { rows: 3 } });
    people.unshift({ id: 'zoe', label: 'Zoe' });
    await reads();
    session.send({ type: 'refresh' });
    await settled();
    expect([rows()[layerOf(state()).cursor], layerOf(state()).cursor]).toEqual([row, before + 1]);
  });

  test('keeps its rows, with a cursor that was moved among them, until a search is answered', async () => {
    const { session, state, clock } = await opened({ type: 'startAction', id: 'give' });
    const seen = () => {
      const top = layerOf(state());
      return [...(layerKindOf(top).rowKeys?.(top, session.now()) ?? []), top.cursor];
    };
    session.send({ type: 'pasteText', text: 'n' });
    session.send({ type: 'moveInLayer', by: 1 });
    await clock.passes(250);
    expect(seen()).toEqual(['ann', 'ben', 1]);
    await clock.passes(1000);
    expect(seen()).toEqual(['ben', 'ann', 0]);
  });
});

describe('a key', () => {
  test('or a turn of the age timer after more than a minute finds that the machine slept: all is read again', async () => {
    const ahead = { ms: 0 };
    const stepped = createSteppedClock();
    const clock = { ...stepped, now: () => stepped.now() + ahead.ms };
    const { session, state } = await bareSession(screen(), { clock });
    session.press(key('j'));
    expect(state().wokeAt).toBeUndefined();
    ahead.ms = 3_600_000;
    session.press(key('j'));
    expect([state().wokeAt, state().flash?.text]).toEqual([clock.now(), 'Slept for 1h: reading again']);
    ahead.ms = 2 * 3_600_000;
    const { beat } = session.store.getState();
    await stepped.passes(15_000);
    expect(state().wokeAt).toBe(clock.now());
    expect(session.store.getState().beat).toBeGreaterThan(beat);
  });
});

describe('the owner of the keys', () => {
  const me: Person = { id: 'me', name: 'Me' };
  const whoAmI = (answer: object = toResult(me)): Single<Person> => ({
    key: 'who',
    of: [],
    *plan() {
      yield { pauseMs: 5 };
      return answer as never;
    },
  });
  const named = (...names: string[]) => ({ data: names.map((name) => ({ attributes: { name } })) });

  test('is known once read, with what the roles lack; that is read again with the rows while something lacks', async () => {
    const rights = { held: ['read'], all: ['read', 'things_write'] };
    const asked: string[] = [];
    const answer = ({ endpoint }: Call) => {
      asked.push(endpoint.id);
      return toResult(named(...(asked.length % 2 === 1 ? rights.held : rights.all)));
    };
    const known: Person[] = [];
    const given = { whoAmI: whoAmI(), knowMe: (person: Person) => known.push(person) };
    const { session, clock, state } = await bareSession(screen(), given, {}, answer);
    const context = () => session.now().context;
    expect([context().me, context().asksMe, context().lacks?.(setThing)]).toEqual([undefined, true, undefined]);
    const { beat } = session.store.getState();
    await clock.passes(5);
    expect([context().me, context().asksMe, known]).toEqual([me, false, [me]]);
    expect(context().lacks?.(setThing)).toBe('things_write');
    expect(session.store.getState().beat).toBeGreaterThan(beat);
    expect(state().messages).toEqual([]);
    rights.held.push('things_write');
    session.send({ type: 'toggleMouse' });
    await clock.passes(0);
    expect(asked).toHaveLength(2);
    session.send({ type: 'refresh' });
    await clock.passes(0);
    expect([asked.length, context().lacks?.(setThing)]).toEqual([4, undefined]);
    session.send({ type: 'refresh' });
    await clock.passes(0);
    expect(asked).toHaveLength(4);
  });

  test('comes after what is on screen in what the roles lack', async () => {
    const asked: string[] = [];
    const answer = ({ endpoint }: Call) => {
      asked.push(endpoint.id);
      return toResult(named('read'));
    };
    const slow = {
      ...{ key: 'lamps', of: [] },
      *plan() {
        yield { pauseMs: 1000 };
        return toResult({ rows: [] });
      },
    };
    const { clock } = await bareSession(screen({ load: () => slow as never }), { whoAmI: whoAmI() }, {}, answer);
    await clock.passes(999);
    expect(asked).toEqual([]);
    await clock.passes(1);
    expect(asked).toHaveLength(2);
  });

  test('that cannot be read is nobody, and waits no longer', async () => {
    const given = { whoAmI: whoAmI(problemResult('forbidden', 'no')) };
    const { session, clock } = await bareSession(screen(), given);
    const { beat } = session.store.getState();
    await clock.passes(5);
    expect(session.now().context).toMatchObject({ asksMe: false });
    expect(session.now().context.me).toBeUndefined();
    expect(session.store.getState().beat).toBeGreaterThan(beat);
    const without = await bareSession(screen());
    expect(without.session.now().context.asksMe).toBe(false);
  });

  test('that has no answer is read again each minute until there is one', async () => {
    const given = { whoAmI: { ...whoAmI(), plan: () => whoAmI(answers.shift()).plan(null as never) } };
    const answers = [problemResult('unreachable', 'no'), problemResult('tooMany', 'no'), toResult(me)];
    // Which edits are of this organization is not known before its owner.
    const unsettled = () => ({ entries: answers.length === 0 ? [{ id: 'e' }] : [] });
    const { session, clock, state } = await bareSession(screen(), given, { unsettled });
    for (const isKnown of [false, false, true]) {
      await clock.passes(5);
      expect([session.now().context.me !== undefined, session.now().context.asksMe]).toEqual([isKnown, false]);
      expect(state().layers).toHaveLength(isKnown ? 1 : 0);
      await clock.passes(60_000);
    }
  });

  test('is told of without room in the limits, and what the roles lack read a minute later', async () => {
    const budget = { name: '', limit: 10, remaining: 5, periodMs: 1, resetAt: Number.POSITIVE_INFINITY };
    const budgets = [budget];
    const { client } = notedClient();
    const asked: string[] = [];
    const answer = ({ endpoint }: Call) => {
      asked.push(endpoint.id);
      return toResult(named('read'));
    };
    const given = { whoAmI: whoAmI(), client: { ...client, budgets: () => budgets } };
    const { session, clock } = await bareSession(screen({ every: 300 }), given, {}, answer);
    await clock.passes(60_004);
    expect([asked, session.now().context.me]).toEqual([[], me]);
    budgets.length = 0;
    const { beat } = session.store.getState();
    await clock.passes(1);
    expect(asked).toHaveLength(2);
    // The rows are there, and are not read again for it.
    expect(held.reads).toBe(1);
    expect(session.store.getState().beat).toBeGreaterThan(beat);
    budgets.push(budget);
    const again = await bareSession(screen(), given, {}, answer);
    await again.clock.passes(5);
    again.session.close();
    expect(again.clock.waiting()).toBe(0);
  });
});

test('the journal comes with what the rows leave open, whatever is searched for, and with which were not all read', async () => {
  const openEnds = (rows: readonly Lamp[]) => rows.map(({ id }) => ({ title: id, count: 0, named: [] }));
  const ranges = { options: ['all', 'few'], initial: 'all' };
  const load = ({ range }: { readonly range: string }) =>
    heldSource<Lamp>(range, () =>
      range === 'all' ? held.rows : range === 'few' ? [{ id: 'b' }] : problemResult('forbidden', 'no'),
    );
  const facts = async (more: Partial<List<Lamp>>, given: Parameters<typeof bareSession>[1] = {}) => {
    const { session, asked, clock } = await bareSession(screen({ openEnds, load, ranges, ...more }), given);
    session.send({ type: 'setTimeRange', range: 'few' });
    await clock.passes(0);
    session.send({ type: 'openTimeline', view: 'handover' });
    const found = () => asked.find(([name, given]) => name === 'journal' && given !== undefined)?.[1];
    await expect.poll(found).toBeDefined();
    return found();
  };
  const both = { profile: 'test', openEnds: [{ title: 'a' }, { title: 'b' }], unread: [] };
  expect(await facts({})).toMatchObject(both);
  const never = { ranges: { ...ranges, initial: 'never' }, kept: v.looseObject({ id: v.string() }) };
  expect(await facts(never)).toMatchObject({ openEnds: [{ title: 'b' }], unread: ['lamps, in part'] });
  const snapshot = [{ list: 'lamps', key: 'never', at: 1, rows: [{ id: 'a' }], total: 2 }];
  expect(await facts(never, { snapshot })).toMatchObject({ openEnds: [{ title: 'a' }], unread: ['lamps, in part'] });
});

test('a detail shows edits on their way, also where its row is inside of what was read', async () => {
  const inside = { get: (whole: { row: Lamp }) => whole.row, set: (whole: object, row: Lamp) => ({ ...whole, row }) };
  const load = (row: Lamp) => ({
    ...heldSource<Lamp>(`whole ${row.id}`, () => ({ ok: true, value: { row }, status: 200, unread: [] }) as never),
    key: `whole ${row.id}`,
  });
  const opened = async (more: object) => {
    const by = await bareSession(screen({ detail: { load: load as never, sections: () => [], ...more } }));
    by.session.send({ type: 'openCurrent' });
    await by.clock.passes(0);
    return { ...by, whole: () => by.session.now().view.detail?.whole.value };
  };
  const { whole, cache, session } = await opened({ inside });
  const before = whole();
  expect(before).toEqual({ row: { id: 'a' } });
  cache.overlays.lay('lamps', 'b', () => ({ id: 'b', name: 'not this' }));
  expect(whole()).toBe(before);
  cache.overlays.lay('lamps', 'a', (row) => ({ ...(row as Lamp), name: 'on' }));
  session.send({ type: 'toggleMouse' });
  expect(whole()).toEqual({ row: { id: 'a', name: 'on' } });
  expect((await opened({})).whole()).toEqual({ row: { id: 'a' } });
  const { session: none } = await bareSession(screen({ detail: { sections: () => [] } }));
  none.send({ type: 'openCurrent' });
  expect(none.now().view.detail?.whole).toEqual({ asking: false, partial: false });
});

test('the present moment finds rows, and is the same until something is read', async () => {
  const { session, clock } = await bareSession(screen());
  const moment = session.now();
  const { edition } = moment;
  expect(moment.find('lamps', 'b')).toMatchObject({ list: { id: 'lamps' }, row: { id: 'b' } });
  expect([moment.find('lamps', 'gone'), moment.find('gone', 'b')]).toEqual([undefined, undefined]);
  session.send({ type: 'toggleMouse' });
  expect(session.now().edition).toBe(edition);
  expect(session.now().messages).toHaveLength(1);
  held.rows = [{ id: 'a' }];
  await clock.passes(15_000);
  expect(session.now().edition).not.toBe(edition);
  session.send({ type: 'openHelp' });
  const over = session.now();
  expect(over.below.map(({ run }) => run.type)).toContain('openCurrent');
  expect(session.now().below).toBe(over.below);
  await clock.passes(15_000);
  expect(session.now().below).not.toBe(over.below);
  const [lampScreen] = session.screens;
  const counts = lampScreen && session.now().counts(lampScreen);
  expect(counts).toBeDefined();
  expect(lampScreen && session.now().counts(lampScreen)).toBe(counts);
  session.send({ type: 'closeLayer' });
  session.send({ type: 'markAll' });
  const { marked } = session.now().view;
  session.send({ type: 'moveCursor', by: 1 });
  expect(session.now().view.marked).toBe(marked);
});

test.each([
  [{}, true],
  [{ holdBack: () => 1 }, false],
  [{ slowdown: () => 2 }, true],
  [{ slowdown: () => 2.1 }, false],
  [{ budgets: () => [{ limit: 10, remaining: 6, resetAt: 2 }] }, true],
  [{ budgets: () => [{ limit: 10, remaining: 5, resetAt: 2 }] }, false],
  [{ budgets: () => [{ limit: 10, remaining: 5, resetAt: 1 }] }, true],
  [{ budgets: () => [{ limit: 1, remaining: 0, resetAt: 2 }] }, false],
  [{ budgets: () => [{ limit: 0, remaining: 0, resetAt: 2 }] }, true],
])('the limits leave room for reads that can wait: %#', (client, expected) => {
  expect(hasRoom({ ...notedClient().client, ...client } as never, 1)).toBe(expected);
});

describe('the connection of an edit', () => {
  const dim = {
    title: 'dim',
    help: 'dim',
    uses: [],
    send: () => call(setThing, { id: 'a' } as never),
    done: () => 'dim',
  };
  const actions = [
    action<Lamp, { level: string }>({
      ...dim,
      ...{ id: 'dim', key: 'd' },
      form: () => ({ level: textField('Level', '') }),
    } as never),
    action<Lamp, { level: string }>({
      ...dim,
      ...{ id: 'set', key: 'b' },
      bar: () => ({
        title: 'Set',
        choices: [{ key: '1', title: 'low', values: { level: '1' } }],
        values: { level: '' },
      }),
    } as never),
  ];

  test('is opened as the form or the choices of an edit open, and by nothing that is typed or only shown', async () => {
    const { client, expected } = notedClient();
    const { session, state } = await bareSession(screen({ actions }), { client });
    const opens = (name: string) => {
      const before = expected.edits;
      const binding = session.now().bindings.find(({ keys }) => keys.includes(name));
      if (binding) session.send(binding.run);
      return [state().layers.at(-1)?.kind, expected.edits - before];
    };
    expect(opens('d')).toEqual(['form', 1]);
    session.press(key('x'));
    session.press(key('y'));
    expect(expected.edits).toBe(1);
    session.send({ type: 'closeLayer' });
    session.send({ type: 'closeLayer' });
    expect(opens('?')).toEqual(['help', 0]);
    session.send({ type: 'closeLayer' });
    expect(opens('b')).toEqual(['menu', 1]);
  });

  test('can be chosen from a menu that a key has brought as soon as that is drawn', async () => {
    const { session } = await bareSession(screen({ actions }));
    session.press(key('b'));
    expect(session.isUnread()).toBe(true);
    for (const one of session.undrawn()) session.shown(one);
    expect(session.isUnread()).toBe(false);
  });
});
