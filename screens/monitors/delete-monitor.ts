import { call } from '../../src/api/endpoint.ts';
import { canDeleteMonitors, deleteMonitor } from '../../src/api/monitors.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Problem, problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { action, type Confirmation } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import { arrayOrEmpty, type MonitorRow, toObject } from './row.ts';

/** The service's sentences on what refers to a monitor; empty when it may be deleted. */
function* references(row: MonitorRow, context: Context): Plan<Result<readonly string[]>> {
  const none = toResult<readonly string[]>([]);
  if (!context.offered(canDeleteMonitors.id)) return none;
  const check = yield* ask(call(canDeleteMonitors, { query: { monitor_ids: [row.id] } }));
  if (check.ok) {
    const words = arrayOrEmpty(toObject(toObject(check.value).errors)[row.id]).map(String);
    return { ...check, value: words };
  }
  const { problem } = check;
  // Without that operation the service refuses the delete itself.
  if (notOffered(problem)) return none;
  if (problem.kind !== 'conflict') return check;
  return { ...none, value: problem.messages.length > 0 ? problem.messages : [problem.text] };
}

/** Deletes a monitor unless something refers to it. */
function* deleting(row: MonitorRow, context: Context): Plan<Result<unknown>> {
  const used = yield* references(row, context);
  if (!used.ok) return used;
  if (used.value.length > 0) return inUse(used.value);
  const gone = yield* ask(call(deleteMonitor, { monitor_id: row.id }));
  return gone.ok ? gone : { ok: false, problem: named(gone.problem) };
}

function inUse(said: readonly string[]): Result<never> {
  return problemResult('conflict', `not deleted: ${said.join('; ')}. delete-force (D) deletes it anyway`, {
    messages: said,
    operation: canDeleteMonitors.id,
  });
}

/** Some deployments tell a reference as 401 or 400 of the delete itself (docs/contract/monitors.md#delete). */
function named(problem: Problem): Problem {
  const isUsed = problem.messages.some((text) => /is referenced in|part of the following composite/i.test(text));
  if (!isUsed) return problem;
  return {
    ...problem,
    kind: 'conflict',
    text: `not deleted: ${problem.messages.join('; ')}. delete-force (D) deletes it anyway`,
  };
}

function question(rows: readonly MonitorRow[], details: readonly string[]): Confirmation {
  const [row] = rows;
  const single = rows.length === 1 && row;
  return {
    question: single ? `Delete monitor ${row.name}?` : `Delete ${rows.length} monitors?`,
    details,
    destructive: true,
    typed: single ? (row.named ? row.name : '') : String(rows.length),
  };
}

/** `d`: deletes a monitor to which nothing refers. No undo, so the name must be typed. */
export const deleteAction = action<MonitorRow>({
  id: 'monitors.delete',
  key: 'd',
  title: 'delete',
  help: 'Delete the monitor; fails if an SLO or composite monitor uses it',
  uses: [canDeleteMonitors, deleteMonitor],
  confirm: (rows) => question(rows, ['Cannot be undone', 'Fails if an SLO or composite monitor uses it']),
  send: (row, _, context) => deleting(row, context),
  removes: true,
  done: (row) => receipt`Deleted ${namePart(row.name)}`,
  command: (row) => call(deleteMonitor, { monitor_id: row.id }),
});

/** `D`: deletes a monitor even if others refer to it. No undo, so the name must be typed. */
export const forceDeleteAction = action<MonitorRow>({
  id: 'monitors.delete-force',
  key: 'D',
  title: 'delete, force',
  help: 'Delete the monitor even if SLOs or composite monitors use it; those references will break',
  bulk: false,
  uses: [deleteMonitor],
  confirm: (rows) => question(rows, ['Cannot be undone', 'References from SLOs and composite monitors will break']),
  send: (row) => call(deleteMonitor, { monitor_id: row.id, query: { force: true } }),
  removes: true,
  done: (row) => receipt`Deleted ${namePart(row.name)} and broke references to it`,
  command: (row) => call(deleteMonitor, { monitor_id: row.id, query: { force: true } }),
});
