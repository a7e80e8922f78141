import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('scripts side by side: what each says is printed, and one that fails is named and makes the run fail', () => {
  const folder = temporaryFolder();
  const scripts = { good: 'echo fine', bad: 'echo wrong >&2; exit 3' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  const run = (...names: string[]) =>
    spawnSync(process.execPath, [resolve('test/support/side-by-side.ts'), ...names], { cwd: folder, encoding: 'utf8' });
  const both = run('bad', 'good');
  expect(both.stdout).toContain('fine');
  expect(both.stdout).toContain('wrong\nnpm run bad failed\n');
  expect(both.status).toBe(1);
  expect(run('good').status).toBe(0);
});
