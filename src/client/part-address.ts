import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { isLoopback } from '../lib/setting-values.ts';

/** Loopback and private networks, in which a service has no object store. */
const privateRanges: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  // IPv4 addresses in the old form (::10.0.0.1), local translators, Teredo, 6to4.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const neighbors = new BlockList();
for (const [network, prefix] of privateRanges) {
  const isIpv6 = network.includes(':');
  neighbors.addSubnet(network, prefix, isIpv6 ? 'ipv6' : 'ipv4');
  // NAT64 leads to the IPv4 address in it, which is public wherever a network has only IPv6.
  if (!isIpv6) neighbors.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}

/** Whether an IP address belongs to this machine, a private network, or no host at all; so does what is no address. */
export function isPrivate(address: string): boolean {
  const family = isIP(address);
  return family === 0 || neighbors.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Reads a pre-signed URL: https to a public host. Only a simulator on this machine (the profile's own origin is a
 * loopback one) may name this machine, and then over http too. The sentence names the host, never the URL: whoever has
 * that may write the part.
 */
export function partAddress(text: unknown, origin: URL): ParseResult<URL> {
  if (typeof text !== 'string' || !URL.canParse(text)) return unreadable('the service gave no address for a part');
  const url = new URL(text);
  const host = url.hostname;
  const here = isLoopback(host) && isLoopback(origin.hostname);
  if (url.username !== '' || url.password !== '')
    return unreadable(`the address for a part at ${host} holds a user name: nothing was sent`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here))
    return unreadable(`the address for a part at ${host} is not https: nothing was sent`);
  const literal = host.replace(/^\[|\]$/g, '');
  if (!here && (isLoopback(host) || (isIP(literal) !== 0 && isPrivate(literal))))
    return unreadable(privateHostText(host));
  return { ok: true, value: url };
}

/** The sentence for a host with a private address. */
export const privateHostText = (host: string): string =>
  `the address for a part leads into a private network (${host}): nothing was sent`;

/** The code of the error with which a name that leads to a private address is refused. */
export const privateCode = 'EPRIVATE';

/** Resolves names and refuses those with a private address. */
export function publicLookup(lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const all = Array.isArray(found) ? found : [];
      if (error) return done(error, '', 0);
      const [first] = all;
      if (first === undefined || all.some((found) => isPrivate(found.address)))
        return done(Object.assign(new Error('private address'), { code: privateCode }), '', 0);
      return options.all ? done(null, all) : done(null, first.address, first.family);
    });
  };
}
