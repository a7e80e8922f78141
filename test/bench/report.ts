import type { Checks } from './checks.ts';
import type { Floor } from './floor.ts';
import type { Keys, Size } from './measure.ts';
import type { Peer } from './peers.ts';

/** One run of the bench. */
export interface Results {
  /** Date of the run, to the day. */
  readonly date: string;
  readonly floor: Floor;
  readonly checks: Checks;
  readonly sizes: readonly Size[];
  readonly peers: readonly Peer[];
}

/** A link like that of a phone: 300 ms there and back, 64 kbit a second. */
const slowLink = { roundTripMs: 300, bytesPerMs: 8 };

/** The results for a person to read. */
export function linesOf({ floor, checks, sizes, peers }: Results): string[] {
  const { nodeMs, startMs, echoP50, echoP95 } = floor;
  const rowOf = ({ kind, bytes, fewest, ratio, blink, p50, p95 }: Keys) =>
    [
      `  ${kind.padEnd(18)} ${number(bytes)} bytes, fewest ${number(fewest)}, ${ratio.toFixed(2)} times, blink ${blink}`,
      `over the echo p50 ${(p50 - echoP50).toFixed(1)} p95 ${(p95 - echoP95).toFixed(1)} ms`,
      `slow link ${(slowLink.roundTripMs + bytes / slowLink.bytesPerMs).toFixed(0)} ms`,
    ].join('; ');
  return [
    `node -e 0: ${nodeMs.toFixed(0)} ms; first rows ${startMs.toFixed(0)} ms, ${(startMs / nodeMs).toFixed(1)} times`,
    `echo of a key: p50 ${echoP50.toFixed(1)} ms, p95 ${echoP95.toFixed(1)} ms`,
    `${checks.queries} queries checked: ${checks.checkMs.toFixed(0)} ms; read as JSON alone: ${checks.readMs.toFixed(0)} ms (${(checks.checkMs / checks.readMs).toFixed(1)} times)`,
    ...sizes.flatMap((run) => [
      '',
      `${run.size}: memory ${run.memoryAtStartMb.toFixed(0)} MB at the first rows, ${run.memoryAfterKeysMb.toFixed(0)} MB after 1,000 moves; 10 s at rest ${run.restBytes} bytes, ${run.restCpuMs} ms of CPU`,
      ...run.keys.map(rowOf),
    ]),
    '',
    ...peers.flatMap(({ name, keys }) =>
      keys.length === 0 ? [`${name}: not installed`] : [`${name}:`, ...keys.map(rowOf)],
    ),
    '',
  ];
}

const number = (value: number): string => String(value).padStart(5);
