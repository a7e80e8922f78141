import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { PROGRAM } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/terminal.ts';

const shells = {
  bash: { args: ['--norc', '--noprofile', '-i'], setup: 'source <(orgdeck completion bash)' },
  zsh: {
    args: ['-f', '-i'],
    setup: "autoload -Uz compinit; compinit -u -D; PS1='$ '; source <(orgdeck completion zsh)",
  },
  fish: {
    args: ['--no-config', '-i'],
    setup:
      "function fish_prompt; printf '$ '; end; set fish_autosuggestion_enabled 0; orgdeck completion fish | source",
  },
};

/** Types a command into a shell and completes it. */
const completesIn =
  (shell: keyof typeof shells) =>
  async ({ skip, onTestFinished }: TestContext) => {
    const { args, setup } = shells[shell];
    if (spawnSync(shell, ['--version']).error) skip(`${shell} is not installed`);
    const place = temporaryFolder(onTestFinished);
    symlinkSync(resolve(PROGRAM), join(place, 'orgdeck'));
    symlinkSync(process.execPath, join(place, 'node'));
    writeFileSync(join(place, 'teams.csv'), 'id,team\n');
    const pty = openTerminal({
      command: shell,
      args,
      columns: 120,
      cwd: place,
      env: {
        PATH: `${place}:${process.env.PATH}`,
        HOME: place,
        XDG_CONFIG_HOME: place,
        XDG_DATA_HOME: place,
        ORGDECK_CONFIG_DIR: place,
        PS1: '$ ',
      },
    });
    onTestFinished(() => pty.close());
    await pty.sees(/[$%#>] ?$/m, { within: 20_000 });
    pty.presses(`${setup}; printf 'rea%s\\n' dy\r`);
    await pty.sees(/^ready/m, { within: 20_000 });
    // The end of the line says what stands in it: nothing is run.
    const completes = async (typed: string, tabs: string, whole: string | RegExp) => {
      await pty.settles();
      pty.presses(`\u0015\u000c${typed}${tabs}`);
      await pty.sees(whole, { within: 20_000 });
    };
    await completes('orgdeck --demo monitors mu', '\t', '$ orgdeck --demo monitors mute ');
    await completes('orgdeck --demo monitors list --json id,state_s', '\t', 'id,state_since');
    // In the order of the help, by rows or by columns.
    await completes('orgdeck --demo monitors list --output ', '\t\t', /table +(?:wide +tsv +csv|tsv +json)/);
    await completes('orgdeck --demo monitors list --output=ya', '\t', '--output=yaml');
    await completes('orgdeck --demo monitors mute 4100', '\t\t', /41001.*CPU high on api hosts of checkout-api/);
    const escaped = 'orgdeck --demo monitors mute name:CPU\\ high\\ on\\ api\\ hosts\\ of\\ ch';
    await completes(escaped, '\t', `${escaped}eckout-api `);
    for (const quote of ['"', "'"]) {
      const quoted = `orgdeck --demo monitors mute ${quote}name:CPU high on api hosts of ch`;
      await completes(quoted, '\t', `${quoted}eckout-api${quote}`);
    }
    await completes('orgdeck query check --type "log', '\t', '$ orgdeck query check --type "log alert"');
    await completes('orgdeck query check --type network-p', '\t\t', /network-path/);
    await completes('orgdeck monitors mute --reas', '\t', '$ orgdeck monitors mute --reason ');
    await completes('true | orgdeck completion z', '\t', '$ true | orgdeck completion zsh ');
    await completes('orgdeck --demo tables upload tea', '\t', 'upload teams.csv');
    expect(pty.buffer()).toBe('normal');
  };

const what = 'completes commands, flags and their words, ids, names with spaces, and files';
test.concurrent(`bash ${what}`, { tags: ['long'] }, completesIn('bash'));
test.concurrent(`zsh ${what}`, { tags: ['long'] }, completesIn('zsh'));
test.concurrent(`fish ${what}`, { tags: ['long'] }, completesIn('fish'));
