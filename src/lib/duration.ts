import parse from 'parse-duration';

/** Longest length of time that is taken seriously. Milliseconds. */
export const tenYears = 3653 * 86_400_000;

const piece = /(\d+(?:\.\d+)?|\.\d+)\s*([a-zµ]*)/giu;

/**
 * Milliseconds of a typed length: `45m`, `1h30m`, `2 days`, `1 week and 2 days`. Undefined for anything else: a
 * bare number (of what?), a unit that is not known, nothing, less than a second, more than ten years.
 */
export function readDuration(typed: string): number | undefined {
  const text = typed
    .trim()
    .toLowerCase()
    .replaceAll(/\s+and\s+|,/g, ' ');
  if (text.replaceAll(piece, '').trim() !== '') return undefined;
  const units = [...text.matchAll(piece)].map((match) => match[2] ?? '');
  if (units.length === 0 || !units.every((unit, at) => isUnit(unit) || (unit === '' && at > 0))) return undefined;
  const ms = parse(text);
  if (ms === null || !Number.isFinite(ms) || ms < 1000 || ms > tenYears) return undefined;
  return Math.round(ms);
}

function isUnit(name: string): boolean {
  const singular = name.endsWith('s') ? name.slice(0, -1) : name;
  return [name, singular].some((unit) => unit !== '' && typeof parse.unit[unit] === 'number');
}
