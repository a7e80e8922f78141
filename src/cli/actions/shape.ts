import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { Fields } from '../../describe/field.ts';
import type { AnyList } from '../../describe/screen.ts';
import { type SettingTable, settingFields } from '../../describe/setting.ts';

/** An action of a list, which becomes one command. */
export interface ActionCommand {
  readonly list: AnyList;
  readonly action: AnyAction;
}

/** What stands behind the verb on the command line. */
export interface CommandShape {
  /** The noun of what its rows are parts of: the first operand. */
  readonly whole?: string;
  /** How many rows are named. */
  readonly rows: 'none' | 'one' | 'several';
  /** The noun of what stands behind the row: picks, or rows of its detail. */
  readonly behind?: { readonly noun: string; readonly isSeveral: boolean };
  /** A flag that names the pick. */
  readonly pickFlag?: { readonly flag: string; readonly noun: string };
  /** A flag that names the kind of what is made, from the action's first pick. */
  readonly kinds?: readonly string[];
  readonly fields: Fields;
  /** Toggles among the fields are flags without a value. */
  readonly isSwitched: boolean;
  /** Only the row tells its fields: `--set name=value`. */
  readonly isOpen: boolean;
  /** Whether the action moves its operands in the order of the list. */
  readonly isOrder: boolean;
}

/** The verb of an action: that of its id without an ending which repeats the list's: `keys-own edit` for `keys.edit-own`. */
export function commandVerb({ list, action }: ActionCommand): string {
  const [domain = '', verb = ''] = action.id.split('.');
  const rest = list.id.startsWith(domain) ? list.id.slice(domain.length + 1) : '';
  return [rest, rest.replace(/s$/, '')].reduce(
    (left, ending) => (ending !== '' && left.endsWith(`-${ending}`) ? left.slice(0, -ending.length - 1) : left),
    verb,
  );
}

/** The words of a command: `keys-own edit`. */
export const commandName = (verb: ActionCommand): string => `${verb.list.id.replaceAll('.', ' ')} ${commandVerb(verb)}`;

/** What a command of this action asks, from its description. `context` is that of a help, which knows no service. */
export function commandShape({ list, action }: ActionCommand, context: Context): CommandShape {
  const { line, on, bulk } = action;
  const isOrder = list.order?.save === action.id;
  const subject = list.search?.subject;
  const isBehind = (line?.asks === 'pick' && line.flag === undefined) || line?.asks === 'subRow';
  const fields = outline(action, context);
  const isOne = isBehind || bulk === false;
  return {
    ...(subject !== undefined && on !== 'list' && { whole: subject }),
    rows: isOrder ? 'several' : on === 'list' ? 'none' : isOne ? 'one' : 'several',
    ...(isBehind && { behind: { noun: line.noun, isSeveral: line.asks === 'pick' || !action.form } }),
    ...(line?.asks === 'pick' && line.flag !== undefined && { pickFlag: { flag: line.flag, noun: line.noun } }),
    ...(action.first && { kinds: action.first(undefined, context).first.map(({ id }) => id) }),
    fields: fields ?? {},
    isSwitched: line?.asks === 'flags',
    isOpen: fields === undefined,
    isOrder,
  };
}

/** The fields of a form before its row is known; undefined where the row alone tells them. */
function outline({ line, settings, form, on, made: creation }: AnyAction, context: Context): Fields | undefined {
  if (line && 'fields' in line) return line.fields?.(context) ?? {};
  if (settings) {
    const table = settings as SettingTable<unknown>;
    if (on === 'list') return settingFields(table, {}, undefined, context);
    // Which of them a row has is known when it is read.
    return Object.fromEntries(
      Object.entries(table).flatMap(([name, { field, has }]) =>
        has === 'new' && !creation ? [] : [[name, field(undefined, undefined, context)]],
      ),
    );
  }
  if (!form) return {};
  return on === 'list' ? form(undefined, context, undefined) : undefined;
}
