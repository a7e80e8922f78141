import { type ReceiptPart, receiptText } from '../../describe/receipt.ts';
import { paint } from '../../lib/paint.ts';
import { minutesLeft } from '../../lib/time-text.ts';
import type { ToastPart } from '../../scene/foot-lines.ts';
import type { Flash, RowNotice } from './message.ts';
import type { State } from './state.ts';

/** How many messages the log keeps. */
const longest = 200;

/** Adds the current message to the log if it is new and about something. One that continues the last message, or repeats a warning, replaces it. */
export function logged(before: State, state: State): State {
  const { flash, messages } = state;
  if (flash === undefined || flash === before.flash || flash.isPassing) return state;
  const [last] = messages;
  const isSame = last?.text === flash.text && flash.tone === 'warn';
  const goesOn = isSame || (last !== undefined && flash.text !== last.text && flash.text.startsWith(last.text));
  return { ...state, messages: [flash, ...(goesOn ? messages.slice(1) : messages)].slice(0, longest) };
}

/** A notice as it is true now: `Mute on Disk ends in 4 min (09:00 UTC)`. */
export function noticeParts({ subject, ends, end }: RowNotice, now: number): readonly ReceiptPart[] {
  return [...subject.parts, ` ends in ${minutesLeft(ends - now)} min (${end})`];
}

/** A notice as one sentence. */
export const noticeText = (notice: RowNotice, now: number): string => receiptText({ parts: noticeParts(notice, now) });

/** Urgent ones first, then in the order of their ends. */
const inOrder = (notices: readonly RowNotice[]): readonly RowNotice[] =>
  notices.toSorted(
    (one, other) => Number(other.isUrgent ?? false) - Number(one.isUrgent ?? false) || one.ends - other.ends,
  );

/** Marks exactly these notices of a list as urgent. */
export function withUrgent(state: State, list: string, keys: ReadonlySet<string>): State {
  const isOther = (notice: RowNotice) => notice.list === list && keys.has(notice.key) !== (notice.isUrgent ?? false);
  if (!state.notices.some(isOther)) return state;
  const notices = state.notices.map((one) => (isOther(one) ? { ...one, isUrgent: keys.has(one.key) } : one));
  return { ...state, notices: inOrder(notices) };
}

/** Adds notices, the most urgent first, and their texts to the log, the newest first. */
export function withNotices(state: State, notices: readonly RowNotice[]): State {
  const flashes = notices.map(
    (notice): Flash => ({
      text: noticeText(notice, notice.at),
      parts: noticeParts(notice, notice.at),
      tone: 'warn',
      at: notice.at,
    }),
  );
  const keys = new Set(notices.map(({ key }) => key));
  const others = state.notices.filter(({ key }) => !keys.has(key));
  return {
    ...state,
    notices: inOrder([...others, ...notices]),
    messages: [...flashes.toReversed(), ...state.messages].slice(0, longest),
  };
}

/** Removes the notices of alarms that are handled or over. */
export function withoutNotices(state: State, keys: readonly string[]): State {
  const over = new Set(keys);
  if (!state.notices.some(({ key }) => over.has(key))) return state;
  return { ...state, notices: state.notices.filter(({ key }) => !over.has(key)) };
}

/** The parts of a sentence as a message is drawn of them. */
export const paintedParts = (parts: readonly ReceiptPart[]): readonly ToastPart[] =>
  parts.map((part) => (typeof part === 'string' ? { text: paint(part) } : { text: paint(part.name), isName: true }));
