import { readlinkSync } from 'node:fs';

const linkedZone = /\/zoneinfo(?:\.default)?\/(?!posix|right)([A-Za-z_]+(?:\/[\w+-]+)*)$/;
const utcNames = /^(?:(?:Etc\/)?(?:UTC|UCT|Universal|Zulu|GMT)0?)?$/;

/** The zone that times are shown and typed in. */
export interface MachineZone {
  /** An IANA name, or an offset such as `+05:45`. */
  readonly name: string;
  /** `Date` computes in it, so that it needs no formatter. */
  readonly isOfDate: boolean;
  /** Why it is UTC although something else was meant, as a sentence. */
  readonly trouble?: string;
}

/**
 * The zone of this machine. Read from where it is set: asking `Intl` takes 13 ms and 8 MB, so only what names no zone there is
 * asked of it. `tz` is the variable `TZ`, `link` reads where `/etc/localtime` leads, `ofDate` tells the zone of `Date`.
 */
export function machineZone(
  tz: string | undefined,
  link = () => readlinkSync('/etc/localtime'),
  ofDate = zoneOfDate,
): MachineZone {
  // An empty TZ is UTC: POSIX.
  if (tz !== undefined) return utcNames.test(tz) ? utc : namedZone(tz, ofDate());
  const name = linkedZone.exec(targetOf(link))?.[1];
  if (name !== undefined) return utcNames.test(name) ? utc : { name, isOfDate: true };
  const known = ofDate();
  if (known !== undefined) return utcNames.test(known) ? utc : { name: known, isOfDate: true };
  return { ...utc, trouble: `the time zone of this machine is not known: ${advice}` };
}

const utc: MachineZone = { name: 'UTC', isOfDate: true };
const advice = 'times are in UTC until TZ names one, such as Europe/Berlin';

/** As `:Europe/Berlin` and paths of zones are written too. Rules such as `CET-1CEST` are not read: `Date` takes them for UTC. */
function namedZone(tz: string, ofDate: string | undefined): MachineZone {
  const name = linkedZone.exec(tz)?.[1] ?? tz.replace(/^:/, '').replace(/^posix\//, '');
  // The usual case: each question to Intl takes milliseconds.
  if (name === ofDate) return { name, isOfDate: true };
  try {
    const told = Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    // Of an offset, `Date` knows nothing; of `europe/berlin`, only where the file system does not tell capitals apart.
    return { name: utcNames.test(told) ? 'UTC' : told, isOfDate: !/^[+-]/.test(told) && ofDate !== undefined };
  } catch {
    return { ...utc, trouble: `TZ is ${JSON.stringify(tz.slice(0, 60))}, which names no time zone: ${advice}` };
  }
}

/** Undefined where `Date` does not know either, and counts in UTC. */
function zoneOfDate(): string | undefined {
  // The types promise a name; with a TZ that names no zone there is none.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone?: string };
  return timeZone === 'Etc/Unknown' ? undefined : timeZone;
}

function targetOf(link: () => string): string {
  try {
    return link();
  } catch {
    return '';
  }
}
