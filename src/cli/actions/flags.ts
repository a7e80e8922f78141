import type { Command } from 'commander';
import { type Field, isSecret } from '../../describe/field.ts';
import { WordOption } from '../flags.ts';
import { fieldHelp, flagName, optionWords } from '../search-flags.ts';
import type { CommandShape } from './shape.ts';

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
      if (at < 1) self.error(`error: --set needs name=value, not '${text.slice(0, 60)}'`);
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
