/** Longest address that terminals are known to take in a link. */
const LONGEST = 2048;
const PRINTABLE = /^[!-~]+$/;

/**
 * The address as a link may carry it: http or https, printable ASCII, no user or password in it, at most 2048
 * characters. Undefined for anything else.
 */
export function linkableUrl(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= LONGEST && PRINTABLE.test(url.href) ? url.href : undefined;
}
