import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { watchProcesses } from '../support/planted.ts';

test('the environment of a program that was started is looked at, and not that of a copy that is none yet', async () => {
  // A subshell stays a copy of its shell, as every child is until it runs its own program.
  const shell = spawn('sh', ['-c', '(sleep 20; :) & wait'], {
    env: { PATH: process.env.PATH, KEY: 'planted' },
    stdio: 'ignore',
    detached: true,
  });
  const pid = shell.pid ?? 0;
  const seen = new Map<string, string>();
  const watched = watchProcesses(
    (one) => one === pid,
    (place, text) => seen.set(place.replaceAll('\0', ' '), text),
    5,
  );
  try {
    await expect.poll(() => [...seen.keys()].filter((place) => place.endsWith('sleep 20 '))).not.toEqual([]);
    const environments = [...seen].filter(([place]) => place.startsWith('the environment'));
    expect(environments).toEqual([[expect.stringMatching(/, sleep 20 $/), expect.stringContaining('KEY=planted')]]);
  } finally {
    watched.stop();
    process.kill(-pid, 'SIGKILL');
  }
});
