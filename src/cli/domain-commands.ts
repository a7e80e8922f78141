import { addActionCommands } from './actions/action-commands.ts';
import type { Place } from './commands.ts';
import { addListCommands } from './list-commands.ts';
import { wordsOfHelp } from './words-of-help.ts';

/** Everything that is made from the descriptions of screens; loaded when a line names a domain. */
export async function addDomainCommands(place: Place, argv: readonly string[]): Promise<void> {
  addListCommands(place);
  addActionCommands(place, { argv, vocabulary: await wordsOfHelp(place.house, argv) });
}
