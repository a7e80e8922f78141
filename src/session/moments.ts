import { problemResult } from '../api/problem.ts';
import type { Cache, CacheEntry } from '../cache/cache.ts';
import type { Context, Rows } from '../describe/context.ts';
import type { Pick } from '../describe/picks.ts';
import { type AnyList, initialQuery, type Screen } from '../describe/screen.ts';
import { attempt, attemptOr, keptPer, once } from '../lib/function-results.ts';
import { bindings, type MovedKeys, rescue } from './keys/bindings.ts';
import { layerKindOf } from './layers/index.ts';
import { type Counter, createCounter, isPart, mayNeedPerson, sumCounts } from './rows/counts.ts';
import type { DerivedRows } from './rows/derived-rows.ts';
import { type ListState, type Row, rowsById, seenWhole, sourceOf, untouched } from './rows/list-state.ts';
import { matcher } from './rows/visible-list.ts';
import { randomCode } from './stack/confirm.ts';
import type { Binding, Moment, ShownCounts } from './state/moment.ts';
import type { LayerOf, State } from './state/state.ts';
import { messagesNow } from './state/state-changes.ts';
import { createViewer, type Reads, type View } from './state/view.ts';

/** Nothing is read, and nothing was. */
const unread: CacheEntry<never> = { asking: false, partial: false };

/** A read that has failed by a fault of ours. */
const faultyEntry = (fault: string): CacheEntry<never> => ({
  ...unread,
  problem: problemResult('unreadable', `this cannot be read: ${fault}`).problem,
});
const noIds: ReadonlySet<string> = new Set();

/** What is read of a list whose description threw: no rows, and why. */
const faultyRows = (fault: string): ReturnType<Reads['rows']> => ({
  key: '',
  known: faultyEntry(fault),
  rows: [],
  removed: noIds,
});

/** What the cache holds for the lists, details and pickers on screen, with unconfirmed edits laid over it. */
export function createReads(with_: {
  readonly cache: Cache;
  readonly state: () => State;
  readonly context: (state: State) => Context;
  readonly derivedRows: DerivedRows;
}): Reads & { picks(layer: LayerOf<'pick' | 'take'>): CacheEntry<Rows<Pick>> } {
  const { cache, derivedRows } = with_;
  /** A list's load must not depend on its own rows: that would recurse without end. */
  const contextNow = () => ({ ...with_.context(with_.state()), loaded: () => [] });
  const insides = keptPer<object, readonly Row[]>();
  /** The detail with unconfirmed edits laid over its row. */
  const laidOver = (list: AnyList, key: string, value: unknown): unknown => {
    const inside = list.detail?.inside;
    if (!inside || typeof value !== 'object' || value === null) return value;
    const rows = insides(value, [], () => [inside.get(value)]);
    const [row] = cache.overlays.over(key, [list.id], rows, list.idOf);
    return row === undefined || row === rows[0] ? value : inside.set(value, row);
  };

  const rowsOf: Reads['rows'] = (list, own) => {
    const { derived } = list;
    if (derived) return derivedRows(list, derived, own.asked, contextNow(), with_.state().size.columns);
    const source = sourceOf(list, own.asked, contextNow());
    const known = cache.known<Rows<Row>>(source.key);
    const rows = known.value ? cache.overlays.over(source.key, [list.id], known.value.rows, list.idOf) : [];
    // The order of an earlier run's rows ends with them.
    const key = known.isFromSnapshot ? `${source.key} of an earlier run` : source.key;
    return { key, known, rows, removed: cache.overlays.removed(list.id) };
  };
  const wholeOf: Reads['whole'] = (list, row) => {
    const single = list.detail?.load?.(row, with_.context(with_.state()));
    if (!single) return unread;
    const known = cache.known<unknown>(single.key);
    return { ...known, value: laidOver(list, single.key, known.value) };
  };
  const picksOf = (layer: LayerOf<'pick' | 'take'>): CacheEntry<Rows<Pick>> => {
    const source = layerKindOf(layer).reads?.(layer);
    if (!source) return unread;
    const known = cache.known<Rows<Pick>>(source.key);
    const test = source.whole ? matcher(layer.query.text) : undefined;
    if (!test || !known.value) return known;
    const rows = known.value.rows.filter((pick) => test(`${pick.label} ${pick.hint ?? ''} ${pick.id}`.toLowerCase()));
    return { ...known, value: { ...known.value, rows } };
  };

  return {
    rows: (list, own) => attempt(() => rowsOf(list, own), faultyRows),
    whole: (list, row) => attempt(() => wholeOf(list, row), faultyEntry),
    picks: (layer) => attempt(() => picksOf(layer), faultyEntry),
  };
}

/**
 * Answers with the present moment. View and bindings are made once for each value of `moment`: a key, its frame and
 * its answer look at the same one several times.
 */
export function createMoments(with_: {
  readonly screens: readonly Screen[];
  readonly reads: ReturnType<typeof createReads>;
  readonly context: (state: State, subRowId?: string) => Context;
  readonly state: () => State;
  readonly random: () => number;
  /** Everything that view and bindings are made from, the state first: while all of it is the same, so are they. */
  readonly moment: () => readonly [State, ...(readonly unknown[])];
  /** Keys of every list that a person has moved. */
  readonly moved?: MovedKeys;
}): () => Moment {
  const { screens, reads } = with_;
  const counter = createCounter();
  const viewer = createViewer(counter);
  const counts = createScreenCounts(reads, counter);
  const editions = keptPer<typeof screens, object>();
  const subjects = keptPer<typeof screens, readonly string[]>();
  const presents = keptPer<typeof screens, Present>();

  return () => {
    const state = with_.state();
    const made = with_.moment();
    const edition = editions(screens, [...made.slice(1), state.recent], () => ({}));
    const present = presents(screens, made, () => ({}));
    const viewOf = (from: typeof reads) =>
      viewer(state, screens, from, (subRowId) => with_.context(state, subRowId), edition);
    present.view ??= attempt(
      () => viewOf(reads),
      (fault) => viewOf({ ...reads, rows: () => faultyRows(fault) }),
    );
    const { view } = present;
    // Most steps of a key ask for none.
    const contextNow = once(() => with_.context(state, view.detail?.subRowId));
    const listed = (of: State) =>
      attempt(
        () => bindings(of, view, contextNow(), screens, with_.moved),
        (fault) => rescue(of, fault),
      );
    const live = () => {
      present.live ??= listed(state);
      return present.live;
    };
    return {
      state,
      view,
      get context() {
        return contextNow();
      },
      get bindings() {
        return live();
      },
      screens,
      get below() {
        if (state.layers.length === 0) return live();
        present.below ??= listed({ ...state, layers: [] });
        return present.below;
      },
      code: () => randomCode(with_.random),
      subjects: () =>
        subjects(screens, [edition], () => attemptOr([], () => subjectsOf(screens, state, reads, contextNow()))),
      get messages() {
        return messagesNow(state, view, contextNow().now);
      },
      find(id, rowId) {
        const list = screens.flatMap((screen) => screen.lists).find((one) => one.id === id);
        const own = list && state.lists[list.id];
        if (!own) return undefined;
        // A search may leave it out.
        const found = [own, untouched(list)]
          .map((listState) => reads.rows(list, listState))
          .find(({ rows }) => rowsById(list, rows).has(rowId));
        return found && { list, row: rowsById(list, found.rows).get(rowId), read: found.known };
      },
      picks: (layer) => reads.picks(layer).value?.rows ?? layer.before ?? [],
      pickRead: reads.picks,
      edition,
      counts: (screen) => counts(screen, state, contextNow(), edition),
    };
  };
}

/** The services and tags of the rows of all lists that have been read. */
function subjectsOf(screens: readonly Screen[], state: State, reads: Reads, context: Context): readonly string[] {
  const lists = screens.flatMap((screen) => screen.lists).filter((list) => list.services && !list.derived);
  const all = lists.flatMap((list) =>
    reads
      .rows(list, state.lists[list.id] as ListState)
      .rows.flatMap((row) => [
        ...(list.services?.(row, context).map((name) => `service:${name}`) ?? []),
        ...(list.tags?.(row) ?? []),
      ]),
  );
  return [...new Set(all)];
}

/** What is made of one moment, as far as it was asked for. */
interface Present {
  view?: View;
  live?: readonly Binding[];
  below?: readonly Binding[];
}

/** Counts the rows of a screen's lists together, anew in another edition or minute, or when another search or look is one list's. */
function createScreenCounts(reads: Reads, counter: Counter) {
  const counted = keptPer<Screen, ShownCounts | undefined>();
  const count = (screen: Screen, state: State, context: Context): ShownCounts | undefined => {
    const unread: AnyList[] = [];
    let isPartial = false;
    const each = screen.lists.flatMap((list) => {
      // Rows of a derived list are counted where they are read; to derive them for this would cost a walk through all of those.
      if (list.derived) return [];
      const listState = state.lists[list.id] as ListState;
      const asked = initialQuery(list);
      // The counts are those of the organization, whatever a person searches for.
      const isSearched = JSON.stringify(listState.asked) !== JSON.stringify(asked);
      const { known, rows } = reads.rows(list, isSearched ? { ...listState, asked } : listState);
      const seen = isSearched ? undefined : seenWhole(listState);
      isPartial ||= isPart(known);
      if (known.value) return [counter(list, rows, seen, context)];
      unread.push(list);
      return [];
    });
    return each.length === 0 ? undefined : { ...sumCounts(each), isLeast: unread.some(mayNeedPerson), isPartial };
  };
  return (screen: Screen, state: State, context: Context, edition: object): ShownCounts | undefined => {
    const own = screen.lists.flatMap(({ id }) => [state.lists[id]?.asked, state.lists[id]?.seen]);
    return counted(screen, [edition, Math.floor(context.now / 60_000), ...own], () =>
      attemptOr(undefined, () => count(screen, state, context)),
    );
  };
}
