import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryRefusal, makePrivateDirectory } from '../../src/lib/private-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a directory is made with those above it, for us alone, also by two runs at once; one that is there stays as it is', async () => {
  const home = temporaryFolder();
  const path = join(home, 'a/b/c');
  const made = await Promise.all([makePrivateDirectory(path), makePrivateDirectory(path)]);
  expect(made).toEqual([
    { ok: true, value: path },
    { ok: true, value: path },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  mkdirSync(join(home, 'open'));
  chmodSync(join(home, 'open'), 0o755);
  expect(await makePrivateDirectory(join(home, 'open'))).toEqual({ ok: true, value: join(home, 'open') });
  expect(statSync(join(home, 'open')).mode & 0o777).toBe(0o755);
});

test('where no directory can be made it says so and does not try for ever', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'file'), '');
  symlinkSync(join(home, 'nowhere'), join(home, 'link'));
  const refused = async (path: string) => {
    const made = await makePrivateDirectory(path);
    return made.ok ? 'made' : made.text;
  };
  expect(await refused(join(home, 'file'))).toContain('a file has that name');
  expect(await refused(join(home, 'file/under'))).toContain('a part of its path is a file');
  expect(await refused(join(home, 'link'))).toContain('a file has that name');
  if (process.platform === 'linux') expect(await refused('/proc/nope/config')).toContain('cannot be created');
});

test('a file is refused where others could exchange it: in a directory of theirs, or that they may write in', async () => {
  const home = temporaryFolder();
  const file = join(home, 'a file');
  const at = async (mode: number) => {
    chmodSync(home, mode);
    return directoryRefusal(file);
  };
  for (const mode of [0o700, 0o755, 0o1777]) expect(await at(mode)).toBeUndefined();
  for (const mode of [0o720, 0o702, 0o777])
    expect(await at(mode)).toBe(
      `others can write to the directory of ${file}, so it is not used: run  chmod go-w ${home}`,
    );
  expect(await directoryRefusal(join(home, 'none', 'file'))).toBeUndefined();
  expect(await directoryRefusal('/etc/hosts')).toBeUndefined();
  if (process.geteuid?.() !== 0) return;
  chmodSync(home, 0o755);
  chownSync(home, 4711, 4711);
  expect(await directoryRefusal(file)).toContain(`the directory ${home} belongs to uid 4711`);
});
