import type { Command } from 'commander';
import type { PreviewedRequest } from '../../client/send-once.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { type Field, type Fields, isSecret } from '../../describe/field.ts';
import type { NewOrder } from '../../describe/order-action.ts';
import type { AnyList } from '../../describe/screen.ts';
import { type SettingTable, settingFields } from '../../describe/setting.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { flagName } from '../../lib/text.ts';
import { WordOption } from '../flags.ts';
import { type Exit, type Io, usage } from '../io.ts';
import { fieldHelp, optionWords } from '../search-flags.ts';
import type { OpenConnection } from '../start.ts';

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
function outline(
  { line, settings, form, on, made: creation, reviews }: AnyAction,
  context: Context,
): Fields | undefined {
  if (line && 'fields' in line) return line.fields?.(context) ?? {};
  if (settings) {
    const table = settings as SettingTable<unknown>;
    if (on === 'list') return settingFields(table, {}, undefined, context);
    // An edit that may change the id of its row has `made`, too.
    const isCreation = creation !== undefined && reviews !== true;
    // Which of them a row has is known when it is read.
    return Object.fromEntries(
      Object.entries(table).flatMap(([name, { field, has }]) =>
        has === 'never' || (has === 'new' && !isCreation) ? [] : [[name, field(undefined, undefined, context)]],
      ),
    );
  }
  if (!form) return {};
  return on === 'list' ? form(undefined, context, undefined) : undefined;
}

/** What was typed into the flags of a command, by the names of its fields. */
export type FlagTexts = Readonly<Record<string, string>>;

/** Adds the flags of a shape to a command. The function reads what was typed into them. */
export function addFlags(
  command: Command,
  { fields, isSwitched, isOpen, rows }: CommandShape,
): (command: Command) => FlagTexts {
  const byFlag = new Map<string, Field>();
  for (const [name, field] of Object.entries(fields))
    if (!field.aside && !byFlag.has(field.flag ?? name)) byFlag.set(field.flag ?? name, field);
  const options = [...byFlag].map(([name, field]) => {
    const isSwitch = isSwitched && field.kind === 'toggle';
    const words = field.kind === 'toggle' ? ['yes', 'no'] : optionWords(field);
    const option = new WordOption(
      `${flagName(name)}${isSwitch ? '' : ` <${argument(field)}>`}`,
      helpText(field, name, { isSwitch, isNew: rows === 'none' }),
      words,
      field.kind === 'many',
    );
    command.addOption(option);
    return { name, attribute: option.attributeName() };
  });
  if (isOpen)
    command.option('--set <name=value>', 'a field by its name; repeatable', (text, before: string[] = []) => [
      ...before,
      text,
    ]);
  return (self) => ({
    ...Object.fromEntries(
      options
        .filter(({ attribute }) => self.getOptionValueSource(attribute) === 'cli')
        .map(({ name, attribute }) => {
          const value: unknown = self.getOptionValue(attribute);
          return [name, value === true ? 'yes' : String(value)];
        }),
    ),
    ...(isOpen ? assignments(self) : {}),
  });
}

/** `--set name=value`, each. */
function assignments(self: Command): FlagTexts {
  const given: readonly string[] = self.getOptionValue('set') ?? [];
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) self.error(`--set needs name=value, not '${text.slice(0, 60)}'`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

const argument = (field: Field): string => {
  if (isSecret(field, {})) return 'env:NAME';
  switch (field.kind) {
    case 'toggle':
      return 'yes|no';
    case 'choice':
      return 'word';
    case 'many':
      return 'words';
    case 'pick':
      return 'id';
    case 'checks':
      return 'ids';
    case 'file':
      return 'file';
    default:
      return field.isPath ? 'file' : 'text';
  }
};

/** The placeholder of a form, whose meaning its place shows there. */
const exampleText = ({ kind, placeholder = '' }: Field): string =>
  placeholder && (kind === 'checks' ? `empty = ${placeholder}` : `e.g. ${placeholder}`);

/** `isNew`: nothing is there that what is not given could be taken from. */
function helpText(
  field: Field,
  name: string,
  { isSwitch, isNew }: { readonly isSwitch: boolean; readonly isNew: boolean },
): string {
  const isNeeded = isNew && field.required === true && field.initial === '' && !field.follows;
  const secret = isSecret(field, {}) ? 'from an environment variable, or - for standard input' : '';
  const named = field.kind === 'checks' && !field.free ? 'each an id or name:NAME' : '';
  const { options: _, ...switched } = field;
  const said = fieldHelp(isSwitch ? switched : field, name);
  return [
    said,
    named,
    exampleText(field),
    secret,
    isNeeded ? (field.shown ? 'required where it applies' : 'required') : '',
  ]
    .filter(Boolean)
    .join('; ');
}

/** What a command of an action was given. */
export interface Given {
  /** What its rows are parts of. */
  readonly whole?: string | undefined;
  readonly rows: readonly string[];
  /** What stands behind the row. */
  readonly behind: readonly string[];
  /** The pick of a flag. */
  readonly pick?: string | undefined;
  readonly kind?: string | undefined;
  readonly to: Destination;
  readonly typed: FlagTexts;
  readonly isJson: boolean;
  /** A query that the service is sure to refuse is sent. */
  readonly isSure: boolean;
  /** A row that is not found is none to delete. */
  readonly ifExists: boolean;
  /** The rows that are found are edited although others are not. */
  readonly keepGoing: boolean;
  /** A secret of the answer is printed, or kept in this new file. */
  readonly isRevealed: boolean;
  readonly secretFile?: string | undefined;
}

/** An organization at work for one command. */
export interface Work {
  readonly io: Io;
  readonly connection: OpenConnection;
  readonly context: Context;
  readonly verb: ActionCommand;
  readonly shape: CommandShape;
  readonly given: Given;
  /** The requests of a dry run whose receipts are JSON, as they come. */
  readonly requests?: readonly PreviewedRequest[] | undefined;
}

/** Ends a command before anything was sent. */
export interface Stopped {
  readonly ok: false;
  readonly exit: Exit;
}

/** The command was used wrongly: one sentence on stderr. */
export function misused(io: Pick<Io, 'err'>, text: string): Stopped {
  return { ok: false, exit: usage(io, text) };
}

/** Where rows of an order are moved to; none: every row is named, in its order. */
export interface Destination {
  readonly first?: boolean;
  readonly last?: boolean;
  readonly before?: string;
  readonly after?: string;
}

/** The rows of a list in their order, and those that are moved in theirs. */
interface Ordered {
  readonly list: AnyList;
  readonly all: readonly unknown[];
  readonly moved: readonly unknown[];
  /** The row that `before` or `after` names. */
  readonly anchor?: unknown;
}

/** The order with the moved rows where they are wanted. A row that may not move, or an order with gaps, is a sentence. */
export function orderValues({ list, all, moved, anchor }: Ordered, to: Destination): ParseResult<NewOrder> {
  const before = all.map(list.idOf);
  const ids = moved.map(list.idOf);
  const names = Object.fromEntries(all.map((row) => [list.idOf(row), list.nameOf(row)]));
  const places = [to.first, to.last, to.before, to.after].filter((place) => place !== undefined);
  if (places.length > 1) return unreadable('give one of --first, --last, --before and --after');
  for (const row of moved) {
    const may = list.order?.may?.(row) ?? true;
    if (may !== true) return unreadable(`${list.nameOf(row)}: ${may}`);
  }
  const others = before.filter((id) => !ids.includes(id));
  const index = placeIn(others, to, anchor === undefined ? undefined : list.idOf(anchor));
  if (index === undefined && others.length > 0)
    return unreadable(
      `${ids.length} of ${before.length} rows are named: name all, or say where with --first, --last, --before or --after`,
    );
  if (index !== undefined && index < 0) return unreadable('a row cannot be moved next to itself');
  const after = others.toSpliced(index ?? 0, 0, ...ids);
  return { ok: true, value: { before, after, names } };
}

function placeIn(others: readonly string[], to: Destination, anchor: string | undefined): number | undefined {
  if (to.first) return 0;
  if (to.last) return others.length;
  if (anchor === undefined) return undefined;
  const at = others.indexOf(anchor);
  return at < 0 ? -1 : to.before === undefined ? at + 1 : at;
}

/** Actions that are no commands, each with the reason. Every other action of every screen is one. */
export const leftOut: Readonly<Record<string, string>> = {
  'tables.show-rows': 'it only opens another list: orgdeck tables rows list TABLE',
  'tables.upload-file': 'orgdeck tables upload does it',
  'retention.toggle': 'orgdeck retention enable and disable do it, also twice',
  'tables.create-row': 'orgdeck tables add-row does it, also in an empty table',
};
