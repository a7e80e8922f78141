import { execFile } from 'node:child_process';

/** The options of tmux that matter to the dashboard. */
const tmuxOptionNames = ['set-clipboard', 'allow-passthrough', 'escape-time', 'default-terminal'] as const;

/** Values of the global options; one that this tmux does not know is absent. */
export type TmuxOptions = Readonly<Partial<Record<(typeof tmuxOptionNames)[number], string>>>;

const patienceMs = 2000;

/** Asks the tmux that we are in; undefined where it does not answer. No shell, and only the variables that tmux needs. */
export async function readTmuxOptions(
  env: Readonly<Record<string, string | undefined>>,
): Promise<TmuxOptions | undefined> {
  const { PATH, HOME, TMUX, TMUX_TMPDIR, TERM, LANG, LC_ALL } = env;
  const only = { PATH, HOME, TMUX, TMUX_TMPDIR, TERM, LANG, LC_ALL };
  const read = (name: string): Promise<readonly [string, string] | undefined> =>
    new Promise((settle) => {
      execFile('tmux', ['show-options', '-gv', name], { env: only, timeout: patienceMs }, (error, said) =>
        settle(error ? undefined : [name, said.trim()]),
      );
    });
  const found = (await Promise.all(tmuxOptionNames.map(read))).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
