import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { machineZone } from '../../src/cli/machine-zone.ts';

test('the zone of the machine is read from TZ and from where /etc/localtime leads', () => {
  const intl = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const by = (target: string, tz?: string) => machineZone(tz, () => target);
  expect(by('/usr/share/zoneinfo/Europe/Berlin')).toBe('Europe/Berlin');
  expect(by('../usr/share/zoneinfo/America/Argentina/Buenos_Aires')).toBe('America/Argentina/Buenos_Aires');
  expect(by('/var/db/timezone/zoneinfo/Etc/UTC')).toBe('UTC');
  expect(by('/usr/share/zoneinfo/Europe/Berlin', 'UTC')).toBe('UTC');
  // What names no zone is asked of Intl.
  for (const target of ['', '/etc/zone', '/usr/share/zoneinfo/posix/Europe/Berlin']) expect(by(target)).toBe(intl);
  expect(by('/usr/share/zoneinfo/Europe/Berlin', 'CET-1CEST')).toBe(intl);
  const broken = () => {
    throw new Error('no link');
  };
  expect(machineZone(undefined, broken)).toBe(intl);
});

/** Compares both ways in a process of the zone; prints the moments at which they differ, then how many formatters were made. */
const compares = `
import { offsetName, setMachineZone, wallTimeAt } from '${new URL('../../src/lib/zone.ts', import.meta.url)}';
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
