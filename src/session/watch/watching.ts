import type { CachedRead } from '../../cache/entries.ts';
import type { Rows } from '../../describe/context.ts';
import { type FedRead, feedsFor } from '../../describe/derived.ts';
import { slowMs } from '../../describe/receipt.ts';
import type { AnyList } from '../../describe/screen.ts';
import { attemptOr } from '../../lib/function-results.ts';
import { plural } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { quietMs } from '../list/cursor.ts';
import type { Outside } from '../outside/outside.ts';
import { type ListState, type Row, sourceOf } from '../rows/list-state.ts';
import type { Flash, Message } from '../state/message.ts';
import { boxedEdit, type State, underWayBoxMs } from '../state/state.ts';
import { createArrivals } from './arrivals.ts';
import { type Ask, type WantedRead, type WantedTime, type WatchPorts, watchers } from './watchers.ts';

/** Ages on screen are drawn again this often: the unit of one may have changed. */
const ageMs = 15_000;
/** Milliseconds from the start that the read of a board's first block has for itself. */
const headStartMs = 100;

/** Whether the same is wanted: a cursor that moves asks for nothing. */
export const wantsAlike = (before: State, state: State): boolean =>
  before.pollMs === state.pollMs &&
  before.screen === state.screen &&
  before.tab === state.tab &&
  before.layers === state.layers &&
  before.notices === state.notices &&
  boxedEdit(before)?.since === boxedEdit(state)?.since &&
  (before.lists === state.lists ||
    Object.entries(state.lists).every(([id, own]) => {
      const was = before.lists[id];
      return was === own || (was?.asked === own.asked && was?.detail === own.detail && was?.watched === own.watched);
    }));

/** When the box of an edit that is being sent shows the next second. */
function boxTimes(state: State, { clock, beat }: WatchPorts): readonly WantedTime[] {
  const { since } = boxedEdit(state) ?? {};
  if (since === undefined) return [];
  const seconds = Math.floor((clock.now() - since) / underWayBoxMs) + 1;
  return [{ id: 'box', at: since + seconds * underWayBoxMs, run: beat }];
}

const everyMsOf = (value: unknown) => (value as Partial<Rows<unknown>>).everyMs;

/** Keeps what is wanted polled and timed: what is on screen, and what a person is to be notified of. */
export function createWatching(ports: WatchPorts) {
  const { cache, clock, profile, reads, feeding, lists } = ports;
  const contextNow = () => ports.context(ports.state());
  const polls: Running = new Map();
  const timers: Running = new Map();
  const startedAt = clock.now();
  const held = { isFrontRead: false, agedAt: startedAt };

  const rowsOf = (list: AnyList): readonly Row[] => reads.rows(list, ports.state().lists[list.id] as ListState).rows;

  const ask: Ask = (source) => ({
    ...{ key: source.key, of: source.of, everyMs: everyMsOf },
    ...('allOf' in source && { allOf: source.allOf }),
    plan: (before, edited) =>
      source.plan(contextNow(), before as never, edited) as ReturnType<CachedRead<unknown>['plan']>,
  });

  /** The reads of the list in front; of a derived one, those that come first. */
  const front = (): readonly CachedRead<unknown>[] => {
    const state = ports.state();
    const list = ports.front(state);
    const context = ports.context(state);
    const { asked } = state.lists[list.id] as ListState;
    const sources = attemptOr([], () =>
      list.derived
        ? feedsFor(list.derived, context, asked).flatMap(({ feed, source }) => (feed.spare ? [] : [source]))
        : [sourceOf(list, asked, context)],
    );
    return sources.map(ask);
  };

  const isFrontRead = () => {
    held.isFrontRead ||= front().every(({ key }) => {
      const { value, problem, asking, partial, isFromSnapshot } = cache.known(key);
      return !asking && !partial && !isFromSnapshot && (value !== undefined || problem !== undefined);
    });
    return held.isFrontRead;
  };

  /** After a change of state or a read: polls and times what is wanted now, and nothing else. */
  const follow = () => {
    const state = ports.state();
    const context = ports.context(state);
    const isRead = isFrontRead();
    if (isRead) ports.rowsAreThere();
    const moment = {
      ...{ state, context, profile, lists, front: ports.front(state), rows: rowsOf, isFrontRead: isRead },
      due: ({ id, derived }: AnyList) =>
        derived ? firstOrAll(feeding.due(feedsFor(derived, context, (state.lists[id] as ListState).asked))) : [],
    };
    const reads = watchers.flatMap((watcher) => attemptOr([], () => watcher(moment)));
    runOnly(polls, reads, ({ everyMs }) => everyMs, poll);
    const ages = { id: 'ages', at: held.agedAt + ageMs, run: age };
    const atStart = clock.now() < headStart.at ? [headStart] : [];
    const quiet = { id: 'quiet', at: ports.keyAt() + quietMs, run: arrivals.sort };
    const afterKey = clock.now() < quiet.at ? [quiet] : [];
    const slow = reads.flatMap(({ source: { key } }) => {
      const { askedAt = Number.NEGATIVE_INFINITY } = cache.known(key);
      const at = askedAt + slowMs;
      return clock.now() < at ? [{ id: `slow ${key}`, at, run: ports.beat }] : [];
    });
    runOnly(
      timers,
      [ages, ...atStart, ...afterKey, ...slow, ...boxTimes(state, ports), ...arrivals.times()],
      ({ at: dueAt }) => dueAt,
      time,
    );
  };
  const arrivals = createArrivals(ports, follow);

  const headStart = { id: 'head start', at: startedAt + headStartMs, run() {} };
  /** At the start the first read alone, so that the first block is drawn first; on a slow link the others hardly wait. */
  const firstOrAll = (due: readonly FedRead[]): readonly FedRead[] => {
    const [first] = due;
    const { value, problem } = cache.known(first?.source.key ?? '');
    return first && clock.now() < headStart.at && value === undefined && !problem ? [first] : due;
  };

  const poll = ({ source, everyMs, freshMs, brings }: WantedRead) => {
    const changed = brings ? () => arrivals.arrived(source.key, brings) : ports.beat;
    return cache.watch(ask(source), { everyMs, ...present({ freshMs }) }, changed);
  };

  const time = ({ id, at: dueAt, run }: WantedTime) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => {
      timers.delete(id);
      run();
      follow();
    });

  const age = () => {
    held.agedAt = clock.now();
    ports.aged();
  };

  return {
    follow,
    front,
    trend: arrivals.trend,
    seen: arrivals.seen,
    courses: arrivals.courses,
    close() {
      arrivals.close();
      for (const { stop } of [...timers.values(), ...polls.values()]) stop();
    },
  };
}

/** What runs by its id: how it was wanted, and what ends it. */
type Running = Map<string, { readonly as: number; readonly stop: () => void }>;

/** Starts what is wanted, the first of each id, and stops what is not wanted any more as it runs. */
function runOnly<W extends { readonly id: string }>(
  running: Running,
  wanted: readonly W[],
  wantedAs: (one: W) => number,
  start: (one: W) => () => void,
): void {
  const byId = new Map(wanted.toReversed().map((one) => [one.id, one]));
  for (const [id, { as, stop }] of running) {
    const next = byId.get(id);
    if (next && wantedAs(next) === as) continue;
    stop();
    running.delete(id);
  }
  for (const one of wanted) if (!running.has(one.id)) running.set(one.id, { as: wantedAs(one), stop: start(one) });
}

/** Milliseconds after which the journal is read although no rows have come: the service may not answer. */
const withoutRowsMs = 2000;

/** Milliseconds in which the frame with the first rows is drawn. */
const drawingMs = 50;

/**
 * Reads the journal at a start: after the first rows, because nothing that they need is in it, and after the owner of the
 * keys, whose organization says which edits are of here. Where it was read before that, it is read once more.
 */
export function createJournalStart(with_: {
  readonly clock: Clock;
  readonly unsettled: Outside['unsettled'];
  /** Whether the service is still asked who owns the keys. */
  readonly asksOwner: () => boolean;
  readonly knowsOwner: () => boolean;
  /** Whether a person is at work, whom a layer would stop. */
  readonly isBusy: () => boolean;
  /** Reads what else is wanted of the journal. */
  readonly read: () => void;
  readonly send: (message: Message) => void;
  readonly say: (text: string, tone: Flash['tone'], keys?: string) => void;
}) {
  const { clock, send, say } = with_;
  const held = { hasRows: false, isRead: false, isEarly: false, told: new Set<string>(), cancel: () => {} };

  const read = async () => {
    held.isRead = true;
    held.isEarly = !with_.knowsOwner();
    const unsettled = with_.unsettled();
    with_.read();
    const { entries, trouble, skipped } = await unsettled;
    const isNews = entries.some(({ id }) => !held.told.has(id));
    for (const { id } of entries) held.told.add(id);
    if (isNews && with_.isBusy())
      say(`${plural(entries.length, 'edit')} of an earlier run without an outcome`, 'warn', 'H');
    else if (isNews) send({ type: 'journalRead', entries, unsettled: true });
    if (skipped !== undefined) say(skipped, 'warn');
    if (trouble !== undefined) say(`Edits without an outcome could not be listed: ${trouble}`, 'bad', 'H');
  };
  const after = (ms: number) => {
    held.cancel();
    held.cancel = clock.after(ms, () => void read());
  };

  const readWhenDue = () => {
    if (held.hasRows && !held.isRead && !with_.asksOwner()) after(drawingMs);
  };

  return {
    start: () => after(withoutRowsMs),
    /** What is in front was read. */
    rowsAreThere() {
      if (held.hasRows) return;
      held.hasRows = true;
      readWhenDue();
    },
    /** The read of the owner has ended. */
    ownerIsRead() {
      if (held.isEarly) void read();
      else readWhenDue();
    },
    close: () => held.cancel(),
  };
}
