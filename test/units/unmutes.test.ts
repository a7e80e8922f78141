import { test } from 'vitest';
import { isSilent, mutedText } from '../../screens/monitors/columns.ts';
import { endAction, extendListedAction } from '../../screens/monitors/ledger-edits.ts';
import { foreseen, muteExtent } from '../../screens/monitors/mute-receipt.ts';
import type { MuteTime } from '../../screens/monitors/mute-until.ts';
import { type Mute, mutesRowId } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { restoreCall } from '../../screens/monitors/silence.ts';
import { unmuteAction } from '../../screens/monitors/unmute.ts';
import type { UnmuteValues } from '../../screens/monitors/unmute-choice.ts';
import { alertingSince } from '../../screens/service/blocks.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import { toReceipt } from '../../src/describe/receipt.ts';
import { acted, answered, contextOf, refused } from '../support/plans.ts';
import { storedAs, unreadOf } from '../support/sweeps.ts';
import { there } from '../support/there.ts';
import { answeredBy, callLine } from '../support/told-edits.ts';

const context = contextOf();
const hour = 3_600_000;
const epoch = (ms: number) => Math.round(ms / 1000);
const end = context.now + hour;
const disk = there(readMonitor({ id: 4211, name: 'Disk', overall_state: 'Alert' }, context.now));
const quiet = {
  'monitors.get': answered({ id: 4211, name: 'Disk' }),
  'downtimes-v1.list': answered([]),
  'downtimes.list': answered({ data: [] }),
};

const mute = (more: Partial<Mute> = {}): Mute => ({
  monitor: '4211',
  by: 'mute',
  scope: '*',
  end,
  wide: false,
  ...more,
});
const rule = { start: '2026-05-05T22:00', duration: '2h', rrule: 'FREQ=WEEKLY' };
const kept = {
  first: mute({ by: 'v1', id: '812' }),
  second: mute({ by: 'v2', id: 'aa-1', scope: 'host:c', start: context.now - hour }),
  wide: mute({ by: 'v1', id: '813', wide: true, over: 'every monitor tagged team:core', end: end + hour }),
  rule: mute({ by: 'v2', id: 'bb-2', repeats: { zone: 'UTC', rules: [rule] } }),
  elsewhere: mute({ monitor: '99', by: 'v1', id: '5', scope: 'host:a' }),
  a: mute({ scope: 'host:a', end: null }),
  b: mute({ scope: 'host:b', start: context.now - 2 * hour }),
  whole: mute(),
  forever: mute({ end: null }),
  odd: mute({ by: 'v1' }),
};
const muted = (...mutes: readonly Mute[]): MonitorRow => ({ ...disk, mutes });
const under = (mute: Mute) => contextOf({ subRowId: mutesRowId(mute) });
const ways = {
  'at the row': context,
  'at host:a': contextOf({ subRowId: 'host:a' }),
  'at host:a,env:prod': contextOf({ subRowId: 'host:a,env:prod' }),
  'at host:d': contextOf({ subRowId: 'host:d' }),
  'at the wide one': under(kept.wide),
  'at the rule': under(kept.rule),
  only: { which: 'only' },
  all: { which: 'all' },
  'scope *': { which: 'scope', scope: '*' },
  'scope host:a': { which: 'scope', scope: 'host:a' },
  'downtime 812': { which: 'downtime', id: '812' },
  'downtime 813': { which: 'downtime', id: '813' },
  'the mute of a group': { which: 'one', mute: kept.a },
  'the second': { which: 'one', mute: kept.second },
  'one of another monitor': { which: 'one', mute: kept.elsewhere },
  'all groups alone': { which: 'one', mute: kept.whole, alone: true },
} satisfies Record<string, UnmuteValues | Context>;
/** Rows by their mutes, and the ways to choose of them. */
const cases: readonly (readonly [name: string, row: MonitorRow, hows: readonly (keyof typeof ways)[]])[] = [
  ['not muted', muted(), ['at the row', 'scope host:a', 'all']],
  ['muted forever', muted(kept.forever), ['at the row', 'all groups alone']],
  ['muted for an hour', muted(kept.whole), ['at the row', 'one of another monitor']],
  ['two groups', muted(kept.a, kept.b), ['at the row', 'at host:a', 'at host:d', 'only', 'all', 'scope host:a']],
  ['two groups', muted(kept.a, kept.b), ['scope *', 'the mute of a group', 'one of another monitor']],
  ['a group and all', muted(kept.a, kept.whole), ['at the row', 'at host:a', 'only']],
  ['a first downtime', muted(kept.first, kept.whole), ['at the row', 'downtime 812', 'all groups alone', 'all']],
  ['a second downtime', muted(kept.second), ['at the row', 'the second']],
  ['one of all hosts', muted(mute({ scope: 'host:a' })), ['at the row', 'at host:a,env:prod']],
  ['a downtime without an id', muted(kept.odd), ['at the row']],
  ['a wide one', muted(kept.wide), ['at the row', 'at the wide one', 'only', 'downtime 813', 'all']],
  ['own and wide ones', muted(kept.first, kept.second, kept.wide, kept.a), ['at the row', 'all', 'downtime 812']],
  ['ten mutes', muted(...Array.from({ length: 10 }, (_, at) => mute({ scope: `host:${at}` }))), ['at the row', 'all']],
  ['a rule', muted(kept.rule), ['at the row', 'at the rule', 'only']],
  ['read in part', { ...disk, partial: true }, ['only', 'all', 'scope host:a']],
  ['unread mutes', { ...disk, name: 'monitor 4211', bare: true }, ['only', 'all', 'scope host:a']],
];
const monitor = (silenced: object) => ({ id: 4211, name: 'Disk', options: { silenced } });
const done = answered(undefined);
const definition = { id: 812, monitor_id: 4211, scope: ['*'], end: epoch(end), message: 'as it was' };
const fine = {
  ...quiet,
  'monitors.unmute': answered(monitor({})),
  'downtimes-v1.get': answered(definition),
  'downtimes-v1.delete': done,
  'downtimes.get': answered({
    data: { id: 'aa-1', attributes: { scope: 'host:c', monitor_identifier: { monitor_id: 4211 } } },
  }),
  'downtimes.delete': done,
};
const off = refused('invalid', 'query alert "Disk" is Already unmuted on *', 400);
const gone = refused('notFound', 'Downtime not found', 404);
/** Of several answers of an operation the first comes first, the last from then on. */
const answers: Readonly<Record<string, Record<string, Result<unknown> | readonly Result<unknown>[]>>> = {
  fine,
  'others stay': {
    ...fine,
    'monitors.get': answered(monitor({ '*': epoch(end + hour), 'host:a': null, 'host:b': epoch(end) })),
  },
  'a group stays': { ...fine, 'monitors.get': answered(monitor({ 'host:b': epoch(end), 'host:c': null })) },
  'all are over': { ...fine, 'monitors.unmute': off, 'downtimes.delete': gone, 'downtimes-v1.delete': off },
  'one was hidden': {
    ...fine,
    'monitors.get': [answered(monitor({ '*': epoch(end + hour) })), quiet['monitors.get']],
  },
  'a part is refused': { ...fine, 'monitors.unmute': refused('forbidden', 'needs monitors_write', 403) },
  'downtimes are refused': { ...fine, 'downtimes-v1.delete': refused('tooMany', 'too many', 429) },
  'not offered': { 'monitors.unmute': answered(monitor({ 'host:b': null })) },
  'unread afterward': { ...fine, 'monitors.get': refused('unreachable', 'no answer') },
  'it repeats': {
    ...fine,
    'downtimes-v1.get': answered({ ...definition, recurrence: { type: 'weeks' } }),
  },
  'it is wide': {
    ...fine,
    'downtimes-v1.get': answered({ ...definition, monitor_id: null, monitor_tags: ['team:core'] }),
  },
};

test('what M does to each kind of mutes, chosen in each way, with each answer, is what was reviewed', async () => {
  const text = (value: unknown) => JSON.stringify(value);
  const mutesOf = (shown: MonitorRow) => shown.mutes.map(({ by, scope }) => `${by} ${scope}`).join('; ');
  const sentences = new Set<string>();
  const lines = cases.flatMap(([name, row, hows]) =>
    hows.flatMap((how) => {
      const way: UnmuteValues | Context = ways[how];
      const known = 'now' in way ? way : context;
      const values = 'now' in way ? unmuteAction.values?.([row], known) : way;
      const title = `# ${name}, ${how}: ${text(values)}`;
      if (!values)
        return [title, ...(unmuteAction.bar?.([row], known).choices ?? []).map((choice) => `  ${text(choice)}`)];
      const told = Map.groupBy(Object.entries(answers), ([, answer]) => {
        const tried = acted(unmuteAction, row, values, answeredBy(answer), known);
        const { value } = tried;
        const receipt = value.ok ? toReceipt(unmuteAction.done(row, values, value.value, known)) : undefined;
        const leaves = value.ok ? receipt?.leaves : value.problem.leaves;
        const after = tried.truth();
        return [
          `${receipt?.isWarning ? 'warns' : 'says'} ${tried.says()}`,
          tried.calls.map((one) => (one.endpoint.repeat === 'read' ? one.endpoint.id : callLine(one))).join('; '),
          ...(leaves ?? []).map(({ id, scope, until, say }) => `leaves ${[id, scope, until, say].join(' ')}`),
          ...(after ? [`is then ${mutesOf(after)}`] : []),
          ...tried.back().map((one) => `back: ${callLine(one)}`),
        ].join('\n    ');
      });
      const outcomes = [...told].map(([came, those]) => `  ${those.map(([each]) => each).join(', ')}: ${came}`);
      return [
        title,
        `  ${unmuteAction.command?.(row, values)} | shows ${mutesOf(there(unmuteAction.show?.(row, values, known)))} | asks ${text(unmuteAction.confirm?.([row], values, known))}`,
        ...unreadOf(outcomes, sentences, (outcome) => /(?:says|warns) .*/.exec(outcome)?.[0] ?? ''),
      ];
    }),
  );
  const two = [muted(kept.a), muted(kept.b)];
  lines.push(
    `# several: ${text(unmuteAction.bar?.(two, context))}`,
    `  ${text(unmuteAction.values?.(two, context))} ${text(unmuteAction.confirm?.(two, ways.all, context))}`,
    ...[[kept.first, kept.wide], [kept.wide], [kept.first, kept.second]].map((mutes) => {
      const listed = mutes.map((mute) => ({ id: '', mute, monitors: [], groups: 0, alerting: 0, notifies: false }));
      const bar = extendListedAction.bar?.(listed, context);
      return `  in Mutes ${text([endAction.confirm?.(listed, {}, context), bar?.title, bar?.foresees?.(bar.values)])}`;
    }),
    `  already ${cases.map(([, row]) => unmuteAction.already?.(row, context)).join('; ')}`,
    `  and ${unmuteAction.already?.(muted(), ways['at the wide one'])}`,
  );
  await storedAs('unmutes', lines);
});

test('a mute foresees what was reviewed, for each kind of mutes and each end', async () => {
  const group = (name: string, status: string) => [
    name,
    { name, status, last_triggered_ts: epoch(context.now - hour) },
  ];
  const grouped = (names: readonly string[], more: object = {}) =>
    there(
      readMonitor(
        {
          ...{ id: 4211, name: 'Disk', overall_state: 'Alert', overall_state_modified: '2026-05-06T10:00:00Z' },
          state: { groups: Object.fromEntries(names.map((name, at) => group(name, at % 2 === 0 ? 'Alert' : 'OK'))) },
          ...more,
        },
        context.now,
      ),
    );
  const shapes: Readonly<Record<string, MonitorRow>> = {
    'without groups': disk,
    'three groups': grouped(['host:a,env:prod', 'host:b', 'host:c']),
    'in part': { ...grouped(['host:a']), partial: true, mutedUntil: end },
  };
  const timed: readonly (readonly [until: MuteTime, scope: string])[] = [
    [{ kind: 'for', ms: hour / 2 }, '*'],
    [{ kind: 'for', ms: hour / 2 }, 'host:a'],
    [{ kind: 'for', ms: 4 * hour }, '*'],
    [{ kind: 'forever' }, 'host:a'],
  ];
  const sentences = new Set<string>();
  const lines = Object.entries(shapes).flatMap(([shape, disk]) =>
    cases.flatMap(([name, { mutes }]) => {
      const row = { ...disk, mutes };
      const whole = [isSilent(row, context.now), alertingSince([row], context.now), mutedText(row, context)].join(' ');
      const says = timed.flatMap(([until, scope]) =>
        [[row], [row, { ...disk, id: '4213' }]].map((rows) => {
          const { end, text, isWarning } = foreseen(rows, { until, scope }, context);
          const { how, hits } = muteExtent(rows, { until, scope }, context);
          return `  ${rows.length} ${scope} ${isWarning ? 'warns' : 'says'} ${end}: ${text} | ${how}: ${hits}`;
        }),
      );
      return [`# ${shape}, ${name}: ${whole}`, ...unreadOf(says, sentences)];
    }),
  );
  const mutes = cases.filter(([name]) => name !== 'ten mutes').flatMap(([, row]) => row.mutes);
  const kinds = [...new Set(mutes)].flatMap((mute) =>
    [undefined, { scope: ['*'], message: 'as it was', monitor_id: 4211, attributes: { message: 'as it was' } }].flatMap(
      (definition) =>
        [mute, { ...mute, start: context.now + hour, end: end + hour }].map((one) => {
          const back = restoreCall(one, context.now, definition);
          return `back ${one.by} ${one.id} ${one.scope}: ${back?.endpoint.id} ${JSON.stringify([back?.params, back?.body])}`;
        }),
    ),
  );
  await storedAs('foresights', [...lines, ...kinds]);
});
