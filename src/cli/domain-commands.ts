import type { Command } from 'commander';
import { labelText } from '../describe/context.ts';
import { present } from '../lib/values.ts';
import { addActionCommands } from './actions/action-commands.ts';
import { type CommandGroup, command } from './commands.ts';
import { comparedLists, domainCommand, nameDomains } from './domains.ts';
import { readFlags, tagHelp, withSecretFlags } from './flags.ts';
import { addListCommands } from './list-commands.ts';
import type { RotateFlags } from './rotate-key.ts';
import { wordsOfHelp } from './words-of-help.ts';

/**
 * What is made from the descriptions of screens, in the deployment's words where help is asked for: for the lists that `argv`
 * names; without it for every list, for the manual, which has `flags`. Loaded when a line names a domain.
 */
export async function addDomainCommands(
  place: CommandGroup,
  argv?: readonly string[],
  flags: readonly string[] = [],
): Promise<void> {
  const vocabulary = await wordsOfHelp(place.ports, argv ?? [...flags, 'help']);
  nameDomains(place.root, (says) => labelText(says, { vocabulary }));
  addListCommands(place, vocabulary);
  if (!argv || argv.includes('keys-own')) addRotate(place);
  addDiffs(place, argv);
  addActionCommands(place, { ...present({ argv }), vocabulary });
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
