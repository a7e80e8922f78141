import { type Command, type CommandOptions, Option } from 'commander';
import { readOpenFile } from '../lib/private-file.ts';
import { notifyWays } from '../lib/setting-values.ts';
import { present } from '../lib/values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { ServeOptions } from '../simulator/command.ts';
import type { Ports } from './command-ports.ts';
import { domainCommand, keptAsFiles } from './domains.ts';
import { type FlagUse, readFlags, WordOption, withGlobals } from './flags.ts';
import { complain, type Exit, exits } from './io.ts';
import type { UploadFlags } from './jobs.ts';
import type { JournalFlags } from './journal.ts';
import type { FileFlags } from './object-files/commands.ts';
import type { AddFlags, EditFlags } from './profiles.ts';
import type { QueryFlags } from './query.ts';

/** What a group of commands needs: the parent command, the ports, and a receiver of the exit code. */
export interface CommandGroup {
  readonly root: Command;
  readonly ports: Ports;
  end(exit: number): void;
}

/** A command with the flags of every command, of which its help shows those of `uses`. Its code is imported when it runs, so that a help costs nothing. */
export function command(
  parent: Command,
  usage: string,
  says: string,
  uses: readonly FlagUse[] = ['organization'],
  more: CommandOptions = {},
): Command {
  return withGlobals(parent.command(usage, more).description(says), uses);
}

/** Reads words separated by commas, behind those that the flag was given before. */
const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, ...value.split(',')];

/** `call`: the command of the operation is made when it is asked for, so nothing behind its id is read here. */
export function addCall({ root, ports, end }: CommandGroup): void {
  interface CallFlags {
    readonly list?: boolean;
    readonly json?: boolean;
  }
  command(root, 'call', 'send one operation and print its answer: orgdeck call monitors.get --monitor_id 41001', [
    'organization',
    'edit',
  ])
    .argument('[operation]', 'an ID from orgdeck call --list; add --help to see its options')
    .argument('[options...]', 'options of the operation')
    .option('--list', 'print every operation')
    .option('--json', 'with --list: as JSON')
    .passThroughOptions()
    .action(async (operation: string | undefined, words: string[], flags: CallFlags, self: Command) => {
      if (flags.list && operation !== undefined) return self.error(`call --list takes no argument: got "${operation}"`);
      if (flags.list) {
        const { listOperations } = await import('./endpoint-command.ts');
        return end(await listOperations(ports, readFlags(self), flags.json === true));
      }
      if (operation === undefined) return self.error('which operation? orgdeck call --list shows them all');
      const { runEndpoint } = await import('./call.ts');
      await runEndpoint(ports, self, operation, words, end);
    });
}

/** `tables upload`. */
export function addTables({ root, ports, end }: CommandGroup): void {
  const tables = domainCommand(root, 'tables');
  command(tables, 'upload <file>', 'create a table from a local CSV file', ['organization', 'edit'])
    .requiredOption('--name <name>', 'name of the table')
    .option('--key <column>', 'primary key column (default: the first column)')
    .option('--number <columns>', 'integer columns, separated by commas', each)
    .option('--description <text>', 'what it is for')
    .option('--tag <tags>', 'tags, separated by commas; repeatable', each)
    .action(async (file: string, flags: UploadFlags, self: Command) => {
      const { uploadFile } = await import('./jobs.ts');
      end(await uploadFile(ports, file, { ...flags, ...readFlags(self) }));
    });
}

/** `profiles add`, `list`, `use`, `test`, `remove`. */
export function addProfiles({ root, ports, end }: CommandGroup): void {
  const profiles = root.command('profiles').description('named organizations');
  const ends = async (work: (all: typeof import('./profiles.ts')) => Promise<Exit>) =>
    end(await work(await import('./profiles.ts')));

  const settings = ['profile', 'pace', 'dashboard'] as const;
  const addSays = 'add a profile; keys without a source are asked for at each start';
  const add = settingFlags(command(profiles, 'add <name>', addSays, settings));
  for (const [flag, title] of [
    ['api', 'API key'],
    ['app', 'application key'],
  ])
    add
      .option(`--${flag}-key-env <name>`, `the ${title} is in this environment variable`)
      .option(`--${flag}-key-file <path>`, `the ${title} is in this file, 0600`)
      .option(`--${flag}-key-command <words>`, `the ${title} is what this command prints; no shell reads it`);
  add
    .option('--store-keys', 'type keys without another source now, and keep them in the profile file (0600)')
    .action((name: string, flags: AddFlags, self: Command) =>
      ends((all) => all.addProfile(ports, name, { ...flags, ...readFlags(self) })),
    );
  command(profiles, 'list', 'list the profiles; * marks the one in use', [])
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) => ends((all) => all.listProfiles(ports, json === true)));
  const editSays = 'edit the given settings of a profile; its keys stay';
  settingFlags(command(profiles, 'edit <name>', editSays, settings), true)
    .option('--name <name>', 'another name')
    .option('--no-production', 'do not ask')
    .option('--no-fleet', 'show only its address in the list of profiles (P)')
    .option('--no-read-only', 'allow edits again; --read-only sends none')
    .option('--no-plain', 'use the full screen')
    .action((name: string, flags: EditFlags, self: Command) =>
      ends((all) => all.editProfile(ports, name, { ...readFlags(self), ...flags })),
    );
  command(profiles, 'use <name>', 'switch to a profile', []).action((name: string) =>
    ends((all) => all.useProfile(ports, name)),
  );
  command(profiles, 'test [name]', 'check the keys, and print what they may read and edit').action(
    (name: string | undefined, _: Flags, self: Command) =>
      ends((all) => all.testProfile(ports, { ...readFlags(self), ...(name === undefined ? {} : { profile: name }) })),
  );
  command(profiles, 'remove <name>', 'remove a profile; asks for its name', ['edit']).action(
    (name: string, _: Flags, self: Command) => ends((all) => all.removeProfile(ports, name, readFlags(self))),
  );
}

/** The flags of what a profile says besides its address and keys; in an edit, an empty text clears what it may lack. */
function settingFlags(flagged: Command, isEdit = false): Command {
  const clears = (what: string) => (isEdit ? `; "" = ${what}` : '');
  const way = `how to be notified: off, bell, osc9 or osc777${clears('as config.json says')}`;
  const snapshotHelp = 'keep the last lists on disk for the next start';
  const onOrOff = ['on', 'off'];
  return flagged
    .option('--environment <word>', `a label for the badge, such as prod${clears('none')}`)
    .option('--production', 'ask before every edit')
    .option('--fleet', 'show its alerts and issues in the list of profiles (P), read every minute')
    .addOption(new WordOption('--notify <way>', way, notifyWays))
    .addOption(new WordOption('--snapshot <on or off>', snapshotHelp, onOrOff))
    .addOption(new WordOption('--mouse <on or off>', 'enable the mouse from the start', onOrOff))
    .option('--web-url <url>', `address of the service's web pages, for links${clears('none')}`)
    .option(
      '--handle <handle>',
      `who you are, for deployments that do not report it${clears('as the service reports')}`,
    );
}

/** `journal`, `undo`. */
export function addJournal({ root, ports, end }: CommandGroup): void {
  command(root, 'journal', 'print the edits of this organization, or the handover report of a shift')
    .option('--since <time>', 'start of the period: 8h, 22:00, "yesterday 22:00"', '8h')
    .option('--markdown', 'the handover report; reads what is true of the edited rows now')
    .option('--json', 'as JSON')
    .action(async (flags: JournalFlags, self: Command) => {
      const { printJournal } = await import('./journal.ts');
      end(await printJournal(ports, { ...flags, ...readFlags(self) }));
    });
  command(root, 'undo [entry]', 'undo the last edit, or one by the id that orgdeck journal prints', [
    'organization',
    'edit',
  ])
    .option('--json', 'the receipts as JSON')
    .action(async (entry: string | undefined, { json = false }: { json?: boolean }, self: Command) => {
      const { undoEdit } = await import('./journal.ts');
      end(await undoEdit(ports, entry, { ...readFlags(self), json }));
    });
}

/** `info`. */
export function addInfo({ root, ports, end }: CommandGroup): void {
  command(root, 'info', 'show the effective settings and where each comes from', [
    'organization',
    'drawing',
    'pace',
    'dashboard',
  ])
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }, self: Command) => {
      const { info } = await import('./doctor.ts');
      end(await info(ports, readFlags(self), json === true));
    });
}

/** `doctor`. */
export function addDoctor({ root, ports, end }: CommandGroup, version: string): void {
  command(root, 'doctor', 'check connection, clock, keys, permissions, terminal and files', ['organization', 'drawing'])
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }, self: Command) => {
      const { examine } = await import('./doctor.ts');
      end(await examine(ports, version, readFlags(self), json === true));
    });
}

/** `config path`, `check`. */
export function addConfig({ root, ports, end }: CommandGroup): void {
  const config = root
    .command('config')
    .description('your key bindings, columns, commands and defaults (docs/config.md)');
  const runs = (work: 'tellConfigPath' | 'checkConfig' | 'tellConfigSchema') => async () =>
    end(await (await import('./config.ts'))[work](ports));
  const schemaSays = 'print the JSON schema of the configuration file, for an editor';
  command(config, 'path', 'print the path of the configuration file', []).action(runs('tellConfigPath'));
  command(config, 'check', 'report errors in the configuration file, line by line', []).action(runs('checkConfig'));
  command(config, 'schema', schemaSays, []).action(runs('tellConfigSchema'));
}

/** `vocabulary check`. */
export function addVocabulary({ root, ports, end }: CommandGroup): void {
  const vocabulary = root.command('vocabulary').description("a deployment's own words");
  command(
    vocabulary,
    'check <file>',
    'show what each operation becomes with these words, and which mappings collide',
    [],
  )
    .option('--json', 'as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { checkVocabulary } = await import('./vocabulary.ts');
      end(await checkVocabulary(ports, file, json === true));
    });
  command(vocabulary, 'schema', 'print the JSON schema of such a file, for an editor', []).action(async () => {
    const { tellVocabularySchema } = await import('./vocabulary.ts');
    end(await tellVocabularySchema(ports));
  });
}

/** `query check`. */
export function addQuery({ root, ports, end }: CommandGroup): void {
  const query = root.command('query').description('queries of monitors');
  command(
    query,
    'check [query|files...]',
    'check a query, or the monitors in files and directories, and report errors with their positions; sends nothing, needs no profile',
    [],
  )
    .option('--type <type>', 'the type of the monitor, such as "log alert"; else guessed from the first word')
    .option('--options <json>', "the monitor's options, to check the query against")
    .option('--json', 'one verdict for each line, as JSON: verdict, message, hint, start and end in characters')
    .addOption(
      new WordOption(
        '-o, --output <format>',
        'text, json, github (annotations of a workflow) or sarif; the last two for files',
        ['text', 'json', 'github', 'sarif'],
      ),
    )
    .addHelpText(
      'after',
      '\nWithout a query: monitors {"type", "query", "options"} on standard input, as an array or as JSON lines.\nFiles hold one monitor, an array of them, or one on each line; of a directory all files of JSON are read.',
    )
    .action(async (words: readonly string[], flags: QueryFlags) => {
      const { checkQueries } = await import('./query.ts');
      end(await checkQueries(ports, words, flags));
    });
}

/** `export`, `diff`, `apply`. */
export function addObjectFiles({ root, ports, end }: CommandGroup): void {
  const files = (
    usage: string,
    says: string,
    uses: readonly FlagUse[],
    run: 'exportFiles' | 'compareFiles' | 'applyFiles',
  ) =>
    command(root, `${usage} <directory>`, says, ['organization', ...uses])
      .addOption(
        new WordOption(
          '--kind <kinds>',
          `only these, separated by commas: ${keptAsFiles.join(', ')}`,
          [...keptAsFiles],
          true,
        ).argParser(each),
      )
      .action(async (directory: string, flags: FileFlags, self: Command) => {
        const commands = await import('./object-files/commands.ts');
        end(await commands[run](ports, directory, { ...flags, ...readFlags(self) }));
      });
  files('export', 'write the organization as files, one for each object, without secrets', [], 'exportFiles');
  files(
    'diff',
    'print the differences between files and the organization; exit code 1 if there are any',
    [],
    'compareFiles',
  );
  files(
    'apply',
    'create and edit objects as the files have them; shows the differences and asks first',
    ['edit'],
    'applyFiles',
  )
    .option('--delete', 'also delete objects that have no file')
    .option('--anyway', 'send even objects that fail the checks')
    .option('--json', 'the receipts as JSON');
}

/** Flags of `orgdeck simulator` as they are typed. */
type SimulatorFlags = Pick<ServeOptions, 'port' | 'seed' | 'monitors' | 'issues' | 'rate'> & {
  /** Milliseconds before each answer. */
  readonly latency?: number;
  readonly vocabulary?: string;
  readonly faults?: string;
};

/** `simulator`. */
export function addSimulator(
  { root, ports, end }: CommandGroup,
  serve: (options: ServeOptions) => Promise<number>,
): void {
  const count = (flag: string, says: string, max = Number.MAX_SAFE_INTEGER): Option =>
    new Option(flag, says).argParser((text) => {
      const limit = max < Number.MAX_SAFE_INTEGER ? ` from 0 to ${max}` : '';
      if (!/^\d+$/.test(text) || Number(text) > max) root.error(`${flag.split(' ')[0]} needs a whole number${limit}`);
      return Number(text);
    });
  root
    .command('simulator')
    .description('run a demo organization in memory on 127.0.0.1, and print its address and keys')
    .addOption(count('--port <n>', 'the port; 0 = any', 65535).default(0))
    .addOption(count('--seed <n>', 'seed: the same number gives the same organization'))
    .addOption(count('--monitors <n>', 'how many monitors', 100_000))
    .addOption(count('--issues <n>', 'how many issues', 100_000))
    .addOption(count('--latency <ms>', 'milliseconds before each answer', 60_000))
    .addOption(count('--rate <n>', 'calls for each period and bucket; 0 = no limit'))
    .option('--vocabulary <file>', 'use the words of this vocabulary')
    .option('--faults <file>', 'inject the faults of this plan (docs/simulator.md)')
    .action(async ({ vocabulary: vocabularyFile, faults, latency, ...flags }: SimulatorFlags) => {
      const { openVocabularyFile } = await import('../profiles/vocabulary-file.ts');
      const refused = (...sentences: readonly string[]) => {
        for (const sentence of sentences) complain(ports.io, sentence);
        end(exits.usage);
      };
      const words = vocabularyFile === undefined ? undefined : await openVocabularyFile(vocabularyFile);
      if (words?.ok === false) return refused(words.text);
      const text = faults === undefined ? undefined : await readOpenFile(faults, 'the plan of faults');
      if (text?.ok === false) return refused(text.text);
      const { readFaultPlan } = await import('../simulator/faults/read-fault-plan.ts');
      const plan = text && readFaultPlan(text.value);
      if (plan?.ok === false) return refused(...plan.faults.map((fault) => `the plan of faults ${faults}: ${fault}`));
      end(
        await serve({
          ...flags,
          ...present({ latencyMs: latency }),
          complain: (line) => complain(ports.io, line),
          ...(words && { vocabulary: words.value, vocabularyFile }),
          ...(plan && { faults: { seed: Math.floor(ports.io.random() * 2 ** 32), ...plan.value } }),
        }),
      );
    });
}
