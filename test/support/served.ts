import { onTestFinished } from 'vitest';
import { createSimulator } from './simulator.ts';

/** An empty organization of its own for the test that runs, served until the test has ended, and the variables that lead to it. */
export async function served(options: Parameters<typeof createSimulator>[0] = {}) {
  const service = createSimulator({ monitors: 0, issues: 0, lively: false, rate: 0, ...options });
  const at = await service.start();
  onTestFinished(() => service.stop());
  return { service, at, env: { ORGDECK_BASE_URL: at.url, ORGDECK_API_KEY: at.apiKey, ORGDECK_APP_KEY: at.appKey } };
}
