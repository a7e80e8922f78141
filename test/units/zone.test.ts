import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { machineZone } from '../../src/cli/machine-zone.ts';

const machine = (name: string) => ({ name, isOfDate: true });

test('the zone of the machine is read from where /etc/localtime leads', () => {
  const by = (target: string) => machineZone(undefined, () => target);
  expect(by('/usr/share/zoneinfo/Europe/Berlin')).toEqual(machine('Europe/Berlin'));
  expect(by('../usr/share/zoneinfo/America/Argentina/Buenos_Aires')).toEqual(machine('America/Argentina/Buenos_Aires'));
  expect(by('/var/db/timezone/zoneinfo/Etc/UTC')).toEqual(machine('UTC'));
  // What names no zone is asked of Intl.
  const intl = machine(Intl.DateTimeFormat().resolvedOptions().timeZone.replace('Etc/UTC', 'UTC'));
  for (const target of ['', '/etc/zone', '/usr/share/zoneinfo/posix/Europe/Berlin']) expect(by(target)).toEqual(intl);
  const broken = () => {
    throw new Error('no link');
  };
  expect(machineZone(undefined, broken)).toEqual(intl);
});

const finds = `
import { machineZone } from '${new URL('../../src/cli/machine-zone.ts', import.meta.url)}';
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
console.log(JSON.stringify([timeZone, machineZone(process.env.TZ, () => '/usr/share/zoneinfo/Europe/Berlin')]));
`;

test.each<[string, object]>([
  ['', machine('UTC')],
  ['UTC0', machine('UTC')],
  ['Europe/Berlin', machine('Europe/Berlin')],
  [':Europe/Berlin', machine('Europe/Berlin')],
  ['America/St_Johns', machine('America/St_Johns')],
  // Whatever Intl knows holds, also where `Date` does not know it.
  ['+05:45', { name: '+05:45', isOfDate: false }],
  ['/usr/share/zoneinfo/Asia/Tokyo', { name: 'Asia/Tokyo', isOfDate: false }],
  ...['Mars/Olympus', 'CET-1CEST', 'UTC-3', 'GMT-5', ' '].map((TZ): [string, object] => [
    TZ,
    {
      ...machine('UTC'),
      trouble: `TZ is "${TZ}", which names no time zone: times are in UTC until TZ names one, such as Europe/Berlin`,
    },
  ]),
])('with TZ=%s times are in the zone that it names, or in UTC with a sentence', (TZ, zone) => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', finds], {
    env: { TZ },
    encoding: 'utf8',
  });
  const [ofDate, found] = JSON.parse(stdout);
  expect(found).toEqual(zone);
  // In this process, where another zone is that of `Date`.
  expect(machineZone(TZ, undefined, () => ([null, 'Etc/Unknown'].includes(ofDate) ? undefined : ofDate))).toEqual(zone);
});

/** Compares both ways in a process of the zone; prints the moments at which they differ, then how many formatters were made. */
const compares = `
import { offsetName, setMachineZone, wallTimeAt } from '${new URL('../../src/lib/time.ts', import.meta.url)}';
const zone = process.env.TZ;
const moments = [0, -1e9, 9e11, 4e12];
for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 5_400_000) moments.push(at);
const all = () => JSON.stringify(moments.map((at) => [wallTimeAt(at, zone), offsetName(at, zone)]));
const byIntl = all();
const { DateTimeFormat } = Intl;
let made = 0;
Intl.DateTimeFormat = function (...args) { made += 1; return new DateTimeFormat(...args); };
setMachineZone(zone);
console.log(all() === byIntl, made);
`;

test.each(['Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'UTC'])(
  'times in the zone of the machine, %s, are those of Intl and take no formatter',
  (TZ) => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', compares], {
      env: { TZ },
      encoding: 'utf8',
    });
    expect(stdout).toBe('true 0\n');
  },
);
