import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const probe = fileURLToPath(new URL('block-probe.mjs', import.meta.url));

/** The environment of a program whose stretches without a pause are written to this file. */
export const probed = (file: string) => ({ BLOCKS: file, NODE_OPTIONS: `--import ${probe}` });

/** The longest stretch between two moments, CPU time of the main thread; what is shorter than 5 ms is none. */
export function longestBlock(file: string, since: number, until: number): number {
  const stretches = readFileSync(file, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .flatMap(([at = 0, ms = 0]) => (at >= since && at <= until ? [ms] : []));
  return Math.max(0, ...stretches);
}
