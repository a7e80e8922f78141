/** Minutes of the units that a window may be written in; a month has 30 days. */
const perUnit: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 1440, w: 10_080, mo: 43_200 };

/** Minutes of an hour, as limits are written with them. */
export const hour = 60;
/** Minutes of a day. */
export const day = 24 * hour;
/** Minutes of a week. */
export const week = 7 * day;

/** The number and the unit of `15m`, `1w`, `1mo`; undefined for anything else. */
export function splitLength(text: string): { readonly count: number; readonly unit: string } | undefined {
  const [, count, unit] = /^(\d{1,9})(mo|[smhdw])$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit };
}

/** Minutes of a window such as `5m`, `1h`, `30s`, `1mo` (docs/contract/monitor-queries.md#common-rules); undefined where it is none. */
export function toMinutes(text: string): number | undefined {
  const parts = splitLength(text);
  return parts && parts.count * (perUnit[parts.unit] as number);
}
