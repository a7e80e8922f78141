import { composite } from './composite.ts';
import type { Language } from './language.ts';

/**
 * The language in which a monitor of a `type` is written. Undefined: nothing is known of the type, or its query is made
 * elsewhere (`synthetics alert`).
 */
export function languageOf(type: string, _text: string): Language | undefined {
  return byType[type] as Language | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the registry seam: one table holds languages of every tree
const byType: Readonly<Record<string, Language<any>>> = {
  composite,
};
