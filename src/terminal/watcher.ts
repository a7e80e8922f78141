import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { GIVE_BACK } from './sequences.ts';

/** A child process that outlives this one briefly and restores the terminal after a kill. */
export interface Watcher {
  /** Its process id, for the watchdog; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Whether the terminal must be restored: true from the first frame, false while suspended. */
  guards(isOn: boolean): void;
  /** The terminal has been restored: ends the watcher without writing. */
  dismiss(): void;
}

/**
 * Reads a pipe. When it closes without a message, this process was killed (kill -9, out of memory): the sequences and the
 * line settings are restored. In its own session, so that the terminal's signals do not reach it; it ends with the
 * pipe, so it never stays behind. USR1 before the end means that the watchdog ended a loop that did not answer.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT
trap 'hung=1' USR1
saved=sane
case $(stty -a <&1 2>/dev/null) in
  *-icanon*) ;;
  *) saved=$(stty -g <&1 2>/dev/null) || saved=sane ;;
esac
on=0
while read -r word; do
  case $word in
    on) on=1 ;;
    off) on=0 ;;
    bye) exit 0 ;;
  esac
done
[ $on = 1 ] || exit 0
stty "$saved" <&1 2>/dev/null
printf '%b' "$1"
if [ "$hung" ]; then printf '%s\\n' "$2"; else printf '%s\\n' "$3"; fi
`;

const HUNG = 'orgdeck did not answer any more and was ended. The terminal has been restored.';
const KILLED = 'orgdeck was killed. The terminal has been restored.';

/** Starts the watcher on the terminal behind descriptor 1. It is given no variables but PATH; `giveBack` is what it writes after a kill. */
export function startWatcher(path: string | undefined, giveBack = GIVE_BACK): Watcher {
  const sequences = giveBack.replaceAll('\u001B', '\\0033');
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'orgdeck-watcher', sequences, HUNG, KILLED], {
    stdio: ['pipe', 'inherit', 'ignore'],
    env: path === undefined ? {} : { PATH: path },
    detached: true,
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  // A pipe to a child is a socket; it must not keep this process alive.
  (child.stdin as Socket).unref();
  const says = (word: string) => {
    if (child.stdin.writable) child.stdin.write(`${word}\n`);
  };
  return { pid: child.pid, guards: (isOn) => says(isOn ? 'on' : 'off'), dismiss: () => says('bye') };
}
