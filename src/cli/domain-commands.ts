import { addActionCommands } from './actions/action-commands.ts';
import type { Place } from './commands.ts';
import { addListCommands } from './list-commands.ts';

/** Everything that is made from the descriptions of screens; loaded when a line names a domain. */
export function addDomainCommands(place: Place, argv?: readonly string[]): void {
  addListCommands(place);
  addActionCommands(place, argv);
}
