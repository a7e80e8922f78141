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

story('filters are listed in execution order with what they keep', async (user) => {
  await user.opens('retention');
  expect(await user.line('Error Default')).toMatch(/> +1 +on +Error Default +status:error +100% +0% +errors/);
  expect(await user.line('checkout')).toMatch(/2 +on +checkout +service:checkout +50% +10%/);
  expect(await user.line('rest')).toMatch(/3 +off +rest +\* +0.1% +0%/);
  await user.presses('return');
  await user.sees('Keeps 100% of matching spans');
  await user.sees('Built-in filter: cannot be renamed or deleted');
  expect(await user.line('Created')).toContain('with the organization');
  await user.neverSees('1970');
  await user.presses(']');
  await user.sees('"filter_type": "spans-errors-sampling-processor"');
});

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

story('a filter without a name is edited without naming it, and says whose keys it needs', async (user, service) => {
  filterNamed(service, 'checkout').name = '';
  await user.opens('retention');
  await user.presses('j', 'e', 'tab', 'tab', 'ctrl+u', '0.25', 'tab', 'tab');
  await user.sees(needsAdmin);
  await user.presses('ctrl+s', 'return');
  await user.sees('✓ Saved');
  const [sent] = service.received('PUT');
  expect(sent?.body).toMatchObject({ data: { attributes: { rate: 0.25, filter: { query: 'service:checkout' } } } });
  expect(JSON.stringify(sent?.body)).not.toContain('"name"');
  expect(filterNamed(service, '')).toMatchObject({ rate: 0.25 });
});

story('the form refuses rates outside 0 to 1, an empty name and an empty query', async (user, service) => {
  await user.opens('retention');
  await user.presses('n', 'ctrl+s');
  await user.sees('Name is required');
  await user.sees('Query is required');
  await user.presses('x', 'tab', '*', 'tab', 'ctrl+u', '1.5', 'tab');
  await user.sees('Span rate must be 0 to 1');
  await user.presses('ctrl+u', '-1', 'ctrl+s');
  await user.sees('Trace rate must be 0 to 1');
  expect(service.received('POST', base)).toEqual([]);
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

story('d asks for the name; built-in filters say why they cannot be deleted', async (user, service) => {
  await user.opens('retention');
  await user.presses('d');
  await user.sees('! Delete: built-in filter; it can only be disabled');
  await user.presses('j', 'd');
  await user.sees('Delete retention filter checkout?');
  await user.sees(needsAdmin);
  await user.sees('service:checkout · keeps 50% of matching spans now');
  await user.sees('Undo creates it again with a new ID');
  await user.presses('checkout', 'return');
  await user.sees('✓ Deleted checkout');
  expect(service.received('DELETE').map((call) => call.path)).toEqual([`${base}/-checkoutcheckoutcheck`]);
  await user.sees(/2 +off +rest/);
  expect(namesInOrder(service)).toEqual(['Error Default', 'rest']);
  await user.presses('u');
  await user.sees('in 2 requests');
  await user.presses('y');
  await user.sees(receiptOf.undo('deleted checkout'));
  expect(namesInOrder(service)).toEqual(['Error Default', 'checkout', 'rest']);
});

story(
  'a built-in filter offers only rates and the toggle; a managed one cannot be changed',
  {
    before(service) {
      hasFilters(service);
      service.has('apm_retention_filter', { name: 'theirs', editable: false });
    },
  },
  async (user, service) => {
    await user.opens('retention');
    await user.presses('e');
    await user.sees('Span rate');
    await user.neverSees(/name +Error Default/);
    await user.presses('ctrl+u', '0.9', 'ctrl+s', 'return');
    await user.sees(`✓ ${receiptOf.save('Error Default')}`);
    expect(filterNamed(service, 'Error Default')).toMatchObject({
      rate: 0.9,
      filter: { query: 'status:error' },
      created_at: 0,
    });
    await user.presses('G', 'e');
    await user.sees('! Edit: managed by the service: not editable');
    await user.presses('t');
    await user.sees('! Enable/disable: managed by the service: not editable');
    expect(service.received('PUT')).toHaveLength(1);
  },
);

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

story('q discards an unsaved order', async (user, service) => {
  await user.opens('retention');
  await user.presses('J', 'J', 'q');
  await user.loses('unsaved order');
  const lines = (await user.screen()).split('\n');
  const at = (name: string) => lines.findIndex((line) => line.includes(name));
  expect(at('Error Default')).toBeLessThan(at('checkout'));
  expect(at('checkout')).toBeLessThan(at('rest'));
  expect(service.received('PUT')).toEqual([]);
});
