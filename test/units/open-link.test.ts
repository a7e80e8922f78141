import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLink } from '../../src/terminal/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const env = { PATH: process.env.PATH ?? '' };
const url = 'https://runbooks.test/a?b=c&d=$(id)';

/** What a browser that writes its arguments into a file was given. */
async function given(address: string, args: string): Promise<readonly string[]> {
  const path = join(temporaryFolder(), 'given');
  const script = `require("fs").writeFileSync(${JSON.stringify(path)}, JSON.stringify(process.argv.slice(1)))`;
  const browser = `"${process.execPath}" -e '${script}' -- ${args}`;
  expect(await openLink(address, browser, env)).toBeUndefined();
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await wait(10);
  return JSON.parse(readFileSync(path, 'utf8'));
}

test('a browser gets the address as one argument, the last one or where %s stands', async () => {
  expect(await given(url, '--new-tab')).toEqual(['--new-tab', url]);
  expect(await given(url, '--url=%s --quiet')).toEqual([`--url=${url}`, '--quiet']);
});

test('what is no address of the web, or no program, opens nothing and says why', async () => {
  for (const address of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    '--help',
    'https://user:pass@a.test/',
    '/notebook/7',
  ])
    expect(await openLink(address, 'true', env)).toBe('only http and https addresses without a password are opened');
  expect(await openLink(url, '   ', env)).toBe('BROWSER names no program');
  expect(await openLink(url, 'no-such-browser', env)).toBe('no-such-browser of BROWSER does not start: ENOENT');
});
