import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import fc from 'fast-check';

/** `orgdeck query check --json` over many queries, start included, beside a process that only reads the same lines. */
export interface Checks {
  readonly queries: number;
  readonly bytes: number;
  /** Median of five runs, milliseconds. */
  readonly checkMs: number;
  /** A process that only parses and prints each line as JSON; median of five runs, milliseconds. */
  readonly readMs: number;
}

const runs = 5;
const reads = `
let text = '';
process.stdin.setEncoding('utf8').on('data', (it) => { text += it; }).on('end', () => {
  process.stdout.write(text.trimEnd().split('\\n').map((row) => JSON.stringify({ type: JSON.parse(row).type }) + '\\n').join(''));
});
`;

/** Queries from fixed seeds: an equal number from each generator. */
async function lines(count: number): Promise<string> {
  const folder = new URL('../support/sentences/', import.meta.url);
  const files = readdirSync(folder).sort();
  const each: unknown[][] = [];
  for (const name of files) {
    const { sentences } = (await import(`${folder}${name}`)) as { sentences: fc.Arbitrary<unknown> };
    each.push(fc.sample(sentences, { numRuns: Math.ceil(count / files.length), seed: 7 }));
  }
  return each
    .flat()
    .slice(0, count)
    .map((value) => `${JSON.stringify(value)}\n`)
    .join('');
}

function middleMs(args: readonly string[], input: string, env: NodeJS.ProcessEnv): number {
  const all = Array.from({ length: runs }, () => {
    const from = performance.now();
    const { stdout, stderr } = spawnSync(process.execPath, args, { input, env, maxBuffer: 1e9 });
    const ms = performance.now() - from;
    const [wanted, got] = [input, stdout.toString()].map((text) => text.split('\n').length);
    if (got !== wanted) throw new Error(`${got} lines came back for ${wanted}: ${stderr}`);
    return ms;
  });
  return all.toSorted((a, b) => a - b)[Math.floor(runs / 2)] as number;
}

/** Checks 10,000 queries with the built program. */
export async function measureChecks(program: string, home: string): Promise<Checks> {
  const queries = 10_000;
  const input = await lines(queries);
  const env = { PATH: process.env.PATH, ORGDECK_CONFIG_DIR: home };
  return {
    queries,
    bytes: input.length,
    checkMs: middleMs([program, 'query', 'check', '--json'], input, env),
    readMs: middleMs(['-e', reads], input, env),
  };
}
