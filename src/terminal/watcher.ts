import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** A child process that outlives this one briefly and restores the terminal after a kill. */
export interface Watcher {
  /** Resolves when it has read the line settings: raw mode may begin. */
  readonly ready: Promise<void>;
  /** Whether the terminal must be restored: true from the first frame, false while suspended. */
  guards(isOn: boolean): void;
  /**
   * Ends this process when its loop is blocked for `limitMs`, which no signal handler could: the terminal is restored, the reason
   * stays, the exit code is 137. At most two seconds later than said, and not while this process is stopped.
   */
  endsBlocked(limitMs: number): void;
  /**
   * The terminal has been restored: ends the watcher without writing. Where this process is `ending`, the watcher stays until it has, and ends it
   * after 5 s.
   */
  dismiss(ending?: 'ending'): void;
}

/**
 * Reads the line settings, says so by closing descriptor 3, and reads a pipe. When that closes without a message, this process
 * was killed (kill -9, out of memory): the sequences and the line settings are restored. In its own session, so that the
 * terminal's signals do not reach it; it ends with the pipe, so it never stays behind.
 *
 * `watch` starts the watchdog, a loop beside it: a thread in this process would take 18 MB. It counts its own ticks since the last
 * beat instead of time, because a sleep of the computer suspends it as well. It writes nowhere: its last `sleep` outlives it. An exit that Node
 * does not come to the end of (nodejs/node#54918) answers no key and no signal, so it is ended as well.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT
trap 'hung=1' USR1
exec 4<&1
settings=$(stty -g <&4 2>/dev/null)
exec 3>&- 4<&-
on=0
isStopped() {
  if read -r state < "/proc/$1/stat"; then state=\${state##*) }; else state=$(ps -o stat= -p "$1"); fi
  case $state in [Tt]*) return 0 ;; esac
  return 1
}
watch() {
  missed=0
  trap 'missed=0' USR2
  while sleep "$2" && kill -0 $$; do
    missed=$((missed + 1))
    [ "$missed" -lt "$3" ] && continue
    if isStopped "$1"; then missed=0; continue; fi
    kill -USR1 $$
    kill -KILL "$1"
    return
  done
}
leave() {
  for second in 1 2 3 4 5; do sleep 1 && kill -0 $$ || return; done
  kill -KILL "$1"
}
trap '[ "$watch" ] && kill -KILL "$watch"' EXIT
while read -r word rest; do
  case $word in
    on) on=1 ;;
    off) on=0 ;;
    watch) watch $rest </dev/null >/dev/null 2>&1 & watch=$! ;;
    beat) kill -USR2 "$watch" ;;
    bye)
      [ "$watch" ] && kill -KILL "$watch"
      watch=
      [ "$rest" ] || exit 0
      leave "$rest" </dev/null >/dev/null 2>&1 & watch=$!
      while read -r word; do :; done
      exit 0 ;;
  esac
done
[ $on = 1 ] || exit 0
stty "\${settings:-sane}" <&1 2>/dev/null
printf '%b' "$1"
if [ "$hung" ]; then printf '%s\\n' "$2"; else printf '%s\\n' "$3"; fi
`;

const HUNG = 'orgdeck stopped responding and was ended. The terminal has been restored.';
const KILLED = 'orgdeck was killed. The terminal has been restored.';

/**
 * Starts the watcher on the terminal behind `descriptor`. Raw mode waits for `ready`: the line settings until then are restored
 * after a kill, and `giveBack` is written. It is given no variables but PATH. Nothing waits here: a process takes milliseconds to start.
 */
export function startWatcher(path: string | undefined, giveBack: string, descriptor: 1 | 2 = 1): Watcher {
  const sequences = giveBack.replaceAll('\u001B', '\\0033');
  const env = path === undefined ? {} : { PATH: path };
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'orgdeck-watcher', sequences, HUNG, KILLED], {
    stdio: ['pipe', descriptor, 'ignore', 'pipe'],
    env,
    detached: true,
  });
  const ready = new Promise<void>((is) => {
    child.on('error', () => is());
    (child.stdio[3] as Socket)
      .on('error', () => is())
      .on('close', () => is())
      .resume();
  });
  // A pipe to a child is a socket; it must not keep this process alive.
  const pipe = child.stdin as Socket;
  pipe.on('error', () => undefined);
  pipe.unref();
  child.unref();
  const sendCommand = (word: string) => {
    if (pipe.writable) pipe.write(`${word}\n`);
  };
  return {
    ready,
    guards: (isOn) => sendCommand(isOn ? 'on' : 'off'),
    endsBlocked(limitMs) {
      const tick = Math.max(1, Math.round(limitMs / 5000));
      sendCommand(`watch ${process.pid} ${tick} ${Math.ceil(limitMs / 1000 / tick)}`);
      setInterval(() => sendCommand('beat'), tick * 1000).unref();
    },
    dismiss: (ending) => sendCommand(ending ? `bye ${process.pid}` : 'bye'),
  };
}
