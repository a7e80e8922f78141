import { providerAEndpoints } from './providera.ts';
import { providerBEndpoints } from './providerb.ts';

/** Every operation on cloud integrations. */
export const integrationEndpoints = [...providerAEndpoints, ...providerBEndpoints] as const;
