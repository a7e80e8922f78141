import type { Context } from '../../../src/describe/context.ts';
import { type Field, type Fields, shownNames, shownWhen, toggleField } from '../../../src/describe/field.ts';
import { changesOnly, withValues } from '../../../src/describe/setting.ts';
import { oncePer } from '../../../src/lib/function-results.ts';
import { at, isObject, isSameJson, put } from '../../../src/lib/values.ts';
import { type MonitorRow, toObject, toText } from '../row.ts';
import {
  calendarSettings,
  deprecatedSettings,
  evaluationSettings,
  readThreshold,
  setMissingData,
} from './evaluation.ts';
import { wholeSetting } from './language.ts';
import { messageSettings, querySettings } from './main-settings.ts';
import { accessSettings, assetsSettings, notificationSettings } from './notification.ts';
import {
  type About,
  type Definition,
  type DefinitionDraft,
  lately,
  type MonitorKind,
  type MonitorSetting,
  membersIn,
  readOptions,
  storedKind,
} from './setting.ts';

/** The changed values of a form by setting; null where a field was emptied. */
export type DefinitionValues = Readonly<Record<string, unknown>>;

/** The texts of a form by setting. */
type Texts = Readonly<Record<string, string>>;

/** What a form opens with. */
export interface Opened {
  readonly kind: MonitorKind;
  /** What it opens with: what is stored, or the template of a new one. */
  readonly base: Definition;
  /** The organization's monitors as they were last read. */
  readonly rows: readonly MonitorRow[];
}

/** What a person can set of a monitor, in the order of its form. */
export const settings = {
  ...querySettings,
  ...messageSettings,
  ...evaluationSettings,
  ...calendarSettings,
  ...notificationSettings,
  ...accessSettings,
  ...assetsSettings,
  ...deprecatedSettings,
};

/** The settings of a kind, and those that the stored monitor has besides; each letter in a form asks for them. */
const definitionSettings = oncePer(({ kind, base }: Opened): Readonly<Record<string, MonitorSetting>> => {
  const all = Object.entries<MonitorSetting>(settings);
  const own = all.filter(([, setting]) => setting.takes(kind, base) || setting.isThere(base));
  return kind.whole ? { definition: wholeSetting } : Object.fromEntries(own);
});

/** The definition with the values of a form in it. */
export const defined = (opened: Opened, values: DefinitionValues): Definition =>
  tidyDefinition(withValues(definitionSettings(opened), opened.base, values), values, opened.base);

/**
 * What values mean besides their own places: a definition typed as a whole, what happens without data, containers that were
 * emptied, and the number that the query ends in, which is also `thresholds.critical` (docs/contract/monitor-queries.md#common-rules).
 */
export function tidyDefinition(laid: Definition, values: DefinitionValues, before: Definition): Definition {
  if (values.definition !== undefined) return toObject(values.definition);
  const chosen = values.on_missing_data === undefined ? laid : setMissingData(laid, values.on_missing_data);
  const wanted = containers.reduce(
    (tidied, path) => (isEmptied(tidied, before, path) ? put(tidied, path, undefined) : tidied),
    chosen,
  );
  const isTouched = !isSameJson(wanted.query, before.query) || !isSameJson(wanted.options, before.options);
  return isTouched ? withCritical(wanted) : wanted;
}

/** Objects that only hold settings, the inner ones first. */
const containers = [
  'options.thresholds',
  'options.threshold_windows',
  'options.scheduling_options.evaluation_window',
  'options.scheduling_options.custom_schedule',
  'options.scheduling_options',
];

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const isEmptied = (definition: Definition, before: Definition, path: string): boolean =>
  isEmpty(at(definition, path)) && !isEmpty(at(before, path));

const critical = 'options.thresholds.critical';

/** A check has no number in its query. */
function withCritical(definition: Definition): Definition {
  const { family } = storedKind(String(definition.type ?? ''), '');
  if (['check', 'composite', 'synthetic', 'unknown'].includes(family)) return definition;
  const threshold = readThreshold(toText(definition.query) ?? '');
  const thresholds = toObject(readOptions(definition).thresholds);
  // Without any thresholds the service accepts the number from the query by itself; a dynamic one is a formula of its own.
  const isOurs = Object.keys(thresholds).length > 0 && thresholds.critical_query == null;
  return threshold === undefined || !isOurs ? definition : put(definition, critical, threshold);
}

/** The form of a kind. Rare settings come last, behind a toggle unless they are set. */
export function definitionForm(opened: Opened, context: Context): Fields {
  const { kind, base, rows } = opened;
  const all = Object.entries(definitionSettings(opened));
  const fields: Record<string, Field> = {};
  const about: About = {
    kind,
    rows,
    known: lately(rows),
    meant: (texts) => defined(opened, valuesIn(fields, texts)),
    ...(kind.family === 'composite' ? { members: membersIn(toText(base.query) ?? '') } : {}),
  };
  const draft: DefinitionDraft = { id: '', place: 0, attributes: base, unread: [], about };
  const isBehind = (setting: MonitorSetting) => setting.rare === true && !setting.isThere(base);
  const draw = (name: string, setting: MonitorSetting) => {
    const { shown, path } = setting;
    fields[name] = shownWhen(
      (texts) => (!isBehind(setting) || texts.more === 'yes') && (shown?.(texts) ?? true),
      setting.field(path === undefined ? undefined : at(base, path), draft, context),
    );
  };
  const behind = all.filter(([, setting]) => isBehind(setting));
  for (const [name, setting] of all) if (!isBehind(setting)) draw(name, setting);
  if (behind.length > 0) {
    const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
    const more = behind.filter(([, setting]) => setting.shown?.(texts) ?? true).length;
    const words = `yes: show ${more} more, seldom needed`;
    fields.more = { ...toggleField('More options', false, words), aside: true };
  }
  for (const [name, setting] of behind) draw(name, setting);
  // A new monitor's query is always sent as the form showed it: the proposal may change before it is sent.
  const { query, definition } = base.id === undefined ? fields : {};
  return { ...fields, ...changesOnly(fields), ...(query && { query }), ...(definition && { definition }) };
}

/** The values of a form's texts, without those of fields that reject their text. */
function valuesIn(fields: Fields, texts: Texts): DefinitionValues {
  const values: Record<string, unknown> = {};
  for (const name of shownNames(fields, texts)) {
    const read = texts[name] === undefined ? undefined : fields[name]?.read(texts[name]);
    if (read?.ok) values[name] = read.value;
  }
  return values;
}
