import { test } from 'vitest';
import { extendAction } from '../../screens/monitors/extend-mute.ts';
import { type MuteValues, muteAction } from '../../screens/monitors/mute.ts';
import { readMuteTime } from '../../screens/monitors/mute-until.ts';
import { type Mute, mutesRowId } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import type { Context } from '../../src/describe/context.ts';
import { answered, contextOf, refused } from '../support/plans.ts';
import { there } from '../support/there.ts';
import { expectReviewed, type OddAnswers, told } from '../support/told-edits.ts';

const context = contextOf();
const berlin = contextOf({ zone: 'Europe/Berlin' });
const hour = 3_600_000;
const epoch = (ms: number) => Math.round(ms / 1000);
const end = epoch(context.now + hour);
const groups = { 'host:web-1': { status: 'Warn' }, 'host:web-2': { status: 'Alert' }, 'host:web-3': { status: 'OK' } };
const row = (more: object = {}): MonitorRow =>
  there(readMonitor({ id: 4211, name: 'Disk', overall_state: 'Alert', state: { groups }, ...more }, context.now));
const silenced = (map: object) => answered({ id: 4211, options: { silenced: map } });
const muted = (map: object) => row({ options: { silenced: map } });
const downtime = (more: object = {}) => row({ matching_downtimes: [{ id: 812, scope: ['*'], end, ...more }] });

const mute = (title: string, more: Partial<MuteValues>, answers: OddAnswers, known?: Context, monitor = row()) =>
  told(`mute: ${title}`, muteAction, monitor, { ...anHour, ...more }, answers, known);
const anHour: MuteValues = { until: { kind: 'for', ms: hour }, reason: '', scope: '*' };
const timed = (typed: string, more: Partial<MuteValues>, answers: OddAnswers, known: Context = context) => {
  const read = readMuteTime(typed, known);
  if (!read.ok) throw new Error(read.text);
  return mute(typed, { ...more, until: read.value }, answers, known);
};
const extend = (title: string, monitor: MonitorRow, answers: OddAnswers, which = '', known?: Context) =>
  told(`extend: ${title}`, extendAction, monitor, { until: { kind: 'for', ms: hour }, which }, answers, known);

const second = (schedule: object) => ({
  'downtimes.create': answered({ data: { id: 'aa-1', attributes: { schedule } } }),
});
const first = { 'downtimes-v1.create': answered({ id: 812, scope: ['host:web-1'], end }) };
const found = { ...row(), partial: true };
const tomorrow = Date.UTC(2026, 4, 7, 9);
const firstTomorrow = {
  'downtimes-v1.create': answered({ id: 9, start: epoch(tomorrow), end: epoch(tomorrow + hour) }),
};
const daily = { start: '2026-05-01T11:00:00', duration: '2h', rrule: 'FREQ=DAILY' };
const ruled: Mute = {
  ...{ monitor: '4211', by: 'v2', id: 'aa-1', scope: '*', end: context.now + hour, wide: false },
  repeats: { zone: 'UTC', rules: [daily] },
};
const [nine, ten] = ['2026-05-07T09:00:00Z', '2026-05-07T10:00:00Z'];
const tuesday = { start: '2026-05-12T20:00:00+00:00', end: '2026-05-12T22:00:00+00:00' };
const ofTag = { scope: '* service:shop' };
const two = { 'host:web-1': end, 'host:web-2': end };

test('what a mute, and a longer one, sends and says with each answer is what was reviewed', () =>
  expectReviewed([
    mute(
      'a group whose scope is written in another order',
      { scope: 'host:web-1,env:prod' },
      { 'monitors.mute': silenced({ 'env:prod,host:web-1': end }) },
      context,
      row({ state: { groups: { 'host:web-1,env:prod': { status: 'Alert' } } } }),
    ),
    mute('the end is ignored', {}, { 'monitors.mute': silenced({ '*': null }) }),
    ...[60, 61, 3600].map((seconds) =>
      mute(`an end ${seconds} s later`, {}, { 'monitors.mute': silenced({ '*': end + seconds }) }),
    ),
    mute(
      'a group of what is muted forever',
      { scope: 'host:web-1' },
      { 'monitors.mute': silenced({ ...two, '*': null }) },
    ),
    mute('the answer has no mute', {}, { 'monitors.mute': silenced({}) }),
    mute('forever', { until: { kind: 'forever' } }, { 'monitors.mute': silenced({ '*': null }) }),
    mute('an empty answer', {}, { 'monitors.mute': answered(undefined), 'monitors.get': silenced({ '*': end }) }),
    mute('with a reason', { reason: 'patching', scope: 'host:web-1' }, first),
    mute('no mutes are offered', {}, first),
    mute('they are known to be missing', {}, first, contextOf({ offered: (id) => id.startsWith('downtimes-v1') })),
    mute('nothing is offered', {}, {}),
    mute('a reason where downtimes are missing', { reason: 'x' }, { 'monitors.mute': silenced({}) }),
    mute('refused', {}, { 'monitors.mute': refused('forbidden', 'needs monitors_write', 403) }),
    mute(
      'one of several, found by a search, where a longer one may be there',
      { keepsLonger: true },
      { 'monitors.get': refused('unreachable', 'no answer'), 'monitors.mute': silenced({ '*': end }) },
      context,
      found,
    ),
    mute(
      'one of several where nothing can be read',
      { keepsLonger: true },
      { 'monitors.mute': silenced({ '*': end }) },
      context,
      found,
    ),
    mute('an end that has passed', { until: { kind: 'at', at: context.now - 1000 } }, {}),
    mute('a window that has passed', { until: { kind: 'once', start: context.now - hour, end: context.now } }, {}),
    mute('an id beyond 2^53', { reason: 'x' }, first, context, row({ id: 9007199254740993n })),
    timed(
      'every Tue 22:00 for 2h',
      { scope: 'host:web-1', reason: 'deploys' },
      second({ current_downtime: tuesday }),
      berlin,
    ),
    timed('weekdays 02:00-04:00', {}, firstTomorrow),
    timed('tomorrow 09:00 for 1h', {}, firstTomorrow),
    timed('tomorrow 09:00 for 1h', {}, second({ start: nine, end: ten })),
    timed('tomorrow 09:00 for 1h', {}, second({ start: nine, end: null })),
    ...['09:01:00', '09:01:01', '08:00:00'].map((start) =>
      timed('tomorrow 09:00 for 1h', {}, second({ start: `2026-05-07T${start}Z`, end: ten })),
    ),
    timed('tomorrow 09:00 for 1h', {}, { 'downtimes.create': answered({}) }),
    timed('tomorrow 09:00 for 1h', {}, { 'downtimes.create': answered({ data: { id: 'aa-1' } }) }),
    ...[end, end + 60, end + 61].map((ends) =>
      mute('a tag', ofTag, { 'downtimes-v1.create': answered({ id: 501, start: null, end: ends }) }),
    ),
    mute('a tag, forever', { ...ofTag, until: { kind: 'forever' } }, {}),
    mute(
      'a running window of a rule',
      { extends: true, until: { kind: 'for', ms: 2 * hour } },
      { 'monitors.mute': silenced({ '*': end + 3600 }) },
      context,
      {
        ...row(),
        mutes: [ruled],
      },
    ),
    extend('not muted', row(), {}),
    extend('forever', muted({ '*': null }), {}),
    extend('a wide one', downtime({ monitor_id: null }), {}),
    extend('a first downtime', downtime({ monitor_id: 4211 }), {
      'downtimes-v1.update': answered({ id: 812, end: end + 3600 }),
    }),
    extend('a second downtime', downtime({ id: 'aa-1', monitor_id: 4211 }), {
      'downtimes.update': answered({ data: { attributes: { schedule: { end: '2026-05-06T14:00:00Z' } } } }),
    }),
    extend('one of two', muted(two), {}),
    extend('that of a group', muted(two), { 'monitors.mute': silenced({ 'host:web-2': end + 3600 }) }, 'host:web-2'),
    extend(
      'under a wide one',
      row(),
      {},
      '',
      contextOf({
        subRowId: mutesRowId({
          ...{ monitor: '4211', by: 'v2', id: 'aa-1', scope: 'env:prod', end: context.now + hour, wide: true },
        }),
      }),
    ),
  ]));
