import { type Field, readAs } from '../../../src/describe/field.ts';
import type { Resource } from '../../../src/describe/resource-spec.ts';
import type { Setting } from '../../../src/describe/setting.ts';
import { at } from '../../../src/lib/object-paths.ts';
import { unreadable } from '../../../src/lib/parse-result.ts';
import { capitalized } from '../../../src/lib/text.ts';
import { takesOption, valueFault } from '../../../src/query/option-rules.ts';
import { optionUnits } from '../option-units.ts';
import type { MonitorRow } from '../row.ts';
import type { Members } from './composite-members.ts';
import type { Definition } from './definition.ts';
import type { MonitorKind } from './kinds.ts';
import type { UsedValues } from './used-values.ts';

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
export interface SettingSpec extends Partial<Omit<MonitorSetting, 'field' | 'has' | 'path' | 'label'>> {
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
