import { Command, CommanderError } from 'commander';
import { once } from '../lib/function-results.ts';
import { plural } from '../lib/text.ts';
import { isZone } from '../lib/time.ts';
import { homeRefusal } from '../profiles/profiles.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { ServeOptions } from '../simulator/command.ts';
import type { Ports } from './command-ports.ts';
import {
  addCall,
  addConfig,
  addDoctor,
  addInfo,
  addJournal,
  addObjectFiles,
  addProfiles,
  addQuery,
  addSimulator,
  addTables,
  addVocabulary,
  type CommandGroup,
} from './commands.ts';
import { addDomains, namesDomain } from './domains.ts';
import { helpOrder, keyOnTheLine, overTag, readFlags, withGlobals } from './flags.ts';
import { complainLines, crashed, endWith, exits, usage } from './io.ts';
import { addShellCommands, helpSays, refuseUnknown, withHelpHint } from './shell-commands.ts';
import { fleetScreen, type Start } from './start.ts';

/**
 * Ends a line with more operands than its command takes, and one on which an operand stands apart from the others behind a
 * flag, as in `--reason known issue`: what is left over is never dropped, nor taken for an id.
 */
function refuseExcess(command: Command, argv: readonly string[]): void {
  const { args, registeredArguments: takes, parent } = command;
  if (parent === null) return;
  const refuse = (why: string) => command.error(`${pathOf(command)} ${why}; a text with spaces needs quotes`);
  const last = takes.at(-1);
  if (last?.variadic) {
    if (!last.required) return;
    const alone = apart(command, argv);
    if (alone !== undefined)
      refuse(`takes its ids together, without a flag between them: "${alone.slice(0, 60)}" stands apart`);
    return;
  }
  const excess = args.slice(takes.length).map((arg) => `"${arg.slice(0, 60)}"`);
  if (excess.length === 0) return;
  const [amount, also] = takes.length === 0 ? ['no argument', ''] : [plural(takes.length, 'argument'), ' as well'];
  refuse(`takes ${amount}: got ${excess.join(' ')}${also}`);
}

/**
 * Ends a line on which a flag of the command stands where the text of another flag belongs, as in `--reason --dry-run`:
 * the edit would be sent, with "--dry-run" as its reason.
 */
function refuseSwallowed(command: Command, argv: readonly string[]): void {
  const options = [command, ...ancestors(command)].flatMap((part) => part.options);
  const named = (word: string) => options.find(({ long, short }) => word === long || word === short);
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  for (let index = 0; index + 1 < words.length; index += 1) {
    const [flag = '', text = ''] = words.slice(index, index + 2);
    if (!named(flag)?.required) continue;
    if (named(text) || text === '--help')
      command.error(`${flag} needs a text, and ${text} is a flag; where it is the text, write ${flag}=${text}`);
    index += 1;
  }
}

/** Commands that write files of this machine and send no edit: a dry run of one would be none. */
const writingHere: readonly string[] = ['export', 'profiles add', 'profiles edit', 'profiles use'];

/** The words that lead to a command. */
const pathOf = (command: Command): string =>
  [command, ...ancestors(command)]
    .slice(0, -1)
    .map((part) => part.name())
    .reverse()
    .join(' ');

function ancestors({ parent }: Command): readonly Command[] {
  return parent ? [parent, ...ancestors(parent)] : [];
}

/** The first operand that a flag separates from those before it. */
function apart(command: Command, argv: readonly string[]): string | undefined {
  const group = argv.indexOf(command.parent?.name() ?? '');
  const words = argv.slice(argv.indexOf(command.name(), group + 1) + 1);
  let groups = 0;
  let isInGroup = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return undefined;
    if (word.startsWith('-') && word !== '-') {
      isInGroup = false;
      const option = command.options.find(({ long, short }) => word === long || word === short);
      if (option?.required) index += 1;
    } else {
      if (!isInGroup) groups += 1;
      isInGroup = true;
      if (groups > 1) return word;
    }
  }
  return undefined;
}

/** What is not the command line's own: the dashboard and the server, loaded when asked for. */
export interface Elsewhere {
  readonly version: string;
  /** Opens the dashboard and gives its exit code. */
  dashboard(start: Start): Promise<number>;
  /** Runs the simulator until a signal ends it, and gives the exit code. */
  simulator(options: ServeOptions, print: (line: string) => void): Promise<number>;
}

/** Runs one argument line (without node and script) and gives the exit code. Never throws for what a person typed. */
export async function run(typed: readonly string[], ports: Ports, elsewhere: Elsewhere): Promise<number> {
  const argv = overTag(typed);
  const { io } = ports;
  const unsafe = homeRefusal(io.env) ?? (await unsafeNode(io.env));
  if (unsafe !== undefined) return endWith(io, exits.unsafe, unsafe);
  const refused = keyOnTheLine(argv);
  if (refused !== undefined) return usage(io, refused);
  const ended = { with: exits.done as number };
  const place = build(argv, ports, elsewhere, (exit) => {
    ended.with = exit;
  });
  try {
    if (namesDomain(argv)) await (await import('./domain-commands.ts')).addDomainCommands(place, argv);
    await place.root.parseAsync([...argv], { from: 'user' });
    if (ended.with !== exits.done) ports.speak();
    return ended.with;
  } catch (error) {
    ports.speak();
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
    crashed(io, error);
    return exits.failed;
  }
}

/** Why the variables of Node would give the keys away; what reads them is loaded only where there are any. */
async function unsafeNode(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' && !env.NODE_DEBUG && !env.NODE_OPTIONS) return undefined;
  return (await import('../client/connection.ts')).startRefusal(env);
}

function build(argv: readonly string[], ports: Ports, elsewhere: Elsewhere, end: (exit: number) => void): CommandGroup {
  const { io } = ports;
  const root = withGlobals(new Command('orgdeck'))
    .description(
      'Triage error issues, mute monitors and administer a monitoring organization, in the terminal.\n\nWithout a command it opens the dashboard: on the demo organization, until there is a profile.',
    )
    .version(elsewhere.version, '-v, --version', 'print the version')
    .option('--kiosk', 'turn off custom commands, the editor, saving to files, other profiles and suspending')
    .option('--view <name>', 'start with this named view; b in the dashboard saves one')
    .helpOption('-h, --help', 'print this help')
    .configureHelp(helpOrder)
    .option('--screen <name>', 'the screen to start with: home, issues, monitors, fleet, …')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: (text) => complainLines(io, text.trimEnd()),
      outputError(error, write) {
        // No other sentence of a command begins so.
        const text = error.replace(/^error: /, '');
        write(withHelpHint(root, argv, namesDomain(argv) ? withIdHint(text) : text));
      },
    })
    .addHelpText('after', closing)
    .allowExcessArguments()
    .hook('preAction', (_, command) => {
      refuseSwallowed(command, argv);
      refuseExcess(command, argv);
      const { tz, quiet, dryRun } = readFlags(command);
      if (dryRun && writingHere.includes(pathOf(command)))
        command.error(`--dry-run is for edits of the organization, and ${pathOf(command)} sends none`);
      if (quiet) ports.hush();
      if (tz === undefined) return;
      if (!isZone(tz)) command.error(`--tz: "${tz.slice(0, 60)}" is not a time zone: give one such as Europe/Berlin`);
      ports.setZone(tz, '--tz');
    });

  root.action(async (_: Flags, command: Command) => {
    const [stranger] = command.args;
    if (stranger !== undefined) refuseUnknown(root, stranger);
    if (command.opts().dryRun) command.error('--dry-run is for commands; the dashboard asks before it sends');
    const { view, kiosk, ...flags } = readFlags(command) as Flags & { view?: string; kiosk?: boolean };
    const begin = { view, isKiosk: kiosk === true };
    const help = () => {
      addCommands();
      return root.helpInformation();
    };
    end(await dashboard(ports, elsewhere, flags, begin, help));
  });

  const place: CommandGroup = { root, ports, end };
  const addCommands = once(() => {
    // Said here for the commands below, which inherit it; the program has a command of its own.
    root.helpCommand('help [command]', helpSays).helpCommand(false);
    addDomains(root);
    for (const add of [
      addCall,
      addTables,
      addQuery,
      addObjectFiles,
      addProfiles,
      addJournal,
      addInfo,
      addConfig,
      addVocabulary,
    ])
      add(place);
    addDoctor(place, elsewhere.version);
    addSimulator(place, (options) => elsewhere.simulator(options, (line) => io.out(`${line}\n`)));
    addShellCommands(place, elsewhere.version, closing);
  });
  if (namesDomain(argv) || !isOptionsAlone(root, argv)) addCommands();
  return place;
}

/** Whether the line has options of the dashboard alone, each complete: it needs none of the commands, which take 4 ms to make. */
function isOptionsAlone({ options }: Pick<Command, 'options'>, argv: readonly string[]): boolean {
  const [word, value, ...others] = argv;
  if (word === undefined) return true;
  const option = options.find(({ long }) => long === word);
  if (option?.required) return value !== undefined && !value.startsWith('-') && isOptionsAlone({ options }, others);
  return option !== undefined && isOptionsAlone({ options }, argv.slice(1));
}

/** What an unknown flag may have been meant for; a text without one stays as it is. */
function withIdHint(text: string): string {
  const flag = /^unknown option '(-[^'-][^']+|--[^']*[^a-z'-][^']*)'$/m.exec(text)?.[1];
  return flag === undefined ? text : `${text.trimEnd()}\n(If it is an id, write id:${flag})\n`;
}

async function dashboard(
  ports: Ports,
  elsewhere: Elsewhere,
  flags: Flags,
  begin: Pick<Start, 'view' | 'isKiosk'>,
  help: () => string,
): Promise<number> {
  const { io, keyring, profiles } = ports;
  const settings = await ports.resolve(flags);
  if (!settings.ok) return usage(io, settings.text);
  const stranger = flags.screen === undefined ? undefined : await strangeScreen(flags.screen);
  if (stranger !== undefined) return usage(io, stranger);
  if (!io.isTerminal.stdin || !io.isTerminal.stdout) {
    complainLines(
      io,
      `the dashboard needs a terminal (over SSH: ssh -t); without one there are these commands:\n\n${help()}`,
    );
    return exits.usage;
  }
  if (io.env.TERM === 'dumb' && !settings.value.plain)
    return usage(io, 'TERM=dumb: this terminal cannot move its cursor; --plain writes lines instead of a screen');
  // Asked before the screen is taken, where a masked line still works.
  if (!settings.value.demo && keyring.willAsk(settings.value.keyRequest)) {
    const keys = await keyring.read(settings.value.keyRequest, ports.ask);
    if (!keys.ok) return endWith(io, exits.keys, keys.text);
  }
  return elsewhere.dashboard({
    settings: settings.value,
    ...begin,
    config: ports.config,
    ...(flags.screen === undefined ? {} : { screen: flags.screen }),
    resolve: (profile) => (profile === settings.value.name ? ports.resolve(flags) : ports.switchTo(profile, flags)),
    connect: (to, ask) => ports.connect(to, ask, 'dashboard'),
    check: async (connection) => {
      const { accessFacts } = await import('./access-facts.ts');
      const facts = await accessFacts(connection, io.clock.now());
      return facts.map(({ title, text }) => `${title.padEnd(22)} ${text}`);
    },
    profiles,
    keyring,
    env: io.env,
    clock: io.clock,
    random: io.random,
    zone: io.zone,
  });
}

/** Why the dashboard cannot begin with this screen. */
async function strangeScreen(screen: string): Promise<string | undefined> {
  const { screens } = await import('../../screens/index.ts');
  const ids = [...screens.map(({ id }) => id), fleetScreen];
  return ids.includes(screen) ? undefined : `--screen is one of ${ids.join(', ')}: got "${screen}"`;
}

const closing = `
Settings come from a flag, else the environment, the profile, config.json or a default; orgdeck info shows which, and where the documentation is.
Environment: ORGDECK_PROFILE ORGDECK_BASE_URL ORGDECK_API_KEY ORGDECK_APP_KEY ORGDECK_VOCABULARY
ORGDECK_CONFIG_DIR NO_COLOR
Exit: 0 done, 1 failed, 2 usage, 3 not all of it was read or done, 4 keys or permission, 5 unknown: check before you repeat
it, 78 the environment is unsafe, 128 and the number of the signal that ended it.

  orgdeck --demo                                              look around in the demo organization
  orgdeck profiles add acme --base-url https://api.example.test
  orgdeck monitors mute 41001 --for 1h --reason 'deploy of checkout'
  orgdeck undo --yes
  orgdeck call monitors.get --monitor_id 41001 | jq .name
  orgdeck query check 'logs("*").index("main").rollup("count").last("5m") > 100'`;
