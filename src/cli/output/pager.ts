import { spawn } from 'node:child_process';
import { commandWords } from '../../profiles/key-command.ts';

/** The pager that shows a text longer than the screen: that of PAGER, else less; none for an empty PAGER and for `cat`. */
export function pagerWords(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  if (env.PAGER === undefined) return ['less'];
  const words = commandWords(env.PAGER);
  return words.ok && words.value[0] !== 'cat' ? words.value : undefined;
}

/**
 * Shows a text in a pager and waits for its end; false where it could not be started. No shell reads its words. Ctrl-C is
 * the pager's: this process stays until it has given the terminal back.
 */
export function pageThrough(
  [program = '', ...rest]: readonly string[],
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const stays = () => {};
  process.on('SIGINT', stays);
  return new Promise<boolean>((settle) => {
    // As git and gh do: leave at once where all fits, keep colors, do not clear the screen.
    const child = spawn(program, rest, {
      env: { LESS: 'FRX', LV: '-c', ...env },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.on('error', () => settle(false));
    child.on('close', () => settle(true));
    // A pager that is left early reads no further.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  }).finally(() => process.off('SIGINT', stays));
}
