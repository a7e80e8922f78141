import { isRead } from '../api/endpoint.ts';
import type { Plan } from '../api/plan.ts';
import { type Result, refusal } from '../api/problem.ts';
import type { AnyAction } from '../describe/action.ts';
import { type Column, type Tab, text } from '../describe/column.ts';
import type { Pick } from '../describe/pick.ts';
import type { AnyList, Detail, List, Screen } from '../describe/screen.ts';
import type { Single, Source } from '../describe/source.ts';
import { Fault, thrownText } from '../lib/thrown-text.ts';
import { kindOf } from './layers/index.ts';
import type { Layer } from './layers/layer.ts';

// biome-ignore lint/suspicious/noExplicitAny: a function of any description
type Work = (...args: any[]) => any;

/** For each function of a description, what stands in for it when it throws. A function without one does not compile. */
type Instead<T> = {
  readonly [K in keyof T as NonNullable<T[K]> extends Work ? K : never]-?: NonNullable<T[K]> extends (
    ...args: infer A
  ) => infer R
    ? (fault: string, ...args: A) => R
    : never;
};

/** The same description; a function of it that throws answers with its stand-in, which is given the fault as a sentence. */
function held<T extends object>(description: T, instead: Instead<T>): T {
  const members = { ...description } as Record<string, unknown>;
  for (const [name, stand] of Object.entries(instead as Record<string, Work>)) {
    const work = members[name];
    if (typeof work !== 'function') continue;
    members[name] = (...args: unknown[]) => {
      try {
        return work.apply(description, args);
      } catch (error) {
        return stand(thrownText(error), ...args);
      }
    };
  }
  return members as T;
}

/** It ends what was begun before anything is sent: the session tells the person. */
function ends(fault: string): never {
  throw new Fault(fault);
}

/** A read that only says why there is none. */
const noRead = (key: string, fault: string): Single<never> => ({
  key: `${key}: ${fault}`,
  of: [],
  // biome-ignore lint/correctness/useYield: there is nothing to ask
  *plan() {
    return refusal('unreadable', `this cannot be read: ${fault}`);
  },
});

/**
 * The screens as the session uses them: whatever of a description throws ends the cell, the pane or the edit that it is
 * for, with a sentence, and nothing else. An edit that was sent stays applied whatever its receipt does.
 */
export function guarded(screens: readonly Screen[]): readonly Screen[] {
  return screens.map((screen) => ({ ...screen, lists: screen.lists.map(guardedList) }));
}

function guardedList(list: AnyList): AnyList {
  const unnamed = new WeakMap<object, string>();
  const count = { unnamed: 0 };
  /** Rows whose id cannot be told are still told apart. */
  const standIn = (row: unknown): string => {
    if (typeof row !== 'object' || row === null) return '(no id)';
    const known = unnamed.get(row) ?? `(no id ${++count.unnamed})`;
    unnamed.set(row, known);
    return known;
  };
  const own = held<List<unknown>>(list, {
    load: (fault) => noRead(list.id, fault),
    idOf: (_, row) => standIn(row),
    nameOf: () => '(no name: a fault in orgdeck)',
    words: () => '',
    trend: () => Number.NaN,
    comparable: (_, row) => row as Readonly<Record<string, unknown>>,
    link: ends,
    command: ends,
    alarms: () => [],
  });
  return {
    ...own,
    columns: list.columns.map(guardedColumn),
    actions: list.actions.map(guardedAction),
    ...(list.detail ? { detail: guardedDetail(list.id, list.detail) } : {}),
    ...(list.search ? { search: held(list.search, { form: ends, says: () => '(a fault in orgdeck)' }) } : {}),
    ...(list.order ? { order: held(list.order, { may: (fault) => fault }) } : {}),
  };
}

const guardedColumn = <Row>(column: Column<Row>): Column<Row> =>
  held<Column<Row>>(column, { text: () => '(unreadable)', tone: () => 'dim', sort: () => '' });

function guardedDetail(id: string, detail: Detail<unknown>): Detail<unknown> {
  const told = (what: string, fault: string) => text(`${what} cannot be shown: ${fault}`, 'bad');
  return {
    ...held<Detail<unknown>>(detail, {
      load: (fault) => noRead(`${id} detail`, fault),
      tabs: (fault): readonly Tab[] => [
        { kind: 'lines', id: 'fault', title: 'fault', lines: [told('this detail', fault)] },
      ],
      preview: (fault) => [told('this preview', fault)],
    }),
    ...(detail.inside ? { inside: held(detail.inside, { get: () => undefined, set: (_, whole) => whole }) } : {}),
  };
}

function guardedAction(action: AnyAction): AnyAction {
  const own = held<AnyAction>(action, {
    enabled: (fault) => fault,
    ready: (fault) => fault,
    // Nothing has been sent yet: what was begun ends.
    goes: ends,
    form: ends,
    first: ends,
    pick: ends,
    bar: ends,
    values: ends,
    confirm: ends,
    job: ends,
    command: ends,
    needs: (fault) => noRead(`needs of ${action.id}`, fault),
    send: notSent,
    // It has been sent: what the service did stays told.
    blames: () => undefined,
    show: (_, row) => row,
    truth: () => undefined,
    done: (fault) => `${action.title}: applied, but what it did cannot be told: ${fault}`,
    made: () => undefined,
    undo: () => [],
    secret: (fault) => ({
      title: action.title,
      value: '',
      notes: [`It was applied, but the value that is shown once cannot be read: ${fault}`],
    }),
  });
  return {
    ...own,
    send: (row, values, context) => {
      const work = own.send(row, values, context);
      return 'endpoint' in work ? work : told(work);
    },
  };
}

// biome-ignore lint/correctness/useYield: nothing is sent
function* notSent(fault: string): Plan<Result<never>> {
  return refusal('invalid', `nothing was sent: ${fault}`);
}

/** A plan that throws after an edit has left says so: what became of that one must be looked at. */
function* told(plan: Plan<Result<unknown>>): Plan<Result<unknown>> {
  let edits = 0;
  try {
    let step = plan.next();
    while (!step.done) {
      if ('endpoint' in step.value && !isRead(step.value.endpoint)) edits += 1;
      step = plan.next(yield step.value);
    }
    return step.value;
  } catch (error) {
    const fault = thrownText(error);
    return edits === 0
      ? yield* notSent(fault)
      : refusal('unknown', `it was sent, but what became of it cannot be told: ${fault}; look before doing it again`);
  }
}

/** What the layer on top asks of the service; undefined where it asks nothing. */
export function picksOf(layer: Layer): Source<Pick> | undefined {
  try {
    return kindOf(layer).reads?.(layer);
  } catch (error) {
    return noRead('picks', thrownText(error));
  }
}
