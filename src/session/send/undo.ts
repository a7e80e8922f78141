import type { Problem } from '../../api/problem.ts';
import type { Overlay } from '../../cache/overlay.ts';
import type { Client } from '../../client/client.ts';
import { formatRowCount } from '../../describe/screen.ts';
import { undoGroup } from '../../journal/fold-undone.ts';
import { pastTense } from '../../lib/past-tense.ts';
import { present } from '../../lib/present-members.ts';
import type { Outside } from '../outside/outside.ts';
import type { Row } from '../rows/list-state.ts';
import { inTurns, type Sending, stoppedText } from './in-turns.ts';
import type { Undoable } from './pending-edit.ts';

/** What became of an undo. */
export interface Undone {
  /** How many rows it took back. */
  readonly done: number;
  /** The rows that it did not take back, each with the reason. */
  readonly left: readonly { readonly step: Undoable['steps'][number]; readonly text: string }[];
  /** The first problem. */
  readonly problem?: Problem;
}

/**
 * Undoes an edit: the last row first, four at a time, for each row its calls in order, up to the first that fails. A row that
 * fails stays as it is and the others go on; one that the journal knows as undone is left alone.
 */
export function createUndoer(with_: {
  readonly client: Pick<Client, 'send'>;
  readonly random: () => number;
  readonly overlays?: Overlay;
  /** Called with the kinds whose reads the undo made stale. */
  readonly changed?: (kinds: readonly string[]) => void;
  /** The ways back as the journal has them, which other processes take as well. */
  readonly journal?: Pick<Outside, 'waysBack' | 'undone'>;
}): (edit: Undoable, sending?: Sending) => Promise<Undone> {
  const { client, overlays } = with_;

  const takeBack = async (edit: Undoable, step: Undoable['steps'][number], group: string) => {
    const back = (now: Row) => setBack(now, step.before, step.after);
    const changed = step.before === undefined ? undefined : overlays?.lay(edit.list, step.id, back);
    const overlay = step.made === undefined ? undefined : overlays?.lay(edit.list, step.made, () => undefined);
    const problem = await sendAll(step, group);
    for (const token of [changed, overlay]) {
      if (token === undefined) continue;
      if (problem) overlays?.lift(token);
      else overlays?.settle(token, token === overlay ? undefined : back);
    }
    return problem;
  };

  const sendAll = async ({ calls, id, name, after }: Undoable['steps'][number], group: string) => {
    const purpose = { action: 'undo', target: { id, name }, before: after, group };
    for (const call of calls) {
      const result = await client.send(call, { purpose });
      if (!result.ok) return result.problem;
    }
    return undefined;
  };

  return async (edit, sending) => {
    const ways = new Map((await with_.journal?.waysBack(edit.group))?.map((way) => [way.row, way]));
    const steps = edit.steps.filter(({ id }) => !ways.get(id)?.isTaken).toReversed();
    if (steps.length === 0) return { done: 0, left: [] };
    const unnamed = `undo-${Math.floor(with_.random() * 36 ** 6).toString(36)}`;
    const problems: Problem[] = [];
    const each = async (step: Undoable['steps'][number]) => {
      const entry = ways.get(step.id)?.entry;
      const problem = await takeBack(edit, step, entry === undefined ? unnamed : undoGroup(entry));
      if (problem) problems.push(problem);
      else if (entry !== undefined) await with_.journal?.undone(entry);
      return { text: problem?.text };
    };
    const ended = await inTurns(steps, each, sending);
    const endpoints = steps.flatMap((step) => step.calls.map((call) => call.endpoint));
    with_.changed?.([...new Set(endpoints.flatMap(({ of, touches = [] }) => [of, ...touches]))]);
    const left = steps.flatMap((step, at) => {
      const { text } = ended[at] ?? { text: stoppedText };
      return text === undefined ? [] : [{ step, text }];
    });
    return { done: steps.length - left.length, left: left.toReversed(), ...present({ problem: problems[0] }) };
  };
}

/** What is left of an edit when only these of its steps have not been undone. */
export function withSteps(edit: Undoable, steps: Undoable['steps']): Undoable {
  if (steps.length === edit.steps.length) return edit;
  const ids = new Set(steps.map(({ id }) => id));
  const { forward } = edit;
  const rows = forward.rows.filter((row) => row === undefined || ids.has(forward.list.idOf(row)));
  const what = steps.length === 1 ? (steps[0]?.name ?? '') : formatRowCount(forward.list, steps.length);
  return { ...edit, text: `${pastTense(forward.action.title)} ${what}`, forward: { ...forward, rows }, steps };
}

/** Whether a member that our edit changed has changed again since. */
export function movedOn(before: unknown, after: unknown, now: unknown): boolean {
  if (!isObject(before) || !isObject(after) || !isObject(now)) return false;
  return Object.keys(after).some(
    (name) => asText(before[name]) !== asText(after[name]) && asText(now[name]) !== asText(after[name]),
  );
}

const asText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));

/** The row with the members that an edit changed set back; all others keep their present value. */
export function setBack(now: unknown, before: unknown, after: unknown): unknown {
  if (!isObject(now) || !isObject(before) || !isObject(after)) return before;
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return { ...now, ...Object.fromEntries(changed.map((name) => [name, before[name]])) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
