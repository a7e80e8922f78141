import type { Command } from 'commander';
import { screens } from '../../screens/index.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { AnyAction } from '../describe/action.ts';
import { type Context, helpContext, labelText } from '../describe/context.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import {
  type ActionCommand,
  addFlags,
  type CommandShape,
  commandShape,
  commandVerb,
  type Destination,
  type Given,
  leftOut,
} from './actions/shape.ts';
import { wordsOf } from './command-ports.ts';
import { type CommandGroup, command } from './commands.ts';
import { comparedLists, domainCommand, nameDomains, withAliases } from './domains.ts';
import { flagsIn, readFlags, tagHelp, WordOption, withSecretFlags } from './flags.ts';
import { areFields, flagWord, formats, type OutputFlags, outputNames } from './output/formats.ts';
import type { Wanted } from './print-list.ts';
import type { RotateFlags } from './rotate-key.ts';
import { searchFlags, uncapitalized } from './search-flags.ts';

/** A search is described as to a person whom the service knows. */
const searchContext: Context = { ...helpContext, me: { id: '', name: 'you' } };

/** `list` and `get` of a list. */
function addList(place: CommandGroup, list: AnyList, context: Context): void {
  const { root, ports, end } = place;
  const subject = list.search?.subject;
  const argument = subject === undefined ? '' : ` [${subject}]`;
  const domain = domainCommand(root, list.id);
  const fields = searchFlags(list, context);
  const searched = (flagged: Command): Command => {
    for (const { flag, help, words, isSeveral } of fields)
      flagged.addOption(new WordOption(flag, help, words, isSeveral));
    if (list.ranges) {
      const { options, initial } = list.ranges;
      flagged.addOption(
        new WordOption('--range <length>', `one of ${options.join(', ')}; default ${initial}`, options),
      );
    }
    return flagged;
  };
  const askedIn = (flags: OutputFlags & ListFlags, subjectText: string | undefined): Wanted => ({
    ...flags,
    search: {
      ...Object.fromEntries(fields.map(({ field }) => [field, flags[field] as string | undefined])),
      ...(subject === undefined ? {} : { [subject]: subjectText }),
    },
  });

  const listing = searched(
    printing(
      command(
        domain,
        `list${argument}`,
        `print ${domain.description()}`,
        ['organization', 'drawing', 'pace'],
        // `orgdeck service checkout-api`, `orgdeck hygiene`
        { isDefault: list.derived !== undefined && list.actions.length === 0 },
      ),
      list,
    ),
  )
    .option('--limit <n>', 'at most this many rows')
    .addOption(
      new WordOption(
        '--sort <field[:desc]>',
        'a field of the JSON or a column; :desc, or - before it, puts the greatest first',
        outputNames(list).flatMap((name) => [name, `${name}:desc`]),
      ),
    )
    .option('--watch', 'print changes as JSON lines until Ctrl-C, polling every --poll seconds')
    .action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command;
      const { flags, words } = withWords(list, self);
      const takes = subject === undefined ? 0 : 1;
      if (words.length < takes) self.error(`missing required argument '${subject}'`);
      // What stood behind --json was neither a field nor what the command is about.
      if (words.length > takes)
        self.error(`--json: there is no field ${words[0]?.slice(0, 60)}: there are ${outputNames(list).join(', ')}`);
      const { printList } = await import('./print-list.ts');
      end(await printList(ports, list, readFlags(self), askedIn(flags, words[0])));
    });
  const states = (list.states ?? []).map(flagWord);
  if (states.length > 0)
    listing.addOption(
      new WordOption('--fail-on <state>', 'exit with 1 if a row is in this state or a worse one', states),
    );

  if (list.board) return;
  searched(
    printing(
      command(domain, `get${argument} [ids...]`, `print rows by id or name, with all details`, [
        'organization',
        'drawing',
      ]),
      list,
    ),
  )
    .addHelpText('after', idHelp)
    .action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command;
      const { flags, words } = withWords(list, self);
      const [subjectText, ids] = subject === undefined ? [undefined, words] : [words[0], words.slice(1)];
      if (ids.length === 0) self.error("missing required argument 'id'");
      const { printRows } = await import('./print-list.ts');
      end(await printRows(ports, list, ids, readFlags(self), askedIn(flags, subjectText)));
    });
}

/** What a help says of ids. */
const idHelp = `
In place of an id: name:NAME if exactly one row has that name, or - for ids on standard input, one a line.
An id that begins with a dash is written id:-Xy.`;

type ListFlags = Readonly<Record<string, string | boolean | undefined>> & {
  readonly range?: string;
  readonly watch?: boolean;
  readonly pager?: boolean;
};

/** Lets a command print rows in every format. */
const printing = (made: Command, list: AnyList): Command =>
  withAliases(made)
    .addOption(
      new WordOption(
        '-o, --output <format>',
        `${formats.join(', ')}; default: table on a terminal, else tsv without a header line`,
        formats,
      ),
    )
    .option('--header', 'print a header line in a pipe, too')
    .addOption(new WordOption('--fields <names>', 'only these fields, separated by commas', outputNames(list), true))
    .addOption(
      new WordOption(
        '--json [fields]',
        'as JSON; with names of fields, separated by commas, only those',
        outputNames(list),
        true,
      ),
    )
    .option('--no-pager', 'never through $PAGER')
    .addHelpText('after', () => `\nFields: ${outputNames(list).join(', ')}`);

/** The flags and words of a line; a word behind `--json` that names no field is one of the words: `get --json 41001`. */
function withWords(list: AnyList, self: Command) {
  const flags = self.opts<OutputFlags & ListFlags>();
  if (typeof flags.json !== 'string' || areFields(list, flags.json)) return { flags, words: self.args };
  return { flags: { ...flags, json: true }, words: [flags.json, ...self.args] };
}

/** A command for every action of every screen, or of the lists that the words of `argv` name; its help in the deployment's words. */
export function addActionCommands(place: CommandGroup, argv?: readonly string[], vocabulary?: Translator): void {
  for (const screen of screens)
    for (const list of screen.lists) {
      if (argv && !list.id.split('.').every((word) => argv.includes(word))) continue;
      for (const action of list.actions)
        if (!(action.id in leftOut)) addAction(place, screen, { list, action }, vocabulary);
    }
}

function addAction(
  { root, ports, end }: CommandGroup,
  screen: Screen,
  verb: ActionCommand,
  vocabulary: Translator | undefined,
): void {
  const { list, action } = verb;
  const shape = commandShape(verb, { ...helpContext, vocabulary });
  const actionCommand = withAliases(
    command(
      domainCommand(root, list.id),
      [commandVerb(verb), ...operands(shape)].join(' '),
      uncapitalized(labelText(briefOf(action), { vocabulary })),
      ['organization', 'edit'],
    ),
  );
  if (shape.rows !== 'none') actionCommand.addHelpText('after', idHelp);
  const { pickFlag, kinds, isOrder } = shape;
  if (pickFlag)
    actionCommand.requiredOption(
      `--${pickFlag.flag} <${pickFlag.noun}>`,
      `the id of the ${pickFlag.noun}, name:NAME, or me`,
    );
  if (kinds)
    actionCommand.addOption(new WordOption('--kind <word>', `one of ${kinds.join(', ')}`, kinds).makeOptionMandatory());
  if (isOrder)
    actionCommand
      .option('--first', 'to the first position')
      .option('--last', 'to the last position')
      .option('--before <id>', 'before the row with this id')
      .option('--after <id>', 'after the row with this id');
  const typedIn = addFlags(actionCommand, shape);
  // A job has no receipt.
  if (!action.job) actionCommand.option('--json', 'the receipts as JSON');
  if (shape.rows === 'several' && !isOrder)
    actionCommand.option('--keep-going', 'edit the rows that exist even if others do not');
  if (Object.values(shape.fields).some(({ kind }) => kind === 'query'))
    actionCommand.option('--anyway', 'send even if the query check fails');
  if (!action.goes && !action.job && action.removes)
    actionCommand.option('--if-exists', 'ignore IDs that do not exist');
  if (action.secret) withSecretFlags(actionCommand);
  actionCommand.action(async (...args: unknown[]) => {
    const self = args.at(-1) as Command;
    const flags = self.opts<Flagged>();
    if (kinds && !kinds.includes(flags.kind ?? '')) self.error(`--kind is one of ${kinds.join(', ')}`);
    const given: Given = {
      ...operandsIn(shape, self.processedArgs),
      pick: pickFlag && String(self.getOptionValue(pickFlag.flag)),
      kind: kinds && flags.kind,
      to: isOrder ? flags : {},
      typed: typedIn(self),
      isJson: flags.json === true,
      isSure: flags.anyway === true,
      keepGoing: flags.keepGoing === true,
      ifExists: flags.ifExists === true,
      isRevealed: flags.reveal === true,
      secretFile: action.secret && flags.secretFile,
    };
    const { act } = await import('./actions/run-action.ts');
    end(await act(ports, screen, verb, given, readFlags(self)));
  });
}

/** The help of a command: that of the action, which shows its differences on a screen alone. */
const briefOf = ({ brief, help }: AnyAction): string =>
  brief ?? help.replace(/; shows the differences before saving$/, '');

/** Flags of a command besides those of its fields. */
interface Flagged extends Destination {
  readonly json?: boolean;
  readonly anyway?: boolean;
  readonly keepGoing?: boolean;
  readonly ifExists?: boolean;
  readonly kind?: string;
  readonly reveal?: boolean;
  readonly secretFile?: string;
}

function operands({ whole, rows, behind }: CommandShape): readonly string[] {
  return [
    ...(whole === undefined ? [] : [`<${whole}>`]),
    ...(rows === 'none' ? [] : [rows === 'one' ? '<id>' : '<ids...>']),
    ...(behind ? [`<${behind.noun}${behind.isSeveral ? '...' : ''}>`] : []),
  ];
}

/** What the operands of a line are, by their places. */
function operandsIn(shape: CommandShape, args: readonly unknown[]): Pick<Given, 'whole' | 'rows' | 'behind'> {
  const rest = [...args];
  const next = (): readonly string[] => {
    const value = rest.shift();
    return value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];
  };
  const whole = shape.whole === undefined ? undefined : next()[0];
  return { whole, rows: shape.rows === 'none' ? [] : next(), behind: shape.behind ? next() : [] };
}

/**
 * What is made from the descriptions of screens, for the lists that `argv` names; without it for every list. In the words of
 * the deployment that `asked` says, for the manual, or a line that asks for help. Loaded when a line names a domain.
 */
export async function addDomainCommands(
  place: CommandGroup,
  argv?: readonly string[],
  asked = argv?.some((word) => ['--help', '-h', 'help'].includes(word)) ? flagsIn(argv) : undefined,
): Promise<void> {
  const vocabulary = asked && (await wordsOf(place.ports, asked));
  nameDomains(place.root, (says) => labelText(says, { vocabulary }));
  for (const { lists } of screens) for (const list of lists) addList(place, list, { ...searchContext, vocabulary });
  if (!argv || argv.includes('keys-own')) addRotate(place);
  addDiffs(place, argv);
  addActionCommands(place, argv, vocabulary);
  const mute = domainCommand(place.root, 'monitors').commands.find((one) => one.name() === 'mute');
  mute?.option('--tag <text>', tagHelp);
}

/** `keys-own rotate`. */
function addRotate({ root, ports, end }: CommandGroup): void {
  const says = 'create a key with the same name and scopes, then delete this one';
  withSecretFlags(command(domainCommand(root, 'keys-own'), 'rotate <id>', says, ['organization', 'edit']))
    .option(
      '--after <command>',
      'delete the old key once this command succeeds, instead of asking; run without a shell',
    )
    .option('--json', 'the receipts as JSON')
    .action(async (id: string, flags: RotateFlags, self: Command) => {
      const { rotateKey } = await import('./rotate-key.ts');
      end(await rotateKey(ports, id, { ...readFlags(self), ...flags }));
    });
}

/** `monitors diff A B`, and of the other lists whose rows can be compared. */
function addDiffs({ root, ports, end }: CommandGroup, argv: readonly string[] = comparedLists): void {
  for (const kind of comparedLists.filter((id) => argv.includes(id)))
    command(
      domainCommand(root, kind),
      'diff <id> <other>',
      'print the differences between two objects; exit code 1 if there are any',
      ['organization'],
    ).action(async (id: string, other: string, _: unknown, self: Command) => {
      const { compareObjects } = await import('./object-files/commands.ts');
      end(await compareObjects(ports, [id, other], { kind: [kind], ...readFlags(self) }));
    });
}
