import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/cli/connect.ts';
import { systemClock } from '../../src/lib/time.ts';
import type { ResolvedSettings } from '../../src/profiles/resolve-settings.ts';

/** A lock comes and goes in the directory, as one that is being released does, for so many milliseconds. */
async function locks(directory: string, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  const name = join(directory, `${Math.random()}.lock`);
  while (performance.now() < until) {
    await writeFile(name, '').catch(() => undefined);
    await rm(name, { force: true });
  }
}

test('the directory of a demo goes although locks still come and go in it', async () => {
  const parts = {
    keyring: { read: () => Promise.reject(new Error('a demo needs no keys')) },
    clock: systemClock,
    random: () => 0.5,
    env: {},
    preview: () => undefined,
    edited: () => undefined,
    directory: '/nowhere',
  };
  const settings = { demo: true, name: 'demo', readOnly: false, dryRun: false } as unknown as ResolvedSettings;
  const opened = await connect(settings, parts as never);
  if (!opened.ok) throw new Error(opened.text);
  const { directory, close } = opened.value;
  expect(existsSync(directory)).toBe(true);
  opened.value.knowActor({ name: 'Kim' });
  expect(opened.value.actor()).toBe('Kim');
  const writers = Array.from({ length: 8 }, () => locks(directory, 250));
  await close();
  expect(existsSync(directory)).toBe(false);
  await Promise.all(writers);
});
