import type { ApiKey, ApplicationKey } from '../../src/simulator/server/store.ts';
import type { Simulator } from './simulator.ts';

/** The names of the keys that a journey authenticates with. */
const mine = /^this dashboard/;

/** Removes every key that the journey does not authenticate with, so that lists hold only fixtures. */
export function onlyOurs(service: Simulator): void {
  for (const keys of [service.org.applicationKeys, service.org.apiKeys])
    for (const [id, key] of keys) if (!mine.test(key.name)) keys.delete(id);
}

/** Id of the person whose application key the journey uses. */
export function me(service: Simulator): string {
  const key = appKey(service, 'this dashboard');
  if (!key) throw new Error('the key of the journey is gone');
  return key.owner;
}

/** The application key of this name. */
export const appKey = (service: Simulator, name: string): ApplicationKey | undefined =>
  [...service.org.applicationKeys.values()].find((key) => key.name === name);

/** The API key of this name. */
export const apiKey = (service: Simulator, name: string): ApiKey | undefined =>
  [...service.org.apiKeys.values()].find((key) => key.name === name);
