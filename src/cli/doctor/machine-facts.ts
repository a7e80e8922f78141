import { readFile } from 'node:fs/promises';
import { type Environment, proxyIn } from '../../client/transport.ts';
import { isLoopback } from '../../lib/base-url.ts';
import { errorCode } from '../../lib/private-file.ts';
import type { DoctorFact } from './fact.ts';

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
  const proxy = proxyIn(env);
  if (!proxy) return { ...fact, text: 'none' };
  const { name, uri, fault } = proxy;
  if (baseUrl && isLoopback(new URL(baseUrl).hostname))
    return { ...fact, text: `not used: the service is on this machine (${name} is set)` };
  if (fault !== undefined) {
    const [text = '', advice = ''] = fault.split(': ');
    return { ...fact, state: 'bad', text, advice: [`${advice} in ${name}`] };
  }
  const without = env.no_proxy ?? env.NO_PROXY ?? '';
  return {
    ...fact,
    text: `${new URL(uri).origin} (${name})${without === '' ? '' : `, but not to ${without} (NO_PROXY)`}`,
  };
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
