import type { Problem, Remaining } from '../api/problem.ts';
import { capitalized, plural } from '../lib/text.ts';
import { offsetName, timeToSecond } from '../lib/time.ts';
import { type Section, section, textLine } from './column.ts';
import type { Context } from './context.ts';

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

/** What an edit would have created, in words: `API key`, and the name that was typed. */
export interface Uncreated {
  readonly noun: string;
  readonly name?: string | undefined;
}

/**
 * Why an action was not done, in one sentence that names it once: `Edit not sent: …` where the request was held back, `Mute
 * failed: …`, and `Mute: outcome unknown …` where it may have been done. A create names what it is about: `API key "deploy"
 * was not created: …`.
 */
export function failureText(subject: string | Uncreated, problem: Problem | Pick<Problem, 'text'>): string {
  const [prefix, how] = /^(?:(not sent|nothing was sent)|not [a-z]+): /.exec(problem.text) ?? [];
  const why = prefix === undefined ? problem.text : problem.text.slice(prefix.length);
  const isUnknown = 'kind' in problem && problem.kind === 'unknown';
  if (typeof subject !== 'string') {
    const name = subject.name === undefined ? '' : ` "${subject.name}"`;
    return `${capitalized(subject.noun)}${name}${isUnknown ? '' : ' was not created'}: ${why}`;
  }
  const title = capitalized(subject);
  if (how !== undefined) return `${title} not sent: ${why}`;
  return isUnknown ? `${title}: ${why}` : `${title} failed: ${why}`;
}

/**
 * The sentence of a refusal in parts, where a permission is missing: what stands around its name is shortened where there is
 * no room, the action and the permission are not. Of a create the name is shortened before that it was not created.
 */
export function failureParts(
  of: string | Uncreated,
  problem: Problem | Pick<Problem, 'text'>,
): readonly ReceiptPart[] | undefined {
  const text = failureText(of, problem);
  const name = typeof of === 'string' ? undefined : of.name;
  const begun = name === undefined ? 0 : text.indexOf(`"${name}"`) + 1 + name.length;
  const head: readonly ReceiptPart[] = name === undefined ? [] : [text.slice(0, begun - name.length), { name }];
  const rest = text.slice(begun);
  const need = 'kind' in problem ? (problem.permission ?? []).join(' and ') : '';
  const at = Math.max(0, rest.indexOf(need));
  const [, done = '', why = '', lack = ''] =
    /^(.*?(?: failed|was not created): )(.*?)((?:, or)? lack )$/s.exec(rest.slice(0, at)) ?? [];
  if (done !== '') return [...head, done, { name: why }, `${lack}${need}`, { name: rest.slice(at + need.length) }];
  return head.length > 0 ? [...head, rest] : undefined;
}

/** Milliseconds after which a read is said to be slow. */
export const slowMs = 5_000;

/** What of a read decides what happens next with it. */
export interface Outlook {
  readonly asking: boolean;
  /** When the read began that is to bring the first value, epoch milliseconds. */
  readonly askedAt?: number;
  /** When it is read again after a failure, epoch milliseconds. */
  readonly nextAt?: number;
  /** Without a kind, it is that of a part of what was read. */
  readonly problem?: Partial<Pick<Problem, 'kind' | 'status'>>;
}

/** What happens next with a read that has failed, or that takes long: `Next try 12:05:31 UTC`. Empty where nothing is to be said. */
export function readOutlook(
  { problem, asking, askedAt, nextAt }: Outlook,
  { paused }: { readonly paused: boolean },
  { now, zone }: Pick<Context, 'now' | 'zone'>,
): string {
  const exact = (at: number) => `${timeToSecond(at, zone)} ${offsetName(at, zone)}`;
  const isSlow = asking && askedAt !== undefined && now - askedAt >= slowMs;
  // Parts of the answer may have arrived.
  const since = isSlow ? ` since ${exact(askedAt)}` : '';
  if (!problem) return isSlow ? `Reading${since}` : '';
  // Nothing is sent with keys that were refused.
  if (problem.status === 401) return '';
  if (asking) return `Trying again${since}`;
  if (paused) return 'Polling is paused';
  return nextAt === undefined ? '' : `Next try ${exact(nextAt)}`;
}

/** A read with what it has brought. */
type Read = Omit<Outlook, 'problem'> & { readonly value?: unknown; readonly problem?: Problem };

/** Whether a detail was not read for the reason that header and message say of the list. */
const isSaidOfList = ({ problem }: Read, list: Read): boolean =>
  problem !== undefined &&
  list.problem !== undefined &&
  (problem.text === list.problem.text ||
    // Without a connection each read has a cause of its own.
    (problem.kind === 'unreachable' && list.problem.kind === 'unreachable'));

/** What a detail begins with where the rest of it could not be read: why, and when that is tried again. */
export function unreadSection(
  details: Read,
  list: Read,
  state: { readonly paused: boolean },
  context: Context,
): Section | undefined {
  const { problem, value } = details;
  if (!problem || value !== undefined) return undefined;
  const outlook = readOutlook(details, state, context);
  return section('unread', '', [
    isSaidOfList(details, list)
      ? textLine('Details not loaded', 'warn')
      : textLine(`Details not loaded: ${problem.text}`, 'bad'),
    ...(outlook === '' ? [] : [textLine(outlook)]),
  ]);
}
