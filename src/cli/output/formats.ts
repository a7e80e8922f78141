import type { Item } from '../../describe/screen.ts';
import { paintLines } from '../../lib/paint.ts';
import { safeJson } from '../command-messages.ts';
import { toYaml } from './yaml.ts';

/** How rows are printed. `table` and `wide` have the columns of the screen, the others the fields of docs/json.md. */
export const formats = ['table', 'wide', 'tsv', 'csv', 'json', 'jsonl', 'yaml'] as const;
export type Format = (typeof formats)[number];
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
