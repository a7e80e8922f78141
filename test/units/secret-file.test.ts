import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSecretFile, type SecretFile } from '../../src/cli/actions/keep-secret.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const path = () => join(temporaryFolder(), 'secret');
const made = async (typed: string): Promise<SecretFile> => {
  const file = await createSecretFile(typed);
  if (!file.ok) throw new Error(file.text);
  return file.value;
};

test('secrets are kept one a line for oneself alone, and a file that is there is not written into', async () => {
  const place = path();
  expect(await (await made(` ${place} `)).keep(['fake-one', 'fake-two'])).toBeUndefined();
  expect([readFileSync(place, 'utf8'), statSync(place).mode & 0o777]).toEqual(['fake-one\nfake-two\n', 0o600]);
  const again = await createSecretFile(place);
  expect(again).toMatchObject({ ok: false, text: expect.stringContaining('exists already') });
});

test('an answer without a secret leaves an empty file, and says so; an edit that failed leaves none', async () => {
  const place = path();
  expect(await (await made(place)).keep([])).toBe(`${place} is empty: the answer held no secret`);
  expect(readFileSync(place, 'utf8')).toBe('');
  const other = path();
  await (await made(other)).discard();
  expect(existsSync(other)).toBe(false);
});
