import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { errorCode } from '../lib/private-file.ts';
import { type CheckOptions, type CsvProblem, checkCsv, type FileSummary } from './check-csv.ts';
import { type FileIdentity, openSource } from './csv-records.ts';

const units = ['B', 'kB', 'MB', 'GB'];

/** Bytes as text, in steps of 1000: `90 MB`, `5.3 MB`, `640 B`. */
export function byteText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const text = step === 0 || value >= 100 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toString();
  return `${text} ${units[step]}`;
}

/** Duration as text in two units, rounded up: `45s`, `4m20s`, `1h5m`. Milliseconds. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
}

/** Part sizes of a file: every part but the last has `partSize` bytes. */
export interface PartLayout {
  readonly partSize: number;
  readonly partCount: number;
}

/** Least size of each part but the last, and most parts (docs/contract/reference-tables.md#upload). */
export const minPartBytes = 5_000_000;
export const maxParts = 20;

/** Largest file that the service takes (docs/contract/reference-tables.md#upload). */
const maxBytes = 200_000_000;

/**
 * The smallest parts that the service allows: small ones are sent side by side, and little is lost when one has to be
 * sent again.
 */
export function layoutParts(size: number): ParseResult<PartLayout> {
  if (size <= 0) return unreadable('the file is empty');
  if (size > maxBytes)
    return unreadable(
      `the file has ${byteText(size)}, the service takes ${byteText(maxBytes)} at most: split it, or put it into cloud storage and create the table from there`,
    );
  const partSize = Math.max(minPartBytes, Math.ceil(size / maxParts));
  const partCount = Math.ceil(size / partSize);
  return { ok: true, value: partCount === 1 ? { partSize: size, partCount } : { partSize, partCount } };
}

/** First byte of a part and the byte after its last one, from the beginning of what is sent. */
export function partRange(
  { partSize }: PartLayout,
  size: number,
  part: number,
): { readonly begin: number; readonly end: number } {
  return { begin: part * partSize, end: Math.min(size, (part + 1) * partSize) };
}

/** A file that is fit to be sent, and how it is cut. */
export interface UploadPlan extends PartLayout, FileSummary {
  readonly file: FileIdentity;
  /** Bytes that are sent. */
  readonly size: number;
}

/** A plan, or what is wrong with the file. */
type Planned =
  | { readonly ok: true; readonly plan: UploadPlan }
  | { readonly ok: false; readonly faults: readonly CsvProblem[] };

/** Checks a file from its first byte to its last and decides how it is cut. Sends nothing, never throws. */
export async function planUpload(path: string, options: CheckOptions = {}): Promise<Planned> {
  const opened = await openSource(path);
  if (!opened.ok) return wrong(opened.text);
  const source = opened.value;
  try {
    // Checked before minutes are spent on reading the file.
    const whole = layoutParts(source.identity.size);
    if (!whole.ok) return wrong(whole.text);
    const checked = await checkCsv(source, options);
    if (!checked.ok) return checked;
    const fault = await source.changed();
    if (fault !== undefined) return wrong(`the file changed while it was read: ${fault}`);
    const size = source.identity.size - checked.summary.skip;
    const cut = layoutParts(size);
    return cut.ok
      ? { ok: true, plan: { ...checked.summary, ...cut.value, file: source.identity, size } }
      : wrong(cut.text);
  } catch (error) {
    return wrong(`${path} cannot be read (${errorCode(error)})`);
  } finally {
    await source.close().catch(() => undefined);
  }
}

const wrong = (text: string): Planned => ({ ok: false, faults: [{ text }] });

/** Faults as sentences: `line 12: has 3 cells, the first line has 4`. */
export const csvProblemLines = (faults: readonly CsvProblem[]): string[] =>
  faults.map(({ line, text }) => (line === undefined ? text : `line ${line}: ${text}`));
