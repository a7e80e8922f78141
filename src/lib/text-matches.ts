import { diffArrays } from 'diff';
import type { LaidPage } from './detail-page.ts';
import { graphemeBefore, graphemeBoundary, plural } from './text.ts';

/** Where a part of a match is drawn: in which column, line and piece, and which part of the piece. */
export interface Spot extends Range {
  readonly column: number;
  readonly line: number;
  readonly piece: number;
}

/** A match: one spot, or one for each line that it is wrapped over. */
type TextMatch = readonly [Spot, ...Spot[]];

/** Every match of a text on the page, in the order of reading; case is ignored. */
export function matchesOn({ columns }: LaidPage<unknown>, text: string): TextMatch[] {
  if (text === '') return [];
  const find = finder(text);
  const matches: TextMatch[] = [];
  columns.forEach(({ lines }, column) => {
    let run = { text: '', parts: [] as Omit<Spot, 'end'>[] };
    const end = () => {
      for (const { start, end } of find(run.text)) {
        const spots = run.parts.flatMap((part, at): Spot[] => {
          const until = run.parts[at + 1]?.start ?? run.text.length;
          const [from, to] = [Math.max(start, part.start), Math.min(end, until)];
          return from < to ? [{ ...part, start: from - part.start, end: to - part.start }] : [];
        });
        if (spots.length > 0) matches.push(spots as unknown as TextMatch);
      }
    };
    lines.forEach((pieces, line) => {
      pieces.forEach((piece, place) => {
        if (piece.text.trim() === '') return;
        if (!piece.continues) {
          end();
          run = { text: '', parts: [] };
        }
        run.parts.push({ column, line, piece: place, start: run.text.length });
        run.text += piece.text;
      });
    });
    end();
  });
  return matches;
}

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is said of a part of a text. `wrong`: the service is sure to refuse it. `doubtful`: it may; a warning, never a block. */
export interface TextDiagnostic extends Range {
  readonly verdict: 'wrong' | 'doubtful';
  /** One sentence, lower case: what is wrong with this part. */
  readonly message: string;
  /** What to write instead, where that is known. */
  readonly hint?: string | undefined;
}

/** A text that may be put in, and what it means. */
export interface Offer {
  readonly text: string;
  readonly hint?: string | undefined;
  /** Where the cursor goes, counted from the start of `text`; its end when absent. */
  readonly cursor?: number | undefined;
}

/** Offers to replace the letters from `start` to `end`. */
export interface Completion extends Range {
  readonly items: readonly Offer[];
}

/** Finds where `wanted` stands in texts; case is ignored and no code point is split. */
export function finder(wanted: string): (text: string) => Range[] {
  if (wanted === '') return () => [];
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  // Most texts have none.
  return (text) =>
    text.search(pattern) < 0
      ? []
      : Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

/** UTF-16 units of context on both sides of words that differ. */
const around = 40;
/** Lines of context on both sides of lines that differ. */
const linesAround = 2;
/** UTF-16 units up to which a text is short. */
const short = 160;
/** Beyond so many removed and added pieces two texts have little in common, and comparing them takes long. */
const limits = { maxEditLength: 200 };

/** What was removed, what was added, or what stays beside it. */
export interface ChangedPart {
  readonly sign: '-' | '+' | ' ';
  /** Line breaks kept. */
  readonly text: string;
}

/** A change of a value as parts. */
export const bothSides = (before: string, after: string): readonly ChangedPart[] => [
  { sign: '-', text: before },
  { sign: '+', text: after },
];

/**
 * What differs between two texts. Of long ones on several lines the lines that differ, some around them, and how many others are left out;
 * of long lines the words that differ.
 */
export function changedParts(before: string, after: string): readonly ChangedPart[] {
  const runs = isShort(before, after) ? undefined : diffArrays(before.split('\n'), after.split('\n'), limits);
  if (!runs?.some(({ added, removed }) => !added && !removed)) return wordSides(before, after);
  return runs.flatMap(({ value, added, removed }, at): readonly ChangedPart[] => {
    const text = value.join('\n');
    const [last, next] = [runs[at - 1], runs[at + 1]];
    if (removed && next?.added) return wordSides(text, next.value.join('\n'));
    if (added) return last?.removed ? [] : [{ sign: '+', text }];
    return removed ? [{ sign: '-', text }] : [{ sign: ' ', text: nearLines(value, !last, !next) }];
  });
}

/** The lines of a run that stand beside changes; for the others how many they are. */
function nearLines(lines: readonly string[], isFirst: boolean, isLast: boolean): string {
  const start = isFirst ? 0 : linesAround;
  const end = Math.max(start, lines.length - (isLast ? 0 : linesAround));
  if (end - start < 2) return lines.join('\n');
  return [...lines.slice(0, start), `… ${plural(end - start, 'line')} …`, ...lines.slice(end)].join('\n');
}

function wordSides(before: string, after: string): readonly ChangedPart[] {
  const words = changedWords(before, after);
  return bothSides(words.before, words.after);
}

const isShort = (before: string, after: string): boolean =>
  before === '' || after === '' || Math.max(before.length, after.length) <= short;

const wordBreak = /[\s,]/;
const words = (text: string): string[] => text.split(/(?<=[\s,])/);

/** Shortens two long texts to the words that differ, with some around them; an ellipsis stands for what is left out of both. */
export function changedWords(before: string, after: string, ellipsis = '…') {
  const runs = isShort(before, after) ? undefined : diffArrays(words(before), words(after), limits);
  if (!runs) return { before, after };
  const side = (other: 'added' | 'removed'): string =>
    runs
      .map((run, at) => {
        const text = run.value.join('');
        if (run.added || run.removed) return run[other] ? '' : text;
        return nearWords(text, at === 0, at === runs.length - 1, ellipsis);
      })
      .join('');
  return { before: side('added'), after: side('removed') };
}

function nearWords(text: string, isFirst: boolean, isLast: boolean, ellipsis: string): string {
  const start = isFirst ? 0 : wordEnd(text, around);
  const end = isLast ? text.length : wordStart(text, text.length - around);
  if (end - start <= ellipsis.length + 2) return text;
  return `${isFirst ? '' : `${text.slice(0, start)} `}${ellipsis}${isLast ? '' : ` ${text.slice(end)}`}`;
}

/** The start of the word in which a place stands; a word that is very long is cut. */
function wordStart(text: string, at: number): number {
  for (let place = at; place > Math.max(0, at - around); place -= 1)
    if (wordBreak.test(text[place - 1] as string)) return place;
  return at <= around ? 0 : graphemeBefore(text, at);
}

function wordEnd(text: string, at: number): number {
  for (let place = at; place < Math.min(text.length, at + around); place += 1)
    if (wordBreak.test(text[place] as string)) return place;
  return at + around >= text.length ? text.length : graphemeBoundary(text, at);
}
