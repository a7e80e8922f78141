import type { Argument, Command, Option } from 'commander';

/** The manual page of a program in roff, from its commands; `closing` is what the help says below them. */
export function manualPage(root: Command, version: string, closing: string): string {
  const name = root.name();
  const globals = new Set(visible(root).map(({ long }) => long));
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${plain(root.description())}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '[options] [command]',
    '.SH OPTIONS',
    'Flags of the dashboard. Most of them may stand behind a command as well.',
    ...visible(root).flatMap(optionLines),
    '.SH COMMANDS',
    ...leaves(root, []).flatMap(({ command, path }) => [
      `.SS ${plain([name, ...path, ...command.registeredArguments.map(operandText)].join(' '))}`,
      plain(command.description()),
      ...visible(command)
        .filter(({ long }) => !globals.has(long))
        .flatMap(optionLines),
    ]),
    '.SH SETTINGS AND EXAMPLES',
    '.nf',
    ...closing.trim().split('\n').map(plain),
    '.fi',
  ];
  return `${lines.join('\n')}\n`;
}

const visible = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

const optionLines = ({ flags, description }: Option): string[] => ['.TP', `.B ${plain(flags)}`, plain(description)];

const operandText = (operand: Argument): string => {
  const text = `${operand.name()}${operand.variadic ? '...' : ''}`;
  return operand.required ? `<${text}>` : `[${text}]`;
};

interface Leaf {
  readonly command: Command;
  readonly path: readonly string[];
}

/** Commands that do something, with the words that lead to them. */
function leaves(of: Command, before: readonly string[]): Leaf[] {
  return of
    .createHelp()
    .visibleCommands(of)
    .filter((command) => before.length === 0 || command.name() !== 'help')
    .flatMap((command) => {
      const path = [...before, command.name()];
      const below = leaves(command, path);
      return command.commands.length === 0 ? [{ command, path }] : below;
    });
}

/** A text that roff prints as it is, in one line. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('\n', ' ')
    .replace(/^(?=[.'])/, '\\&');
