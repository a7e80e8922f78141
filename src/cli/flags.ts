import { Command, CommanderError, Help, type HelpConfiguration, Option } from 'commander';
import { themeNames } from '../lib/setting-values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';

/** What a flag of every command is about: a help shows those that mean something to its command. */
export type FlagUse = 'organization' | 'profile' | 'edit' | 'drawing' | 'pace' | 'dashboard';

/** Flags that every command takes, with what the help says of them. */
const globalFlags: readonly (readonly [flag: string, says: string, ...uses: FlagUse[]])[] = [
  ['--profile <name>', 'profile to use instead of the current one (ORGDECK_PROFILE)', 'organization'],
  ['--base-url <url>', 'the address of the deployment (ORGDECK_BASE_URL)', 'organization', 'profile'],
  ['--read-only', 'send no edits', 'edit', 'dashboard'],
  ['--theme <name>', 'default, light, mono or high-contrast', 'drawing', 'dashboard'],
  ['--ascii', 'draw borders and marks in ASCII', 'drawing'],
  ['--plain', 'lines instead of a screen, for a screen reader', 'dashboard'],
  ['--poll <seconds>', 'polling interval in seconds, 10 to 300; off starts a dashboard paused', 'pace'],
  ['--vocabulary <file>', "the deployment's own words (ORGDECK_VOCABULARY)", 'organization', 'profile'],
  ['--quiet', 'write nothing on standard error unless the command fails', 'organization'],
  ['--yes', 'answer the question before an edit with yes', 'edit'],
  ['--dry-run', 'print the requests of an edit, without keys, instead of sending them', 'edit'],
  ['--tz <zone>', 'the time zone of what is shown and typed, such as Europe/Berlin (TZ)', 'organization'],
  ['--demo', 'the demo organization, inside this process', 'organization'],
];

/** A flag that takes words of a list, which completion offers; its command reads what else is typed, and says what is wrong with it. */
export class WordOption extends Option {
  readonly words: readonly string[];
  /** Whether the flag takes several words, separated by commas. */
  readonly isSeveral: boolean;

  constructor(flags: string, says: string, words: readonly string[], isSeveral = false) {
    super(flags, says);
    this.words = words;
    this.isSeveral = isSeveral;
  }
}

/**
 * Lets a command take the flags of every command, so that they may stand anywhere on the line. Its help shows those of `uses`;
 * all of them when absent.
 */
export function withGlobals(command: Command, uses?: readonly FlagUse[]): Command {
  for (const [flag, says, ...usedFor] of globalFlags) {
    const isShown = uses === undefined || usedFor.some((use) => uses.includes(use));
    const option = flag.startsWith('--theme') ? new WordOption(flag, says, themeNames) : new Option(flag, says);
    command.addOption(option.hideHelp(!isShown));
    if (uses) option.helpGroup(common);
  }
  return command;
}

/** Lets a command say where a secret goes that its answer holds. */
export const withSecretFlags = (command: Command): Command =>
  command
    .option('--reveal', 'print the secret, which is shown once')
    .option('--secret-file <file>', 'write the secret into this new file (0600)');

const common = 'Common options:';

const withoutAlias = (text: string, command: Command): string =>
  text.replace(`${command.name()}|${command.alias()}`, command.name());

/** A help has no aliases, and shows what is special to a command before the flags that many commands take. */
export const helpOrder: HelpConfiguration = {
  subcommandTerm: (command) => withoutAlias(new Help().subcommandTerm(command), command),
  commandUsage: (command) => withoutAlias(new Help().commandUsage(command), command),
  visibleOptions(command) {
    const all = new Help().visibleOptions(command);
    const isCommon = (option: Option) => option.helpGroupHeading === common;
    return [...all.filter((option) => !isCommon(option)), ...all.filter(isCommon)];
  },
  groupItems: (_, items, groupOf) => new Help().groupItems([...items], [...items], groupOf),
};

/** The flags of a command and of those above it; the nearest wins. */
export function readFlags(command: Command): Flags {
  return command.optsWithGlobals<Flags>();
}

/** The flags of every command among words that nothing has read yet; the last one may still lack its value. */
export function flagsIn(words: readonly string[]): Flags {
  const command = withGlobals(new Command())
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError() {} });
  try {
    command.parseOptions([...words]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return command.opts();
}

/**
 * Why an argument line is refused before anything reads it: a key on it can be seen by every process of this
 * machine and stays in the shell's history. The key is not repeated.
 */
export function keyOnTheLine(argv: readonly string[]): string | undefined {
  const flag = argv
    .map((word) => word.split('=')[0] ?? '')
    .find((text) => /^--(api|app|application)[-_]?key$/i.test(text));
  return flag === undefined
    ? undefined
    : [
        `${flag} does not exist: a key on a command line can be read by every process of this machine, and stays in the shell's history.`,
        `If that was a real key, treat it as leaked. Set ORGDECK_API_KEY and ORGDECK_APP_KEY, or name a source:`,
        `orgdeck profiles add NAME --base-url URL --api-key-file PATH --app-key-command 'pass show orgdeck/app'`,
      ].join('\n');
}

/** What the help of `monitors mute` says of its flag that `overTag` reads: no line with it comes to that command. */
export const tagHelp = 'instead of IDs: all monitors with this tag, also future ones, as mutes create does';

/** `monitors mute --tag` is about no monitor but about all with the tag: `mutes create`. */
export function overTag(argv: readonly string[]): readonly string[] {
  const place = argv.findIndex((word, at) => word === 'monitors' && argv[at + 1] === 'mute');
  const isTag = place >= 0 && argv.slice(place).some((word) => word === '--tag' || word.startsWith('--tag='));
  return isTag ? argv.toSpliced(place, 2, 'mutes', 'create') : argv;
}
