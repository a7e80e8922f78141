import type { Column, DetailLine, Section } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { paint, paintLines } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { lined, listTexts } from '../scene/speech.ts';

/** The cells of a row as a sentence: the words of its columns, else each text behind its column's title. Empty cells are left out. */
export function rowSentence<R>(columns: readonly Column<R>[], row: R, context: Context): Painted {
  return listTexts(columns.map((column, at) => cellWords(column, row, context, at === 0)));
}

function cellWords<R>(column: Column<R>, row: R, context: Context, isFirst: boolean): Painted {
  const own = column.says?.(row, context);
  if (own !== undefined) return paint(own);
  const text = paint(column.text(row, context).trim());
  if (text === '' || text === '–') return plain``;
  const title = paint(column.title.toLowerCase());
  return isFirst || column.flex || title === '' ? text : plain`${title} ${text}`;
}

/** A section of a detail, its title first. */
export const sectionText = ({ title, lines }: Section): Painted =>
  lined([...(title === '' ? [] : [plain`${paint(title)}:`]), ...lines.flatMap(lineTexts)]);

/** What a section tells, whatever its values are: a poll that only changes them says nothing. */
export const sectionShape = ({ lines }: Section): string =>
  lines.map((line) => (line.kind === 'pair' ? line.label : line.kind)).join('\n');

function lineTexts(line: DetailLine): readonly Painted[] {
  switch (line.kind) {
    case 'gap':
      return [];
    case 'head':
      return [plain`${paint(line.text)}:`];
    case 'text':
      return paintLines(line.text);
    case 'pair':
      return [plain`${paint(line.label)}: ${line.value === '–' ? plain`none` : paint(line.value)}`];
    case 'facts':
      return [
        listTexts(
          line.facts.map(({ label, text }) =>
            label === undefined ? paint(text) : plain`${paint(label)} ${paint(text)}`,
          ),
        ),
      ];
  }
}
