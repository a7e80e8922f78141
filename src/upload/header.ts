import type { ParseResult } from '../lib/parse-result.ts';
import { unreadable } from '../lib/parse-result.ts';
import { readFileStart } from './check-csv.ts';
import { readRecords } from './csv-records.ts';
import { openSource } from './file-source.ts';

/** The first line of a CSV file as cells, read as the upload reads it; nothing behind it is read. */
export async function readHeader(path: string): Promise<ParseResult<readonly string[]>> {
  const opened = await openSource(path);
  if (!opened.ok) return opened;
  const source = opened.value;
  try {
    const start = await readFileStart(source);
    if (typeof start === 'string') return unreadable(start);
    let header: readonly string[] = [];
    const flaw = await readRecords({ source, skip: start.skip }, (cells) => {
      header = cells;
      return false;
    });
    return flaw && header.length === 0 ? unreadable(flaw.text) : { ok: true, value: header };
  } catch {
    return unreadable(`${path} could not be read`);
  } finally {
    await source.close();
  }
}
