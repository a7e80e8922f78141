import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { soon } from './soon.ts';
import type { Pty } from './terminal.ts';

/**
 * A shell script that runs `"$@"`, and says how it ended and whether the line settings are those from before, which are a
 * person's own and not the usual ones. After a kill they are restored a moment later.
 */
export const aftermath = `stty erase "^H" kill "^X" -ixon iutf8 tab3; was=$(stty -g); "$@"; echo "ended $?"
tries=0; while [ "$was" != "$(stty -g)" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
[ "$was" = "$(stty -g)" ] && echo settings kept; echo ready; read -r line`;

/** The words on the primary screen after the watcher has restored it. */
export const killed = 'orgdeck was killed. The terminal has been restored.';
/** How the text of an error begins that ended the program. */
export const mistake = 'orgdeck stopped because of an internal error:';

/** Waits for `aftermath` and expects every mode, the screen and the line settings as before. */
export async function isGivenBack(pty: Pty, code: number): Promise<void> {
  // Where the watcher restores the screen, the shell may be quicker and write on the alternate one.
  await soon(() => expect(pty.outputSince(0)).toContain(`ended ${code}\r`), 25_000);
  await soon(() => expect(pty.outputSince(0)).toContain('ready'));
  await soon(() => expect(pty.buffer()).toBe('normal'));
  const output = pty.outputSince(0);
  expect(output).toContain('settings kept');
  for (const [on, off] of [
    ['?25l', '?25h'],
    ['?2004h', '?2004l'],
    ['?2026h', '?2026l'],
    ['?1000h', '?1000l'],
    ['>5u', '<u'],
  ])
    expect(output.lastIndexOf(`\u001B[${off}`), off).toBeGreaterThanOrEqual(output.lastIndexOf(`\u001B[${on}`));
  const left = output.match(/\u001B\[\?1049l/g)?.length ?? 0;
  const entered = output.match(/\u001B\[\?1049h/g)?.length ?? 0;
  // The watcher cannot know whether the screen has been left already.
  if (output.includes(killed) || output.includes('stopped responding')) expect(left).toBeGreaterThanOrEqual(entered);
  else expect(left).toBe(entered);
}

/** The process among the shell's children that runs this file. */
export function pidOf(shell: Pty, file: string): number {
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  for (const line of list) {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) === shell.pid && args.includes(file)) return Number(pid);
  }
  throw new Error('the program is not running');
}

/** Whether a process runs; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

/** The processes that a process has started, and those that these have started, without zombies. */
export function descendantsOf(pid: number): readonly number[] {
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  const children = new Map<number, number[]>();
  for (const line of list) {
    const [child, parent, state] = line.trim().split(/\s+/);
    if (!state?.startsWith('Z')) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(child)]);
  }
  const below = (of: number): number[] => (children.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** The program and arguments of a process; empty when it has ended, also as a zombie. */
export function argumentsOf(pid: number): string {
  try {
    const args = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return args.endsWith('<defunct>') ? '' : args;
  } catch {
    return '';
  }
}
