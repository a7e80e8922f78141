import { describe, expect, test } from 'vitest';
import { extendAction } from '../../screens/monitors/extend-mute.ts';
import { editMuteAction } from '../../screens/monitors/ledger-edits.ts';
import { quietRow } from '../../screens/monitors/ledger-row.ts';
import { type MuteValues, muteAction } from '../../screens/monitors/mute.ts';
import { newMuteAction } from '../../screens/monitors/mute-tag.ts';
import {
  endsAt,
  flaggedTime,
  readMuteTime,
  readMuteUntil,
  timeWords,
  untilArgument,
} from '../../screens/monitors/mute-until.ts';
import { mutesRowId } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { searchScope } from '../../screens/monitors/silence.ts';
import type { Context } from '../../src/describe/context.ts';
import { contextOf } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const hour = 3_600_000;
const epoch = (ms: number) => Math.round(ms / 1000);
const inAnHour = context.now + hour;

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

describe('windows ahead', () => {
  const timeIn = (typed: string, here: Context = context) => {
    const read = readMuteTime(typed, here);
    if (!read.ok) throw new Error(read.text);
    return read.value;
  };

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
  const says = (...hours: (number | null)[]) => foreseen(ending(...hours));
  const foreseen = (rows: readonly MonitorRow[]) => {
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
    const part = row({ options: { silenced: { 'host:web-3': epoch(context.now + 9 * hour) } } });
    expect(foreseen([part, part])).toContain('4 alerting; 2 muted in part;');
    expect(foreseen([part, ...ending(1)])).toContain('1 already muted, none longer, 1 in part;');
  });
});

test('a bar says that a mute notifies again only where no other mute of a group lasts longer', () => {
  const after = (silenced: object) => {
    const text = muteAction.bar?.([row({ options: { silenced } })], context).foresees?.(values())?.text ?? '';
    return text.includes('; notifies again then if still alerting');
  };
  const later = epoch(context.now + 3 * hour);
  expect(after({})).toBe(true);
  expect(after({ 'host:web-1': later })).toBe(true);
  expect(after({ 'host:web-1': later, 'host:web-2': null })).toBe(false);
  // The mute of the same scope is replaced.
  expect(after({ '*': later })).toBe(true);
  const start = context.now + hour;
  const next = { monitor: '4211', by: 'v2' as const, id: 'd', scope: '*', start, end: start + hour, wide: false };
  const before = { ...row(), mutes: [next] };
  expect(muteAction.bar?.([before], context).foresees?.(values())?.text).not.toContain('notifies again');
});

test('the question of a mute of a tag names the scope, and counts the loaded monitors and groups that it hits', () => {
  const tags = ['team:core'];
  const loaded = () => [row({ tags }), row({ id: 2, tags }), row({ id: 3 })];
  const asked = (scope: string, known: Pick<Context, 'loaded'>) => {
    const { subject, hits } =
      newMuteAction.extent?.([], { ...values({ scope }), tag: 'team:core' }, { ...context, ...known }) ?? {};
    return `${subject}: ${hits}`;
  };
  const future = 'as of now, and every future monitor with this tag';
  expect([asked('*', { loaded }), asked('host:web-1', { loaded }), asked('*', {})]).toEqual([
    `mute on every monitor tagged team:core: 2 monitors, 6 groups, 4 alerting ${future}`,
    `mute on host:web-1 of every monitor tagged team:core: 2 monitors, 2 groups, 2 alerting ${future}`,
    'mute on every monitor tagged team:core: every current and future monitor with this tag',
  ]);
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
});

test('v2 scopes are search expressions', () => {
  expect(searchScope('*')).toBe('*');
  expect(searchScope('host:a,env:b')).toBe('host:a AND env:b');
  expect(searchScope('svc:two words')).toBe('svc:"two words"');
  expect(searchScope('path:c:\\a "b"')).toBe('path:"c:\\\\a \\"b\\""');
  expect(searchScope('env:(prod OR stage) AND x:y')).toBe('env:(prod OR stage) AND x:y');
});

test('a mute that is no downtime is edited neither while it runs nor when it has ended', () => {
  const listed = quietRow({ monitor: '4211', by: 'mute', scope: '*', end: inAnHour, wide: false }, [row()]);
  const refusals = [listed, { ...listed, isOver: true }].map((one) => editMuteAction.enabled?.(one, context));
  expect(refusals).toEqual(['it runs now: + extends it, M ends it', 'it has ended']);
});

describe('extend', () => {
  test('asks which of several mutes', () => {
    const two = row({ options: { silenced: { 'host:web-1': epoch(inAnHour), 'host:web-2': epoch(inAnHour) } } });
    expect(extendAction.bar?.([two], context).cycles?.[0]?.options).toHaveLength(2);
    // The bar shows the new end and the one that it takes the place of; of several monitors each has its own.
    const later = { until: { kind: 'for', ms: hour }, which: 'host:web-2' } as const;
    const seen = (...rows: MonitorRow[]) => extendAction.bar?.(rows, context).foresees?.(later);
    expect(seen(two)).toEqual({ end: 'until 14:00 UTC', text: 'instead of 13:00 UTC', isWarning: false });
    expect(seen(two, row())).toBeUndefined();
  });
});
