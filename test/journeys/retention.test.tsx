import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { filterNamed, hasFilters, namesInOrder } from '../support/retention.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0, issues: 0, before: hasFilters } as const;
const story = stories(journey, mine);
const base = '/api/v2/apm/config/retention-filters';
const needsAdmin = "Needs an admin's keys";

story('e shows the difference, then sends one replacement with every field', async (user, service) => {
  await user.opens('retention');
  await user.presses('j', 'e');
  await user.presses('tab', 'tab', 'ctrl+u', '0.25', 'ctrl+s');
  await user.sees('Review changes');
  await user.sees('- 0.5');
  await user.sees('+ 0.25');
  expect(service.received('PUT')).toEqual([]);
  service.forgets();
  await user.presses('return');
  await user.sees(offering(`✓ ${receiptOf.save('checkout')}`));
  expect(service.received('GET', '-checkout')).toHaveLength(1);
  expect(service.received('PUT').map((call) => [call.path, call.body])).toEqual([
    [
      `${base}/-checkoutcheckoutcheck`,
      {
        data: {
          id: '-checkoutcheckoutcheck',
          type: 'apm_retention_filter',
          attributes: {
            name: 'checkout',
            enabled: true,
            filter: { query: 'service:checkout' },
            filter_type: 'spans-sampling-processor',
            rate: 0.25,
            trace_rate: 0.1,
            retention_class: 'gold',
          },
        },
      },
    ],
  ]);
  expect(await user.line('> ')).toMatch(/2 +on +checkout +service:checkout +25%/);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo(receiptOf.save('checkout'))}`);
  expect(filterNamed(service, 'checkout')).toMatchObject({ rate: 0.5, trace_rate: 0.1, enabled: true });
});

story('t toggles a filter or the marked ones, and u restores them', async (user, service) => {
  await user.opens('retention');
  await user.presses('?', 'j');
  await user.sees(needsAdmin);
  await user.presses('esc');
  await user.presses('t');
  await user.sees(offering('✓ Disabled Error Default'));
  expect(filterNamed(service, 'Error Default').enabled).toBe(false);
  expect(await user.line('Error Default')).toMatch(/1 +off/);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('disabled Error Default')}`);
  expect(filterNamed(service, 'Error Default').enabled).toBe(true);
  await user.presses('j', 'space', 'space', 't');
  await user.sees(offering('✓ Enabled 1 filter, disabled 1 filter'));
  expect(['checkout', 'rest'].map((name) => filterNamed(service, name).enabled)).toEqual([false, true]);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('enabled 1 filter, disabled 1 filter')}`);
  expect(['checkout', 'rest'].map((name) => filterNamed(service, name).enabled)).toEqual([true, false]);
});

story('n creates a filter of the only type, which comes last under the cursor; u deletes it', async (user, service) => {
  await user.opens('retention');
  await user.presses('n');
  await user.presses('slow', 'tab', '@duration:>2s', 'tab', 'ctrl+u', '0.2', 'ctrl+s', 'return');
  await user.sees('✓ Created slow, last in the order; keeps 20%');
  await user.sees(/>.? +4 +on +slow/);
  expect(service.received('POST', base)[0]?.body).toEqual({
    data: {
      type: 'apm_retention_filter',
      attributes: {
        name: 'slow',
        enabled: true,
        filter: { query: '@duration:>2s' },
        filter_type: 'spans-sampling-processor',
        rate: 0.2,
        trace_rate: 0,
      },
    },
  });
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('created slow')}`);
  expect(namesInOrder(service)).toEqual(['Error Default', 'checkout', 'rest']);
  await user.loses(/4 +on +slow/);
});

story(
  'J and K reorder, Ctrl-S shows the moves and sends every id at once; u restores the order',
  async (user, service) => {
    await user.opens('retention');
    await user.presses('G', 'K', 'K');
    await user.sees('unsaved order');
    expect(service.received('PUT')).toEqual([]);
    await user.presses('ctrl+s');
    await user.sees('Save the new order? 1 row moved');
    await user.sees('rest: 3 to 1, before Error Default');
    await user.sees(needsAdmin);
    await user.presses('y');
    await user.sees(offering('✓ Saved the order of 3 filters'));
    expect(service.received('PUT').map((call) => [call.path, call.body])).toEqual([
      [
        `${base}-execution-order`,
        {
          data: ['_restrestrestrestrestr', 'AAAAAAAAAAAAAAAAAAAAAA', '-checkoutcheckoutcheck'].map((id) => ({
            type: 'apm_retention_filter',
            id,
          })),
        },
      ],
    ]);
    await user.sees(/> +1 +off +rest/);
    await user.loses('unsaved order');
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('saved the order of 3 filters')}`);
    await user.sees(/3 +off +rest/);
    const lines = (await user.screen()).split('\n');
    expect(lines.findIndex((line) => line.includes('rest'))).toBe(5);
    expect(namesInOrder(service)).toEqual(['Error Default', 'checkout', 'rest']);
  },
);
