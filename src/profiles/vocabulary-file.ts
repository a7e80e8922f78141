import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Translator } from '../api/vocabulary/translator.ts';
import { openVocabulary } from '../api/vocabulary/vocabulary-file.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { errorCode } from '../lib/private-file.ts';

/** Bytes: such a file has a few dozen entries. */
const largest = 64 * 1024;

/**
 * The text of a file that is `noun`, a small one, without a byte order mark. It is no secret, so others may read it too;
 * what is no plain file is refused.
 */
export async function readOpenFile(path: string, noun: string, most = largest): Promise<ParseResult<string>> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // Opening a FIFO must not wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const why: Record<string, string> = { ENOENT: 'does not exist', EACCES: 'may not be read by you' };
    const code = errorCode(error);
    return unreadable(`${noun} ${path} ${why[code] ?? `cannot be opened (${code})`}`);
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return unreadable(`${noun} ${path} is not a plain file`);
    if (stat.size > most) return unreadable(`${noun} ${path} is over ${most} bytes, too large for such a file`);
    return { ok: true, value: (await file.readFile('utf8')).replace(/^\ufeff/, '') };
  } catch (error) {
    return unreadable(`${noun} ${path} cannot be read (${errorCode(error)})`);
  } finally {
    await file.close().catch(() => undefined);
  }
}

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
