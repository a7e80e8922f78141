import type { Command } from 'commander';
import { screens } from '../../screens/index.ts';
import type { AnyList } from '../describe/screen.ts';
import { searchFlags } from './asked.ts';
import { command, type Place } from './commands.ts';
import { domainCommand } from './domains.ts';
import { flagsOf } from './flags.ts';
import { helpContext } from './help-context.ts';

/** `list` and `get` of every list of every screen. */
export function addListCommands(place: Place): void {
  for (const { lists } of screens) for (const list of lists) addList(place, list);
}

function addList({ root, house, end }: Place, list: AnyList): void {
  const subject = list.search?.subject;
  const argument = subject === undefined ? '' : ` <${subject}>`;
  const domain = domainCommand(root, list.id);
  const fields = searchFlags(list, helpContext);
  const made = command(domain, `list${argument}`, `print ${domain.description()}`).option('--json', 'as JSON');
  for (const { flag, says } of fields) made.option(flag, says);
  if (list.ranges)
    made.option('--range <length>', `one of ${list.ranges.options.join(', ')}; default ${list.ranges.initial}`);
  made.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command;
    const flags = self.opts<Record<string, string | undefined> & { json?: boolean }>();
    const [subjectText] = self.args;
    const search = {
      ...Object.fromEntries(fields.map(({ field }) => [field, flags[field]])),
      ...(subject === undefined ? {} : { [subject]: subjectText }),
    };
    const { printList } = await import('./lists.ts');
    end(await printList(house, list, flagsOf(self), { search, range: flags.range, json: flags.json === true }));
  });
}
