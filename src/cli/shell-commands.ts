import { Argument, type Command, Option } from 'commander';
import { splitCommandLine } from '../lib/setting-values.ts';
import { closestName } from '../query/closest-name.ts';
import type { CommandGroup } from './commands.ts';
import { flagsIn, readFlags } from './flags.ts';
import { exits } from './io.ts';

/** What the help says of `help`, of the program and of each group of commands. */
export const helpSays = 'print the help of a command';

/** `help`, `version`, `completion`, `man`, and the hidden one that the completions of shells call. */
export function addShellCommands(place: CommandGroup, version: string, closing: string): void {
  const { root, ports, end } = place;
  const { io } = ports;
  root
    .command('help [command...]')
    .description(helpSays)
    .action((words: readonly string[]) => commandAt(root, words).outputHelp());
  root
    .command('version')
    .description('print the version')
    .action(() => io.out(`${version}\n`));
  root
    .command('completion')
    .description('print a script that completes commands, IDs and names: source <(orgdeck completion bash)')
    .addArgument(shellArgument())
    .action(async (typed: string, _: unknown, self: Command) => {
      const shell = shells.find((one) => one === typed);
      if (!shell)
        return self.error(
          `there is no completion for "${typed.slice(0, 60)}", there is one for bash, zsh and fish: in one of these, source <(orgdeck completion bash)`,
        );
      const { completionScripts } = await import('./completion.ts');
      io.out(completionScripts[shell]);
    });
  root
    .command('man [group]')
    .description('print the manual page, of the program or of a group of commands: orgdeck man monitors | man -l -')
    .addOption(new Option('--all', 'all pages, one after the other').hideHelp())
    .action(async (group: string | undefined, { all }: { all?: boolean }, self: Command) => {
      const [{ addDomainCommands }, { manualPage, manualPages }] = await Promise.all([
        import('./domain-commands.ts'),
        import('./manual.ts'),
      ]);
      await addDomainCommands(place, undefined, readFlags(self));
      if (all) return io.out(manualPages(root, version, closing).join(''));
      const found = group === undefined ? undefined : commandAt(root, [group]);
      io.out(manualPage(root, version, closing, found?.commands.length ? found : undefined));
    });
  root.command('__complete <line>', { hidden: true }).action(async (text: string) => {
    // A Tab is no place for an error: where nothing is known, the shell offers files.
    end(exits.done);
    const [{ completeLine, readCompletionSources }, { addDomainCommands }] = await Promise.all([
      import('./completion.ts'),
      import('./domain-commands.ts'),
    ]);
    const { words, current, typed } = splitCommandLine(text);
    await addDomainCommands(place, words);
    if (words.includes('call')) await addOperation(root, words);
    const found = await completeLine(root, words.slice(1), current, readCompletionSources(ports, flagsIn(words)));
    const oneLine = (said: string) => said.replace(/[\s\p{Cc}]+/gu, ' ').trim();
    const lines = found
      .filter(({ value }) => value === oneLine(value))
      .map(({ value, says = '' }) => `${value}\t${oneLine(says)}`);
    io.out(`${[typed.replaceAll('\t', ' '), ...lines].join('\n')}\n`);
  });
}

const shells = ['bash', 'zsh', 'fish'] as const;

/** The argument that names a shell: completed as choices are; another word is refused by the command, which says what to do. */
const shellArgument = (): Argument => Object.assign(new Argument('<shell>', 'the shell'), { argChoices: [...shells] });

/** The command of the operation that the words name, so that its flags are known. */
async function addOperation(root: Command, words: readonly string[]): Promise<void> {
  const [{ findEndpoint }, { endpointCommand }] = await Promise.all([
    import('../api/all-endpoints.ts'),
    import('./endpoint-command.ts'),
  ]);
  const endpoint = findEndpoint(words[words.indexOf('call') + 1] ?? '');
  const call = root.commands.find((command) => command.name() === 'call');
  if (endpoint) call?.addCommand(endpointCommand(endpoint, async () => {}).copyInheritedSettings(call));
}

/** The command that the words lead to; a usage error that names the nearest one where there is none. */
function commandAt(root: Command, words: readonly string[]): Command {
  return words.reduce((at: Command, word) => {
    const found = at.commands.find((command) => command.name() === word);
    return found ?? refuseUnknown(at, word);
  }, root);
}

/** Ends with a usage error: `word` is no command below `at`; it names the one that was probably meant. */
export function refuseUnknown(parent: Command, word: string): never {
  const names = parent
    .createHelp()
    .visibleCommands(parent)
    .map((command) => command.name());
  const meant = closestName(word, names);
  const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  return parent.error(`unknown command '${word.slice(0, 60)}'${hint}`);
}

/** What commander says of a line that it cannot read, and the help that says what the command takes. */
export function withHelpHint(root: Command, argv: readonly string[], text: string): string {
  if (!/^(missing required argument|unknown|command-argument)/.test(text)) return text;
  const path = ['orgdeck'];
  let parent: Command = root;
  for (const word of argv) {
    const found = parent.commands.find((command) => command.name() === word);
    if (!found) continue;
    path.push(word);
    parent = found;
  }
  const word = /^unknown command '(.*)'/.exec(text)?.[1];
  const below =
    parent === root ? [] : parent.commands.filter(({ commands }) => commands.some((one) => one.name() === word));
  const meant = below.map((command) => [...path.slice(1), command.name(), word].join(' ')).join(' or ');
  return `${text.trimEnd()}\n${meant && `(Did you mean ${meant}?)\n`}${path.join(' ')} --help shows what ${parent.commands.length > 0 ? 'there is' : 'it takes'}\n`;
}
