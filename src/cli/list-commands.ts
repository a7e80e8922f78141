import type { Command } from 'commander';
import { screens } from '../../screens/index.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { type Context, helpContext } from '../describe/context.ts';
import { type AnyList, outputFields } from '../describe/screen.ts';
import { type CommandGroup, command } from './commands.ts';
import { domainCommand, withAliases } from './domains.ts';
import { readFlags, WordOption } from './flags.ts';
import { formats } from './output/formats.ts';
import { areFields, flagWord, type OutputFlags } from './output/output-flags.ts';
import type { Wanted } from './print-list.ts';
import { searchFlags } from './search-flags.ts';

/** A search is described as to a person whom the service knows. */
const searchContext: Context = { ...helpContext, me: { id: '', name: 'you' } };

/** `list` and `get` of every list of every screen. */
export function addListCommands(place: CommandGroup, vocabulary?: Translator): void {
  for (const { lists } of screens) for (const list of lists) addList(place, list, { ...searchContext, vocabulary });
}

function addList(place: CommandGroup, list: AnyList, context: Context): void {
  const { root, ports, end } = place;
  const subject = list.search?.subject;
  const argument = subject === undefined ? '' : ` <${subject}>`;
  const domain = domainCommand(root, list.id);
  const fields = searchFlags(list, context);
  const searched = (flagged: Command): Command => {
    for (const { flag, says, words, isSeveral } of fields)
      flagged.addOption(new WordOption(flag, says, words, isSeveral));
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
        `list${argument.replace('<', '[').replace('>', ']')}`,
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
        fieldNames(list).flatMap((name) => [name, `${name}:desc`]),
      ),
    )
    .option('--watch', 'print changes as JSON lines until Ctrl-C, polling every --poll seconds')
    .action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command;
      const { flags, words } = withWords(list, self);
      const takes = subject === undefined ? 0 : 1;
      if (words.length < takes) self.error(`error: missing required argument '${subject}'`);
      // What stood behind --json was neither a field nor what the command is about.
      if (words.length > takes)
        self.error(
          `error: --json: there is no field ${words[0]?.slice(0, 60)}: there are ${fieldNames(list).join(', ')}`,
        );
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
      command(
        domain,
        `get${argument.replace('<', '[').replace('>', ']')} [ids...]`,
        `print rows by id or name, with all details`,
        ['organization', 'drawing'],
      ),
      list,
    ),
  )
    .addHelpText('after', idHelp)
    .action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command;
      const { flags, words } = withWords(list, self);
      const [subjectText, ids] = subject === undefined ? [undefined, words] : [words[0], words.slice(1)];
      if (ids.length === 0) self.error("error: missing required argument 'id'");
      const { printRows } = await import('./print-list.ts');
      end(await printRows(ports, list, ids, readFlags(self), askedIn(flags, subjectText)));
    });
}

/** What a help says of ids. */
export const idHelp = `
An ID is the id of a row, name:NAME if exactly one row has that name, or - for ids on standard input, one a line.
An ID that begins with a dash is written id:-Xy.`;

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
    .addOption(new WordOption('--fields <names>', 'only these fields, separated by commas', fieldNames(list), true))
    .addOption(
      new WordOption(
        '--json [fields]',
        'as JSON; with names of fields, separated by commas, only those',
        fieldNames(list),
        true,
      ),
    )
    .option('--no-pager', 'never through $PAGER')
    .addHelpText('after', () => `\nFields: ${fieldNames(list).join(', ')}`);

const fieldNames = (list: AnyList): readonly string[] => outputFields(list).map(({ name }) => name);

/** The flags and words of a line; a word behind `--json` that names no field is one of the words: `get --json 41001`. */
function withWords(list: AnyList, self: Command) {
  const flags = self.opts<OutputFlags & ListFlags>();
  if (typeof flags.json !== 'string' || areFields(list, flags.json)) return { flags, words: self.args };
  return { flags: { ...flags, json: true }, words: [flags.json, ...self.args] };
}
