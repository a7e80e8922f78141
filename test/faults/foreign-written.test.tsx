/** @module-tag long */

import { expect, test } from 'vitest';
import { offering } from '../support/offering.ts';
import { type Answers, html, type Odd, over, page } from '../support/scripted-deployment.ts';

const list = 'GET /api/v1/monitor';
const get = 'GET /api/v1/monitor/*';
const create = 'POST /api/v1/monitor';
const update = 'PUT /api/v1/monitor/*';
const validate = 'POST /api/v1/monitor/validate';

const disk = {
  id: 4211,
  name: 'Disk',
  type: 'metric alert',
  query: 'avg(last_5m):avg:disk.used{*} by {host} > 90',
  message: 'look',
  tags: ['team:core', 'page'],
  overall_state: 'OK',
  options: { thresholds: { critical: '90.0' }, tide: [1, { high: true }] },
};
const created = {
  ...disk,
  id: 9007199254740993n,
  name: 'Load',
  overall_state: 'No Data',
  overall_state_modified: null,
};
const missing: Odd = { status: 404, body: { errors: ['Not Found'] } };

/** The responses to the create of a monitor, and the receipt. */
const creations: readonly (readonly [string, Answers, RegExp | string])[] = [
  ['the monitor', { [create]: { body: created } }, '✓ Created monitor 9007199254740993 Load; No Data yet'],
  ['201', { [create]: { status: 201, body: { ...created, id: 7 } } }, '✓ Created monitor 7 Load; No Data yet'],
  ['an id in text', { [create]: { body: { id: '7', name: 'Load' } } }, '✓ Created monitor 7 Load'],
  [
    'another name',
    { [create]: { body: { ...created, id: 7, name: 'L' } } },
    /Created monitor 7 L; .*not as sent: name/,
  ],
  ['an object', { [create]: { body: {} } }, 'outcome unknown'],
  ['a list', { [create]: { body: [] } }, 'outcome unknown'],
  ['204', { [create]: { status: 204 } }, 'outcome unknown'],
  ['a page', { [create]: { ...html, body: page('x') } }, 'outcome unknown'],
  ['500', { [create]: { status: 500, body: '' } }, 'outcome unknown'],
  ['refused by validate', { [validate]: { status: 400, body: { errors: ['bad tide'] } } }, 'was not created: bad tide'],
  [
    'refused by validate, in objects',
    { [validate]: { status: 400, body: { errors: [{ detail: 'bad tide' }] } } },
    'was not created: bad tide',
  ],
  [
    'a validate that says 405',
    { [validate]: { status: 405, body: '' }, [create]: { body: { ...created, id: 7 } } },
    '✓ Created monitor 7',
  ],
  [
    'a validate of another service',
    { [validate]: { body: [] }, [create]: { body: { ...created, id: 7 } } },
    '✓ Created monitor 7',
  ],
  ['nothing at all', {}, 'has nothing at "create a monitor" (404'],
];

test('creating a monitor with an odd response gives the right receipt', async () => {
  for (const [what, answers, said] of creations)
    await over({ [list]: { body: [disk] }, ...answers }, async (user) => {
      await user.opens('monitors');
      await user.presses('n', 'return');
      await user.sees('> Name');
      await user.presses('Load', 'ctrl+s');
      await user.sees('Review');
      await user.presses('return');
      await user.settles(said).catch((error: Error) => expect.fail(`${what}: ${error.message}`));
    });
});

/** The responses to the edit of a message, and the receipt. */
const edits: readonly (readonly [string, Answers, RegExp | string])[] = [
  ['the monitor', { [update]: { body: { ...disk, message: 'look!' } } }, offering('✓ Saved Disk')],
  ['another message', { [update]: { body: disk } }, 'Saved Disk; not as sent: message'],
  ['an object', { [update]: { body: {} } }, 'outcome unknown'],
  ['204', { [update]: { status: 204 } }, 'outcome unknown'],
  ['gone', { [update]: missing }, '✗ Edit failed: Not Found'],
  ['locked', { [update]: { status: 401, body: { errors: ['it is locked'] } } }, 'it is locked'],
  ['no way to change it', {}, 'does not offer'],
];

test('editing a monitor with an odd response gives the right receipt', async () => {
  for (const [what, answers, said] of edits)
    await over({ [list]: { body: [disk] }, [get]: { body: disk }, ...answers }, async (user) => {
      await user.opens('monitors');
      await user.presses('e');
      await user.sees('look');
      await user.presses('tab', 'tab', 'tab', 'end', '!', 'ctrl+s');
      await user.sees('Review changes');
      await user.presses('return');
      await user.settles(said).catch((error: Error) => expect.fail(`${what}: ${error.message}`));
    });
});

test('an edit whose response is lost is read back as applied; fields that could not be parsed are kept unchanged', async () => {
  const written = {
    ...disk,
    type: 'query alert',
    tags: ['page', 'team:core'],
    options: { ...disk.options, timeout_h: '4' },
  };
  const script: Answers = {
    [list]: { body: [disk] },
    [get]: (_, nth) => ({
      body: nth <= 2 ? disk : { ...written, options: { ...written.options, notify_audit: false } },
    }),
    [update]: { cut: true },
  };
  await over(script, async (user, service) => {
    await user.opens('monitors');
    await user.presses('e');
    await user.sees('More options');
    await user.presses('shift+tab', 'right', 'tab', 'tab', '4');
    await user.sees(/Resolves after \(h\) +\[ 4/);
    await user.presses('ctrl+s');
    await user.sees('Review changes');
    await user.presses('return');
    await user.settles('✓ Saved Disk');
    expect(service.asked(update).map((request) => JSON.parse(request.body))).toEqual([
      { options: { thresholds: { critical: 90 }, tide: [1, { high: true }], timeout_h: 4 } },
    ]);
  });
});
