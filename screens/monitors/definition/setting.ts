import { choiceField, type Field, numberField, readAs, textField, toggleField } from '../../../src/describe/field.ts';
import type { Resource } from '../../../src/describe/resource-spec.ts';
import type { Setting } from '../../../src/describe/setting.ts';
import { unreadable } from '../../../src/lib/function-results.ts';
import { capitalized, commaWords } from '../../../src/lib/text.ts';
import { at, type JsonObject, without } from '../../../src/lib/values.ts';
import type { UsedWords } from '../../../src/query/language.ts';
import { takesOption, valueFault } from '../../../src/query/option-rules.ts';
import { namedIn } from '../columns.ts';
import { type MonitorRow, toNumber, toObject, toText } from '../row.ts';

/** A monitor's JSON as the service sends it, unknown members included (docs/contract/monitors.md#monitor). */
export type Definition = JsonObject;

/** A definition as it was read: its members are the attributes, `unread` those that could not be read. */
export type Stored = Resource<Definition>;

/** The options of a definition. */
export const readOptions = (definition: Definition): Definition => toObject(definition.options);

/** Options to send, without `silenced`, which the service then keeps (docs/contract/monitors.md#edit). */
export const sentOptions = (definition: Definition): Definition => without(readOptions(definition), ['silenced']);

/** Kinds that take the same options are one family (docs/contract/monitor-queries.md#options). */
type Family = 'metric' | 'event' | 'check' | 'process' | 'slo' | 'composite' | 'cost' | 'synthetic' | 'unknown';

/** What a new monitor of a kind begins with: valid as it stands. */
export interface Template {
  readonly query: string;
  readonly options?: Definition;
}

/** What a template is made with. */
export interface TemplateContext {
  /** Id of an SLO that is known here. */
  readonly objective: string;
  /** The deployment's name of the check that tells whether a host reports. */
  readonly hostCheck: string;
}

/** A kind of monitor in the words of the specification (docs/contract/monitor-queries.md#types). */
export interface MonitorKind {
  readonly id: string;
  readonly title: string;
  /** What it watches, for the list in which it is chosen: at most 41 letters have room there at 80 columns. */
  readonly watches: string;
  /** `type` on the wire. */
  readonly type: string;
  readonly family: Family;
  /** Whether the query is a formula over `options.variables`. */
  readonly formula?: true;
  /** Whether the form is the whole definition in JSON, which is sent as it is typed. */
  readonly whole?: true;
  template(given: TemplateContext): Template;
}

const families: Readonly<Record<string, Family>> = {
  'query alert': 'metric',
  'metric alert': 'metric',
  'service check': 'check',
  'process alert': 'process',
  'slo alert': 'slo',
  composite: 'composite',
  'cost alert': 'cost',
  'synthetics alert': 'synthetic',
};

const events: readonly string[] = [
  'log alert',
  'event-v2 alert',
  'event alert',
  'trace-analytics alert',
  'rum alert',
  'audit alert',
  'ci-pipelines alert',
  'ci-tests alert',
  'error-tracking alert',
  'database-monitoring alert',
  'network-performance alert',
  'network-path alert',
];

/** The family of a `type`; `unknown` for any other. */
const familyOf = (type: string): Family => families[type] ?? (events.includes(type) ? 'event' : 'unknown');

/** The kind of a stored monitor, with an empty template. */
export function storedKind(type: string, query: string): MonitorKind {
  const family = familyOf(type);
  const formula = family === 'cost' || /^\s*formula\s*\(/.test(query);
  return {
    id: /\banomalies\s*\(/.test(query) ? 'anomaly' : /\boutliers\s*\(/.test(query) ? 'outlier' : type,
    title: type,
    watches: '',
    type,
    family,
    ...(formula ? { formula } : {}),
    template: () => ({ query: '' }),
  };
}

/** The members of a composite and how they are joined, where its query is no more than that. */
export interface Members {
  readonly ids: readonly string[];
  readonly join: 'all' | 'any';
  /** The query of the form's texts; the stored query while neither text has changed. */
  expression(texts: Readonly<Record<string, string>>): string;
}

const signs = { all: ' && ', any: ' || ' } as const;

/** The members of a query; undefined for one with negations or brackets, which is edited as text. */
export function membersIn(query: string): Members | undefined {
  const words = query.match(/\d+|&&|\|\||\S/g) ?? [];
  const ids = words.filter((_, index) => index % 2 === 0);
  const joins = new Set(words.filter((_, index) => index % 2 === 1));
  const isPlain =
    ids.every((id) => /^\d+$/.test(id)) && joins.size <= 1 && (words.length === 0 || words.length % 2 === 1);
  if (!isPlain || ![...joins].every((join) => join === '&&' || join === '||')) return undefined;
  const join = joins.has('||') ? 'any' : 'all';
  return {
    ids,
    join,
    expression(texts) {
      const now = commaWords(texts.members);
      const by = texts.join === 'any' ? 'any' : 'all';
      return now.join() === ids.join() && by === join ? query : now.join(signs[by]);
    },
  };
}

/** Completions taken from the organization's own monitors. */
interface UsedValues extends Required<Omit<UsedWords, 'variables'>> {
  /** The monitors' own tags. */
  readonly own: readonly string[];
  /** Who is notified: `@team-core`. */
  readonly handles: readonly string[];
}

/** Monitors looked at, and words of a kind kept, at most. */
const mostMonitors = 2000;
const mostWords = 500;

/** Distinct words, the most frequent first. */
function ranked(words: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const word of words) if (word !== '' && word.length <= 200) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .slice(0, mostWords)
    .map(([word]) => word);
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const parts = (text: string): string[] => text.split(',').map((part) => part.trim().replaceAll(/^["']|["']$/g, ''));

/** Completions from the monitors last read. Regular expressions, so that queries which no grammar accepts count too. */
export function knownIn(rows: readonly MonitorRow[]): UsedValues {
  const some = rows.slice(0, mostMonitors);
  const queries = some.map((row) => row.query).filter((query) => query.length <= 5000);
  const scopes = queries.flatMap((query) => [
    ...all(query, /(?<!\bby\s*)\{([^{}]*)\}/g).flatMap(parts),
    ...all(query, /\.over\(([^()]*)\)/g).flatMap(parts),
    ...all(query, /[\s("]([\w.@-]+:[\w./-]+)(?=[\s)"])/g),
  ]);
  const tags = ranked(scopes.filter((scope) => /^[\w.-]+:[^\s*]+$/.test(scope)));
  const groups = queries.flatMap((query) => [
    ...all(query, /\bby\s*\{([^{}]*)\}/g).flatMap(parts),
    ...all(query, /\.by\(([^()]*)\)/g).flatMap((inside) => parts(inside.replaceAll('"', ''))),
  ]);
  return {
    metrics: ranked(queries.flatMap((query) => all(query, /(?:^|[\s:(,+*/-])([A-Za-z][\w.]*)\{/g))),
    tags,
    keys: ranked([...groups.filter((group) => group !== '*'), ...tags.map((tag) => tag.slice(0, tag.indexOf(':')))]),
    checks: ranked(queries.flatMap((query) => all(query, /^\s*"([^"]+)"\s*\./g))),
    objectives: ranked(queries.flatMap((query) => all(query, /\b(?:error_budget|burn_rate)\(["']([^"']*)["']\)/g))),
    monitors: some
      .flatMap((row) => (row.type === 'composite' ? [] : [{ id: row.id, name: row.name }]))
      .slice(0, mostWords),
    own: ranked(some.flatMap((row) => row.tags)),
    handles: ranked(some.flatMap(namedIn)),
  };
}

/** The values that monitors use, read from their rows at the first call. */
export function lately(rows: readonly MonitorRow[]): () => UsedValues {
  let known: UsedValues | undefined;
  return () => {
    known ??= knownIn(rows);
    return known;
  };
}

/** Units of the options that are a length of time (docs/contract/monitor-queries.md#options). */
export const optionUnits: Readonly<Record<string, 's' | 'min' | 'h'>> = {
  evaluation_delay: 's',
  min_failure_duration: 's',
  new_group_delay: 's',
  new_host_delay: 's',
  no_data_timeframe: 'min',
  renotify_interval: 'min',
  timeout_h: 'h',
};

type Texts = Readonly<Record<string, string>>;

/** What a field may read besides its own value. */
export interface About {
  readonly kind: MonitorKind;
  /** The organization's monitors as they were last read. */
  readonly rows: readonly MonitorRow[];
  /** The words that the organization's own monitors use; gathered when first asked for. */
  readonly known: () => UsedValues;
  /** What the definition would be with these texts in the form. */
  readonly meant: (texts: Texts) => Definition;
  /** Of a composite that is a plain list: its query follows the members. */
  readonly members?: Members | undefined;
}

/** A definition in its form. */
export interface DefinitionDraft extends Resource<Definition> {
  readonly about?: About;
}

/** A setting of a monitor, with the kinds that take it. */
export interface MonitorSetting extends Setting<DefinitionDraft> {
  /** Which kinds take it. A monitor that has it shows it whatever its kind. */
  takes(kind: MonitorKind, now: Definition): boolean;
  /** Hidden behind `more options` unless it is set. */
  readonly rare?: boolean;
  /** Left out of the form while this is false of the other texts. */
  shown?(texts: Texts): boolean;
  /** Whether the definition sets it to something other than the service's default. */
  isThere(now: Definition): boolean;
}

/** A setting as its table has it. */
interface SettingSpec extends Partial<Omit<MonitorSetting, 'field' | 'has' | 'path' | 'label'>> {
  /** The label of its field. */
  readonly label: string;
  /** What sentences call the setting, where the label is no noun. */
  readonly called?: string;
  readonly field: (label: string, value: unknown, about: About, now: Definition) => Field<unknown>;
  /** The service's default; a setting with that value is not shown. */
  readonly usual?: unknown;
  /** The option whose rules its value keeps, where that is not its path. */
  readonly rule?: string;
}

/** The field, with values refused that the rules of the option call wrong. */
const ruled = (title: string, type: string, option: string, field: Field<unknown>): Field<unknown> =>
  readAs(field, (value) => {
    const fault = valueFault(type, option, value);
    return fault?.verdict === 'wrong' ? unreadable(`${title} ${fault.says}`) : { ok: true, value };
  });

/** A setting at a path of the definition, with its unit beside the label. An emptied field has the value null, which removes the member. */
export function settingAt(
  path: string | undefined,
  { usual, field, label, called = label, rule, ...given }: SettingSpec,
): MonitorSetting {
  const option = rule ?? (path?.startsWith('options.') ? path.slice('options.'.length) : undefined);
  const unit = optionUnits[option ?? ''];
  const title = `${capitalized(label)}${unit === undefined ? '' : ` (${unit})`}`;
  return {
    takes: (kind) => option === undefined || takesOption(kind.type, option),
    isThere(now) {
      const value = path === undefined ? undefined : at(now, path);
      return value != null && value !== usual && !(Array.isArray(value) && value.length === 0);
    },
    place: (value) => value ?? undefined,
    ...given,
    label: called,
    path,
    field(value, draft) {
      if (!draft?.about) throw new Error(`the ${called} of a monitor can be set in its own form only`);
      const { about, attributes } = draft;
      const plain = field(title, value ?? undefined, about, attributes);
      return option === undefined ? plain : ruled(title, about.kind.type, option, plain);
    },
  };
}

/** Settings by the names of their members in the object at `path`; of the definition itself without `path`. */
export function members<const N extends string>(
  given: Readonly<Record<N, SettingSpec>>,
  path = '',
): Readonly<Record<N, MonitorSetting>> {
  const all = Object.entries<SettingSpec>(given).map(
    ([name, one]) => [name, settingAt(`${path}${name}`, one)] as const,
  );
  return Object.fromEntries(all) as Record<N, MonitorSetting>;
}

/** Settings that are options. */
export const options = <const N extends string>(
  given: Readonly<Record<N, SettingSpec>>,
): Readonly<Record<N, MonitorSetting>> => members(given, 'options.');

/** For `takes`: every kind of these families. */
export const inFamilies =
  (...families: readonly MonitorKind['family'][]) =>
  (kind: MonitorKind): boolean =>
    families.includes(kind.family);

type More = Partial<Omit<SettingSpec, 'label' | 'field'>>;

const numberSetting =
  (whole: boolean) =>
  (label: string, hint: string, more: More = {}): SettingSpec => ({
    label,
    field: (title, value) => orNone(numberField(title, toNumber(value), { whole, hint })),
    ...more,
  });

/** A whole number that may be left out, its limits those of the option; the hint has its unit. */
export const countSetting = numberSetting(true);

/** Any number that may be left out. */
export const amountSetting = numberSetting(false);

/** Yes or no; `usual` is the service's default. */
export const flagSetting = (label: string, hint: string, more: More & { readonly usual: boolean }): SettingSpec => ({
  label,
  field: (title, value) => toggleField(title, typeof value === 'boolean' ? value : more.usual, hint),
  ...more,
});

/** A line of text that may be left out. */
export const lineSetting = (label: string, { hint, ...more }: More & { readonly hint: string }): SettingSpec => ({
  label,
  field: (title, value) => orNone(textField(title, toText(value), { hint })),
  ...more,
});

/** A setting that is one of the words of the specification, the first where none is set; another word that was read may stay. */
export const wordSetting = (label: string, words: readonly string[], hint: string, more: More = {}): SettingSpec => ({
  label,
  field: (title, value) => choiceField(title, toText(value) ?? words[0], words, hint),
  ...more,
});

/** Makes the value of a field null when it is emptied, which removes the member. */
export function orNone<V>(field: Field<V>): Field<V | null> {
  return { ...field, read: (text) => (text.trim() === '' ? { ok: true, value: null } : field.read(text)) };
}

/** A read-only field with the reason. */
export function readOnlyField(label: string, text: string, why: string): Field<undefined> {
  return {
    ...textField(label, text, { hint: why }),
    read: (typed) =>
      typed === text ? { ok: true, value: undefined } : { ok: false, text: `${label} stays as it is: ${why}` },
  };
}
