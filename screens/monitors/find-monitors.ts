import { notOffered, type Plan } from '../../src/api/plan.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import type { Rows, Source } from '../../src/describe/source.ts';
import { bareMonitor, type MonitorRow } from './row.ts';
import { readMonitorWhole } from './whole-monitor.ts';

/** Monitors by their ids, each with its mutes of both versions; where none can be read alone, of its id nothing else is known. */
export const findMonitors = (ids: readonly string[]): Source<MonitorRow> => ({
  key: `monitors ${ids.join()}`,
  of: ['monitor', 'downtime', 'downtime_match'],
  *plan(context): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
    const rows: MonitorRow[] = [];
    const notes: string[] = [];
    for (const id of ids) {
      const now = yield* readMonitorWhole(id, context);
      if (now.ok) {
        rows.push(now.value.row);
        notes.push(...now.value.notes);
      } else if (notOffered(now.problem)) rows.push(bareMonitor(id));
      else if (now.problem.kind !== 'notFound') return now;
    }
    return toResult({ rows, notes });
  },
});
