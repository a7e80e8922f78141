import { expect, test } from 'vitest';
import { openOrgdeck, sevenIssues, startProgram, statesIn } from '../support/dashboard.ts';
import { served } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Dashboards and commands on one journal: none takes back what another has done without a question that names it. */

test('two dashboards and a command undo what is their own; the rest is asked for by name', async () => {
  const { service, env: there } = await served({ seed: 7 });
  sevenIssues(service);
  const env = { ...there, ORGDECK_CONFIG_DIR: temporaryFolder(), TZ: 'UTC' };
  const dashboard = () => openOrgdeck(['--screen', 'issues'], { env });
  const orgdeck = (...line: string[]) => startProgram(line, { HOME: env.ORGDECK_CONFIG_DIR, ...env }).ended();
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
  }
});
