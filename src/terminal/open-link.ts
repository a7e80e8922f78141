import { spawn } from 'node:child_process';
import { errorCode } from '../lib/private-file.ts';
import { splitCommand } from '../lib/shell-line.ts';
import { linkableUrl } from './hyperlinks.ts';

/**
 * Opens an address with a program (`$BROWSER`), `%s` in it standing for the address, which else comes last. No shell reads it, and the
 * program goes on when we end. Undefined once it runs, else why it does not.
 */
export function openLink(
  address: string,
  browser: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const url = linkableUrl(address);
  const [program, ...given] = splitCommand(browser) ?? [];
  if (url === undefined) return Promise.resolve('only http and https addresses without a password are opened');
  if (program === undefined) return Promise.resolve('BROWSER names no program');
  const hasPlace = given.some((part) => part.includes('%s'));
  const args = hasPlace ? given.map((part) => part.replaceAll('%s', url)) : [...given, url];
  return new Promise((settle) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false, env: { ...env } });
    child.once('error', (error) => settle(`${program} of BROWSER does not start: ${errorCode(error)}`));
    child.once('spawn', () => {
      child.unref();
      settle(undefined);
    });
  });
}
