import type { Context } from '../describe/context.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import { areAlike } from '../lib/alike.ts';
import { attempt } from '../lib/attempt.ts';
import { once } from '../lib/once.ts';
import { bindings, rescue } from './keys/bindings.ts';
import type { MovedKeys } from './keys/general-keys.ts';
import { type createReads, faultyRows } from './reads.ts';
import { createCounter, createSums, mayNeedPerson } from './rows/counts.ts';
import type { ListState } from './rows/list-state.ts';
import { rowsById } from './rows/rows-by-id.ts';
import { randomCode } from './stack/confirm.ts';
import type { Binding } from './state/binding.ts';
import { messagesNow } from './state/message-texts.ts';
import type { Moment, ShownCounts } from './state/moment.ts';
import type { State } from './state/state.ts';
import { createViewer, type View } from './state/view.ts';

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
  const sum = createSums();
  const viewer = createViewer(counter);
  const cached: { view?: View; live?: readonly Binding[]; below?: readonly Binding[]; moment: readonly unknown[] } = {
    moment: [],
  };
  const edition: { on: readonly unknown[]; now: object } = { on: [], now: {} };
  const counted = new Map<string, { readonly on: readonly unknown[]; readonly counts: ShownCounts | undefined }>();

  const count = (screen: Screen, state: State, context: Context): ShownCounts | undefined => {
    const unread: AnyList[] = [];
    const each = screen.lists.flatMap((list) => {
      // Rows of a derived list are counted where they are read; to derive them for this would cost a walk through all of those.
      if (list.derived) return [];
      const own = state.lists[list.id] as ListState;
      const { known, rows } = reads.rows(list, own);
      if (known.value) return [counter(list, rows, own.seen, context)];
      unread.push(list);
      return [];
    });
    return each.length === 0 ? undefined : { ...sum(screen.id, each), isLeast: unread.some(mayNeedPerson) };
  };

  return () => {
    const state = with_.state();
    const present = with_.moment();
    if (!areAlike(present, cached.moment)) {
      delete cached.view;
      delete cached.live;
      delete cached.below;
      cached.moment = present;
      const on = [...present.slice(1), state.recent];
      if (!areAlike(on, edition.on)) {
        edition.on = on;
        edition.now = {};
      }
    }
    const { moment } = cached;
    const viewOf = (from: typeof reads) =>
      viewer(state, screens, from, (subRowId) => with_.context(state, subRowId), edition.now);
    cached.view ??= attempt(
      () => viewOf(reads),
      (fault) => viewOf({ ...reads, rows: () => faultyRows(fault), blocks: () => [] }),
    );
    const { view } = cached;
    // Most steps of a key ask for none.
    const contextNow = once(() => with_.context(state, view.detail?.subRowId));
    const listed = (of: State) =>
      attempt(
        () => bindings(of, view, contextNow(), screens, with_.moved),
        (fault) => rescue(of, fault),
      );
    // Kept only while this is the present: an older state still gives its own bindings.
    const bindingsOf = (name: 'live' | 'below', of: State) => {
      const isPresent = cached.moment === moment;
      const all = (isPresent ? cached[name] : undefined) ?? listed(of);
      if (isPresent) cached[name] = all;
      return all;
    };
    const live = () => bindingsOf('live', state);
    const below = () => (state.layers.length === 0 ? live() : bindingsOf('below', { ...state, layers: [] }));
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
        return below();
      },
      code: () => randomCode(with_.random),
      get messages() {
        return messagesNow(state, view, contextNow().now);
      },
      find(id, rowId) {
        const list = screens.flatMap((screen) => screen.lists).find((one) => one.id === id);
        const own = list && state.lists[list.id];
        const row = own && rowsById(list, reads.rows(list, own).rows).get(rowId);
        return list && row !== undefined ? { list, row } : undefined;
      },
      picks: (layer) => reads.picks(layer).value?.rows ?? [],
      pickTrouble: (layer) => reads.picks(layer).problem?.text,
      pickNotes: (layer) => reads.picks(layer).value?.notes ?? [],
      edition: edition.now,
      counts(screen) {
        const context = contextNow();
        const own = screen.lists.flatMap(({ id }) => [state.lists[id]?.asked, state.lists[id]?.seen]);
        const on = [edition.now, Math.floor(context.now / 60_000), ...own];
        const before = counted.get(screen.id);
        if (before && areAlike(on, before.on)) return before.counts;
        const counts = attempt(
          () => count(screen, state, context),
          () => undefined,
        );
        counted.set(screen.id, { on, counts });
        return counts;
      },
    };
  };
}
