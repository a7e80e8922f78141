import type { Context } from './context.ts';

/** What a piece of text means; the theme decides how that looks. A `label` stands before its value. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'warn' | 'bad' | 'info' | 'quiet' | 'label';

/** One column of a list. Texts are plain: the shell paints, cuts and pads them. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Least cells, where its texts need as many. */
  readonly min: number;
  /** Cells that it gets at most for what its texts need; 20 when absent, or `min` where that is more. */
  readonly max?: number;
  /**
   * Whether this column gets what is left; one a list: what a row is about. The `min` does not depend on texts. Before columns of a
   * priority over 2 are shown this one gets what it needs: 44 cells to its `max`, at most 44 without one.
   */
  readonly flex?: true;
  /** Empty or short in most rows: one long text takes no room from the flex column, nor more than 16 cells from other columns. */
  readonly sparse?: true;
  /** The widest of its texts, where they are known: it is as wide as that whichever of them there are. */
  readonly widest?: string;
  readonly align?: 'left' | 'right';
  /**
   * 1 is never dropped; the highest number leaves first when the terminal is narrow. 1 and 2 stay until the flex column
   * would fall under its `min`, higher numbers only until it would have fewer cells than it needs up to its `max`.
   */
  readonly priority: number;
  text(row: Row, context: Context): string;
  /**
   * What stands in its `min` cells where there is no room for its title: initials in place of a name. A column that has it is shown so
   * together with those of priority 2.
   */
  readonly short?: { readonly title: string; text(row: Row, context: Context): string };
  /** The cell in words, where a row is read out as a sentence; empty = left out. Title and text when absent. */
  says?(row: Row, context: Context): string;
  tone?(row: Row, context: Context): Tone;
  /** What sorting compares; absent = cannot be sorted by. */
  sort?(row: Row, context: Context): number | string;
  /** The first press of `S` on it sorts downward (counts, ages). */
  readonly downward?: boolean;
  /** What a sentence calls it; its title in lower case when absent. */
  readonly called?: string;
  /** What stands first upward and downward, where `sort` is neither a text nor, at the right, an amount. */
  readonly firsts?: readonly [up: string, down: string];
}

/** A column as a list describes it: its title is its id in capitals where it has none of its own. */
export type DescribedColumn<Row> = Omit<Column<Row>, 'title'> & Partial<Pick<Column<Row>, 'title'>>;

export const plainColumn = <Row>(column: DescribedColumn<Row>): Column<Row> => ({
  title: column.id.toUpperCase(),
  ...column,
});

/** What a menu or a title calls a column. */
export const columnName = ({ called, title, id }: Pick<Column<never>, 'called' | 'title' | 'id'>): string =>
  called ?? (title.toLowerCase() || id);

/** `A to Z`: how rows stand that are sorted by a column. */
export function sortedWords({ firsts, align }: Pick<Column<never>, 'firsts' | 'align'>, isDown: boolean): string {
  const [up, down] = firsts ?? (align === 'right' ? ['lowest first', 'highest first'] : ['A to Z', 'Z to A']);
  return isDown ? down : up;
}

/** The words for moments that are shown as ages. */
export const momentFirsts: NonNullable<Column<never>['firsts']> = ['oldest first', 'newest first'];

/** One line of a detail. */
export type DetailLine =
  | { readonly kind: 'pair'; readonly label: string; readonly value: string; readonly tone?: Tone | undefined }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: Tone | undefined }
  | { readonly kind: 'facts'; readonly facts: readonly LineFact[] }
  | { readonly kind: 'head'; readonly text: string }
  | { readonly kind: 'gap' };

/** A few words among others on a line. */
export interface LineFact {
  readonly label?: string | undefined;
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** Other lines say it too: a preview leaves it out while these are in sight. */
  readonly isSaidBelow?: boolean;
}

export const pair = (label: string, value: string | number | null | undefined, tone?: Tone): DetailLine => ({
  kind: 'pair',
  label,
  value: value == null || value === '' ? '–' : String(value),
  tone: value == null || value === '' ? 'dim' : tone,
});
export const textLine = (content: string, tone?: Tone): DetailLine => ({ kind: 'text', text: content, tone });

/** Short texts one after the other on as few lines as they need; empty ones are left out. */
export const facts = (...all: readonly (LineFact | string | undefined)[]): DetailLine => ({
  kind: 'facts',
  facts: all.flatMap((fact) => {
    const known = typeof fact === 'string' ? { text: fact } : fact;
    return known === undefined || known.text === '' ? [] : [known];
  }),
});

/**
 * A detail in fewer lines: pairs that follow each other are on one, without those that have no value, and so are the texts
 * under a head; without gaps.
 */
export function condensed(lines: readonly DetailLine[]): readonly DetailLine[] {
  const dense: DetailLine[] = [];
  let heading: string | undefined;
  for (const line of lines) {
    if (line.kind === 'head') heading = line.text;
    else if (line.kind === 'facts') dense.push(line);
    else if (line.kind === 'pair' && line.value !== '–') {
      addFact(dense, { label: line.label, text: line.value, tone: line.tone }, heading === line.label);
      heading = undefined;
    } else if (line.kind === 'text' && heading !== undefined) {
      addFact(dense, { label: heading || undefined, text: line.text, tone: line.tone }, heading !== '');
      heading = '';
    } else if (line.kind === 'text' && line.text.trim() !== '') dense.push(line);
  }
  return dense;
}

/** Adds a fact to the last line, where that is of facts, or to a line of its own. */
function addFact(lines: DetailLine[], fact: LineFact, isOnOwnLine: boolean): void {
  const last = lines.at(-1);
  if (last?.kind === 'facts' && !isOnOwnLine) lines[lines.length - 1] = { kind: 'facts', facts: [...last.facts, fact] };
  else lines.push({ kind: 'facts', facts: [fact] });
}

export const head = (content: string): DetailLine => ({ kind: 'head', text: content });
export const gap: DetailLine = { kind: 'gap' };

/** A headed part of a detail's page. Without a title its lines begin at once; without lines it is left out. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly DetailLine[];
}
export const section = (id: string, title: string, lines: readonly DetailLine[]): Section => ({ id, title, lines });

/** Sections one below the other, for a preview. */
export const toLines = (sections: readonly Section[]): readonly DetailLine[] =>
  sections
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ title, lines }, at) => [...(at > 0 ? [gap] : []), ...(title === '' ? [] : [head(title)]), ...lines]);

/** One tab of a detail: a page to read, or rows with a cursor of their own. */
export type Tab =
  | {
      readonly kind: 'page';
      readonly id: string;
      readonly title: string;
      readonly sections: readonly Section[];
      /** What stands beside them where the page has several columns, as far as there is room. */
      readonly aside?: readonly Section[];
    }
  | {
      readonly kind: 'rows';
      readonly id: string;
      readonly title: string;
      /** Said where there are no rows. Absent: they come with the read of the detail, which has not ended. */
      readonly empty?: string | undefined;
      readonly columns: readonly Column<SubRow>[];
      readonly rows: readonly SubRow[];
    };

/** A row inside a detail. Its `id` reaches actions as `context.subRowId`. */
export interface SubRow {
  readonly id: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly tones?: Readonly<Record<string, Tone>>;
}

/** A column of a detail's rows: shows the cell of the same id. */
export const subColumn = (
  column: Pick<Column<SubRow>, 'id' | 'min' | 'priority'> & Partial<Column<SubRow>>,
): Column<SubRow> =>
  plainColumn({
    text: (row) => row.cells[column.id] ?? '',
    tone: (row) => row.tones?.[column.id] ?? 'plain',
    ...column,
  });
