import { type DetailLine, pair } from '../../src/describe/column.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import type { SettingTable } from '../../src/describe/setting.ts';
import { memberName, type VocabularyContext, valueInWords } from '../../src/describe/vocabulary-words.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { capitalized, nameTitle, yesNo } from '../../src/lib/text.ts';
import { findings } from './faults.ts';

/** The hosts of an account without a filter. */
export const allHosts = 'all';

/** The hosts that an account brings in: `env:prod, tier:1`, of a text with commas and of a list; undefined for all. */
export const hostsText = (hosts: string | readonly string[] | null | undefined): string | undefined =>
  (typeof hosts === 'string' ? hosts.split(',') : (hosts ?? [])).map((host) => host.trim()).join(', ') || undefined;

/** A value in words; undefined when there is none. */
function shown(value: unknown): string | undefined {
  if (value == null || value === '') return undefined;
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
const filters = /^(host|app_service_plan|container_app|cloud_run_revision)_filters$/;

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
