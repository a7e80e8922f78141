import { problemResult } from '../api/problem.ts';
import type { Cache, CacheEntry } from '../cache/cache.ts';
import type { Context } from '../describe/context.ts';
import type { Pick } from '../describe/pick.ts';
import type { AnyList } from '../describe/screen.ts';
import type { Rows } from '../describe/source.ts';
import { attempt } from '../lib/attempt.ts';
import { keptPer } from '../lib/once.ts';
import { layerKindOf } from './layers/index.ts';
import type { Materials } from './rows/derived-rows.ts';
import { matcher } from './rows/filter.ts';
import type { Row } from './rows/list-state.ts';
import type { LayerOf } from './state/layer.ts';
import type { State } from './state/state.ts';
import type { Reads } from './state/view.ts';

/** Nothing is read, and nothing was. */
const unread: CacheEntry<never> = { asking: false, partial: false };

/** A read that has failed by a fault of ours. */
const faultyEntry = (fault: string): CacheEntry<never> => ({
  ...unread,
  problem: problemResult('unreadable', `this cannot be read: ${fault}`).problem,
});
const noIds: ReadonlySet<string> = new Set();

/** What is read of a list whose description threw: no rows, and why. */
export const faultyRows = (fault: string): ReturnType<Reads['rows']> => ({
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
  readonly materials: Materials;
}): Reads & { picks(layer: LayerOf<'pick' | 'take'>): CacheEntry<Rows<Pick>> } {
  const { cache, materials } = with_;
  /** A list's load must not depend on its own rows: that would recurse without end. */
  const contextNow = () => ({ ...with_.context(with_.state()), rows: () => [], loaded: () => [] });
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
    if (list.derived) return materials.rows(list, own.asked, contextNow(), with_.state().size.columns);
    const source = list.load(own.asked, contextNow());
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
    blocks: (list, { asked }) => materials.blocks(list, asked, contextNow()),
    picks: (layer) => attempt(() => picksOf(layer), faultyEntry),
  };
}
