import { type Column, type DetailLine, pair, plainColumn, type Tone, textLine } from '../../src/describe/column.ts';
import { memberName, type VocabularyContext, valueInWords } from '../../src/describe/context.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import type { RowState } from '../../src/describe/screen.ts';
import type { SettingTable } from '../../src/describe/setting.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { capitalized, nameTitle, plural, yesNo } from '../../src/lib/text.ts';

/** What the service finds out about an account by itself: read, never sent. */
export const findings = ['errors', 'warnings'];

/** As much of an account as tells what is wrong with it. */
interface Checked {
  readonly attributes: { readonly errors?: unknown; readonly warnings?: unknown };
}

const linesIn = (told: unknown): readonly string[] =>
  (Array.isArray(told) ? told : []).map((one) => (typeof one === 'string' ? one : stringifyExact(one)));

/** What the service finds wrong with an account, worst first. */
export const faults = ({ attributes: { errors, warnings } }: Checked): readonly string[] => [
  ...linesIn(errors),
  ...linesIn(warnings),
];

/** Errors and warnings of an account, as lines of its detail. */
export const integrationCheckLines = ({ attributes: { errors, warnings } }: Checked): readonly DetailLine[] => [
  ...linesIn(errors).map((line) => textLine(line, 'bad')),
  ...linesIn(warnings).map((line) => textLine(line, 'warn')),
];

/** The worst of them at the end of a receipt; empty where the service finds nothing. */
export function faultSaid(row: Checked): string {
  const [worst] = faults(row);
  return worst === undefined ? '' : `; the service reports: ${worst}`;
}

/** How an account is, in a cell. */
export function health({ attributes: { errors, warnings } }: Checked): { readonly text: string; readonly tone: Tone } {
  const [wrong, odd] = [linesIn(errors).length, linesIn(warnings).length];
  if (wrong > 0) return { text: plural(wrong, 'error'), tone: 'bad' };
  return odd > 0 ? { text: plural(odd, 'warning'), tone: 'warn' } : { text: 'ok', tone: 'good' };
}

/** For sorting: errors before warnings before none. */
export const gravity = ({ attributes: { errors, warnings } }: Checked): number =>
  linesIn(errors).length * 1000 + linesIn(warnings).length;

/** States that the titles of lists of accounts count. */
export const faultStates: readonly RowState<Checked>[] = [
  {
    label: 'ERROR',
    tone: 'bad',
    needsPerson: 'error',
    isIn: ({ attributes: { errors } }) => linesIn(errors).length > 0,
  },
  { label: 'WARNING', tone: 'warn', isIn: ({ attributes: { warnings } }) => linesIn(warnings).length > 0 },
];

/** What the title bar says of accounts that are not well. */
export function faultNotes(rows: readonly Checked[]): readonly string[] {
  const wrong = rows.filter(({ attributes }) => linesIn(attributes.errors).length > 0).length;
  return wrong > 0 ? [`${plural(wrong, 'account')} ${wrong === 1 ? 'has' : 'have'} errors`] : [];
}

/** The hosts of an account without a filter. */
const allHosts = 'all';

/** The hosts that an account brings in: `env:prod, tier:1`, of a text with commas and of a list; undefined for all. */
export const hostsText = (hosts: string | readonly string[] | null | undefined): string | undefined =>
  (typeof hosts === 'string' ? hosts.split(',') : (hosts ?? [])).map((host) => host.trim()).join(', ') || undefined;

/** A value in words; undefined when there is none. */
function shown(value: unknown): string | undefined {
  if (value == null) return undefined;
  if (typeof value === 'boolean') return yesNo(value);
  if (Array.isArray(value)) return value.map(one).join(', ') || undefined;
  return one(value);
}

/** One value: of an object its texts, and what else it says in brackets: `example.compute (metrics enabled: no, tags: a, b)`. */
function one(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value);
  const [texts, others] = [true, false].map((isText) =>
    members.filter(([, member]) => (typeof member === 'string') === isText),
  );
  const isNamed = (texts ?? []).length > 0;
  if (members.some(([, member]) => (isNamed ? [member].flat() : [member]).some((part) => typeof part === 'object')))
    return stringifyExact(value);
  const details = (others ?? [])
    .flatMap(([name, member]) => {
      const text = shown(member);
      return text === undefined ? [] : `${name.replaceAll('_', ' ')}: ${text}`;
    })
    .join(', ');
  return `${(texts ?? []).map(([, text]) => text).join(' ')}${details === '' ? '' : ` (${details})`}`.trim();
}

/** Members with a title, what a person can set, and every other member that the service told, by its own name. */
export function settingLines<R extends Resource>(
  { kind, settings, titles = {}, apart = [] }: SettingLines<R>,
  row: R,
  context: VocabularyContext,
): readonly DetailLine[] {
  const { attributes } = kind.inWords(row, context);
  const value = (path: string) => shown(valueInWords(row.attributes, attributes, path));
  const set = Object.values(settings).flatMap(({ label, path, writeOnly }) =>
    path === undefined || writeOnly || path in titles || apart.includes(path) ? [] : [{ label, path }],
  );
  const known = [...findings, ...apart, ...Object.keys(titles), ...set.map(({ path }) => path.replace(/\..*/, ''))];
  const others = Object.keys(row.attributes).filter((name) => !known.includes(name));
  return [
    ...Object.entries(titles).map(([name, title]) => pair(title, value(name))),
    ...set.map(({ label, path }) =>
      filters.test(path)
        ? filterPair(capitalized(label), (row.attributes as Readonly<Record<string, unknown>>)[path])
        : pair(capitalized(label), value(path)),
    ),
    ...others.map((name) =>
      pair(
        nameTitle(
          memberName(name, context)
            .replace(yesNoName, '$1')
            .replace(/_configs$/, 's'),
        ),
        value(name),
      ),
    ),
  ];
}

/** Members that limit what an account brings in: all of it where they are empty. */
const filters = /^((host|app_service_plan|container_app|cloud_run_revision)_filters|region_filter_configs)$/;

function filterPair(label: string, told: unknown): DetailLine {
  const limits = typeof told === 'string' ? told : Array.isArray(told) ? told.map(String) : undefined;
  const text = hostsText(limits);
  return text === undefined ? pair(label, allHosts, 'dim') : pair(label, text);
}

/** What a member that is yes or no is about: `resource_change_collection` of `is_resource_change_collection_enabled`. */
const yesNoName = /^is_(.+)_enabled$/;

/** What the lines are made of. */
interface SettingLines<R extends Resource> {
  readonly kind: ResourceKind<R>;
  readonly settings: SettingTable<R>;
  /** Titles of members that are no settings. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Members that are shown elsewhere. */
  readonly apart?: readonly string[];
}

/** Members that accounts of every provider have under one name. */
interface Common {
  readonly attributes: {
    readonly resource_collection_enabled?: boolean | null | undefined;
    readonly host_filters?: string | readonly string[] | null | undefined;
  };
}

/** The hosts that an account brings in, in a cell. */
const hostsOf = ({ attributes }: Common): string => hostsText(attributes.host_filters) ?? allHosts;

/** The hosts of an account, as a column. */
export const hostColumn = (priority: number): Column<Common> =>
  plainColumn({
    id: 'hosts',
    min: 10,
    flex: true,
    priority,
    text: hostsOf,
    tone: (row) => (hostsOf(row) === allHosts ? 'dim' : 'plain'),
  });

/** Whether resources are collected, as a column. */
export const resourceColumn = (priority: number): Column<Common> =>
  plainColumn({
    id: 'resources',
    min: 9,
    priority,
    text: (row) => yesNo(row.attributes.resource_collection_enabled) ?? '',
  });
