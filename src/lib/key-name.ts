import type { ParseResult } from './parse-result.ts';

/** Ctrl letters that terminals send as another key, or that end or stop programs. */
const others: Readonly<Record<string, string>> = { h: 'Backspace', i: 'Tab', j: 'Enter', m: 'Enter' };

/**
 * A key as the keyboard names it (`R`, `+`, `ctrl+e`, `alt+x`), from what a person writes (also `Ctrl-E`, `Alt-x`); or why it
 * is none that can be bound.
 */
export function readKeyName(typed: string): ParseResult<string> {
  const points = [...typed];
  if (points.length === 1 && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(typed)) return { ok: true, value: typed };
  const control = /^ctrl[-+]([a-z])$/i.exec(typed)?.[1]?.toLowerCase();
  const other = others[control ?? ''];
  if (other !== undefined) return { ok: false, text: `Ctrl-${control?.toUpperCase()} is ${other} for a terminal` };
  if (control !== undefined) return { ok: true, value: `ctrl+${control}` };
  const alt = /^alt[-+]([a-zA-Z\d])$/i.exec(typed)?.[1];
  if (alt !== undefined) return { ok: true, value: `alt+${alt}` };
  return { ok: false, text: 'write one character, or Ctrl-E or Alt-E' };
}
