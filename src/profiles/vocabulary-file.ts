import type { Translator } from '../api/vocabulary/translator.ts';
import { openVocabulary } from '../api/vocabulary/vocabulary-file.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { readOpenFile } from '../lib/private-file.ts';

/** The words of a vocabulary file, ready to be used; one that is wrong anywhere is not used at all. */
export async function openVocabularyFile(path: string): Promise<ParseResult<Translator>> {
  const text = await readOpenFile(path, 'the vocabulary');
  if (!text.ok) return text;
  const opened = openVocabulary(text.value);
  if (opened.ok) return opened;
  const [first = '', ...more] = opened.faults;
  const rest = more.length > 0 ? `; and ${more.length} more: orgdeck vocabulary check shows them all` : '';
  return unreadable(`the vocabulary ${path} cannot be used: ${first}${rest}`);
}
