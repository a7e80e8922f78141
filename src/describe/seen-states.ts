import { sparkline } from '../lib/text.ts';
import { clockTime } from '../lib/time-text.ts';

const hourMs = 3_600_000;

/** The state of a row as a read shows it: `ALERT`, and how far it goes: the number of its alerting groups. */
export interface SeenState {
  readonly word: string;
  readonly level: number;
  /** Ends of the mutes over it; absent where there are none. */
  readonly ends?: readonly number[] | undefined;
}

/** Whether two reads show the same state: its mutes are no part of it. */
export const isSameState = (one: SeenState, other: SeenState): boolean =>
  one.word === other.word && one.level === other.level;

/** A change between two reads, at the time of the later one. */
export interface SeenChange {
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly from: SeenState;
  readonly to: SeenState;
}

/** What the reads of this program have shown of a list's states in the last day; epoch milliseconds. */
export interface SeenStates {
  /** From when to when it was read without a gap, the oldest first. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  /** The oldest first. */
  readonly changes: readonly SeenChange[];
}

/** How long what was seen is kept, in milliseconds. */
export const seenForMs = 24 * hourMs;

/** Changes of the state of a row within an hour that are called flapping. */
const flapping = 4;

/** Whether a row changed its state so often in the last hour that no single change says much. */
export const isFlapping = ({ changes }: SeenStates, now: number): boolean =>
  changes.filter(({ at, from, to }) => now - at <= hourMs && from.word !== to.word).length >= flapping;

/** The ends of mutes that were seen to come: a mute that somebody ended was gone before. The oldest first. */
export const endsSeen = ({ changes }: SeenStates): readonly number[] =>
  changes.flatMap(({ at, from, to }) => (from.ends ?? []).filter((end) => end <= at && !to.ends?.includes(end)));

/** The states of a row over time: `14:57 ▁▁▁▃▃ ▃ 15:08`, with blanks where nothing was read; undefined where no change was seen. */
export function seenCourse(
  { spans, changes: all }: SeenStates,
  present: SeenState,
  { now, zone, ascii }: { readonly now: number; readonly zone: string; readonly ascii: boolean },
  width = 24,
): string | undefined {
  const [first] = spans;
  const changes = all.filter(({ from, to }) => !isSameState(from, to));
  if (!first || changes.length === 0) return undefined;
  const [start] = first;
  const step = Math.max(1, now - start) / width;
  const samples = Array.from({ length: width }, (_, cell) => {
    const [from, to] = [start + cell * step, start + (cell + 1) * step];
    const isRead = spans.some(([begin, end]) => begin < to && end >= from) || cell === width - 1;
    return isRead ? levelAt(changes, to, present) : Number.NaN;
  });
  return `${clockTime(start, zone)} ${sparkline(samples, width, ascii)} ${clockTime(now, zone)}`;
}

/** The level at a time: that of the last change before it, else what the first one has left. */
function levelAt(changes: readonly SeenChange[], at: number, present: SeenState): number {
  const before = changes.findLast((change) => change.at <= at);
  return (before?.to ?? changes[0]?.from ?? present).level;
}
