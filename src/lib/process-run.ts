import { type ChildProcess, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as v from 'valibot';
import { once } from './once.ts';
import { errorCode } from './private-file.ts';

/** A process, as lines and locks that it has written name it. */
export const processRun = v.object({
  host: v.string(),
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** When the process began, as the system reports it; pids are reused. */
  began: v.string(),
});
export type ProcessRun = Readonly<v.InferOutput<typeof processRun>>;

/** The run of this process. */
export const currentRun = once(
  (): ProcessRun => ({ host: hostname(), pid: process.pid, began: beganAt(process.pid) ?? '' }),
);

export const isSameRun = (one: ProcessRun, other: ProcessRun): boolean =>
  one.host === other.host && one.pid === other.pid && one.began === other.began;

/** After this time a process of another host, which cannot be asked, counts as ended. */
const farAway = 10 * 60_000;

/** Whether the process that wrote something still runs. */
export function isRunning(run: ProcessRun, writtenAt: number, now: number): boolean {
  if (run.host !== hostname()) return now - writtenAt < farAway;
  if (!isAlive(run.pid)) return false;
  const began = beganAt(run.pid);
  return began === undefined || run.began === '' || began === run.began;
}

/** Whether a process of this machine has this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Sends a signal to all processes of the group that a detached child leads, or led. */
export function endGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals, kill = process.kill): void {
  try {
    if (pid !== undefined) kill.call(process, -pid, signal);
  } catch {
    // None is left.
  }
}

/** Start time of a process: boot id and clock ticks on Linux, `ps` elsewhere; undefined where unknown. */
function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name may contain brackets and spaces: field 22 is counted from the last bracket.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    if (process.platform === 'linux') return undefined;
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined;
  }
}
