import { call } from '../../../src/api/endpoint.ts';
import { getMonitor, validateExistingMonitor } from '../../../src/api/monitors.ts';
import { ask, type Plan } from '../../../src/api/plan.ts';
import type { Result } from '../../../src/api/problem.ts';
import { action } from '../../../src/describe/action.ts';
import { namePart, receipt } from '../../../src/describe/receipt.ts';
import { isReadable, type MonitorRow } from '../row.ts';
import { newBody, readDefinition } from './send.ts';

/** Validates the stored definition; nothing is changed (docs/contract/monitors.md#validate). */
function* checking(row: MonitorRow): Plan<Result<unknown>> {
  const got = yield* readDefinition(row.id, 'checked');
  if (!got.ok) return got;
  return yield* ask(call(validateExistingMonitor, { monitor_id: row.id, body: newBody(got.value.attributes) }));
}

/** Asks whether the service still accepts the stored definition, which may be older than its rules. */
export const checkAction = action<MonitorRow>({
  id: 'monitors.check',
  title: 'check',
  help: 'Ask whether the stored monitor is valid; edits nothing',
  uses: [getMonitor, validateExistingMonitor],
  enabled: isReadable,
  send: checking,
  done: (row) => receipt`Valid: the service accepts ${namePart(row.name)} as it is`,
});
