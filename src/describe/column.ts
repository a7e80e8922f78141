import { type AnySchema, type SchemaParts, schemaParts } from '../api/endpoint.ts';
import { anyMoment, moment, readNotes } from '../api/envelope.ts';
import { absolute, age, readEpoch } from '../lib/time.ts';
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

/** A moment of a row in milliseconds since the epoch: null for never, undefined where the answer does not tell it. */
type Moment = number | null | undefined;

/** A column of texts, sorted as they are shown; upper and lower case are alike. */
export const textColumn = <Row>(column: DescribedColumn<Row>): Column<Row> =>
  plainColumn({ sort: (row, context) => column.text(row, context).toLowerCase(), ...column });

/** A column of amounts, at the right and the highest first; a row that tells none is last. */
export const amountColumn = <Row>({
  amount,
  ...column
}: Omit<DescribedColumn<Row>, 'text'> & {
  amount(row: Row): number | undefined;
  readonly text?: Column<Row>['text'];
}): Column<Row> =>
  plainColumn({
    align: 'right',
    downward: true,
    text: (row) => String(amount(row) ?? '?'),
    sort: (row) => amount(row) ?? Number.NaN,
    ...column,
  });

/** The place in an order that the service applies, from 1. */
export const orderColumn = <Row extends { readonly place: number }>(min: number): Column<Row> => ({
  id: 'order',
  title: '#',
  called: 'order',
  firsts: ['first to last', 'last to first'],
  min,
  align: 'right',
  priority: 1,
  text: (row) => String(row.place),
  says: (row) => `position ${row.place}`,
  tone: () => 'dim',
  sort: (row) => row.place,
});

/** A line about that place and what it decides; where rows have been moved and not saved, the place that the row then gets. */
export function positionLine(
  row: { readonly id: string; readonly place: number },
  decides: string,
  { unsavedOrder = [] }: Pick<Context, 'unsavedOrder'>,
): DetailLine {
  const moved = unsavedOrder.indexOf(row.id) + 1;
  const place = moved === 0 || moved === row.place ? String(row.place) : `${moved} once saved, ${row.place} now`;
  return pair('Position', `${place}: ${decides}`);
}

/** `3d`, `never`, or empty where the answer does not tell it. */
export const ageText = (at: Moment, { now }: Pick<Context, 'now'>): string =>
  at === undefined ? '' : at === null ? 'never' : age(at, now);

/** How long ago something was. */
export const ageColumn = <Row>(
  column: Pick<DescribedColumn<Row>, 'id' | 'title' | 'min' | 'priority'>,
  instantOf: (row: Row) => Moment,
): Column<Row> =>
  plainColumn({
    firsts: ['oldest first', 'newest first'],
    align: 'right',
    text: (row, context) => ageText(instantOf(row), context),
    tone: () => 'dim',
    sort: (row) => instantOf(row) ?? Number.NaN,
    downward: true,
    ...column,
  });

/** A moment as a line of a detail: with its day, in the person's zone. */
export const momentPair = (label: string, at: Moment, { zone }: Pick<Context, 'zone'>): DetailLine =>
  pair(label, at === null ? 'never' : at === undefined ? undefined : absolute(at, zone));

/** What a field of JSON holds; each may be null, which says that there is none or that nobody knows. */
type OutputType = 'id' | 'text' | 'number' | 'flag' | 'time' | 'list of texts' | 'list of objects' | 'object' | 'any';

/** A field of a row where it is printed for a program. Names and types are a contract (docs/json.md). */
export interface OutputField<Row> {
  /** Lower case with underscores, like the service's own. */
  readonly name: string;
  readonly type: OutputType;
  /** A phrase for the documentation. */
  readonly says: string;
  /** Undefined for what is unknown; a time in ISO 8601 or in epoch milliseconds. */
  value(row: Row, context: Context): unknown;
}

/** A field as a row of a table of them. */
export const outputField = <Row>(
  name: string,
  type: OutputType,
  says: string,
  value: OutputField<Row>['value'],
): OutputField<Row> => ({ name, type, says, value });

/** How the rows of a list are printed for a program. */
export interface RowOutput<Row> {
  readonly fields: readonly OutputField<Row>[];
  /** The fields that are members of this schema: their names and values are said in the deployment's words. */
  readonly members?: { readonly schema: AnySchema; readonly names: ReadonlySet<string> };
}

/** A moment as RFC 3339 in UTC; null where there is none or it cannot be read. */
export function timestamp(value: unknown): string | null {
  const at = readEpoch(value, 'ms');
  return at === undefined ? null : new Date(at).toISOString().replace('.000Z', 'Z');
}

const bare = (schema: AnySchema): AnySchema => {
  const { wrapped } = schemaParts(schema);
  return wrapped ? bare(wrapped) : schema;
};
const insidesOf = (schema: AnySchema | undefined): SchemaParts | undefined => schema && schemaParts(bare(schema));

/** The schema of the attributes in an answer about one or several resources, or in the schema of a resource itself. */
export function attributesIn(schema: AnySchema | undefined): AnySchema | undefined {
  const entries = insidesOf(schema)?.entries;
  if (!entries) return undefined;
  if (entries.attributes) return bare(entries.attributes);
  const data = insidesOf(entries.data);
  return data && attributesIn(data.type === 'array' ? data.item : entries.data);
}

/** Fields that are the attributes of a resource, as its schema has them; those in `except` are not printed. */
export function attributeOutput<Row extends { readonly attributes: object }>(
  schema: AnySchema | undefined,
  { except = [], more = [] }: { readonly except?: readonly string[]; readonly more?: readonly OutputField<Row>[] } = {},
): RowOutput<Row> {
  const entries = Object.entries(insidesOf(schema)?.entries ?? {}).filter(([name]) => !except.includes(name));
  const fields = entries.map(([name, member]): OutputField<Row> => {
    const type = typeOf(name, bare(member));
    const { words = [] } = readNotes(bare(member));
    return {
      name,
      type,
      says: words.length > 0 ? `${words.join(', ')} or another word of the service` : 'words of the service',
      value({ attributes }) {
        const told = (attributes as Readonly<Record<string, unknown>>)[name];
        // Numbers of the contract's attributes are seconds.
        return type === 'time' ? readEpoch(told, 's') : told;
      },
    };
  });
  const own = more.filter(({ name }) => !entries.some(([member]) => member === name));
  return {
    fields: [...fields, ...own],
    ...(schema && { members: { schema, names: new Set(entries.map(([name]) => name)) } }),
  };
}

function typeOf(name: string, schema: AnySchema): OutputType {
  // Some deployments write moments as whole numbers; the name tells.
  if (schema === moment || schema === anyMoment || /_at$/.test(name)) return 'time';
  const insides = insidesOf(schema);
  switch (insides?.type) {
    case 'string':
    case 'picklist':
      return 'text';
    case 'boolean':
      return 'flag';
    case 'number':
      return 'number';
    case 'union':
      return insides.options?.some((option) => schemaParts(option as AnySchema).type === 'number') ? 'number' : 'any';
    case 'array':
      return typeOf('', bare(insides.item as AnySchema)) === 'text' ? 'list of texts' : 'list of objects';
    case 'object':
    case 'loose_object':
    case 'record':
      return 'object';
    default:
      return 'any';
  }
}
