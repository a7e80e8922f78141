import type { Screen } from '../describe/screen.ts';
import { plural } from '../lib/text.ts';
import { type ConfigFile, type ConfigMistake, configPath, inOrder } from '../profiles/config-file.ts';
import { isCustom } from '../session/custom/custom.ts';
import type { Customized } from '../session/custom/customized.ts';
import { type ChildEnvironment, childEnvironment } from '../terminal/editor.ts';
import type { Ports } from './command-ports.ts';
import { complain, type Exit, exits, safeJson, tell } from './io.ts';
import type { Start } from './start.ts';

export interface UsableConfig extends Pick<ConfigFile, 'path'> {
  readonly mistakes: readonly ConfigMistake[];
  /** Gives the screens keys, columns and commands of the person's own; absent where there are none. */
  readonly customize?: (screens: readonly Screen[]) => Customized;
}

/** The configuration file read with the screens that it is about: all its mistakes, in the order of their lines. */
export async function usableConfig(
  { path, config, mistakes, lineOf }: ConfigFile,
  screens: readonly Screen[],
): Promise<UsableConfig> {
  // Few people have anything of their own.
  if (!isCustom(config)) return { path, mistakes: inOrder(mistakes) };
  const { customized } = await import('../session/custom/customized.ts');
  const told = customized(screens, config).unused.map((unused) => ({ line: lineOf(unused.path), text: unused.text }));
  return { path, customize: (all) => customized(all, config), mistakes: inOrder([...mistakes, ...told]) };
}

/** What a start says of the mistakes: how many, the first one, and how to see them all. */
export function mistakesText({ mistakes }: Pick<UsableConfig, 'mistakes'>): string {
  const [first] = mistakes;
  const more = mistakes.length > 1 ? `${plural(mistakes.length, 'mistake')}, the first on ` : '';
  return `config.json: ${more}line ${first?.line}: ${first?.text} · orgdeck config check`;
}

/** The environment of every program that is started: without keys that were read, and the variables that profiles name for theirs. */
export async function programEnvironment(
  { keyring, profiles }: Pick<Start, 'keyring' | 'profiles'>,
  env: ChildEnvironment,
): Promise<ChildEnvironment> {
  // Takes out the variables of profiles that were added meanwhile.
  await profiles.list();
  return childEnvironment(env, keyring.secrets());
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
  const { path, mistakes } = await usableConfig(file, screens);
  for (const { line, text } of mistakes) complain(io, `${path}:${line}: ${text}`);
  if (mistakes.length === 0) tell(io, [`${path}: no mistakes`]);
  return mistakes.length === 0 ? exits.done : exits.failed;
}

/** `orgdeck config schema`. */
export async function tellConfigSchema({ io }: Ports): Promise<Exit> {
  const { configJsonSchema } = await import('./json-schema.ts');
  io.out(`${safeJson(configJsonSchema())}\n`);
  return exits.done;
}
