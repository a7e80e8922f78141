import type { Command } from 'commander';
import { screens } from '../../../screens/index.ts';
import type { Translator } from '../../api/vocabulary/translator.ts';
import type { AnyAction } from '../../describe/action.ts';
import { helpContext, labelText } from '../../describe/context.ts';
import type { Screen } from '../../describe/screen.ts';
import { type CommandGroup, command } from '../commands.ts';
import { domainCommand, withAliases } from '../domains.ts';
import { readFlags, WordOption, withSecretFlags } from '../flags.ts';
import { idHelp } from '../list-commands.ts';
import { uncapitalized } from '../search-flags.ts';
import { addFlags } from './flags.ts';
import { leftOut } from './left-out.ts';
import type { Destination } from './order-values.ts';
import { type ActionCommand, type CommandShape, commandShape, commandVerb } from './shape.ts';
import type { Given } from './work.ts';

/** What the commands are made for: all of them when absent. */
interface About {
  /** Only those of lists that its words name. */
  readonly argv: readonly string[];
  /** The deployment's words, for a help. */
  readonly vocabulary?: Translator | undefined;
}

/** A command for every action of every screen. */
export function addActionCommands(place: CommandGroup, { argv, vocabulary }: Partial<About> = {}): void {
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
  actionCommand.option('--json', 'the receipts as JSON');
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
    if (kinds && !kinds.includes(flags.kind ?? '')) self.error(`error: --kind is one of ${kinds.join(', ')}`);
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
    const { act } = await import('./run-action.ts');
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
