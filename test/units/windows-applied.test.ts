import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAhead, readMuteTime, windowsOf } from '../../screens/monitors/mute-until.ts';
import { downtimeCall } from '../../screens/monitors/silence.ts';
import { contextOf } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { simulated } from '../support/simulated.ts';

const two = (value: number) => String(value).padStart(2, '0');
const hour = 3_600_000;

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const clock = fc.tuple(fc.nat(23), fc.constantFrom(0, 15, 30, 59)).map(([h, m]) => `${two(h)}:${two(m)}`);
const length = fc.constantFrom('45m', '90m', '2h', '20h');
const every = fc.oneof(
  fc.constantFrom(
    'every day',
    'weekdays',
    'weekends',
    'every 3 days',
    'every month on the 31st',
    'every month on the last day',
  ),
  fc.subarray(days, { minLength: 1 }).map((some) => `every ${some.join(' and ')}`),
  fc.subarray(days, { minLength: 1 }).map((some) => `every 2 weeks on ${some.join(', ')}`),
);
const typed = fc.oneof(
  fc.tuple(clock, clock).map(([from, to]) => `${from}-${to}`),
  fc.tuple(fc.constantFrom('', 'tomorrow '), clock, length).map(([day, at, long]) => `from ${day}${at} for ${long}`),
  fc
    .tuple(every, clock, length, fc.constantFrom('', '', ' until Apr 2'))
    .map(([on, at, long, end]) => `${on} ${at} for ${long}${end}`),
);
const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC');

test(
  'the next three windows that are said are those that the service applies, over changes of clocks too',
  { tags: ['long'] },
  () =>
    simulated(async ({ service, ask, get }) => {
      const monitor = service.has('monitor', { id: 77, name: 'Disk', groups: { '*': 'OK' } });
      const rest = fc.nat(20 * 24);
      await fc.assert(
        fc.asyncProperty(typed, zones, rest, async (text, zone, hours) => {
          service.passes(hours * hour);
          const context = { ...contextOf(), now: service.now(), zone };
          const read = readMuteTime(text, context);
          if (!read.ok) {
            // A local time that clocks leave out, or an end that lies before the first window.
            expect(read.text).toMatch(/there is no|would end before|no such window|how long/);
            return;
          }
          if (!isAhead(read.value)) return;
          const said = windowsOf(read.value, context);
          const schedule = read.value.kind === 'once' ? read.value : { zone, rules: [read.value.rule] };
          const made = (await ask('POST', '/api/v2/downtime', downtimeCall(monitor, '*', schedule, '').body)).body.data;
          const state = async () => {
            const { attributes } = (await get(`/api/v2/downtime/${made.id}`)).body.data;
            const { start, end } = attributes.schedule.current_downtime ?? attributes.schedule;
            return { status: attributes.status, start: Date.parse(start), end: Date.parse(end) };
          };
          for (const window of said) {
            if (window.start > service.now()) {
              service.passes(window.start - 1000 - service.now());
              expect(await state(), text).toEqual({ status: 'scheduled', ...window });
              service.passes(1000);
            }
            expect(await state(), text).toEqual({ status: 'active', ...window });
            service.passes(window.end - service.now());
          }
          const { status, start } = await state();
          if (status === 'scheduled') expect(start, text).toBeGreaterThanOrEqual(said[2]?.end ?? 0);
          else expect([status, text]).toEqual(['ended', text]);
          await ask('DELETE', `/api/v2/downtime/${made.id}`);
        }),
        { numRuns: runs(1000) },
      );
    }),
);
