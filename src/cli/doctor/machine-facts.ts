import { readFile } from 'node:fs/promises';
import { isLoopback } from '../../lib/base-url.ts';
import { errorCode } from '../../lib/private-file.ts';
import type { DoctorFact } from './fact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The versions of the program and of the Node that runs it. */
export const versionFact = (version: string, { version: node, platform, arch }: NodeJS.Process): DoctorFact => ({
  id: 'versions',
  state: 'ok',
  title: 'versions',
  text: `orgdeck ${version}, Node ${node.replace('v', '')}, ${platform} ${arch}`,
});

/** The proxy that requests to this address go through, without user and password. */
export function proxyFact(env: Environment, baseUrl: string | undefined): DoctorFact {
  const fact = { id: 'proxy', state: 'ok', title: 'proxy' } as const;
  // In the order in which they count.
  const name = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].find((variable) => env[variable]);
  const given = name === undefined ? undefined : env[name];
  if (name === undefined || given === undefined) return { ...fact, text: 'none' };
  if (baseUrl && isLoopback(new URL(baseUrl).hostname))
    return { ...fact, text: `not used: the service is on this machine (${name} is set)` };
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  if (!url || !/^https?:$/.test(url.protocol))
    return {
      ...fact,
      state: 'bad',
      text: `the proxy in ${name} cannot be read`,
      advice: [`write it as http://host:port in ${name}`],
    };
  const without = env.no_proxy ?? env.NO_PROXY ?? '';
  return { ...fact, text: `${url.origin} (${name})${without === '' ? '' : `, but not to ${without} (NO_PROXY)`}` };
}

/** The certificates that are trusted besides those of Node. */
export async function authorityFact({ NODE_EXTRA_CA_CERTS: path }: Environment): Promise<DoctorFact> {
  const fact = { id: 'authorities', state: 'ok', title: 'authorities' } as const;
  if (!path) return { ...fact, text: 'those that Node brings' };
  // Node leaves out a file that it cannot read, with a warning that is easily missed.
  const wrong = (why: string): DoctorFact => ({
    ...fact,
    state: 'bad',
    text: `${path} ${why}, so your own authority is not trusted`,
    advice: ['name a file with PEM certificates in NODE_EXTRA_CA_CERTS, or unset it'],
  });
  try {
    const found = (await readFile(path, 'utf8')).split('-----BEGIN CERTIFICATE-----').length - 1;
    return found === 0
      ? wrong('holds no certificate')
      : { ...fact, text: `those that Node brings, and ${found} of ${path} (NODE_EXTRA_CA_CERTS)` };
  } catch (error) {
    return wrong(`cannot be read (${errorCode(error)})`);
  }
}
