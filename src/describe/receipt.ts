import type { Remaining } from '../api/problem.ts';
import { plural } from '../lib/text.ts';
/** A part of a sentence: our own words, or the name of a resource, which alone is shortened where there is no room. */
export type ReceiptPart = string | { readonly name: string };

/** What is true after an edit: the consequence first. */
export interface Receipt {
  readonly parts: readonly ReceiptPart[];
  /** Whether it tells something else than was asked for, and is shown as a warning. */
  readonly isWarning?: boolean;
  /** Whether the service has taken the edit for done and not carried it out. */
  readonly isIgnored?: boolean;
  /** What the edit was to end and still stands. */
  readonly leaves?: readonly Remaining[];
}

/** A sentence that knows which of its parts are names: receipt`Deleted ${namePart(row.name)}`. */
export function receipt(words: TemplateStringsArray, ...parts: readonly (ReceiptPart | Receipt | number)[]): Receipt {
  const all = words.flatMap((text, at): ReceiptPart[] => {
    const part = parts[at];
    if (part === undefined) return [text];
    if (typeof part === 'object' && 'parts' in part) return [text, ...part.parts];
    return [text, typeof part === 'number' ? String(part) : part];
  });
  const isWarning = parts.some((part) => typeof part === 'object' && 'parts' in part && part.isWarning);
  return { parts: all.filter((part) => part !== ''), ...(isWarning && { isWarning }) };
}

/** The name of a resource, as a part of a receipt. */
export const namePart = (name: string): ReceiptPart => ({ name });

/** A receipt of something that is not what was asked for. */
export const warning = (receipt: Receipt): Receipt => ({ ...receipt, isWarning: true });

/** A receipt of an edit that the service has answered with success and not carried out. */
export const ignored = (receipt: Receipt): Receipt => ({ ...warning(receipt), isIgnored: true });

/** What an action says of its result, as a receipt; a plain text has no name in it. */
export const toReceipt = (said: string | Receipt): Receipt => (typeof said === 'string' ? { parts: [said] } : said);

/** The whole sentence, with every name in full. */
export const receiptText = (said: string | Receipt): string =>
  toReceipt(said)
    .parts.map((part) => (typeof part === 'string' ? part : part.name))
    .join('');

/** The name of a single row, else how many there are: `7 monitors`. `noun` is one of them. */
export const receiptSubject = <Row>(rows: readonly Row[], nameOf: (row: Row) => string, noun: string): string =>
  rows.length === 1 && rows[0] !== undefined ? nameOf(rows[0]) : plural(rows.length, noun);
