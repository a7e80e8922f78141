import { type Painted, plain } from '../../lib/painted.ts';
import type { Remark } from './remark.ts';
import { numbered } from './sentences.ts';

/** A layer as it is heard. */
export interface Speech {
  /** What tells its places apart, beside its kind: a form and its review. */
  readonly part?: string;
  /** Said first, once. */
  readonly title: Painted;
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
