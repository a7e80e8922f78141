import { composite } from './composite.ts';
import { formula } from './formula.ts';
import type { Language } from './language.ts';

/**
 * The language in which a monitor of a `type` is written. Undefined: nothing is known of the type, or its query is made
 * elsewhere (`synthetics alert`).
 */
export function languageOf(type: string, text: string): Language | undefined {
  if (!Object.hasOwn(byType, type)) return undefined;
  return /^\s*formula\s*\(/.test(text) && !withoutFormulas.has(type) ? (formula as unknown as Language) : byType[type];
}

/** Kinds whose query is never a formula over variables (contract/monitors.md 5.11). */
const withoutFormulas = new Set(['composite', 'service check', 'slo alert', 'process alert', 'synthetics alert']);

// biome-ignore lint/suspicious/noExplicitAny: the registry seam: one table holds languages of every tree
const byType: Readonly<Record<string, Language<any>>> = {
  composite,
  'cost alert': formula,
  'data-quality alert': formula,
  'data-jobs alert': formula,
};
