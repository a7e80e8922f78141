import { findEndpoint } from '../../api/all-endpoints.ts';
import type { Problem } from '../../api/problem.ts';
import type { Overlay } from '../../cache/overlay.ts';
import type { Client } from '../../client/client.ts';
import { formatRowCount } from '../../describe/screen.ts';
import { undoGroup } from '../../journal/fold-undone.ts';
import type { Entry } from '../../journal/journal-entry.ts';
import { isObject } from '../../lib/object-paths.ts';
import { pastTense } from '../../lib/past-tense.ts';
import { present } from '../../lib/present-members.ts';
import type { Outside } from '../outside/outside.ts';
import type { Row } from '../rows/list-state.ts';
import { inTurns, type Sending, stoppedText } from './in-turns.ts';
import { isWider, mostTold, type Undoable, type Undoing } from './pending-edit.ts';

/** What became of an undo. */
export interface Undone {
  /** How many rows it took back. */
  readonly done: number;
  /** The rows that it did not take back, each with the reason. */
  readonly left: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  /** The first problem. */
  readonly problem?: Problem;
}

type Step = Undoable['steps'][number];

/**
 * Undoes an edit: the last row first, four at a time, for each row its calls in order, up to the first that fails. A row that
 * fails stays as it is and the others go on; the journal is told of each. Rows that this run does not know are undone as the
 * journal has them.
 */
export function createUndoer(with_: {
  readonly client: Pick<Client, 'send'>;
  readonly overlays?: Overlay;
  /** Called with the kinds whose reads the undo made stale, and the list of whose rows it knows all that has changed. */
  readonly changed?: (kinds: readonly string[], told?: string) => void;
  readonly journal: Pick<Outside, 'takeBack' | 'undoEnded'>;
}): (undoing: Undoing, sending?: Sending) => Promise<Undone> {
  const { client, overlays, journal } = with_;

  const takeBack = async (edit: Undoable, step: Step, group: string) => {
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

  const sendAll = async ({ calls, id, name, after }: Step, group: string) => {
    const purpose = { action: 'undo', target: { id, name }, before: after, group };
    for (const call of calls) {
      const result = await client.send(call, { purpose });
      if (!result.ok) return result.problem;
    }
    return undefined;
  };

  return async ({ entries, edit, isInFront = false }, sending) => {
    const steps = new Map(edit?.steps.map((step) => [step.id, step]));
    const problems: Problem[] = [];
    const count = { unshown: 0 };
    const each = async (entry: Entry) => {
      const known = steps.get(entry.target.id);
      // The journal knows the ids of what was created again, and reads what no row in front shows: nobody sees that it has changed.
      const isShown = isInFront && (known?.made !== undefined || known?.after !== undefined);
      const step = isShown && !edit?.forward.action.restore && !entry.hasNewIds ? known : undefined;
      const problem =
        edit && step
          ? await takeBack(edit, step, undoGroup(entry.id))
          : await journal.takeBack(entry, sending?.requestsBegan);
      if (step) await journal.undoEnded(entry.id, problem);
      else count.unshown += 1;
      if (problem) problems.push(problem);
      return { text: problem?.text };
    };
    const ended = await inTurns(entries, each, sending);
    const endpoints = entries.flatMap(({ undo }) => undo.flatMap((saved) => findEndpoint(saved.endpoint) ?? []));
    const kinds = [...new Set(endpoints.flatMap(({ of, touches = [] }) => [of, ...touches]))];
    const isTold = problems.length === 0 && count.unshown === 0 && entries.length <= mostTold;
    with_.changed?.(kinds, edit && isTold && !isWider(edit.forward) ? edit.list : undefined);
    const left = entries.flatMap(({ target: { id, name } }, at) => {
      const { text } = ended[at] ?? { text: stoppedText };
      return text === undefined ? [] : [{ id, name, text }];
    });
    return { done: entries.length - left.length, left: left.toReversed(), ...present({ problem: problems[0] }) };
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
