import { problemResult } from '../api/problem.ts';
import type { AnyAction } from '../describe/action.ts';
import type { BlockNow, Board } from '../describe/board.ts';
import { type Column, section, type Tab, textLine } from '../describe/column.ts';
import type { Derivation, Feed } from '../describe/derived.ts';
import { tabOfLines } from '../describe/detail.ts';
import type { Pick } from '../describe/pick.ts';
import type { AnyList, Detail, List, RowState, Screen } from '../describe/screen.ts';
import type { Single, Source } from '../describe/source.ts';
import { thrownText } from '../lib/thrown-text.ts';
import { layerKindOf } from './layers/index.ts';
import type { Layer } from './state/layer.ts';

// biome-ignore lint/suspicious/noExplicitAny: a function of any description
type Work = (...args: any[]) => any;

/** Fallbacks of functions of a description that are called while a frame or a read is made; a step that throws ends by itself. */
type Fallbacks<T> = {
  readonly [K in keyof T as NonNullable<T[K]> extends Work ? K : never]?: NonNullable<T[K]> extends (
    ...args: infer A
  ) => infer R
    ? (fault: string, ...args: A) => R
    : never;
};

/** The same description, with each function guarded: when it throws, its fallback gets the fault as a sentence. */
function withFallbacks<T extends object>(description: T, fallbacks: Fallbacks<T>): T {
  const members = { ...description } as Record<string, unknown>;
  for (const name in fallbacks) {
    const work = members[name];
    const fallback = (fallbacks as Record<string, Work>)[name] as Work;
    if (typeof work !== 'function') continue;
    members[name] = (...args: unknown[]) => {
      try {
        return work.apply(description, args);
      } catch (error) {
        return fallback(thrownText(error), ...args);
      }
    };
  }
  return members as T;
}

/** A read that fails with this fault. */
const noRead = (key: string, fault: string): Single<never> => ({
  key: `${key}: ${fault}`,
  of: [],
  // biome-ignore lint/correctness/useYield: there is nothing to ask
  *plan() {
    return problemResult('unreadable', `this cannot be read: ${fault}`);
  },
});

/**
 * The screens, guarded: a function that throws while a frame or a read is made ends only its own cell, pane or read, with a sentence.
 */
export function guarded(screens: readonly Screen[]): readonly Screen[] {
  return screens.map((screen) => ({ ...screen, lists: screen.lists.map(guardedList) }));
}

function guardedList(list: AnyList): AnyList {
  const unnamed = new WeakMap<object, string>();
  const count = { unnamed: 0 };
  /** A distinct id for each row whose own id cannot be read. */
  const unnamedId = (row: unknown): string => {
    if (typeof row !== 'object' || row === null) return '(no id)';
    const known = unnamed.get(row) ?? `(no id ${++count.unnamed})`;
    unnamed.set(row, known);
    return known;
  };
  const guarded = withFallbacks<List<unknown>>(list, {
    load: (fault) => noRead(list.id, fault),
    find: (fault) => noRead(list.id, fault),
    output: () => ({ fields: [] }),
    columnsOf: () => undefined,
    idOf: (_, row) => unnamedId(row),
    nameOf: () => '(no name: a fault in orgdeck)',
    words: () => '',
    trend: () => Number.NaN,
    comparable: (_, row) => row as Readonly<Record<string, unknown>>,
    service: () => undefined,
    now: () => 'unreadable',
    openEnds: () => [],
    alarms: () => [],
  });
  return {
    ...guarded,
    columns: list.columns.map(guardedColumn),
    ...(guarded.columnsOf ? { columnsOf: (rows) => guarded.columnsOf?.(rows)?.map(guardedColumn) } : {}),
    ...(list.shown ? { shown: list.shown.map(guardedColumn) } : {}),
    actions: list.actions.map(guardedAction),
    ...(list.states ? { states: list.states.map(guardedState) } : {}),
    ...(list.derived ? { derived: guardedDerivation(list.id, list.derived) } : {}),
    ...(list.board ? { board: withFallbacks<Board>(list.board, { blocks: (fault) => [brokenBlock(fault)] }) } : {}),
    ...(list.detail ? { detail: guardedDetail(list.id, list.detail) } : {}),
    ...(list.search ? { search: withFallbacks(list.search, { says: () => '(a fault in orgdeck)' }) } : {}),
    ...(list.order ? { order: withFallbacks(list.order, { may: (fault) => fault }) } : {}),
  };
}

function guardedDerivation(id: string, derivation: Derivation<unknown>): Derivation<unknown> {
  const feeds = Object.entries(derivation.feeds).map(([name, feed]) => [
    name,
    withFallbacks<Feed>(feed, {
      source: (fault) => noRead(`${id} ${name}`, fault),
      samples: () => ({}),
      changes: () => [],
    }),
  ]);
  return {
    ...withFallbacks<Derivation<unknown>>(derivation, {
      rows: () => [],
      notes: (fault) => [`this cannot be shown: ${fault}`],
      subject: () => undefined,
      place: () => undefined,
    }),
    feeds: Object.fromEntries(feeds),
  };
}

const brokenBlock = (fault: string): BlockNow => ({
  id: 'fault',
  title: 'Fault',
  head: [],
  columns: [],
  lines: [],
  empty: '',
  trouble: `this cannot be shown: ${fault}`,
  least: 1,
});

const guardedColumn = <Row>(column: Column<Row>): Column<Row> =>
  withFallbacks<Column<Row>>(column, {
    text: () => '(unreadable)',
    says: () => '(unreadable)',
    tone: () => 'dim',
    sort: () => '',
  });

const guardedState = (state: RowState<unknown>): RowState<unknown> => ({
  ...withFallbacks<RowState<unknown>>(state, { isIn: () => false }),
  ...(state.aside ? { aside: withFallbacks(state.aside, { isSo: () => undefined }) } : {}),
});

function guardedDetail(id: string, detail: Detail<unknown>): Detail<unknown> {
  const problemLine = (what: string, fault: string) => textLine(`${what} cannot be shown: ${fault}`, 'bad');
  return {
    ...withFallbacks<Detail<unknown>>(detail, {
      load: (fault) => noRead(`${id} detail`, fault),
      sections: (fault) => [section('fault', '', [problemLine('this detail', fault)])],
      tabs: (fault): readonly Tab[] => [tabOfLines('fault', [problemLine('this part', fault)])],
      preview: (fault) => [problemLine('this preview', fault)],
    }),
    ...(detail.inside
      ? { inside: withFallbacks(detail.inside, { get: () => undefined, set: (_, whole) => whole }) }
      : {}),
  };
}

/** What is sent, and what is true after it, is guarded where an edit is performed. */
const guardedAction = (action: AnyAction): AnyAction =>
  withFallbacks<AnyAction>(action, {
    enabled: (fault) => fault,
    ready: (fault) => fault,
    needs: (fault) => noRead(`needs of ${action.id}`, fault),
  });

/** The read that the layer on top needs; undefined where it needs none. */
export function layerPicks(layer: Layer): Source<Pick> | undefined {
  try {
    return layerKindOf(layer).reads?.(layer);
  } catch (error) {
    return noRead('picks', thrownText(error));
  }
}
