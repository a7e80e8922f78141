import { isIPv6 } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { createSimulator, type SimulatorOptions } from './simulator.ts';

/** The demo organization, served inside this process. */
export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  readonly appKey: string;
  stop(): Promise<void>;
}

/** Starts the demo on a free port of 127.0.0.1. */
export async function startDemo(options: SimulatorOptions = {}): Promise<Demo> {
  const simulator = createSimulator({ seed: 2026, ...options });
  knowAddress();
  const { url, apiKey, appKey } = await simulator.start();
  return { url, apiKey, appKey, stop: () => simulator.stop() };
}

/**
 * To listen, Node asks whether 127.0.0.1 is an IPv6 address: an expression of 2 kB, which is needed once and takes 3 ms of each start to
 * compile, 0.5 ms where V8 does not optimize it.
 */
function knowAddress(): void {
  setFlagsFromString('--no-regexp-optimization');
  isIPv6('127.0.0.1');
  setFlagsFromString('--regexp-optimization');
}
