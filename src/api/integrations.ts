import { providerAEndpoints } from './provider-a.ts';
import { providerBEndpoints } from './provider-b.ts';

/** Every operation on cloud integrations. */
export const integrationEndpoints = [...providerAEndpoints, ...providerBEndpoints] as const;
