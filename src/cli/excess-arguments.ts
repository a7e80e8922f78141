import type { Command } from 'commander';
import { plural } from '../lib/text.ts';

/**
 * Ends a line with more operands than its command takes, and one on which an operand stands apart from the others behind a
 * flag, as in `--reason known issue`: what is left over is never dropped, nor taken for an id.
 */
export function refuseExcess(command: Command, argv: readonly string[]): void {
  const { args, registeredArguments: takes, parent } = command;
  if (parent === null) return;
  const refuse = (why: string) => command.error(`error: ${pathOf(command)} ${why}; a text with spaces needs quotes`);
  const last = takes.at(-1);
  if (last?.variadic) {
    if (!last.required) return;
    const alone = apart(command, argv);
    if (alone !== undefined)
      refuse(`takes its ids together, without a flag between them: "${alone.slice(0, 60)}" stands apart`);
    return;
  }
  const excess = args.slice(takes.length).map((arg) => `"${arg.slice(0, 60)}"`);
  if (excess.length === 0) return;
  const [amount, also] = takes.length === 0 ? ['no argument', ''] : [plural(takes.length, 'argument'), ' as well'];
  refuse(`takes ${amount}: got ${excess.join(' ')}${also}`);
}

/**
 * Ends a line on which a flag of the command stands where the text of another flag belongs, as in `--reason --dry-run`:
 * the edit would be sent, with "--dry-run" as its reason.
 */
export function refuseSwallowed(command: Command, argv: readonly string[]): void {
  const options = [command, ...ancestors(command)].flatMap((part) => part.options);
  const named = (word: string) => options.find(({ long, short }) => word === long || word === short);
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  for (let index = 0; index + 1 < words.length; index += 1) {
    const [flag = '', text = ''] = words.slice(index, index + 2);
    if (!named(flag)?.required) continue;
    if (named(text) || text === '--help')
      command.error(`error: ${flag} needs a text, and ${text} is a flag; where it is the text, write ${flag}=${text}`);
    index += 1;
  }
}

/** The words that lead to a command. */
const pathOf = (command: Command): string =>
  [command, ...ancestors(command)]
    .slice(0, -1)
    .map((part) => part.name())
    .reverse()
    .join(' ');

function ancestors({ parent }: Command): readonly Command[] {
  return parent ? [parent, ...ancestors(parent)] : [];
}

/** The first operand that a flag separates from those before it. */
function apart(command: Command, argv: readonly string[]): string | undefined {
  const group = argv.indexOf(command.parent?.name() ?? '');
  const words = argv.slice(argv.indexOf(command.name(), group + 1) + 1);
  let groups = 0;
  let isInGroup = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return undefined;
    if (word.startsWith('-') && word !== '-') {
      isInGroup = false;
      const option = command.options.find(({ long, short }) => word === long || word === short);
      if (option?.required) index += 1;
    } else {
      if (!isInGroup) groups += 1;
      isInGroup = true;
      if (groups > 1) return word;
    }
  }
  return undefined;
}
