import { describe, expect, test } from 'vitest';
import { kinds } from '../../screens/monitors/definition/templates.ts';
import { createMonitor, validateMonitor } from '../../src/api/monitors.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasSimple } from '../support/monitors.ts';
// Read before, so that no story types ahead of the languages.
import '../../src/query/check.ts';
import '../../src/query/complete.ts';

/** Two metric monitors, a composite of one of them, and a monitor of an SLO that the service has. */
function hasSome(service: Simulator): void {
  hasDisk(service, { id: 77 });
  hasSimple(service, 'Queue', { id: 78, groups: { '*': 'OK' } });
  hasSimple(service, 'Both of them', { id: 79, type: 'composite', query: '77 && 78' });
  hasSimple(service, 'Budget', { id: 80, type: 'slo alert', query: 'error_budget("slo-a1").over("7d") > 50' });
}

const mine = { columns: 100, rows: 30, monitors: 0, issues: 0, before: hasSome } as const;
const [plain, formulas] = [false, true].map((it) =>
  kinds
    .filter((one) => one.id !== 'composite' && one.id.startsWith('formula-') === it)
    .map((one) => [one.title, one] as const),
) as [(readonly [string, (typeof kinds)[number]])[], (readonly [string, (typeof kinds)[number]])[]];

/** The bodies that were sent to an operation. */
const sent = (service: Simulator, operation: string) =>
  service
    .received('POST')
    .filter((it) => it.operation === operation)
    .map((it) => it.body as Record<string, unknown>);

describe.each([
  ['kinds', plain],
  ['formulas', formulas],
])('%s: created from the keyboard', (_, some) => {
  test.each(some)('%s', (title, kind) =>
    journey(async (user, service) => {
      await user.opens('monitors');
      await user.presses('n', '/');
      await user.pastes(title);
      await user.sees(`> ${title}`);
      await user.presses('return');
      await user.sees(`┌ new ${title} ─`);
      await user.sees('empty: the service makes one from the query');
      await user.pastes('Made by hand');
      await user.presses('ctrl+s');
      await user.sees(/✓ created monitor \d+ Made by hand; No Data yet/);
      const template = kind.template('slo-a1');
      expect(sent(service, validateMonitor.id)).toEqual(sent(service, createMonitor.id));
      expect(sent(service, createMonitor.id)).toMatchObject([
        {
          name: 'Made by hand',
          type: kind.type,
          query: template.query,
          ...(template.options ? { options: template.options } : {}),
        },
      ]);
      await user.sees(/>.? ?NO DATA +Made by hand/);
    }, mine)(),
  );
});
