import type { Context } from '../../src/describe/context.ts';
import type { Told } from '../../src/describe/derived.ts';
import type { ListQuery } from '../../src/describe/source.ts';
import { shortDayAndTime } from '../../src/lib/end-time.ts';
import { clockTime } from '../../src/lib/time-text.ts';
import { isSilent } from '../monitors/columns.ts';
import type { MonitorRow } from '../monitors/row.ts';
import { isAbout } from '../monitors/subjects.ts';

/** What the page is about. */
export interface PageSubject {
  /** `service:checkout-api`, `team:checkout`, `env:prod`; empty where nothing is chosen. */
  readonly tag: string;
  /** Of a service, its name. */
  readonly service?: string;
  /** As the page is titled: `checkout-api`, `team checkout`, `env:prod`. */
  readonly title: string;
}

/** What a list is asked to be about; a word without a colon is the name of a service. */
export function subjectOf({ search }: Pick<ListQuery, 'search'>): PageSubject {
  const text = search.subject?.trim() ?? '';
  const tag = text === '' || text.includes(':') ? text : `service:${text}`;
  const [, key, value = ''] = /^(service|team):(.*)$/.exec(tag) ?? [];
  if (key === 'service') return { tag, service: value, title: value };
  return { tag, title: key === undefined ? tag : `${key} ${value}` };
}

/** The monitors that are about it. */
export const monitorsOf = (feed: Told<MonitorRow> | undefined, { tag }: PageSubject): readonly MonitorRow[] =>
  tag === '' ? [] : (feed?.rows ?? []).filter((row) => isAbout(row, tag));

/** When the first of them began to alert, of those that are not muted where there are any; undefined where none alerts. */
export function alertingSince(rows: readonly MonitorRow[], now: number): number | undefined {
  const alerting = rows.filter(({ state, stateSince }) => state === 'Alert' && stateSince !== undefined);
  const heard = alerting.filter((row) => isSilent(row, now) !== true);
  const starts = (heard.length > 0 ? heard : alerting).map(({ stateSince = 0 }) => stateSince);
  return starts.length > 0 ? Math.min(...starts) : undefined;
}

/** The time of a moment within a day of now, else the day with it. */
export const nearTime = (at: number, { now, zone }: Pick<Context, 'now' | 'zone'>): string =>
  Math.abs(at - now) < 86_400_000 ? clockTime(at, zone) : shortDayAndTime(at, now, zone);
