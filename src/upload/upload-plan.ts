import { errorCode } from '../lib/private-file.ts';
import { type CheckOptions, type CsvProblem, checkCsv, type FileSummary } from './check-csv.ts';
import { type FileIdentity, openSource } from './file-source.ts';
import { layoutParts, type PartLayout } from './part-layout.ts';

/** A file that is fit to be sent, and how it is cut. */
export interface UploadPlan extends PartLayout, FileSummary {
  readonly file: FileIdentity;
  /** Bytes that are sent. */
  readonly size: number;
}

/** A plan, or what is wrong with the file. */
export type Planned =
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
