import { once } from 'node:events';
import { errorCode, quotePath } from '../lib/private-file.ts';
import { createSimulator, type SimulatorOptions } from './simulator.ts';

/** Options of `orgdeck simulator`. */
export interface ServeOptions extends Omit<SimulatorOptions, 'clock'> {
  /** 0 or absent = any free one. */
  readonly port?: number;
  /** Path of the vocabulary file, shown in the example command. */
  readonly vocabularyFile?: string | undefined;
}

/**
 * Serves an organization until SIGINT or SIGTERM (or `until`) and prints its URL and the keys it
 * accepts. Returns the exit code: 0 when stopped, 1 when it could not listen.
 */
export async function runSimulator(
  options: ServeOptions,
  print: (line: string) => void,
  until?: Promise<unknown>,
): Promise<number> {
  const { port = 0, vocabularyFile, ...rest } = options;
  const simulator = createSimulator(rest);
  try {
    const { url, apiKey, appKey, readOnlyAppKey } = await simulator.start(port);
    print(`base URL         ${url}`);
    print(`API key          ${apiKey}`);
    print(`application key  ${appKey}`);
    print(`  only reading   ${readOnlyAppKey}`);
    if (rest.faults) print(`faults           ${rest.faults.faults.length} by the plan, seed ${rest.faults.seed}`);
    print('');
    print('These keys are made up and open nothing but this simulator. In another terminal:');
    print(
      `  ORGDECK_API_KEY=${apiKey} ORGDECK_APP_KEY=${appKey} orgdeck --base-url ${url}${vocabularyFile === undefined ? '' : ` --vocabulary ${quotePath(vocabularyFile)}`}`,
    );
  } catch (error) {
    const taken = errorCode(error) === 'EADDRINUSE';
    print(
      taken
        ? `port ${port} is taken: choose another with --port, or leave it out`
        : `cannot listen on port ${port}: ${String(error)}`,
    );
    return 1;
  }
  await (until ?? signaled());
  await simulator.stop();
  return 0;
}

/** Resolves at the first SIGINT or SIGTERM; a second one has its usual effect. */
async function signaled(): Promise<void> {
  const waiting = new AbortController();
  await Promise.race(['SIGINT', 'SIGTERM'].map((name) => once(process, name, { signal: waiting.signal })));
  waiting.abort();
}
