import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localFiles, readTextFile } from '../../src/cli/files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the names in a directory are sorted, those of directories end with a slash; where there is none there are no names', async () => {
  const home = temporaryFolder();
  for (const name of ['b', 'a.csv', '.c']) writeFileSync(join(home, name), '');
  mkdirSync(join(home, 'd'));
  expect(await localFiles.list(home)).toEqual(['.c', 'a.csv', 'b', 'd/']);
  expect(await localFiles.list(join(home, 'none'))).toEqual([]);
  expect(await localFiles.list(join(home, 'b'))).toEqual([]);
  expect(await localFiles.list('')).toContain('package.json');
  symlinkSync('round', join(home, 'round'));
  expect(await localFiles.list(join(home, 'round'))).toBeUndefined();
});

test('a file is read as text up to a limit; spaces around its path are none of it', async () => {
  const path = join(temporaryFolder(), 'query.txt');
  writeFileSync(path, 'über');
  expect(await readTextFile(` ${path} `, 5)).toEqual({ ok: true, value: 'über' });
  expect(await readTextFile(path, 4)).toEqual({ ok: false, text: `${path} is over 4 bytes` });
  expect(await readTextFile(join(path, '..'), 9e9)).toEqual({ ok: false, text: `${join(path, '..')} is not a file` });
  expect(await readTextFile(`${path}x`, 5)).toMatchObject({ ok: false, text: expect.stringContaining(`${path}x`) });
  writeFileSync(path, '\ufeff{}');
  expect(await readTextFile(path, 5)).toEqual({ ok: true, value: '{}' });
  writeFileSync(path, Buffer.from('über', 'latin1'));
  expect(await readTextFile(path, 5)).toEqual({ ok: false, text: `${path} is not UTF-8` });
});
