import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/dashboard.ts';
import { openTerminal } from '../support/terminal.ts';

test('bash completes commands, flags, ids and names', async () => {
  const place = mkdtempSync(join(tmpdir(), 'orgdeck-bash-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  symlinkSync(resolve(PROGRAM), join(place, 'orgdeck'));
  symlinkSync(process.execPath, join(place, 'node'));
  const pty = openTerminal({
    command: 'bash',
    args: ['--norc', '--noprofile', '-i'],
    columns: 120,
    env: { PATH: `${place}:${process.env.PATH}`, HOME: place, ORGDECK_CONFIG_DIR: place, PS1: '$ ' },
  });
  onTestFinished(() => pty.close());
  await pty.sees('$ ');
  pty.presses('source <(orgdeck completion bash)\r');
  await pty.settles(500);
  // The end of the line says what stands in it: nothing is run.
  const completes = async (typed: string, tabs: string, whole: string | RegExp) => {
    pty.presses(`\u0015${typed}${tabs}`);
    await pty.sees(whole, { within: 20_000 });
  };
  await completes('orgdeck --demo monitors mu', '\t', '$ orgdeck --demo monitors mute ');
  await completes('orgdeck --demo monitors mute 41001 --reas', '\t', '$ orgdeck --demo monitors mute 41001 --reason ');
  await completes('orgdeck --demo monitors mute 4100', '\t\t', /41001 +\(CPU high on api hosts of checkout-api\)/);
  await completes(
    'orgdeck --demo monitors mute name:CPU\\ high\\ on\\ api\\ hosts\\ of\\ ch',
    '\t',
    'mute name:CPU\\ high\\ on\\ api\\ hosts\\ of\\ checkout-api ',
  );
  await completes('orgdeck completion z', '\t', '$ orgdeck completion zsh ');
  expect(pty.buffer()).toBe('normal');
});
