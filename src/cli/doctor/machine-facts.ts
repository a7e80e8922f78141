import { readFile } from 'node:fs/promises';
import { type Environment, proxyIn } from '../../client/transport.ts';
import { errorCode } from '../../lib/private-file.ts';
import { isLoopback } from '../../lib/setting-values.ts';
import { type DoctorFact, factAbout } from './fact.ts';

/** The versions of the program and of the Node that runs it. */
export const versionFact = (version: string, { version: node, platform, arch }: NodeJS.Process): DoctorFact =>
  factAbout('versions', 'versions').ok(`orgdeck ${version}, Node ${node.replace('v', '')}, ${platform} ${arch}`);
/** The proxy that requests to this address go through, without user and password. */
export function proxyFact(env: Environment, baseUrl: string | undefined): DoctorFact {
  const fact = factAbout('proxy', 'proxy');
  const proxy = proxyIn(env);
  if (!proxy) return fact.ok('none');
  const { name, uri, fault } = proxy;
  if (baseUrl && isLoopback(new URL(baseUrl).hostname))
    return fact.ok(`not used: the service is on this machine (${name} is set)`);
  if (fault !== undefined) {
    const [text = '', advice = ''] = fault.split(': ');
    return fact.bad(text, `${advice} in ${name}`);
  }
  const without = env.no_proxy ?? env.NO_PROXY ?? '';
  const { protocol, host } = new URL(uri);
  return fact.ok(`${protocol}//${host} (${name})${without === '' ? '' : `, but not to ${without} (NO_PROXY)`}`);
}

/** The certificates that are trusted besides those of Node. */
export async function authorityFact({ NODE_EXTRA_CA_CERTS: path }: Environment): Promise<DoctorFact> {
  const fact = factAbout('authorities', 'authorities');
  if (!path) return fact.ok('those of Node');
  // Node leaves out a file that it cannot read, with a warning that is easily missed.
  const wrong = (why: string): DoctorFact =>
    fact.bad(
      `${path} ${why}, so your own authority is not trusted`,
      'name a file with PEM certificates in NODE_EXTRA_CA_CERTS, or unset it',
    );
  try {
    const found = (await readFile(path, 'utf8')).split('-----BEGIN CERTIFICATE-----').length - 1;
    return found === 0
      ? wrong('holds no certificate')
      : fact.ok(`those of Node, and ${found} of ${path} (NODE_EXTRA_CA_CERTS)`);
  } catch (error) {
    return wrong(`cannot be read (${errorCode(error)})`);
  }
}
