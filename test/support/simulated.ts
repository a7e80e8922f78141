import { request } from 'undici';
import { createSimulator, type Simulator, type SimulatorOptions, type Started } from './simulator.ts';

/** A response. `body` is parsed JSON, else text; undefined when empty. */
interface Came {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Simulated {
  readonly service: Simulator;
  readonly at: Started;
  get(path: string): Promise<Came>;
  readonly ask: Asking;
  /** Requests with other keys; undefined leaves the header out. */
  as(keys: Keys): Pick<Simulated, 'get' | 'ask'>;
}

/** A request of any method; a body is sent as JSON. */
export type Asking = (method: string, path: string, body?: unknown) => Promise<Came>;

/** An empty simulator on a clock that only `passes` advances; the caller starts and stops it. */
export function restingSimulator(options: SimulatorOptions = {}): Simulator {
  const clock = { now: () => start, after: () => () => {} };
  return createSimulator({ seed: 11, monitors: 0, issues: 0, lively: false, clock, ...options });
}

/** Requests to a simulator, with these keys; undefined leaves the header out. */
export const asking =
  (url: string, { apiKey, appKey }: Keys): Asking =>
  async (method, path, body) => {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (apiKey !== undefined) headers['SERVICE-API-KEY'] = apiKey;
    if (appKey !== undefined) headers['SERVICE-APPLICATION-KEY'] = appKey;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await request(url + path, { method, headers, body: sent });
    const text = await answer.body.text();
    return { status: answer.statusCode, text, body: parsed(text), headers: answer.headers };
  };

interface Keys {
  readonly apiKey?: string | undefined;
  readonly appKey?: string | undefined;
}

/** Runs a test against a simulator of its own, over real HTTP, on a clock that only `passes` advances. */
export async function simulated(
  test: (client: Simulated) => Promise<void>,
  options: SimulatorOptions = {},
): Promise<void> {
  const service = restingSimulator(options);
  const at = await service.start();
  const as: Simulated['as'] = (keys) => {
    const ask = asking(at.url, keys);
    return { ask, get: (path) => ask('GET', path) };
  };
  try {
    await test({ service, at, ...as(at), as });
  } finally {
    await service.stop();
  }
}

/** 2026-11-21T10:00:00Z. */
export const start = Date.UTC(2026, 10, 21, 10);

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
