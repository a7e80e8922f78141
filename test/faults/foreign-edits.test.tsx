/** @module-tag long */

import { expect, test } from 'vitest';
import { noon } from '../support/clock.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { type Answers, html, type Odd, over, page } from '../support/scripted-deployment.ts';
import type { Received } from '../support/scripted-server.ts';

const list = 'GET /api/v1/monitor';
const get = 'GET /api/v1/monitor/*';
const mute = 'POST /api/v1/monitor/*/mute';
const unmute = 'POST /api/v1/monitor/*/unmute';
const v1 = 'POST /api/v1/downtime';
const v2 = 'POST /api/v2/downtime';
const search = 'POST /api/v2/error-tracking/issues/search';
const setState = 'PUT /api/v2/error-tracking/issues/*/state';
const getIssue = 'GET /api/v2/error-tracking/issues/*';

const id = 'c1486d5e-0000-4000-8000-000000000001';
const issue = (state: unknown) => ({
  id,
  type: 'issue',
  attributes: { error_type: 'TypeError', state, service: 'web' },
  relationships: {},
});
const answered = (state: unknown): Odd => ({ body: { data: issue(state) } });
const failing: Odd = { status: 500, body: '' };
const unsure = 'outcome unknown';
const silentOn = offering('The response shows no state (requested: RESOLVED): TypeError in web');

/** The response to `r`, the response to the read-back, and the receipt. */
const states: readonly (readonly [string, Odd, Odd | undefined, string])[] = [
  ['the issue', answered('RESOLVED'), undefined, offering(`✓ ${receiptOf.resolve('TypeError in web')}`)],
  ['another spelling', answered('resolved'), undefined, `✓ ${receiptOf.resolve('TypeError in web')}`],
  ['another state', answered('SNOOZED'), undefined, 'STATE IS SNOOZED, not RESOLVED'],
  ['an object', { body: {} }, undefined, unsure],
  ['data null', { body: { data: null } }, undefined, unsure],
  ['a list of issues', { body: { data: [issue('RESOLVED')] } }, undefined, unsure],
  ['a list', { body: [] }, undefined, unsure],
  ['a state that is a list', answered(['RESOLVED']), undefined, silentOn],
  ['204', { status: 204, type: 'text/plain' }, undefined, unsure],
  ['202 with nothing', { status: 202, body: '' }, undefined, unsure],
  ['errors in a success', { body: { errors: [{ detail: 'no' }] } }, undefined, 'answers 200, but reports: no'],
  ['an object, done', { body: {} }, answered('RESOLVED'), `✓ ${receiptOf.resolve('TypeError in web')}`],
  ['204, done', { status: 204, type: null }, answered('RESOLVED'), `✓ ${receiptOf.resolve('TypeError in web')}`],
  [
    'a redirect, done',
    { status: 303, headers: { location: '/login' } },
    answered('RESOLVED'),
    `✓ ${receiptOf.resolve('TypeError in web')}`,
  ],
  ['a redirect, no way to look', { status: 307, headers: { location: '/login' } }, undefined, unsure],
  ['an error in a success', { body: { error: 'denied' } }, undefined, 'answers 200, but reports: denied'],
  ['a page, done', { ...html, body: page('x') }, answered('RESOLVED'), `✓ ${receiptOf.resolve('TypeError in web')}`],
  ['a page, not done', { ...html, body: page('x') }, answered('OPEN'), 'answers with a web page'],
  ['a page, no way to look', { ...html, body: page('x') }, undefined, unsure],
  ['500, done', failing, answered('RESOLVED'), `✓ ${receiptOf.resolve('TypeError in web')}`],
  ['500, somebody else', failing, answered('IGNORED'), 'another user has changed it since, so it was not sent again'],
  ['500, a look that shows nothing', failing, { body: {} }, unsure],
  ['500, a look that shows a list', failing, { body: [] }, unsure],
  ['500, a look that is refused', failing, { status: 403, body: '' }, unsure],
  ['a cut connection, done', { cut: true }, answered('RESOLVED'), `✓ ${receiptOf.resolve('TypeError in web')}`],
  ['400', { status: 400, body: { errors: [{ status: '400', detail: 'bad state' }] } }, undefined, 'failed: bad state'],
  ['403', { status: 403, body: { errors: ['Forbidden'] } }, undefined, 'the keys were not accepted (Forbidden)'],
  ['404', { status: 404, body: { errors: [{ detail: 'issue not found' }] } }, undefined, 'failed: issue not found'],
  [
    '404 as a page',
    { ...html, status: 404, body: page('x') },
    undefined,
    'does not offer "change the state of an issue"',
  ],
  ['409', { status: 409, body: '' }, undefined, 'it was changed or is in use (409 Conflict)'],
  ['422', { status: 422, body: { errors: {} } }, undefined, 'the service refused the request (422'],
  ['429', { status: 429, body: page('x'), ...html }, undefined, 'ate limited'],
];

test.each([0, 1, 2])('resolving an issue with an odd response gives the right receipt (part %i of 3)', async (part) => {
  const found = { data: [{ id, attributes: { total_count: 5 } }], included: [issue('OPEN')] };
  for (const [what, answer, look, said] of states.filter((_, at) => at % 3 === part)) {
    const script = { [search]: { body: found }, [setState]: answer, ...(look ? { [getIssue]: look } : {}) };
    await over(script, async (user) => {
      await user.sees(/OPN +5/);
      await user.presses('r');
      await user.settles(said).catch((error: Error) => expect.fail(`${what}: ${error.message}`));
    });
  }
});

const soon = () => Math.floor(noon() / 1000) + 3600;
const disk = (silenced: unknown) => ({ id: 4211, name: 'Disk', overall_state: 'Alert', options: { silenced } });
const shows = (silenced: unknown): Odd => ({ body: disk(silenced) });
const end = (request: Received): number => JSON.parse(request.body).end;
const unseen = 'the answer does not show the mute';
const lost = 'outcome unknown';
const missing: Odd = { status: 404, body: { errors: ['404 Not Found'] } };

/** The responses to `m1`, and the receipt. */
const mutes: readonly (readonly [string, Answers, RegExp | string])[] = [
  [
    'the monitor',
    { [mute]: (request) => shows({ '*': end(request) }) },
    offering(new RegExp(`✓ ${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC`)),
  ],
  [
    'an end in text',
    { [mute]: (request) => shows({ '*': String(end(request)) }) },
    offering(new RegExp(`✓ ${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC`)),
  ],
  [
    'an end in ms',
    { [mute]: (request) => shows({ '*': end(request) * 1000 }) },
    offering(new RegExp(`✓ ${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC`)),
  ],
  ['no end', { [mute]: shows({ '*': null }) }, 'Muted Disk forever: the service ignored the end'],
  [
    'another end',
    { [mute]: (request) => shows({ '*': end(request) + 7200 }) },
    /! Muted Disk until \d\d:\d\d UTC \(requested: until/,
  ],
  ['another scope', { [mute]: shows({ 'host:a': 5e9 }) }, unseen],
  ['silenced null', { [mute]: shows(null) }, unseen],
  ['silenced as a list', { [mute]: shows(['*']) }, unseen],
  ['options null', { [mute]: { body: { id: 4211, options: null } } }, unseen],
  ['an object', { [mute]: { body: {} } }, lost],
  [
    'an object, then a look',
    { [mute]: { body: {} }, [get]: () => shows({ '*': soon() }) },
    new RegExp(`✓ ${receiptOf.mute('Disk')}`),
  ],
  ['a list', { [mute]: { body: [] } }, lost],
  ['204', { [mute]: { status: 204 } }, lost],
  ['400', { [mute]: { status: 400, body: { errors: [{ detail: 'bad end' }] } } }, 'failed: bad end'],
  [
    'only v1',
    { [v1]: (request) => ({ body: { id: 12, end: end(request) } }) },
    offering(new RegExp(`✓ ${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC`)),
  ],
  ['v1, no end', { [v1]: { body: { id: 12, end: null } } }, 'Muted Disk forever: the service ignored the end'],
  ['v1, nothing told', { [v1]: { body: { id: 12 } } }, unseen],
  ['v1, a list', { [v1]: { body: [] } }, lost],
  ['"not found" for the mute itself', { [mute]: missing, [get]: shows({}), [v1]: { body: { id: 1 } } }, unseen],
  ['the monitor is gone', { [mute]: missing, [get]: missing }, 'failed: 404 Not Found'],
  [
    'only v2',
    { [v2]: (request) => ({ body: { data: { id: 'f', attributes: JSON.parse(request.body).data.attributes } } }) },
    offering(new RegExp(`✓ ${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC`)),
  ],
  ['v2, nothing told', { [v2]: { body: { data: { id: 'f', attributes: null } } } }, unseen],
  ['v2, data null', { [v2]: { body: { data: null } } }, lost],
  ['nothing at all', {}, 'this deployment offers no way to mute; nothing was changed'],
  ['500, a look that shows a list', { [mute]: failing, [get]: { body: [] } }, 'outcome unknown'],
];

test.each([0, 1, 2])('muting a monitor with an odd response gives the right receipt (part %i of 3)', async (part) => {
  for (const [what, answers, said] of mutes.filter((_, at) => at % 3 === part))
    await over({ [list]: { body: [disk({})] }, ...answers }, async (user) => {
      await user.opens('monitors');
      await user.presses('m', '1');
      await user.settles(said).catch((error: Error) => expect.fail(`${what}: ${error.message}`));
    });
});

test('a mute whose response is lost is read back as applied although the service rounds its end', async () => {
  const saved: { end?: number } = {};
  const script: Answers = {
    [list]: { body: [disk({})] },
    [mute]: (request) => {
      saved.end = end(request) + 7;
      return { cut: true };
    },
    [get]: () => shows({ '*': saved.end }),
  };
  await over(script, async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', '1');
    await user.settles(new RegExp(`✓ ${receiptOf.mute('Disk')} \\d\\d:\\d\\d`));
    expect(service.asked(mute)).toHaveLength(1);
  });
});

const already = 'query alert "Disk" is already unmuted on *';
const off = shows({});

/** The responses to `M`, and the receipt. */
const unmutes: readonly (readonly [string, Answers, RegExp | string])[] = [
  ['the monitor', { [unmute]: off, [get]: off }, offering(`✓ ${receiptOf.unmute('Disk')}`)],
  ['no way to look', { [unmute]: off }, `✓ ${receiptOf.unmute('Disk')}; its downtimes cannot be read here`],
  ['objects', { [unmute]: { body: {} }, [get]: { body: {} } }, lost],
  ['null', { [unmute]: { body: null }, [get]: { body: null } }, lost],
  ['null, then a look', { [unmute]: { body: null }, [get]: off }, offering(`✓ ${receiptOf.unmute('Disk')}`)],
  [
    'a look that shows nothing',
    { [unmute]: off, [get]: { body: {} } },
    'whether another mute is left could not be read',
  ],
  [
    '204, silent elsewhere',
    { [unmute]: { status: 204 }, [get]: shows({ 'host:a': null }) },
    '! STILL MUTED on host:a forever',
  ],
  ['a lie', { [unmute]: off, [get]: shows({ '*': 5e9 }) }, '! STILL MUTED until'],
  ['already', { [unmute]: { status: 400, body: { errors: [already] } }, [get]: off }, 'Disk was already unmuted'],
  [
    'already, in objects',
    { [unmute]: { status: 400, body: { errors: [{ title: 'Bad', detail: already }] } }, [get]: off },
    'Disk was already unmuted',
  ],
  [
    '502, done',
    { [unmute]: { ...html, status: 502, body: page('x') }, [get]: off },
    offering(`✓ ${receiptOf.unmute('Disk')}`),
  ],
  [
    '403',
    { [unmute]: { status: 403, body: { errors: ['Forbidden', 'Failed permission authorization checks'] } } },
    'your keys or role lack monitors_write',
  ],
];

test('unmuting a monitor with an odd response gives the right receipt', async () => {
  for (const [what, answers, said] of unmutes)
    await over({ [list]: { body: [disk({ '*': soon() })] }, ...answers }, async (user) => {
      await user.opens('monitors');
      await user.presses('M');
      await user.settles(said).catch((error: Error) => expect.fail(`${what}: ${error.message}`));
    });
});
