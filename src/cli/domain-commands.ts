import type { Command } from 'commander';
import { labelText } from '../describe/vocabulary-words.ts';
import { present } from '../lib/present-members.ts';
import { addActionCommands } from './actions/action-commands.ts';
import { type CommandGroup, command } from './commands.ts';
import { domainCommand, nameDomains } from './domains.ts';
import { readFlags, withSecretFlags } from './flags.ts';
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
  addActionCommands(place, { ...present({ argv }), vocabulary });
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
