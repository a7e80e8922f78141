import type { Context } from '../../describe/context.ts';
import { type AnyList, type Item, outputFields, spokenNames } from '../../describe/screen.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { paintLines } from '../../lib/paint.ts';
import { commaWords } from '../../lib/text.ts';
import { safeJson } from '../io.ts';

/**
 * A JSON value as YAML in block style. Every text that is not a plain word is written as JSON writes it, which YAML 1.2
 * reads the same, so that no text is ever taken for a number, a date, a truth or a comment.
 */
export function toYaml(value: unknown): string {
  return `${blockOf(value, '').trimStart()}\n`;
}

/** Words that some reader of YAML takes for something other than text. */
const taken = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|e\d+|x[\da-f]+|o[0-7]+)$/i;
const plainWord = /^[A-Za-z_][\w/-]*$/;

const scalarOf = (value: unknown): string =>
  typeof value === 'string' && plainWord.test(value) && !taken.test(value) ? value : safeJson(value ?? null, 0);

/** With a leading line break where it is no scalar. */
function blockOf(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return ` ${scalarOf(value)}`;
  if (Object.keys(value).length === 0) return Array.isArray(value) ? ' []' : ' {}';
  if (Array.isArray(value))
    return value.map((item) => `\n${indent}-${hanging(blockOf(item, `${indent}  `), indent)}`).join('');
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `\n${indent}${scalarOf(name)}:${blockOf(member, `${indent}  `)}`)
    .join('');
}

/** The first line of a block goes behind its dash. */
const hanging = (block: string, indent: string): string =>
  block.startsWith(`\n${indent}  `) ? ` ${block.slice(1 + indent.length + 2)}` : block;

/** How rows are printed. `table` and `wide` have the columns of the screen, the others the fields of docs/json.md. */
export const formats = ['table', 'wide', 'tsv', 'csv', 'json', 'jsonl', 'yaml'] as const;
type Format = (typeof formats)[number];
type ItemFormat = Exclude<Format, 'table' | 'wide'>;

/** The version of the JSON: it changes when a field changes its meaning or goes. */
export const jsonVersion = 1;

/** The one envelope of all JSON but lines: `partial` says why items are missing, null where none is. */
export const envelope = <More extends object>(items: readonly unknown[], more?: More) => ({
  version: jsonVersion,
  items,
  partial: null,
  ...more,
});

/** What is printed: fields of rows, and why rows are missing. */
export interface Printed {
  readonly list: string;
  /** Names of the fields, in order. */
  readonly names: readonly string[];
  readonly items: readonly Item[];
  /** Without the line of names. */
  readonly isBare?: boolean;
  /** Why these are not all; none: they are. */
  readonly missing: readonly string[];
}

/** Rows as JSON and YAML hold them, whichever way they were read: `partial` is null, or the reasons why rows are missing. */
const envelopeOf = ({ list, items, missing }: Printed) => ({
  version: jsonVersion,
  list,
  items,
  partial: missing.length > 0 ? missing : null,
});

/** Rows as text that ends in a line break, or none. */
export const rendered: Readonly<Record<ItemFormat, (printed: Printed) => string>> = {
  json: (printed) => `${safeJson(envelopeOf(printed))}\n`,
  yaml: (printed) => toYaml(envelopeOf(printed)),
  jsonl: ({ items }) => items.map((item) => `${safeJson(item, 0)}\n`).join(''),
  csv: (printed) =>
    linesOf(printed)
      .map((line) => `${line.map(quoted).join(',')}\r\n`)
      .join(''),
  tsv: (printed) =>
    linesOf(printed)
      .map((line) => `${line.map(escaped).join('\t')}\n`)
      .join(''),
};

/** The names, unless a pipe wants none, then the cells of each row. */
const linesOf = ({ names, items, isBare = false }: Printed): readonly (readonly string[])[] => [
  ...(isBare ? [] : [names]),
  ...items.map((item) => names.map((name) => cellOf(item[name]))),
];

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : safeJson(value, 0);
}

/** RFC 4180. Line breaks stay; every other control character is made visible. */
function quoted(cell: string): string {
  const text = paintLines(cell).join('\n');
  return /[",\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line: tabs, line breaks and backslashes are written `\t`, `\n`, `\\`. */
const escaped = (cell: string): string =>
  cell
    .replaceAll('\\', '\\\\')
    .split('\t')
    .map((part) => paintLines(part).join('\\n'))
    .join('\\t');

/** What the flags of every list say of its output. */
export interface OutputFlags {
  /** True without names: every field. */
  readonly json?: string | boolean | undefined;
  readonly fields?: string | undefined;
  readonly output?: string | undefined;
  readonly header?: boolean | undefined;
  readonly limit?: string | undefined;
  readonly sort?: string | undefined;
}

/** What the flags of a list ask of its output, read. */
export interface OutputWanted {
  /** Undefined: a table on a terminal, elsewhere lines with tabs. */
  readonly format: Format | undefined;
  /** No line of names before lines with tabs. */
  readonly isBare: boolean;
  /** Names in the contract; all of them when absent. */
  readonly fields: readonly string[] | undefined;
  readonly limit: number | undefined;
  /** A field of the contract, or a column of the list. */
  readonly sort: { readonly by: string; readonly down: boolean; readonly isColumn: boolean } | undefined;
}

/** Reads the flags; names of fields may be those of the contract or the deployment's. */
export function readOutputFlags(list: AnyList, flags: OutputFlags, context: Context): ParseResult<OutputWanted> {
  const { output, header, limit } = flags;
  const format = output ?? (flags.json !== undefined ? 'json' : flags.fields === undefined ? undefined : 'tsv');
  if (format !== undefined && !isFormat(format))
    return unreadable(`-o: "${format}" is not a format: write one of ${formats.join(', ')}`);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    return unreadable('--limit: a whole number from 1 is required');
  const names = new Map<string, string>();
  for (const [name, said] of spokenNames(list, context)) names.set(said, name).set(name, name);
  const fields = readFields(list, flags, names);
  if (!fields.ok) return fields;
  const sort = readSort(list, flags, names);
  if (!sort.ok) return sort;
  return {
    ok: true,
    value: {
      format,
      isBare: output === undefined && header !== true,
      fields: fields.value,
      limit: limit === undefined ? undefined : Number(limit),
      sort: sort.value,
    },
  };
}

/** The names of the fields of a list, as the contract has them. */
export const outputNames = (list: AnyList): readonly string[] => outputFields(list).map(({ name }) => name);

const knownFields = (list: AnyList): string => `there are ${outputNames(list).join(', ')}`;

function readFields(
  list: AnyList,
  { json, fields }: OutputFlags,
  names: ReadonlyMap<string, string>,
): ParseResult<OutputWanted['fields']> {
  if (fields !== undefined && typeof json === 'string')
    return unreadable('give the fields to --json or to --fields, not to both');
  const typed = fields ?? (typeof json === 'string' ? json : undefined);
  const requested = typed === undefined ? undefined : commaWords(typed);
  const stranger = requested?.find((name) => !names.has(name));
  const flag = fields === undefined ? '--json' : '--fields';
  if (stranger !== undefined) return unreadable(`${flag}: there is no field ${stranger}: ${knownFields(list)}`);
  return { ok: true, value: requested?.map((name) => names.get(name) ?? name) };
}

function readSort(
  list: AnyList,
  { sort }: OutputFlags,
  names: ReadonlyMap<string, string>,
): ParseResult<OutputWanted['sort']> {
  if (sort === undefined) return { ok: true, value: undefined };
  const [by = '', way = 'asc', ...more] = sort.replace(/^-(.*)$/, '$1:desc').split(':');
  const isColumn = !names.has(by) && list.columns.some((column) => column.id === by && column.sort);
  if ((!names.has(by) && !isColumn) || !['asc', 'desc'].includes(way) || more.length > 0)
    return unreadable(`--sort: write a field, and :desc for the greatest first; ${knownFields(list)}`);
  return { ok: true, value: { by: names.get(by) ?? by, down: way === 'desc', isColumn } };
}

const isFormat = (word: string): word is Format => (formats as readonly string[]).includes(word);

/** Whether the names after `--json` are fields of the list; else they are what the command is about: `get --json 4211`. */
export const areFields = (list: AnyList, typed: string): boolean =>
  typed.split(',').some((name) => outputNames(list).includes(name.trim()));

/** Compares two values of a field; what is unknown comes last in both directions. */
export function compareValues(one: unknown, other: unknown, isDown: boolean): number {
  if (one == null || other == null) return Number(one == null) - Number(other == null);
  const way = isDown ? -1 : 1;
  if (isNumber(one) && isNumber(other)) return one < other ? -way : one > other ? way : 0;
  const [a, b] = [String(one).toLowerCase(), String(other).toLowerCase()];
  return a < b ? -way : a > b ? way : 0;
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** An item with some of its fields, in the order asked for. */
export const picked = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.map((name) => [name, item[name] ?? null]));

/** A state of a list as a word of a command: `no-data`. */
export const flagWord = ({ label }: { readonly label: string }): string => label.toLowerCase().replaceAll(' ', '-');
