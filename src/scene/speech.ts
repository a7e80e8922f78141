import { paintLines } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, sliced, trimmed } from '../lib/painted.ts';
import type { Span } from './span.ts';

/** One thing to say: said when it is new, and again only when its `token` is another one. */
export interface Remark {
  /** What it is about; one remark of a place for each. */
  readonly about: string;
  /** One line or several; an empty text is never said. */
  readonly text: Painted;
  /** What must differ for it to be said again; the text when absent. */
  readonly token?: string;
  /** A text that has changed under the same token is said again after so many milliseconds. */
  readonly everyMs?: number;
  /** Whether the remark is not about the place: said once, and not again when the person goes elsewhere. */
  readonly lasting?: boolean;
  /** Whether the remark says where the person is: repeated when a layer over its place has closed. */
  readonly orients?: boolean;
  /** Whether the remark came by itself: what is there when the place is entered is not said, and no more than `mostNews` at once. */
  readonly news?: boolean;
}

/** A pane as it is heard. */
export interface Speech {
  /** What tells its places apart, beside its kind: a form and its review. */
  readonly part?: string;
  /** Said first, once. */
  readonly title?: Painted;
  readonly remarks?: readonly Remark[];
  /** Rows to choose from: listed with their numbers, at most `most`, unless a text narrows them; then the one under the cursor. */
  readonly rows?: {
    readonly texts: readonly Painted[];
    readonly at: number;
    readonly most?: number;
    readonly narrowedBy?: string;
    readonly none?: Painted;
  };
  readonly prompt?: Painted | undefined;
}

/** Listed rows and the one under the cursor, as remarks. */
export function rowRemarks(rows: NonNullable<Speech['rows']>): readonly Remark[] {
  const { texts, at, most = 20, narrowedBy = '', none = plain`No match` } = rows;
  const place = Math.max(0, Math.min(at, texts.length - 1));
  const row = texts[place];
  const isListed = most > 0 && texts.length > 0 && narrowedBy === '';
  return [
    { about: 'rows', text: isListed ? numbered(texts, most) : plain``, token: isListed ? `${texts.length}` : '' },
    {
      about: 'row',
      text: row === undefined ? none : plain`${place + 1} of ${texts.length}: ${row}`,
      token: `${narrowedBy}\n${place}\n${row ?? none}`,
      orients: true,
      // The first row has just been listed.
      news: isListed,
    },
  ];
}

/** Texts one after the other, without those that are empty. */
export const listTexts = (texts: readonly Painted[]): Painted =>
  joinPainted(
    texts.filter((text) => text !== ''),
    plain`, `,
  );

/** What stands before a message in place of its color. */
export const toneWords: Readonly<Record<'good' | 'info' | 'warn' | 'bad', Painted>> = {
  good: plain``,
  info: plain``,
  warn: plain`Warning: `,
  bad: plain`Error: `,
};

/** Lines below each other. */
export const lined = (lines: readonly Painted[]): Painted => joinPainted(lines, plain`\n`);

/** A text of several lines, line breaks kept. */
export const paintedText = (text: string): Painted => lined(paintLines(text));

/** Rows with their numbers; beyond `most` only how many there are. */
export function numbered(rows: readonly Painted[], most = Number.POSITIVE_INFINITY): Painted {
  const rest = rows.length - most;
  return lined([
    ...rows.slice(0, most).map((row, at) => plain`${at + 1}. ${row}`),
    ...(rest > 0 ? [plain`and ${rest} more: Down goes on`] : []),
  ]);
}

/** A drawn line in words: its spans one after the other. */
export const spanText = (spans: readonly Span[]): Painted =>
  listTexts(spans.map(({ text }) => trimmed(sliced(text, text.search(/\S|$/)))));
