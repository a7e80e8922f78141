import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSimulator, type Simulator } from './simulator.ts';
import { type Open, openTerminal, type Pty } from './terminal.ts';

/** The built program. */
export const PROGRAM = 'dist/orgdeck.js';

/** The built program in a terminal. */
export const openOrgdeck = (args: readonly string[], how: Partial<Open> = {}): Pty =>
  openTerminal({ command: process.execPath, args: [PROGRAM, ...args], ...how });

/** The built program without a terminal, as a script runs it. */
export function startProgram(args: readonly string[], env: NodeJS.ProcessEnv, stdin = '') {
  const { PATH, XDG_CACHE_HOME } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { PATH, XDG_CACHE_HOME, ...env } });
  child.stdin.end(stdin);
  const exit = new Promise<number | null>((done) => child.once('close', done));
  /** What it has printed, once it has ended. */
  const ended = async () => {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { exit: await exit, out, err };
  };
  return { child, exit, ended };
}

export interface Stage {
  readonly pty: Pty;
  readonly service: Simulator;
  /** Presses keys one after the other, each in its own write, without waiting for the screen. */
  types(keys: string): Promise<void>;
}

export interface StageOptions extends Partial<Pick<Open, 'columns' | 'rows' | 'env'>> {
  /** Before each answer, in milliseconds. */
  readonly latencyMs?: number;
  readonly flags?: readonly string[];
  /** Adds the fixtures of the story. */
  readonly before?: (service: Simulator) => void;
  /** Runs the program under a shell script; `"$@"` is the program. */
  readonly script?: string;
  readonly shell?: string;
}

/**
 * A test of the built dashboard in a real pseudo-terminal, against a simulator over HTTP that has
 * only the fixtures of the story.
 */
export function onStage(story: (stage: Stage) => Promise<void>, setting: StageOptions = {}): () => Promise<void> {
  return async () => {
    const service = createSimulator({
      seed: 7,
      monitors: 0,
      issues: 0,
      latencyMs: setting.latencyMs ?? 0,
      lively: false,
      rate: 0,
    });
    setting.before?.(service);
    const { url, apiKey, appKey } = await service.start();
    const place = mkdtempSync(join(tmpdir(), 'orgdeck-stage-'));
    const program = [process.execPath, PROGRAM, '--base-url', url, '--screen', 'issues', ...(setting.flags ?? [])];
    const line =
      setting.script === undefined ? program : [setting.shell ?? '/bin/sh', '-c', setting.script, 'stage', ...program];
    const pty = openTerminal({
      command: line[0] as string,
      args: line.slice(1),
      columns: setting.columns,
      rows: setting.rows,
      env: { ORGDECK_CONFIG_DIR: place, ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, TZ: 'UTC', ...setting.env },
    });
    try {
      await story({
        pty,
        service,
        async types(keys) {
          for (const key of keys) {
            pty.presses(key);
            await new Promise((go) => setTimeout(go, 30));
          }
        },
      });
    } finally {
      await pty.close();
      await service.stop();
      rmSync(place, { recursive: true, force: true });
    }
  };
}

const types = ['TypeError', 'ChunkLoadError', 'TimeoutError', 'RangeError', 'KeyError', 'ValueError', 'IOError'];

/** Seven open issues, the most frequent first, so that the list has a known order. */
export function sevenIssues(service: Simulator): void {
  for (const [at, type] of types.entries()) {
    service.has('issue', {
      id: `c1726a66-1f64-11ee-b338-da7ad090000${at}`,
      error_type: type,
      error_message: type === 'TimeoutError' ? 'timeout after 30 s' : `message of ${type}`,
      service: 'checkout-api',
      total_count: 9000 - at * 1000,
    });
  }
}

/** One monitor that alerts in two of its three groups, and two that do not. */
export function threeMonitors(service: Simulator): void {
  service.has('monitor', {
    id: 4211,
    name: 'disk full',
    query: 'avg(last_5m):avg:system.disk.in_use{*} by {host} > 0.9',
    groups: { 'host:web-1': 'Alert', 'host:web-2': 'Alert', 'host:web-3': 'OK' },
    overall_state: 'Alert',
  });
  service.has('monitor', { id: 4212, name: 'checkout latency', overall_state: 'OK' });
  service.has('monitor', { id: 4213, name: 'nightly export', overall_state: 'No Data' });
}

/** States of all issues of an organization, most frequent first. */
export const statesIn = (service: Simulator): string[] =>
  [...service.org.issues.values()].toSorted((one, other) => one.id.localeCompare(other.id)).map((issue) => issue.state);
