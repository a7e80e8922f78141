import { type Call, isRead } from '../../api/endpoint.ts';
import type { Plan } from '../../api/plan.ts';
import type { Problem, Result } from '../../api/problem.ts';
import type { Overlay } from '../../cache/overlay.ts';
import type { Client, Purpose } from '../../client/client.ts';
import type { Secret } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { Row } from '../list/list-state.ts';
import { type Pending, type RowResult, typedName, type Undoable, withContext } from './pending.ts';
import { setBack } from './result.ts';

/** What became of an edit, row by row. */
export interface Performed {
  readonly results: readonly RowResult[];
  readonly problem?: Problem;
  readonly undo?: Undoable;
  /** Of a single row: what is shown once. */
  readonly secret?: Secret;
  /** Id of a single row that was made. */
  readonly made?: string;
}

export interface Performer {
  /** Sends an action to its rows, four at a time. Never throws for what the service can do. */
  perform(pending: Pending, context: Context): Promise<Performed>;
  /** Takes one performed action back, the last row first. */
  undo(it: Undoable): Promise<Problem | undefined>;
}

/** Rows edited at once: enough to hide a slow link, few enough to stop soon. */
const atOnce = 4;

/**
 * The one way from a meaning to an effect, for the dashboard and for the command line alike: the overlay is laid,
 * the request goes out through the client (which writes the journal), the answer becomes the row's truth.
 */
export function createPerformer(with_: {
  readonly client: Pick<Client, 'send' | 'run'>;
  readonly random: () => number;
  readonly overlays?: Overlay;
  /** Kinds that an edit has made stale. */
  readonly changed?: (kinds: readonly string[]) => void;
  /** Where the way back is written down, so that it outlives this program. */
  readonly remember?: (group: string, targetId: string, calls: readonly Call[]) => void;
}): Performer {
  const { client, overlays } = with_;

  const send = (work: Call | Plan<Result<unknown>>, purpose: Purpose): Promise<Result<unknown>> =>
    'endpoint' in work ? client.send(work, { purpose }) : client.run(work, { purpose });

  return {
    async perform(pending, context) {
      const { action, list, rows, values } = pending;
      const known = withContext(context, pending);
      const group = `${context.now.toString(36)}-${Math.floor(with_.random() * 36 ** 6).toString(36)}`;
      const tokens = rows.map((row) =>
        row !== undefined && (action.show || action.removes)
          ? overlays?.lay(list.id, list.idOf(row), (now) =>
              action.removes ? undefined : action.show?.(now, values, known),
            )
          : undefined,
      );
      const results = new Array<RowResult>(rows.length);
      const steps = new Array<Undoable['steps'][number] | undefined>(rows.length);
      const problems: Problem[] = [];
      const secrets: Secret[] = [];
      const made: (string | undefined)[] = [];

      const one = async (at: number) => {
        const row = rows[at] as Row;
        const id = row === undefined ? '' : list.idOf(row);
        const name = row === undefined ? (typedName(values) ?? list.title) : list.nameOf(row);
        const token = tokens[at];
        const result = await send(action.send(row, values, known), {
          action: action.id,
          target: { id, name },
          before: row,
          group,
        });
        if (!result.ok) {
          if (token !== undefined) overlays?.lift(token);
          problems.push(result.problem);
          results[at] = { id, name, row, ok: false, text: result.problem.text };
          return;
        }
        const truly = (now: Row) => {
          const told = action.truth?.(now, result.value, values);
          // An answer about something else tells nothing of this row.
          const isOwn = told !== undefined && list.idOf(told) === list.idOf(now);
          return isOwn ? told : (action.show?.(now, values, known) ?? now);
        };
        const after = action.removes || row === undefined ? undefined : truly(row);
        if (token !== undefined) overlays?.settle(token, action.removes ? undefined : truly);
        const calls = action.undo?.(row, values, result.value, known) ?? [];
        const fresh = action.made?.(result.value);
        made.push(fresh);
        if (calls.length > 0) {
          steps[at] = { calls, id, name, before: row, after, ...(fresh === undefined ? {} : { made: fresh }) };
          with_.remember?.(group, id, calls);
        }
        const secret = action.secret?.(result.value, row);
        if (secret) secrets.push(secret);
        results[at] = { id, name, row, ok: true, text: action.done(row, values, result.value, known) };
      };

      const queue = rows.map((_, at) => at);
      const worker = async () => {
        for (let at = queue.shift(); at !== undefined; at = queue.shift()) await one(at);
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, worker));

      const edits = action.uses.filter((it) => !isRead(it));
      with_.changed?.(edits.flatMap((it) => [it.of, ...(it.touches ?? [])]));
      const taken = steps.filter((it) => it !== undefined);
      const done = results.filter((it) => it.ok);
      return {
        results,
        problem: problems[0],
        ...(secrets.length === 1 ? { secret: secrets[0] } : {}),
        ...(made.length === 1 && made[0] !== undefined ? { made: made[0] } : {}),
        undo:
          taken.length === 0
            ? undefined
            : {
                text: done.length === 1 ? (done[0]?.text ?? '') : `${action.title} ${done.length} rows`,
                list: list.id,
                steps: taken,
              },
      };
    },

    async undo(it) {
      const group = `undo-${Math.floor(with_.random() * 36 ** 6).toString(36)}`;
      const kinds = new Set<string>();
      let first: Problem | undefined;
      for (const step of [...it.steps].reverse()) {
        const back = (now: Row) => setBack(now, step.before, step.after);
        const token = step.before === undefined ? undefined : overlays?.lay(it.list, step.id, back);
        const unmade = step.made === undefined ? undefined : overlays?.lay(it.list, step.made, () => undefined);
        let failed = false;
        for (const call of step.calls) {
          kinds.add(call.endpoint.of);
          for (const kind of call.endpoint.touches ?? []) kinds.add(kind);
          const result = await client.send(call, {
            purpose: { action: 'undo', target: { id: step.id, name: step.name }, before: step.after, group },
          });
          if (result.ok) continue;
          first ??= result.problem;
          failed = true;
          break;
        }
        for (const laid of [token, unmade]) {
          if (laid === undefined) continue;
          if (failed) overlays?.lift(laid);
          else overlays?.settle(laid, laid === unmade ? undefined : back);
        }
      }
      with_.changed?.([...kinds]);
      return first;
    },
  };
}
