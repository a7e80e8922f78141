import type { FieldDiagnostic } from '../../../src/describe/language.ts';

/** Where JSON is broken, as a diagnostic; undefined for valid JSON. */
export function brokenJson(text: string): FieldDiagnostic | undefined {
  const start = faultAt(text);
  if (start === undefined) return undefined;
  return { verdict: 'wrong', message: 'this is not JSON from here on', start, end: Math.min(text.length, start + 1) };
}

/** The offset of the first syntax error in JSON, by binary search; undefined for valid JSON. */
function faultAt(text: string): number | undefined {
  if (mayGoOn(text) === 'whole') return undefined;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return mayGoOn(text) ? Math.max(0, text.length - 1) : good;
}

/** `whole`: valid JSON; `begun`: the beginning of some; undefined: neither. */
function mayGoOn(text: string): 'whole' | 'begun' | undefined {
  try {
    JSON.parse(text);
    return 'whole';
  } catch (error) {
    const told = /position (\d+)/.exec(String(error))?.[1];
    const isAtEnd = /Unexpected end|Unterminated/.test(String(error)) || Number(told) >= text.length;
    return isAtEnd ? 'begun' : undefined;
  }
}
