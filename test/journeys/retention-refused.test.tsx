import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { filterNamed, hasFilters, namesInOrder } from '../support/retention.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0, issues: 0, before: hasFilters } as const;
const story = stories(journey, mine);

/** Changes a filter as another user while the form is open. */
function meanwhile(service: Simulator, change: Partial<ReturnType<typeof filterNamed>>) {
  Object.assign(filterNamed(service, 'checkout'), change);
}

story(
  'changes by others are kept; when both changed the same field, nothing is sent and the typed text stays',
  async (user, service) => {
    await user.opens('retention');
    await user.presses('j', 'e', 'tab', 'tab', 'ctrl+u', '0.25', 'ctrl+s');
    meanwhile(service, { filter: { query: 'service:checkout env:prod' }, trace_rate: 0.7 });
    await user.presses('return');
    await user.sees(`✓ ${receiptOf.save('checkout')}`);
    expect(filterNamed(service, 'checkout')).toMatchObject({
      rate: 0.25,
      filter: { query: 'service:checkout env:prod' },
      trace_rate: 0.7,
    });
    await user.sees('service:checkout env:p');
    await user.presses('H');
    await user.sees(/edited checkout in Retention filters · span rate: 0\.5 → 0\.25 *│/);
    await user.presses('q');
    service.forgets();
    await user.presses('e', 'tab', 'tab', 'ctrl+u', '0.3', 'ctrl+s');
    meanwhile(service, { rate: 0.9 });
    await user.presses('return');
    await user.sees('not sent: someone else changed the span rate of checkout to 0.9');
    expect(service.received('PUT')).toEqual([]);
    await user.presses('esc');
    await user.sees('0.3');
  },
);

story('an order that another user has changed meanwhile is not sent; new filters come last', async (user, service) => {
  await user.opens('retention');
  await user.presses('j', 'K');
  service.has('apm_retention_filter', { id: 'newnewnewnewnewnewnewn', name: 'newcomer' });
  await user.presses('ctrl+s', 'y');
  await user.sees('✓ Saved the order of 4 filters; 1 new filter last');
  expect(namesInOrder(service)).toEqual(['checkout', 'Error Default', 'rest', 'newcomer']);
  await user.presses('ctrl+r');
  await user.sees('newcomer');
  service.forgets();
  await user.presses('G', 'K');
  const ids = [...service.org.filters.keys()];
  const [first, second, ...others] = ids.map((id) => [id, service.org.filters.get(id)] as const);
  service.org.filters.clear();
  for (const entry of [second, first, ...others]) if (entry?.[1]) service.org.filters.set(entry[0], entry[1]);
  await user.presses('ctrl+s', 'y');
  await user.sees(/✗ .* not sent: others moved filters/);
  expect(service.received('PUT')).toEqual([]);
  await user.sees('unsaved order');
  await user.presses('q', 'ctrl+r');
  await user.sees(/1 +on +Error Default/);
});

story('a refused order can be saved again; one in doubt is read back and not sent twice', async (user, service) => {
  await user.opens('retention');
  await user.presses('J');
  service.refuses(400, { match: 'retention.order', body: { errors: ['Invalid Pipeline', 'try later'] } });
  await user.presses('ctrl+s', 'y');
  await user.sees(/✗ .* failed: Invalid Pipeline; try later/);
  await user.sees('unsaved order');
  service.appliesThenFails(1, { match: 'retention.order', status: 0 });
  await user.presses('ctrl+s', 'y');
  await user.sees('outcome unknown');
  expect(service.received('PUT')).toHaveLength(2);
  expect(namesInOrder(service)).toEqual(['checkout', 'Error Default', 'rest']);
  await user.presses('H', 'tab');
  await user.sees(/unknown +save order/);
  await user.presses('j', 'x', 'c');
  await user.sees('it was applied');
});
