import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTerminal, type Pty } from '../support/terminal.ts';
import { measureChecks } from './checks.ts';

/**
 * `npm run bench`, with `-- --json` for a program: the built dashboard on the demo organisation in a pseudo-terminal.
 * Bytes are exact. Compare times with `node -e 0` of the same run only.
 */
interface Measured {
  readonly size: string;
  /** Milliseconds from the start of the process to the first frame with rows. */
  readonly startMs: number;
  readonly keys: readonly {
    readonly what: string;
    readonly bytes: number;
    readonly p50: number;
    readonly p95: number;
  }[];
  /** Bytes written in 10 s without a key, live data included. */
  readonly restBytes: number;
  readonly memoryMb: number;
}

const program = fileURLToPath(new URL('../../dist/orgdeck.js', import.meta.url));
const quietMs = 40;
const rounds = 50;
const sizes = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;
/** Pairs of keys, so that each round ends where it began. */
const kinds = [
  ['move one row', 'j', 'k'],
  ['half a page', '\u0004', '\u0015'],
  ['change of screen', '1', '2'],
  ['open and close', '\r', 'q'],
] as const;

/** About 2,000 characters of a valid metric query. */
const longQuery = `avg(last_5m):${Array.from({ length: 22 }, (_, at) => `sum:checkout.requests.errors{env:prod,service:checkout-${at},host:web-${at}} by {host}.as_rate()`).join(' + ')} > 0.9`;

const middle = (all: readonly number[], part: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN;

/** Bytes written after one key, and milliseconds until the last of them. */
async function press(pty: Pty, key: string): Promise<{ bytes: number; ms: number }> {
  const mark = pty.mark();
  const from = performance.now();
  pty.presses(key);
  await pty.settles(quietMs);
  return { bytes: pty.bytesSince(mark), ms: Math.max(0, performance.now() - from - quietMs) };
}

/** Measures a pair of keys repeatedly. */
async function answers(pty: Pty, what: string, there: string, back: string): Promise<Measured['keys'][number]> {
  const all = [];
  for (let round = 0; round < rounds; round += 1) all.push(await press(pty, there), await press(pty, back));
  const ms = all.map((entry) => entry.ms);
  const bytes = all.map((entry) => entry.bytes);
  return { what, bytes: middle(bytes, 0.5), p50: middle(ms, 0.5), p95: middle(ms, 0.95) };
}

async function measure(columns: number, rows: number, home: string): Promise<Measured> {
  const from = performance.now();
  const env = { ORGDECK_CONFIG_DIR: home };
  const pty = openTerminal({
    command: process.execPath,
    args: [program, '--demo', '--screen', 'issues'],
    columns,
    rows,
    env,
  });
  try {
    await pty.sees(/\[\d+\/\d+\]|\[\d+\]/, { within: 30_000 });
    const startMs = performance.now() - from;
    // Polling is paused, so that every byte follows from a key.
    pty.presses('2Z');
    await pty.settles(500);
    const keys = [];
    for (const [what, there, back] of kinds) keys.push(await answers(pty, what, there, back));
    // The form of a new metric monitor, its query pasted, the cursor some rows above its end.
    pty.presses('n');
    await pty.sees('what shall it watch');
    pty.presses('\r');
    await pty.sees(/> name/);
    pty.presses('\t\u0015');
    pty.presses(`\u001b[200~${longQuery}\u001b[201~`);
    await pty.settles(500);
    pty.presses('\u001b[A'.repeat(4));
    await pty.settles(500);
    keys.push(await answers(pty, 'letter of 2,000', 'x', '\u007f'));
    pty.presses('\u001b');
    await pty.settles(200);
    pty.presses('\u001b');
    await pty.settles(500);
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pty.pid}/status`, 'utf8'))?.[1];
    pty.presses('Z');
    await pty.settles(500);
    const mark = pty.mark();
    await new Promise((go) => setTimeout(go, 10_000));
    return {
      size: `${columns}x${rows}`,
      startMs,
      keys,
      restBytes: pty.bytesSince(mark),
      memoryMb: Number(memory) / 1024,
    };
  } finally {
    await pty.close();
  }
}

const home = mkdtempSync(join(tmpdir(), 'orgdeck-bench-'));
try {
  const from = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  const bareMs = performance.now() - from;
  const checks = await measureChecks(program, home);
  const all: Measured[] = [];
  for (const [columns, rows] of sizes) all.push(await measure(columns, rows, home));
  const write = (text: string) => process.stdout.write(`${text}\n`);
  if (process.argv.includes('--json')) write(JSON.stringify({ bareMs, checks, sizes: all }));
  else {
    write(`node -e 0: ${bareMs.toFixed(0)} ms`);
    write(
      `\n${checks.queries} queries checked: ${checks.checkMs.toFixed(0)} ms; read as JSON alone: ${checks.readMs.toFixed(0)} ms (${(checks.checkMs / checks.readMs).toFixed(1)} times)`,
    );
    for (const run of all) {
      write(
        `\n${run.size}: first rows ${run.startMs.toFixed(0)} ms, memory ${run.memoryMb.toFixed(0)} MB, 10 s at rest ${run.restBytes} bytes`,
      );
      // The first kind of the same run is the base cost of a key on this machine.
      const first = run.keys[0]?.p95 ?? Number.NaN;
      for (const { what, bytes, p50, p95 } of run.keys)
        write(
          `  ${what.padEnd(18)} ${String(bytes).padStart(6)} bytes   p50 ${p50.toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   ${(p95 / first).toFixed(1)} of the first`,
        );
    }
  }
} finally {
  rmSync(home, { recursive: true });
}
