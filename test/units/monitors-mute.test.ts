import { describe, expect, test } from 'vitest';
import { extendAction } from '../../screens/monitors/extend-mute.ts';
import { type MuteValues, muteAction } from '../../screens/monitors/mute.ts';
import {
  endsAt,
  flaggedTime,
  readMuteTime,
  readMuteUntil,
  timeWords,
  untilArgument,
} from '../../screens/monitors/mute-until.ts';
import { findMutes, mutesRowId } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { searchScope } from '../../screens/monitors/silence.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { commandLine } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { acted, answered, contextOf, refused } from '../support/plans.ts';
import { receiptOf } from '../support/receipts.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const hour = 3_600_000;
const epoch = (ms: number) => Math.round(ms / 1000);
const inAnHour = context.now + hour;
const notOffered = refused('notOffered', 'not offered by this deployment', 404);

const row = (more: object = {}): MonitorRow =>
  there(
    readMonitor(
      {
        id: 4211,
        name: 'Disk',
        overall_state: 'Alert',
        state: {
          groups: {
            'host:web-1': { status: 'Warn' },
            'host:web-2': { status: 'Alert' },
            'host:web-3': { status: 'OK' },
          },
        },
        ...more,
      },
      context.now,
    ),
  );

const values = (more: Partial<MuteValues> = {}): MuteValues => ({
  until: { kind: 'for', ms: hour },
  reason: '',
  scope: '*',
  ...more,
});

/** Runs a mute with responses by endpoint id; returns receipt, confirmed row and undo. */
function mute(row: MonitorRow, asked: MuteValues, answers: Record<string, Result<unknown>>, known: Context = context) {
  const done = acted(muteAction, row, asked, (call: Call) => answers[call.endpoint.id] ?? notOffered, known);
  const { calls, operations: sent, value } = done;
  if (!value.ok) return { problem: value.problem, calls, sent };
  const undo = done.back().map((call) => [call.endpoint.id, call.params, call.query, call.body]);
  return { calls, sent, says: done.says(), undo, truth: done.truth() };
}

const silenced = (map: object) => answered({ id: 4211, options: { silenced: map } });

describe('windows ahead', () => {
  const timeIn = (typed: string, here: Context = context) => {
    const read = readMuteTime(typed, here);
    if (!read.ok) throw new Error(read.text);
    return read.value;
  };
  const berlin = contextOf({ zone: 'Europe/Berlin' });
  const ofRule = (schedule: object) => answered({ data: { id: 'aa-1', attributes: { schedule } } });

  test('that repeat are a v2 downtime in the zone, undone by its delete; the receipt tells the next three', () => {
    const until = timeIn('every Tue 22:00 for 2h', berlin);
    const current = { start: '2026-05-12T20:00:00+00:00', end: '2026-05-12T22:00:00+00:00' };
    const answers = { 'downtimes.create': ofRule({ current_downtime: current }) };
    const done = mute(row(), values({ until, scope: 'host:web-1', reason: 'deploys' }), answers, berlin);
    expect(done.calls.map(({ body }) => body)).toEqual([
      {
        data: {
          type: 'downtime',
          attributes: {
            scope: 'host:web-1',
            monitor_identifier: { monitor_id: 4211 },
            schedule: {
              timezone: 'Europe/Berlin',
              recurrences: [{ start: '2026-05-12T22:00:00', duration: '2h', rrule: 'FREQ=WEEKLY;BYDAY=TU' }],
            },
            message: 'deploys',
          },
        },
      },
    ]);
    expect(done.says).toBe(
      'Planned the mute of host:web-1 of Disk: every Tue 22:00 for 2h; next Tue 22:00, 19 May 22:00, 26 May 22:00 (Europe/Berlin)',
    );
    expect(done.undo).toEqual([['downtimes.delete', { downtime_id: 'aa-1' }, {}, undefined]]);
    expect(done.truth?.mutes).toEqual([]);
  });

  test('of a tag are a downtime over the tag, of the first version where the second is not offered', () => {
    const shop = (more: Partial<MuteValues>) => values({ scope: '* service:shop', ...more });
    const ends = { start: null, end: inAnHour / 1000 };
    const v1 = mute(row(), shop({}), { 'downtimes-v1.create': answered({ id: 501, ...ends }) });
    expect(v1.calls.map(({ endpoint: { id }, body }) => [id, body])).toMatchObject([
      [
        'downtimes.create',
        { data: { attributes: { monitor_identifier: { monitor_tags: ['service:shop'] }, scope: '*' } } },
      ],
      ['downtimes-v1.create', { monitor_tags: ['service:shop'], scope: ['*'], end: inAnHour / 1000 }],
    ]);
    expect(v1.says).toMatch(/^Muted every monitor tagged service:shop until /);
    expect(v1.undo).toEqual([['downtimes-v1.delete', { downtime_id: '501' }, {}, undefined]]);
    expect(v1.truth).toEqual(row());
    expect(mute(row(), shop({ until: { kind: 'forever' } }), {})).toMatchObject({
      calls: [],
      problem: { kind: 'invalid' },
    });
  });

  test('where the answer shows another window, or none, the receipt says so', () => {
    const until = timeIn('tomorrow 09:00 for 1h');
    const says = (schedule: object) => mute(row(), values({ until }), { 'downtimes.create': ofRule(schedule) }).says;
    const planned = 'Planned the mute of Disk: tomorrow 09:00 UTC for 1h';
    const [start, end] = ['2026-05-07T09:00:00Z', '2026-05-07T10:00:00Z'];
    expect(says({ start, end })).toBe(planned);
    expect(says({ start, end: null })).toBe(`${planned}; the service says from tomorrow 09:00 UTC forever`);
    expect(says({ start: '2026-05-07T08:00:00Z', end })).toBe(
      `${planned}; the service says from tomorrow 08:00 UTC until tomorrow 10:00 UTC`,
    );
    expect(mute(row(), values({ until }), { 'downtimes.create': answered({}) }).says).toBe(
      `${planned}; the answer does not show it: look at the mutes`,
    );
  });

  test('one window is a v1 downtime where v2 is not offered, a rule is refused there, and one that has passed is', () => {
    const until = timeIn('tomorrow 09:00 for 1h');
    const start = Date.UTC(2026, 4, 7, 9);
    const v1 = { 'downtimes-v1.create': answered({ id: 9, start: epoch(start), end: epoch(start + hour) }) };
    const done = mute(row(), values({ until }), v1);
    expect(done.calls[1]?.body).toEqual({
      monitor_id: 4211,
      scope: ['*'],
      start: epoch(start),
      end: epoch(start + hour),
    });
    expect(done.says).toBe('Planned the mute of Disk: tomorrow 09:00 UTC for 1h');
    expect(done.undo).toEqual([['downtimes-v1.delete', { downtime_id: '9' }, {}, undefined]]);
    const rule = mute(row(), values({ until: timeIn('weekdays 02:00-04:00') }), v1);
    expect(rule.problem?.text).toBe('this deployment offers no downtimes that repeat; nothing was changed');
    const past = { kind: 'once', start: context.now - hour, end: context.now } as const;
    expect(mute(row(), values({ until: past }), v1)).toMatchObject({ sent: [], problem: { kind: 'invalid' } });
  });

  test('the bar says what they would hit, several monitors one after another', () => {
    const until = timeIn('weekdays 02:00-04:00');
    const next = 'weekdays 02:00 for 2h; next Thu 02:00, Fri 02:00, Mon 02:00 (UTC)';
    const seen = muteAction.bar?.([row()], context).foresees?.(values({ until }));
    expect(seen).toEqual({ end: next, text: '3 groups as of now', isWarning: false });
    const extent = muteAction.extent?.([row(), row({ id: 2 })], values({ until }), context);
    expect(extent).toEqual({ how: next, hits: '2 monitors, 6 groups as of now' });
    expect(muteAction.show?.(row(), values({ until }), context).mutes).toEqual([]);
  });

  test.each([
    ['every Tue 22:00 for 2h', {}, 'every tue 22:00 for 2h'],
    ['', { every: 'Tue', from: '22:00', for: '2h', until: 'Dec 24' }, 'every tue from 22:00 for 2h until dec 24'],
    ['', { every: 'weekdays', from: '02:00', until: '04:00' }, 'every weekdays from 02:00 until 04:00'],
    ['', { from: '22:00', until: '23:30' }, 'from 2026-05-06T22:00:00Z until 2026-05-06T23:30:00Z'],
    ['', { from: 'tomorrow 09:00', for: '1h' }, 'from 2026-05-07T09:00:00Z until 2026-05-07T10:00:00Z'],
    ['', { until: '07:30' }, 'until 2026-05-07T07:30:00Z'],
  ])('the flags %s %j mean one time, and one flag says the same', (length, flags, argument) => {
    const read = flaggedTime({ for: length, ...flags }, context);
    expect(read.ok && untilArgument(read.value)).toBe(argument);
    const again = flaggedTime({ for: argument }, context);
    expect(again.ok && timeWords(again.value, context)).toBe(read.ok && timeWords(read.value, context));
  });

  test('a refusal names the first flag that was given', () => {
    expect(flaggedTime({ every: 'Tue', for: '2h' }, context)).toMatchObject({
      text: expect.stringMatching(/^--every: when/),
    });
    expect(flaggedTime({ from: '22:00' }, context)).toMatchObject({
      text: expect.stringMatching(/^--from: until when/),
    });
    expect(flaggedTime({ for: '' }, context)).toMatchObject({ text: expect.stringMatching(/^--for: nothing typed/) });
  });
});

describe('a bar over several monitors', () => {
  const ending = (...hours: (number | null)[]) =>
    hours.map((many) =>
      row({ options: { silenced: many === 0 ? {} : { '*': many && epoch(context.now + many * hour) } } }),
    );
  const says = (...hours: (number | null)[]) => {
    const rows = ending(...hours);
    const seen = muteAction.bar?.(rows, context).foresees?.(values({ keepsLonger: true }));
    return `${seen?.isWarning} ${seen?.text}`;
  };

  test('says how many get the new end, and how many keep which longer one', () => {
    const after = '; notifies again then if still alerting';
    expect(says(0, 0)).toBe(`false 2 monitors, 6 groups, 4 alerting; none is muted yet${after}`);
    expect(says(1, 0)).toBe(`false 2 monitors, 6 groups, 4 alerting; 1 already muted, none longer${after}`);
    expect(says(3, 0)).toBe(
      `true 1 of 2 monitors, 3 groups, 2 alerting; 1 stays muted longer (until 15:00 UTC)${after}`,
    );
    expect(says(3, 0, null, 3, 5)).toBe(
      'true 1 of 5 monitors, 3 groups, 2 alerting; ' +
        `4 stay muted longer (2 until 15:00 UTC, 1 until 17:00 UTC, 1 forever)${after}`,
    );
    expect(says(2, 3, 4, 5, 0)).toContain('4 stay muted longer (until 14:00 UTC … until 17:00 UTC)');
  });
});

describe('mute', () => {
  test('names the group, in whatever order the service writes its scope', () => {
    const done = mute(
      row({ state: { groups: { 'host:web-1,env:prod': { status: 'Alert' } } } }),
      values({ scope: 'host:web-1,env:prod' }),
      {
        'monitors.mute': silenced({ 'env:prod,host:web-1': epoch(inAnHour) }),
      },
    );
    expect(done.says).toBe('Muted host:web-1,env:prod of Disk until 13:00 UTC');
    expect(done.undo).toEqual([
      ['monitors.unmute', { monitor_id: '4211' }, { scope: 'host:web-1,env:prod' }, undefined],
    ]);
  });

  test('says when the service ignored the end, set another, or returned no mute', () => {
    const says = (map: object) => mute(row(), values(), { 'monitors.mute': silenced(map) }).says;
    expect(says({ '*': null })).toBe('Muted Disk forever: the service ignored the end, mute it again');
    expect(says({ '*': epoch(inAnHour + hour) })).toBe('Muted Disk until 14:00 UTC (requested: until 13:00 UTC)');
    expect(says({})).toBe('the answer does not show the mute until 13:00 UTC: check the mutes of Disk');
    expect(mute(row(), values({ until: { kind: 'forever' } }), { 'monitors.mute': silenced({ '*': null }) }).says).toBe(
      receiptOf.mute('Disk', null),
    );
  });

  test('reads the monitor when the response is empty', () => {
    const done = mute(row(), values(), {
      'monitors.mute': answered(undefined),
      'monitors.get': silenced({ '*': epoch(inAnHour) }),
    });
    expect(done.sent).toEqual(['monitors.mute', 'monitors.get']);
    expect(done.says).toBe(`${receiptOf.mute('Disk')} 13:00 UTC`);
  });

  test('with a reason creates a v1 downtime where v2 is not offered', () => {
    const done = mute(row(), values({ reason: 'patching', scope: 'host:web-1' }), {
      'downtimes-v1.create': answered({ id: 812, scope: ['host:web-1'], end: epoch(inAnHour) }),
    });
    expect(done.sent).toEqual(['downtimes.create', 'downtimes-v1.create']);
    expect(done.calls[1]?.body).toEqual({
      monitor_id: 4211,
      scope: ['host:web-1'],
      end: epoch(inAnHour),
      message: 'patching',
    });
    expect(done.says).toBe(`${receiptOf.mute('host:web-1 of Disk')} 13:00 UTC`);
    expect(done.undo).toEqual([['downtimes-v1.delete', { downtime_id: '812' }, {}, undefined]]);
    expect(done.truth && findMutes(done.truth, context.now)).toMatchObject([{ by: 'v1', id: '812', why: 'patching' }]);
  });

  test('falls back from mute to downtimes, and skips operations known to be missing', () => {
    const v1 = { 'downtimes-v1.create': answered({ id: 812, end: epoch(inAnHour) }) };
    expect(mute(row(), values(), v1).sent).toEqual(['monitors.mute', 'downtimes.create', 'downtimes-v1.create']);
    const known = contextOf({ offered: (id) => id !== 'monitors.mute' && id !== 'downtimes.create' });
    expect(mute(row(), values(), v1, known).sent).toEqual(['downtimes-v1.create']);
  });

  test('says when no operation is offered; a refusal does not count as missing', () => {
    expect(mute(row(), values(), {}).problem).toMatchObject({ kind: 'notOffered' });
    expect(mute(row(), values({ reason: 'x' }), { 'monitors.mute': silenced({}) }).problem?.text).toContain(
      'cannot carry a reason',
    );
    const refusedOnce = mute(row(), values(), { 'monitors.mute': refused('forbidden', 'needs monitors_write', 403) });
    expect(refusedOnce).toMatchObject({ sent: ['monitors.mute'], problem: { kind: 'forbidden' } });
    expect(muteAction.enabled?.(row(), contextOf({ offered: () => false }))).toBe(
      'this deployment offers neither mutes nor downtimes',
    );
  });

  test('refuses a past end before anything is sent', () => {
    const done = mute(row(), values({ until: { kind: 'at', at: context.now - 1000 } }), {});
    expect(done).toMatchObject({ sent: [], problem: { kind: 'invalid' } });
  });

  test('shows the row as muted until the service responds', () => {
    const shown = muteAction.show?.(row(), values(), context);
    expect(shown && findMutes(shown, context.now)).toMatchObject([{ scope: '*', end: inAnHour }]);
  });

  test('keeps 64-bit ids exact', () => {
    const done = mute(row({ id: 9007199254740993n }), values({ reason: 'x' }), {
      'downtimes-v1.create': answered({ id: 1, end: epoch(inAnHour) }),
    });
    expect(done.calls.map(({ body }) => body)).toMatchObject([
      { data: { attributes: { monitor_identifier: { monitor_id: 9007199254740993n } } } },
      { monitor_id: 9007199254740993n },
    ]);
  });
});

describe('the mute bar', () => {
  const bar = (subRowId?: string, rows = [row()]) =>
    muteAction.bar?.(rows, { ...context, ...(subRowId !== undefined && { subRowId }) });

  test('on a mute row offers the scope of that mute', () => {
    const subRowId = mutesRowId({ monitor: '4211', by: 'mute', scope: 'host:web-9', end: null, wide: false });
    expect(bar(subRowId)?.values.scope).toBe('host:web-9');
  });

  test('mutes each of several monitors as a whole', () => {
    expect(bar('host:web-3', [row(), row({ id: 2 })])).toMatchObject({
      title: 'Mute 2 monitors',
      cycles: [],
      values: { scope: '*' },
    });
  });

  test('has one key for each duration; forever only when typed', () => {
    expect(bar()?.choices.map((choice) => [choice.key, choice.values.until])).toEqual([
      ['1', { kind: 'for', ms: hour }],
      ['4', { kind: 'for', ms: 4 * hour }],
      ['h', { kind: 'for', ms: 12 * hour }],
      ['d', { kind: 'for', ms: 24 * hour }],
      ['w', { kind: 'for', ms: 168 * hour }],
    ]);
    const typed = bar()?.inputs?.find((input) => input.key === 't');
    expect(typed?.field.read('forever')).toEqual({ ok: true, value: { kind: 'forever' } });
  });

  test.each([
    ['45m', { kind: 'for', ms: 45 * 60_000 }, '45m'],
    ['for 2 days', { kind: 'for', ms: 48 * hour }, '48h'],
    ['90s', { kind: 'for', ms: 90_000 }, '90s'],
    ['until 07:30', { kind: 'at', at: Date.UTC(2026, 4, 7, 7, 30) }, 'until 2026-05-07T07:30:00Z'],
    ['for ever', { kind: 'forever' }, 'forever'],
  ])('parses %s, and the command line parses its argument to the same', (typed, until, argument) => {
    const read = readMuteUntil(typed, context);
    expect(read).toEqual({ ok: true, value: until });
    if (!read.ok) return;
    expect(untilArgument(read.value)).toBe(argument);
    const again = readMuteUntil(untilArgument(read.value), context);
    expect(again.ok && endsAt(again.value, context.now)).toBe(endsAt(read.value, context.now));
  });

  test('the question before it says until when, what it hits, and what stays muted longer', () => {
    const extent = (rows: readonly MonitorRow[], more = {}) => muteAction.extent?.(rows, values(more), context);
    const longer = row({ id: 2, options: { silenced: { '*': epoch(inAnHour + 9 * hour) } } });
    const until = 'until 13:00 UTC';
    expect(extent([row()])).toEqual({ how: `${until} (1h)`, hits: '3 groups, 2 alerting' });
    expect(extent([row()], { scope: 'host:web-1', until: { kind: 'at', at: inAnHour } })).toEqual({
      how: `on host:web-1 ${until}`,
      hits: '1 group, 1 alerting',
    });
    const kept = '1 stays muted longer (until 22:00 UTC)';
    expect(extent([row(), longer])).toEqual({ how: `${until} (1h)`, hits: `3 groups, 2 alerting; ${kept}` });
    expect(extent([longer])?.hits).toBe('3 groups, 2 alerting; shortens the current mute, which ends 22:00 UTC');
    expect(extent([longer], { until: { kind: 'forever' } })).toEqual({ how: 'forever', hits: '3 groups, 2 alerting' });
    const unread = '; its groups and mutes are not read yet';
    expect(extent([{ ...row(), partial: true }])?.hits).toBe(`3 groups, 2 alerting${unread}`);
  });

  test('the copied command does the same', () => {
    expect(muteAction.command?.(row(), values())).toBe('orgdeck monitors mute 4211 --for 1h');
    expect(muteAction.command?.(row(), values({ scope: 'host:web-1', reason: "it's on fire" }))).toBe(
      "orgdeck monitors mute 4211 --for 1h --scope host:web-1 --reason 'it'\\''s on fire'",
    );
  });
});

test('v2 scopes are search expressions', () => {
  expect(searchScope('*')).toBe('*');
  expect(searchScope('host:a,env:b')).toBe('host:a AND env:b');
  expect(searchScope('svc:two words')).toBe('svc:"two words"');
  expect(searchScope('env:(prod OR stage) AND x:y')).toBe('env:(prod OR stage) AND x:y');
});

describe('extend', () => {
  const muted = row({ options: { silenced: { '*': epoch(inAnHour) } } });
  function extend(row: MonitorRow, answers: Record<string, Result<unknown>>, known: Context = context, which = '') {
    const asked = { until: { kind: 'for', ms: hour }, which } as const;
    const done = acted(extendAction, row, asked, (call) => answers[call.endpoint.id] ?? notOffered, known);
    const { calls, value } = done;
    if (!value.ok) return { calls, problem: value.problem };
    return { calls, says: done.says(), undo: done.back().map((call) => [call.endpoint.id, call.body]) };
  }

  test('changes the end of a downtime of either version', () => {
    const v1 = row({ matching_downtimes: [{ id: 812, monitor_id: 4211, scope: ['*'], end: epoch(inAnHour) }] });
    const first = extend(v1, { 'downtimes-v1.update': answered({ id: 812, end: epoch(inAnHour + hour) }) });
    expect(first.calls[0]).toMatchObject({
      endpoint: { id: 'downtimes-v1.update' },
      params: { downtime_id: '812' },
      body: { end: epoch(inAnHour + hour) },
    });
    const v2 = row({ matching_downtimes: [{ id: 'aa-1', monitor_id: 4211, scope: ['*'], end: epoch(inAnHour) }] });
    const second = extend(v2, {
      'downtimes.update': answered({ data: { attributes: { schedule: { end: '2026-05-06T14:00:00Z' } } } }),
    });
    expect(second.calls[0]?.body).toEqual({
      data: { id: 'aa-1', type: 'downtime', attributes: { schedule: { end: '2026-05-06T14:00:00Z' } } },
    });
    expect(second.says).toBe('Muted until 14:00 UTC: Disk');
  });

  test('says why it is disabled', () => {
    expect(extendAction.enabled?.(row(), context)).toBe('not muted');
    expect(extendAction.enabled?.(row({ options: { silenced: { '*': null } } }), context)).toBe('it is muted forever');
    const wide = row({ matching_downtimes: [{ id: 8, monitor_id: null, scope: ['*'], end: epoch(inAnHour) }] });
    expect(extendAction.enabled?.(wide, context)).toContain('more than this monitor');
    expect(extendAction.enabled?.(muted, context)).toBe(true);
  });

  test('asks which of several mutes', () => {
    const two = row({ options: { silenced: { 'host:web-1': epoch(inAnHour), 'host:web-2': epoch(inAnHour) } } });
    expect(extendAction.bar?.([two], context).cycles?.[0]?.options).toHaveLength(2);
    // The bar shows the new end and the one that it takes the place of; of several monitors each has its own.
    const later = { until: { kind: 'for', ms: hour }, which: 'host:web-2' } as const;
    const seen = (...rows: MonitorRow[]) => extendAction.bar?.(rows, context).foresees?.(later);
    expect(seen(two)).toEqual({ end: 'until 14:00 UTC', text: 'instead of 13:00 UTC', isWarning: false });
    expect(seen(two, row())).toBeUndefined();
    expect(extend(two, {}).problem).toMatchObject({ kind: 'conflict' });
    expect(
      extend(two, { 'monitors.mute': silenced({ 'host:web-2': epoch(inAnHour + hour) }) }, context, 'host:web-2').says,
    ).toBe('Muted until 14:00 UTC: host:web-2 of Disk');
  });

  test('extends a mute of several monitors only from its own row, after a question', () => {
    const subRowId = mutesRowId({
      monitor: '4211',
      by: 'v2',
      id: 'aa-1',
      scope: 'env:prod',
      end: inAnHour,
      wide: true,
    });
    expect(
      extendAction.confirm?.([row()], { until: { kind: 'for', ms: hour }, which: '' }, { ...context, subRowId })
        ?.question,
    ).toBe('Extend downtime aa-1?');
  });

  test('the copied command extends the same downtime', () => {
    const monitor = row({ matching_downtimes: [{ id: 812, monitor_id: 4211, scope: ['*'], end: epoch(inAnHour) }] });
    expect(
      commandLine(extendAction.command?.(monitor, { until: { kind: 'for', ms: hour }, which: '' }) ?? '', {}),
    ).toBe(`orgdeck call downtimes-v1.update --downtime_id 812 --body '{"end":${epoch(inAnHour + hour)}}'`);
  });
});
