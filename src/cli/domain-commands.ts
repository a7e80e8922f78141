import { addActionCommands } from './actions/action-commands.ts';
import type { CommandGroup } from './commands.ts';
import { addListCommands } from './list-commands.ts';
import { wordsOfHelp } from './words-of-help.ts';

/**
 * What is made from the descriptions of screens: for the lists that `argv` names, in the deployment's words where it asks for
 * help; without it for every list. Loaded when a line names a domain.
 */
export async function addDomainCommands(place: CommandGroup, argv?: readonly string[]): Promise<void> {
  addListCommands(place);
  addActionCommands(place, argv && { argv, vocabulary: await wordsOfHelp(place.ports, argv) });
}
