import { parsedJson } from '../../lib/json.ts';
import { type Contract, contract } from './contract.ts';
import { collisions } from './translation-report.ts';
import { createTranslator, type Translator } from './translator.ts';
import { readVocabulary } from './vocabulary-file.ts';

/** A translator that can be used, or everything that is wrong with the vocabulary, one sentence each. */
export type OpenedVocabulary =
  | { readonly ok: true; readonly value: Translator }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Opens the text of a vocabulary file. One with a bad entry, or whose words meet, is not used at all. */
export function openVocabulary(text: string, over: Contract = contract): OpenedVocabulary {
  const content = parsedJson(text);
  if (content === undefined) return { ok: false, faults: [notJson] };
  const read = readVocabulary(content, over);
  if (!read.ok) return read;
  const met = collisions(read.value, over);
  return met.length > 0 ? { ok: false, faults: met } : { ok: true, value: createTranslator(read.value, over) };
}

export const notJson = 'a vocabulary is JSON, and this is not';
