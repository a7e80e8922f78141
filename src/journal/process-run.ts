import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../lib/private-file.ts';
import type { ProcessRun } from './journal-entry.ts';

/** This process, as stored in the lines that it writes. */
export function currentRun(): ProcessRun {
  return { host: hostname(), pid: process.pid, began: beganAt(process.pid) ?? '' };
}

/** After this time an edit from another host counts as abandoned, because its process cannot be checked. */
const farAway = 10 * 60_000;

/** Whether the process that wrote a line still runs: its edit is then under way, not open. */
export function isRunning(run: ProcessRun, writtenAt: number, now: number): boolean {
  if (run.host !== hostname()) return now - writtenAt < farAway;
  try {
    process.kill(run.pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  const began = beganAt(run.pid);
  return began === undefined || run.began === '' || began === run.began;
}

/** Start time of a process: boot id and clock ticks on Linux, `ps` elsewhere; undefined where unknown. */
function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name may contain brackets and spaces: field 22 is counted from the last bracket.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return undefined;
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined;
  }
}
