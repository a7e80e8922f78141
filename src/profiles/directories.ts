import { homedir, platform } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Directories of this program: profiles in `config`, the journal in `state`. */
export interface Directories {
  readonly config: string;
  readonly state: string;
}

/** Why nothing can be kept, as a sentence: without a home directory, or with a relative one, files would go to whatever folder this is. */
export function homeRefusal(env: NodeJS.ProcessEnv, home: string = homedir()): string | undefined {
  const configured = env.ORGDECK_CONFIG_DIR;
  if (configured && !isAbsolute(configured))
    return `ORGDECK_CONFIG_DIR is "${configured.slice(0, 100)}", which would be another folder at each start: give one that begins with /`;
  const { config, state } = directories(env, home);
  if (isAbsolute(config) && isAbsolute(state)) return undefined;
  const what = home === '' ? 'empty' : `"${home.slice(0, 100)}", which does not begin with /`;
  return `HOME is ${what}, so there is no place for profiles and the journal: set it, or give a directory in ORGDECK_CONFIG_DIR`;
}

/** `ORGDECK_CONFIG_DIR` for both, else the XDG variables, else what the platform does. Absolute; nothing is created. */
export function directories(
  env: NodeJS.ProcessEnv,
  home: string = homedir(),
  system: string = platform(),
): Directories {
  const configured = env.ORGDECK_CONFIG_DIR;
  if (configured) return { config: configured, state: configured };
  const xdgDirectory = (variable: string | undefined, ...usual: string[]) =>
    // XDG base directory specification: relative paths are ignored.
    join(variable?.startsWith('/') ? variable : join(home, ...usual), 'orgdeck');
  if (system === 'darwin' && !env.XDG_CONFIG_HOME)
    return {
      config: join(home, 'Library', 'Preferences', 'orgdeck'),
      state: join(home, 'Library', 'Application Support', 'orgdeck'),
    };
  return {
    config: xdgDirectory(env.XDG_CONFIG_HOME, '.config'),
    state: xdgDirectory(env.XDG_STATE_HOME, '.local', 'state'),
  };
}
