import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { PROGRAM, sevenIssues, statesIn } from '../support/dashboard.ts';
import { createSimulator } from '../support/simulator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/terminal.ts';

/** Dashboards and commands on one journal: none takes back what another has done without a question that names it. */

test('two dashboards and a command undo what is their own; the rest is asked for by name', async () => {
  const service = createSimulator({ seed: 7, monitors: 0, issues: 0, lively: false, rate: 0 });
  sevenIssues(service);
  const { url, apiKey, appKey } = await service.start();
  const env = { ORGDECK_CONFIG_DIR: temporaryFolder(), ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, TZ: 'UTC' };
  const dashboard = () =>
    openTerminal({ command: process.execPath, args: [PROGRAM, '--base-url', url, '--screen', 'issues'], env });
  const orgdeck = async (...line: string[]) => {
    const { promise, resolve } = Promise.withResolvers<{ exit: number; err: string }>();
    const child = spawn(process.execPath, [PROGRAM, ...line, '--base-url', url], { env: { ...process.env, ...env } });
    const said: string[] = [];
    child.stderr.on('data', (text) => said.push(String(text)));
    child.on('close', (code) => resolve({ exit: code ?? -1, err: said.join('') }));
    return promise;
  };
  const states = () => statesIn(service).slice(0, 2);
  const [first, second] = [dashboard(), dashboard()];
  try {
    for (const pty of [first, second]) await pty.sees(/> .*TypeError/);
    first.presses('r');
    await first.sees(/Resolved TypeError/);

    // The dashboard still runs: its edit is its own.
    expect(await orgdeck('undo', '--yes')).toMatchObject({ exit: 1, err: expect.stringContaining('nothing to undo') });
    second.presses('u');
    await second.sees(/Undo what a dashboard did at \d\d:\d\d UTC on Issues\?/);
    await second.sees(/Resolved TypeError/);
    second.presses('n');
    expect(states()).toEqual(['RESOLVED', 'OPEN']);

    const id = [...service.org.issues.keys()].toSorted()[1] ?? '';
    expect((await orgdeck('issues', 'acknowledge', id)).exit).toBe(0);
    const unasked = await orgdeck('undo');
    expect([unasked.exit, unasked.err]).toEqual([
      2,
      expect.stringMatching(/^Undo what a command did at .* on Issues: /),
    ]);
    // What a command did is not the dashboard's last edit.
    first.presses('u');
    await first.sees(/Undone: resolved TypeError/);
    expect(states()).toEqual(['OPEN', 'ACKNOWLEDGED']);
    first.presses('u');
    await first.sees(/Undo what a command did at \d\d:\d\d UTC on Issues\?/);
    // While it asks, a script edits again: yes is about what was named, and that alone.
    const other = [...service.org.issues.keys()].toSorted()[2] ?? '';
    expect((await orgdeck('issues', 'ignore', other)).exit).toBe(0);
    await first.settles(500);
    first.presses('y');
    await first.sees(/nothing was sent: another edit is now the one to undo/i);
    expect(statesIn(service).slice(0, 3)).toEqual(['OPEN', 'ACKNOWLEDGED', 'IGNORED']);
    expect((await orgdeck('undo', '--yes')).exit).toBe(0);
    expect(statesIn(service).slice(0, 3)).toEqual(['OPEN', 'ACKNOWLEDGED', 'OPEN']);
    expect((await orgdeck('undo', '--yes')).exit).toBe(0);
    expect(states()).toEqual(['OPEN', 'OPEN']);

    // After a dashboard has ended, its edit is the last one that no running dashboard made.
    second.presses('r');
    await second.sees(/Resolved TypeError/);
    second.presses('Q');
    await second.ends();
    expect((await orgdeck('undo', '--yes')).exit).toBe(0);
    expect(states()).toEqual(['OPEN', 'OPEN']);
    first.presses('u');
    await first.sees(/nothing to undo/);
  } finally {
    for (const pty of [first, second]) await pty.close();
    await service.stop();
  }
});
