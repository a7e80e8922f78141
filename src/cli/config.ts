import type { Screen } from '../describe/screen.ts';
import { plural } from '../lib/text.ts';
import { type ConfigFile, type ConfigMistake, configPath, inOrder } from '../profiles/config-file.ts';
import { customized } from '../session/custom/customized.ts';
import type { Withheld } from '../terminal/child-environment.ts';
import { complain, tell } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { type Exit, exits } from './io.ts';
import type { Start } from './start.ts';

/** The configuration file read with the screens that it is about: all its mistakes, in the order of their lines. */
export function usableConfig(
  file: ConfigFile,
  screens: readonly Screen[],
): Pick<ConfigFile, 'path' | 'config'> & { readonly mistakes: readonly ConfigMistake[] } {
  const { unused } = customized(screens, file.config);
  const told = unused.map(({ path, text }) => ({ line: file.lineOf(path), text }));
  return { path: file.path, config: file.config, mistakes: inOrder([...file.mistakes, ...told]) };
}

/** What a start says of the mistakes: how many, the first one, and how to see them all. */
export function mistakesText({ mistakes }: Pick<ReturnType<typeof usableConfig>, 'mistakes'>): string {
  const [first] = mistakes;
  const more = mistakes.length > 1 ? `${plural(mistakes.length, 'mistake')}, the first on ` : '';
  return `config.json: ${more}line ${first?.line}: ${first?.text} · orgdeck config check`;
}

/** What programs must not find in their environment: keys that were read, and the variables that profiles name for theirs. */
export async function withheldFrom({ keyring, profiles }: Pick<Start, 'keyring' | 'profiles'>): Promise<Withheld> {
  const listing = await profiles.list();
  const sources = listing.ok ? listing.value.profiles.flatMap(({ keys }) => Object.values(keys)) : [];
  return {
    names: sources.flatMap((source) => ('env' in source ? [source.env] : [])),
    values: keyring.secrets(),
  };
}

/** `orgdeck config path`. */
export async function tellConfigPath({ io, profiles }: Ports): Promise<Exit> {
  tell(io, [configPath(profiles.directory)]);
  return exits.done;
}

/** `orgdeck config check`: every mistake with its line; ends with 1 when there is one. Sends nothing. */
export async function checkConfig(ports: Ports): Promise<Exit> {
  const { io } = ports;
  const [{ screens }, file] = await Promise.all([import('../../screens/index.ts'), ports.config()]);
  if (!file.exists) {
    tell(io, [`there is no ${file.path}: nothing to check`]);
    return exits.done;
  }
  const { path, mistakes } = usableConfig(file, screens);
  for (const { line, text } of mistakes) complain(io, `${path}:${line}: ${text}`);
  if (mistakes.length === 0) tell(io, [`${path}: no mistakes`]);
  return mistakes.length === 0 ? exits.done : exits.failed;
}
