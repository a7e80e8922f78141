import { at } from '../../lib/object-paths.ts';

/** Values as requests send them and responses write them: of any type until they are read. */

/** Text, or a number as text; undefined for anything else. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : undefined;

/** The value if it is a list, else undefined. */
export const asList = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** The value if it is a plain object, else undefined. */
export const asObject = (value: unknown): Record<string, unknown> | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** A number, or text as a number; NaN for anything else. */
export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** A whole number of the query, between 0 and `most`; `fallback` when it is absent or no number. */
export function countParameter(query: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = query.get(name);
  const value = text === null || text === '' ? fallback : Math.floor(Number(text));
  return Number.isFinite(value) ? Math.max(0, Math.min(value, most)) : fallback;
}

/** Whether a query value is `true`, in any case. */
export const isTrue = (text: string | null): boolean => text?.toLowerCase() === 'true';

/** `2026-01-02T03:04:05.678000+00:00`. */
export const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000+00:00`;

/** Whole epoch seconds of milliseconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A JSON integer for an id kept as text; texts that are no integer stay texts. */
export function numeric(id: string): number | bigint | string {
  if (!/^-?\d+$/.test(id)) return id;
  const value = Number(id);
  return Number.isSafeInteger(value) ? value : BigInt(id);
}

/** A number as the service writes floats in error texts: `90` as `90.0`. */
export const float = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** The attributes in a body of v2; empty when there are none. */
export const sentAttributes = (body: unknown): Record<string, unknown> => asObject(at(body, 'data.attributes')) ?? {};
