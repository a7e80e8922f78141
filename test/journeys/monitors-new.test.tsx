import { describe, expect, test } from 'vitest';
import { monitorKinds } from '../../screens/monitors/definition/templates.ts';
import { createMonitor, validateMonitor } from '../../src/api/monitors.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasSimple } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
// Loads the grammars first, so that no journey types before they are loaded.
import '../../src/query/check-query.ts';
import '../../src/query/query-help.ts';

/** Two metric monitors, a composite of one of them, and a monitor of an existing SLO. */
function hasSome(service: Simulator): void {
  hasDisk(service, { id: 77 });
  hasSimple(service, 'Queue', { id: 78, groups: { '*': 'OK' } });
  hasSimple(service, 'Both of them', { id: 79, type: 'composite', query: '77 && 78' });
  hasSimple(service, 'Budget', { id: 80, type: 'slo alert', query: 'error_budget("slo-a1").over("7d") > 50' });
}

const mine = { columns: 100, rows: 30, monitors: 0, issues: 0, before: hasSome } as const;
const [plain, formulas] = [false, true].map((isFormula) =>
  monitorKinds
    .filter((one) => !['composite', 'other'].includes(one.id) && one.id.startsWith('formula-') === isFormula)
    .map((one) => [one.title, one] as const),
) as [(readonly [string, (typeof monitorKinds)[number]])[], (readonly [string, (typeof monitorKinds)[number]])[]];

/** The bodies that were sent to an operation. */
const sent = (service: Simulator, operation: string) =>
  service
    .received('POST')
    .filter((call) => call.operation === operation)
    .map((call) => call.body as Record<string, unknown>);

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
      await user.sees(`┌ New ${title} monitor ─`);
      await user.sees('Leave empty to let the service name it');
      await user.pastes('Made by hand');
      await user.presses('ctrl+s');
      await user.sees(`┌ New ${title} monitor · Review ─`);
      await user.presses('return');
      await user.sees(/✓ Created monitor \d+ Made by hand; No Data yet/);
      const template = kind.template({ objective: 'slo-a1', hostCheck: 'host.up' });
      expect(sent(service, validateMonitor.id)).toEqual(sent(service, createMonitor.id));
      expect(sent(service, createMonitor.id)).toMatchObject([
        {
          name: 'Made by hand',
          type: kind.type,
          query: template.query,
          ...(template.options ? { options: template.options } : {}),
        },
      ]);
      await user.sees(/>.? ?NO DATA +\S +Made by hand/);
    }, mine)(),
  );
});

test(
  'an unknown type is created from JSON, which the service checks; u deletes it',
  journey(async (user, service) => {
    await user.opens('monitors');
    await user.presses('n', '/');
    await user.pastes('other kind');
    await user.sees('> other kind');
    await user.presses('return');
    await user.sees('┌ New other kind monitor ─');
    await user.sees('"type": "llm-observability alert"');
    await user.pastes('x');
    await user.sees('this is not JSON: ');
    await user.presses('backspace', 'ctrl+s');
    await user.sees(/✓ Created monitor \d+ .*No Data yet/);
    const definition = {
      type: 'llm-observability alert',
      query: 'llm-observability("*").rollup("count").last("2h") > 0',
      message: '',
      tags: [],
      options: {},
    };
    expect([sent(service, validateMonitor.id), sent(service, createMonitor.id)]).toEqual([[definition], [definition]]);
    await user.presses('n', '/');
    await user.pastes('other kind');
    await user.sees('> other kind');
    await user.presses('return');
    await user.sees('┌ New other kind monitor ─');
    await user.presses('ctrl+s');
    await user.sees('Duplicate of an existing monitor_id');
    await user.presses('esc');
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('created monitor')}`);
  }, mine),
);
