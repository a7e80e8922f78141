import type { Command } from 'commander';
import { addActionCommands } from './actions/action-commands.ts';
import { type CommandGroup, command } from './commands.ts';
import { domainCommand } from './domains.ts';
import { readFlags, withSecretFlags } from './flags.ts';
import { addListCommands } from './list-commands.ts';
import type { RotateFlags } from './rotate-key.ts';
import { wordsOfHelp } from './words-of-help.ts';

/**
 * What is made from the descriptions of screens: for the lists that `argv` names, in the deployment's words where it asks for
 * help; without it for every list. Loaded when a line names a domain.
 */
export async function addDomainCommands(place: CommandGroup, argv?: readonly string[]): Promise<void> {
  addListCommands(place);
  if (!argv || argv.includes('keys-own')) addRotate(place);
  addActionCommands(place, argv && { argv, vocabulary: await wordsOfHelp(place.ports, argv) });
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
