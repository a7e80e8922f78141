import { createSimulator, type SimulatorOptions } from './simulator.ts';

/** The demo organisation, served inside this process. */
export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  readonly appKey: string;
  stop(): Promise<void>;
}

/** Starts the demo on a free port of 127.0.0.1. */
export async function startDemo(options: SimulatorOptions = {}): Promise<Demo> {
  const simulator = createSimulator({ seed: 2026, ...options });
  const { url, apiKey, appKey } = await simulator.start();
  return { url, apiKey, appKey, stop: () => simulator.stop() };
}
