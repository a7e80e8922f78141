import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { problemResult, toResult } from '../../../src/api/problem.ts';
import { action } from '../../../src/describe/action.ts';
import { textField } from '../../../src/describe/field.ts';
import { receipt } from '../../../src/describe/receipt.ts';
import { type AnyList, type List, list } from '../../../src/describe/screen.ts';
import { wantsAlike } from '../../../src/session/watch/watching.ts';
import { bareSession, heldReads, heldSource } from '../../support/bare-session.ts';
import { emptyState } from '../../support/empty-world.ts';
import { heapAfterCollection } from '../../support/heap.ts';
import { turn } from '../../support/things.ts';

/** What a session reads, and how often; what it tells of rows that it has read. */

interface Lamp {
  readonly id: string;
  readonly watts?: number;
  readonly on?: boolean;
}

/** Lists whose reads are noted, each with the rows that `held` has for it. */
function ports(first: Partial<List<Lamp>> = {}, second: Partial<List<Lamp>> = {}) {
  const { held, source, since } = heldReads<Lamp>();
  const lamps = (id: string, more: Partial<List<Lamp>>): AnyList =>
    list<Lamp>({
      ...{ id, title: id, columns: [], actions: [], empty: '' },
      load: () => source(id),
      idOf: (row) => row.id,
      nameOf: (row) => row.id,
      ...more,
    });
  const screens = [lamps('near', first), lamps('far', second)].map((one, at) => ({
    ...{ id: one.id, title: one.id, key: String(at + 1), lists: [one] },
  }));
  return { screens, held, source, since };
}
const profile = { name: 'home', environment: 'dev', production: false, readOnly: false, pollMs: 15_000 };
const notified = { profile: { ...profile, isNotified: true } };

describe('reads', () => {
  test('what is in front is polled at the pace of the profile, or as seldom as the list wants', async () => {
    const { screens, since } = ports({}, { every: 60 });
    const { session, clock } = await bareSession(screens);
    expect(since()).toBe('near');
    await clock.passes(15_000);
    expect(since()).toBe('near');
    session.send({ type: 'openScreen', id: 'far' });
    await clock.passes(59_000);
    expect(since()).toBe('far');
    await clock.passes(1000);
    expect(since()).toBe('far');
    session.send({ type: 'openScreen', id: 'near' });
    await clock.passes(0);
    session.send({ type: 'setPollInterval', seconds: 30 });
    since();
    await clock.passes(29_000);
    expect(since()).toBe('');
    await clock.passes(31_000);
    expect(since()).toBe('near near');
    session.close();
    await clock.passes(60_000);
    expect([since(), clock.waiting()]).toEqual(['', 0]);
  });

  test('rows of a search are let go when it is asked no more', async () => {
    const rows: WeakRef<Lamp>[] = [];
    const load = ({ range }: { readonly range: string }) =>
      heldSource(`near ${range}`, () => {
        const row = { id: range };
        rows.push(new WeakRef(row));
        return [row];
      });
    const { screens } = ports({ load, tracks: () => ({ word: 'OK', level: 0 }) });
    const { session, clock } = await bareSession(screens);
    session.send({ type: 'setTimeRange', range: '1h' });
    await clock.passes(60 * 60_000);
    // Those of the poll before may still be held by a promise that has not run.
    const left = () => heapAfterCollection() && rows.flatMap((row) => row.deref() ?? []);
    await expect.poll(left).toEqual([{ id: '1h' }]);
  });

  test('what says that its polls take much is polled as seldom as it says', async () => {
    const count = { reads: 0 };
    const load = () => ({
      ...{ key: 'large', of: [] },
      *plan() {
        yield { pauseMs: 0 };
        count.reads += 1;
        return toResult({ rows: [], everyMs: 34_000 });
      },
    });
    const { screens } = ports({ load });
    const { session, clock } = await bareSession(screens);
    await clock.passes(33_999);
    expect(count.reads).toBe(1);
    await clock.passes(1);
    expect(count.reads).toBe(2);
    session.close();
  });

  test('a first read without an answer is drawn again after five seconds, when the header says since when', async () => {
    const load = () => ({
      ...{ key: 'slow', of: [] },
      *plan() {
        yield { pauseMs: 60_000 };
        return toResult({ rows: [] });
      },
    });
    const { screens } = ports({ load });
    const { session, clock } = await bareSession(screens);
    const drawn = { times: 0 };
    session.store.subscribe(() => {
      drawn.times += 1;
    });
    await clock.passes(4_999);
    expect(drawn.times).toBe(0);
    await clock.passes(1);
    expect(drawn.times).toBe(1);
    await clock.passes(9_000);
    expect(drawn.times).toBe(1);
  });

  test('the detail that is open and what a picker offers are read more slowly, and while they are open', async () => {
    const people = heldSource<{ id: string; label: string }>(
      'people',
      () => [{ id: 'p', label: 'p' }],
      (key) => reads.push(key),
    );
    const reads: string[] = [];
    const whole = (row: Lamp) => ({
      ...heldSource(
        `whole ${row.id}`,
        () => [],
        (key) => reads.push(key),
      ),
      key: `whole ${row.id}`,
    });
    const own = action({
      ...turn,
      id: 'give',
      pick: () => ({ title: '', first: [], load: () => people, values: () => ({}) }),
    });
    const { screens, held } = ports({ detail: { load: whole, sections: () => [] }, actions: [own] });
    held.near = [{ id: 'a' }, { id: 'b' }];
    const { session, clock } = await bareSession(screens, { profile: { ...profile, pollMs: 10_000 } });
    session.send({ type: 'openCurrent' });
    await clock.passes(14_000);
    expect(reads).toEqual(['whole a']);
    await clock.passes(1000);
    expect(reads).toEqual(['whole a', 'whole a']);
    // A row that has gone has nothing to read.
    held.near = [{ id: 'b' }];
    await clock.passes(30_000);
    expect(reads.length).toBeLessThan(5);
    session.send({ type: 'refresh' });
    await clock.passes(0);
    expect(session.now().view.detail).toBeUndefined();
    session.send({ type: 'goBack' });
    reads.length = 0;
    session.send({ type: 'startAction', id: 'give' });
    await clock.passes(299_000);
    expect(reads).toEqual(['people']);
    await clock.passes(1000);
    expect(reads).toEqual(['people', 'people']);
    session.send({ type: 'closeLayer' });
    await clock.passes(600_000);
    expect(reads).toHaveLength(2);
  });

  test('a list that is not in front is read once a minute, where there is something to notify of, after what is in front', async () => {
    const { screens, held, since } = ports({}, { notifies: { one: 'lit lamp', isSo: (row) => row.on === true } });
    held.far = [{ id: 'a' }];
    const { session, clock, asked } = await bareSession(screens, notified);
    const rung = () => asked.filter(([name]) => name === 'ring').map(([, text]) => text);
    expect(since()).toBe('near far');
    held.far = [
      { id: 'a', on: true },
      { id: 'b', on: true },
    ];
    await clock.passes(59_000);
    expect(since()).toBe('near near near');
    await clock.passes(1000);
    expect([since(), rung()]).toEqual(['far near', ['home: 2 lit lamps']]);
    // Polls that a person makes slower slow it down as well.
    session.send({ type: 'setPollInterval', seconds: 30 });
    await clock.passes(0);
    since();
    await clock.passes(119_000);
    expect(since()).toBe('near near near');
    await clock.passes(1000);
    expect(since()).toBe('far near');
    session.send({ type: 'openScreen', id: 'far' });
    await clock.passes(30_000);
    expect(since()).toBe('far');
    // Leaving it reads nothing of it: it has been read within that time.
    await clock.passes(10_000);
    session.send({ type: 'openScreen', id: 'near' });
    await clock.passes(119_000);
    expect(since()).toBe('near near near near');
    await clock.passes(1000);
    expect(since()).toContain('far');
  });

  test.each([
    ['a form', { form: () => ({ name: textField('Name', '') }) }],
    ['a question', { confirm: () => ({ question: 'turn on?' }) }],
  ])('while %s is open polls go on: what is in front, and what there is to notify of', async (_, asks) => {
    const notifies = { one: 'lit lamp', isSo: (row: Lamp) => row.on === true };
    const { screens, held, since } = ports({ actions: [action({ ...turn, ...asks })] }, { notifies });
    held.near = [{ id: 'n' }];
    held.far = [{ id: 'a' }];
    const { session, clock, asked, state } = await bareSession(screens, notified);
    session.send({ type: 'startAction', id: turn.id });
    await clock.passes(0);
    expect(state().layers).toHaveLength(1);
    since();
    held.far = [{ id: 'a', on: true }];
    await clock.passes(60_000);
    expect(since()).toBe('near near near far near');
    expect(asked.filter(([name]) => name === 'ring').map(([, text]) => text)).toEqual(['home: 1 lit lamp']);
    expect(state().layers).toHaveLength(1);
  });

  test.each([
    ['a profile that notifies of nothing', { profile }, {}],
    ['a list without anything to notify of', notified, { notifies: undefined }],
    ['a list that is made of others', notified, { derived: { feeds: {}, rows: () => [] } }],
  ])('of %s nothing is read that is not in front', async (_, given, more) => {
    const { screens, since } = ports({}, { notifies: { one: 'lamp', isSo: () => true }, ...(more as object) });
    const { clock } = await bareSession(screens, given);
    await clock.passes(60_000);
    expect(since()).not.toContain('far');
  });

  test("rows that wait behind a first read that has not ended, or is an earlier run's, wait with it", async () => {
    const { screens, held, since } = ports(
      { kept: v.looseObject({}) as never },
      { notifies: { one: 'lamp', isSo: () => true } },
    );
    const snapshot = [{ list: 'near', key: 'near', at: 1, rows: [{ id: 'a' }] }];
    held.near = problemResult('unreachable', 'no connection');
    const { clock, state } = await bareSession(screens, { ...notified, snapshot });
    // A read that failed has ended, and leaves the rows of the earlier run.
    expect([since(), state().lists.near?.order?.ids]).toEqual(['near', ['a']]);
    held.near = [{ id: 'a' }];
    await clock.passes(30_000);
    expect(since()).toMatch(/^near far/);
  });

  test('other lists are asked where they are asked for something else', () => {
    const state = emptyState(ports().screens);
    const near = state.lists.near as NonNullable<typeof state.lists.near>;
    const with_ = (more: object) => ({ ...state, lists: { ...state.lists, near: { ...near, ...more } } });
    expect([wantsAlike(state, state), wantsAlike(state, with_({ cursor: 'a' }))]).toEqual([true, true]);
    const [asked, detail] = [{ ...near.asked }, { id: 'a', tab: 0, top: 0 }];
    for (const more of [{ asked }, { detail }, { watched: new Map() }])
      expect(wantsAlike(state, with_(more))).toBe(false);
  });
});

test('an edit that takes long is drawn again each second, and no longer once it has ended', async () => {
  const { session, clock } = await bareSession(ports({}, {}).screens);
  let drawn = 0;
  session.store.subscribe(() => {
    drawn += 1;
  });
  const drawnWithin = async (ms: number) => {
    drawn = 0;
    await clock.passes(ms);
    return drawn;
  };
  const of = {};
  session.send({ type: 'sendingChanged', of, change: { rows: 2 } });
  expect([await drawnWithin(999), await drawnWithin(1), await drawnWithin(2_000)]).toEqual([0, 1, 2]);
  session.send({ type: 'sendingChanged', of });
  expect(await drawnWithin(5_000)).toBe(0);
  session.close();
});

describe('rows that were read', () => {
  test('are sorted where their list is in front; another one gets no order', async () => {
    const { screens, held } = ports({}, { notifies: { one: 'lamp', isSo: () => false } });
    [held.near, held.far] = [[{ id: 'b' }, { id: 'a' }], [{ id: 'x' }]];
    const { session, clock, state } = await bareSession(screens, notified);
    expect(state().lists.near?.order).toEqual({ key: 'near', ids: ['b', 'a'] });
    expect(state().lists.far?.order).toBeUndefined();
    held.near = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    await clock.passes(15_000);
    expect([session.now().view.ids, session.now().view.waiting]).toEqual([['a', 'b', 'c'], 0]);
    expect(state().lists.far?.order).toBeUndefined();
  });

  test('give a sample of their trend for each two and a half minutes, 24 of each row: an hour, however often they are read', async () => {
    const { screens, held } = ports({ trend: (row) => row.watts ?? 0 });
    held.near = [
      { id: 'a', watts: 0 },
      { id: 'gone', watts: 9 },
    ];
    const { session, clock } = await bareSession(screens);
    const trend = (id: string) => session.now().context.trend(id);
    expect([trend('a'), trend('gone'), trend('other')]).toEqual([[0], [9], []]);
    for (let at = 1; at <= 250; at += 1) {
      held.near = [{ id: 'a', watts: at }];
      await clock.passes(15_000);
    }
    expect([trend('a').length, trend('gone')]).toEqual([24, []]);
    const steps = trend('a').map((value, place, all) => value - (all[place - 1] ?? value));
    // About ten reads in each of them; the last one has just begun, or not.
    expect(steps.slice(1, -1).filter((step) => step < 7 || step > 13)).toEqual([]);
  });

  test('with a trend on screen are drawn again after each poll: it has one more sample', async () => {
    for (const trend of [() => 1, undefined]) {
      const { screens, held } = ports(trend ? { trend } : {});
      held.near = [{ id: 'a' }];
      const { session, clock } = await bareSession(screens, { profile: { ...profile, pollMs: 20_000 } });
      // Ages are drawn again each 15 seconds.
      await clock.passes(16_000);
      const before = session.store.getState().beat;
      await clock.passes(13_000);
      expect(session.store.getState().beat > before, String(trend)).toBe(trend !== undefined);
    }
  });

  test('a watched row is told of when its state changes, wherever a person is', async () => {
    const states = [{ label: 'ON', isIn: (row: Lamp) => row.on === true }];
    const { screens, held } = ports({}, { states });
    held.far = [{ id: 'a', on: true }];
    const { session, clock, state, asked } = await bareSession(screens, { ...notified, screen: 'far' });
    session.send({ type: 'toggleWatch' });
    session.send({ type: 'openScreen', id: 'near' });
    const { messages } = state();
    await clock.passes(60_000);
    expect(state().messages).toBe(messages);
    held.far = [{ id: 'a' }];
    await clock.passes(60_000);
    expect(state().messages.length).toBe(messages.length + 1);
    expect(state().messages[0]?.text).toContain('a');
    expect(asked).toContainEqual(['ring', 'home: 1 changed watched row']);
  });

  test('a watched row that leaves its list is told of, and no longer watched', async () => {
    const { screens, held } = ports();
    held.far = [{ id: 'a' }];
    const { session, clock, state, asked } = await bareSession(screens, { ...notified, screen: 'far' });
    session.send({ type: 'toggleWatch' });
    session.send({ type: 'openScreen', id: 'near' });
    held.far = [];
    await clock.passes(60_000);
    expect(state().messages[0]?.text).toContain('no longer watched: a');
    expect(state().lists.far?.watched?.size).toBe(0);
    expect(asked).toContainEqual(['ring', 'home: 1 changed watched row']);
  });

  test('a watched row that our own edit has removed is not told of, and no longer watched', async () => {
    const { screens, held } = ports();
    held.near = [{ id: 'a' }];
    const { session, cache, clock, state, asked } = await bareSession(screens, notified);
    session.send({ type: 'toggleWatch' });
    const { messages } = state();
    const edit = cache.overlays.lay('near', 'a', () => undefined);
    held.near = [];
    cache.refresh();
    cache.overlays.settle(edit, () => undefined);
    cache.changed(['near']);
    await clock.passes(60_000);
    expect([state().messages, asked.filter(([name]) => name === 'ring')]).toEqual([messages, []]);
    expect(state().lists.near?.watched?.size).toBe(0);
  });

  test('what our own edit makes of a watched row is not told, whether it is applied or refused; what others make of it is', async () => {
    const { screens, held } = ports({ states: [{ label: 'ON', isIn: (row: Lamp) => row.on === true }] });
    held.near = [{ id: 'a', on: true }];
    const { session, cache, clock, state, asked } = await bareSession(screens, notified);
    session.send({ type: 'toggleWatch' });
    const { messages } = state();
    const off = () => ({ id: 'a' });
    cache.overlays.lift(cache.overlays.lay('near', 'a', off));
    const edit = cache.overlays.lay('near', 'a', off);
    held.near = [{ id: 'a' }];
    // A poll is under way while the service answers.
    cache.refresh();
    cache.overlays.settle(edit, off);
    cache.changed(['near']);
    await clock.passes(60_000);
    expect([state().messages, asked.filter(([name]) => name === 'ring')]).toEqual([messages, []]);
    held.near = [{ id: 'a', on: true }];
    await clock.passes(60_000);
    expect(state().messages[0]?.text).toContain('ON');
    expect(asked).toContainEqual(['ring', 'home: 1 changed watched row']);
  });

  test('notify of one list while an edit of another one has no answer; of its own list they wait for it', async () => {
    const notifies = { one: 'lit lamp', isSo: (row: Lamp) => row.on === true };
    const { screens, held } = ports({ notifies }, { notifies });
    held.near = [{ id: 'a' }];
    held.far = [{ id: 'a' }];
    const { cache, clock, asked } = await bareSession(screens, notified);
    const edit = cache.overlays.lay('near', 'a', (row) => row);
    const rung = () => asked.filter(([name]) => name === 'ring').length;
    held.near = [{ id: 'a', on: true }];
    await clock.passes(60_000);
    expect(rung()).toBe(0);
    held.far = [{ id: 'a', on: true }];
    await clock.passes(60_000);
    expect(rung()).toBe(1);
    cache.overlays.lift(edit);
    await clock.passes(60_000);
    expect(rung()).toBe(2);
  });

  test('are kept for the next start, and what is on screen is drawn anew', async () => {
    const { screens, held } = ports();
    const { session, clock, asked } = await bareSession(screens);
    const kept = () => asked.filter(([name]) => name === 'keepRows').length;
    expect(kept()).toBe(1);
    const { beat } = session.store.getState();
    held.near = problemResult('unreachable', 'no connection');
    await clock.passes(15_000);
    expect(kept()).toBeGreaterThan(1);
    expect(session.store.getState().beat).toBeGreaterThan(beat);
  });
});

describe('an alarm', () => {
  const start = Date.UTC(2026, 10, 21);
  const at = (key: string, seconds: number, more = {}) => ({
    ...{ key, at: start + seconds * 1000, ends: start + 300_000, end: '00:05 UTC', subject: receipt`Mute on ${key}` },
    ...{ one: 'expiring mute', rowId: key, action: 'extend', ...more },
  });
  /** A session whose list has these alarms. */
  const ringing = async (...first: readonly ReturnType<typeof at>[]) => {
    const alarms = { now: first, asked: 0 };
    const { screens, held } = ports({
      alarms: () => {
        alarms.asked += 1;
        return alarms.now;
      },
    });
    const by = await bareSession(screens, { profile });
    return {
      ...by,
      /** Another read, which has these. */
      async reads(...now: readonly ReturnType<typeof at>[]) {
        alarms.now = now;
        held.near = [{ id: String(by.clock.now()) }];
        await by.clock.passes(15_000);
      },
      asked: () => alarms.asked,
      keys: () => by.state().notices.map(({ key }) => key),
      rung: () => by.asked.filter(([name]) => name === 'ring').map(([, text]) => text),
    };
  };

  test('is announced at its moment, once, and stands until what it tells of has happened', async () => {
    const { clock, keys, rung, reads, state } = await ringing(at('b', 20), at('a', 10, { subRowId: 's' }));
    await clock.passes(9_999);
    expect([keys(), rung()]).toEqual([[], []]);
    await clock.passes(1);
    expect(keys()).toEqual(['a']);
    expect(rung()).toEqual(['home: 1 expiring mute']);
    expect(state().notices[0]).toMatchObject({
      list: 'near',
      rowId: 'a',
      subRowId: 's',
      action: 'extend',
      end: '00:05 UTC',
    });
    await clock.passes(10_000);
    expect(keys()).toEqual(['a', 'b']);
    await reads(at('b', 20), at('a', 10));
    expect(keys()).toEqual(['a', 'b']);
    await clock.passes(300_000 - 35_001);
    expect(keys()).toEqual(['a', 'b']);
    await clock.passes(1);
    expect(keys()).toEqual([]);
  });

  test('comes with the others of its moment, and all rows are looked through once for the next one', async () => {
    const { clock, keys, asked, session } = await ringing(
      ...[at('a', 10), at('b', 10), at('c', 10), at('d', 11, { ends: start + 301_000 })],
    );
    // The journal has been read.
    await clock.passes(1_000);
    const told = new Set<string>();
    session.store.subscribe(() => told.add(keys().join('')));
    await clock.passes(8_999);
    const before = asked();
    await clock.passes(1);
    expect(keys()).toEqual(['a', 'b', 'c']);
    expect(asked() - before).toBe(1);
    await clock.passes(1_000);
    expect(keys()).toEqual(['a', 'b', 'c', 'd']);
    // A poll that shows the same rows asks nothing of them.
    const all = asked();
    await clock.passes(60_000);
    expect(asked()).toBe(all);
    await clock.passes(240_000);
    // Each moment, and each end, is one step of the session.
    expect([...told]).toEqual(['abc', 'abcd', 'd', '']);
  });

  test('that has passed for more than half a minute is not announced', async () => {
    const { keys, clock } = await ringing(at('late', -31), at('just', -30));
    await clock.passes(0);
    expect(keys()).toEqual(['just']);
  });

  test('is announced at the moment that the last read tells', async () => {
    const { keys, clock, reads } = await ringing(at('a', 20));
    await reads(at('a', 40));
    await clock.passes(24_999);
    expect(keys()).toEqual([]);
    await clock.passes(1);
    expect(keys()).toEqual(['a']);
  });

  test('of a row that is read without it is over, the others stand', async () => {
    const { keys, clock, reads } = await ringing(at('a', 0), at('b', 0), at('c', 40));
    await clock.passes(1);
    expect(keys()).toEqual(['a', 'b']);
    await reads(at('b', 0));
    expect(keys()).toEqual(['b']);
    await clock.passes(60_000);
    expect(keys()).toEqual(['b']);
  });

  test('stands while a search does not show its row, and its key finds that', async () => {
    const ranges = { options: ['all', 'none'], initial: 'all' };
    const load = ({ range }: { readonly range: string }) =>
      heldSource<Lamp>(`near ${range}`, () => (range === 'all' ? [{ id: 'a' }] : []));
    const { screens } = ports({ ranges, load, alarms: (rows) => rows.map(({ id }) => at(id, 0)) });
    const { session, clock, state } = await bareSession(screens, { profile });
    await clock.passes(1);
    session.send({ type: 'setTimeRange', range: 'none' });
    await clock.passes(15_000);
    expect(state().notices.map(({ key }) => key)).toEqual(['a']);
    expect(session.now().find('near', 'a')).toMatchObject({ row: { id: 'a' }, read: { asking: false } });
  });

  test("of another person's edit is shown, and nobody is notified of it", async () => {
    const edits: unknown[] = [];
    const isOwn = (own: readonly unknown[]) => {
      edits.push(own);
      return false;
    };
    const { keys, rung, clock } = await ringing(at('a', 10, { isOwn }));
    await clock.passes(10_000);
    expect([keys(), rung(), edits]).toEqual([['a'], [], [[]]]);
  });

  test('rings no more once the session is closed', async () => {
    const { session, clock, rung } = await ringing(at('a', 0), at('b', 0), at('c', 10));
    await clock.passes(100);
    session.close();
    expect(clock.waiting()).toBe(0);
    await clock.passes(60_000);
    expect(rung()).toEqual(['home: 1 expiring mute']);
  });
});
