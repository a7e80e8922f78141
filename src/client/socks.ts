import { connect, type Socket } from 'node:net';
import { Socks5Client } from 'undici/lib/core/socks5-client.js';

/** The port of such a proxy where its address names none. */
const usualPort = 1080;

/**
 * A connection through a SOCKS5 proxy, which looks up the name of the host. Rejects with what `failed` makes of UNREACHABLE, of 407 where it
 * wants other credentials, or of SOCKS and the code of its refusal; all of it within `withinMs`.
 */
export function connectThroughSocks(
  proxy: URL,
  target: string,
  withinMs: number,
  failed: (code: string) => Error,
): Promise<Socket> {
  const to = new URL(`https://${target}`);
  const socket = connect({ host: bare(proxy.hostname), port: Number(proxy.port || usualPort) });
  const [username, password] = [proxy.username, proxy.password].map(decodeURIComponent);
  const client = new Socks5Client(socket, { username, password });
  return new Promise((done, fail) => {
    const ends = (code: string) => {
      clearTimeout(timer);
      socket.destroy();
      fail(failed(code));
    };
    const timer = setTimeout(() => ends('UNREACHABLE'), withinMs);
    client.on('close', () => ends('UNREACHABLE'));
    client.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      const refusal = /^UND_ERR_SOCKS5_REPLY_(\d+)$/.exec(code)?.[1];
      if (refusal !== undefined) ends(`SOCKS_${refusal}`);
      else ends(/_AUTH_|INVALID_ARG/.test(code) ? '407' : 'UNREACHABLE');
    });
    client.once('authenticated', () => client.connect(bare(to.hostname), Number(to.port || 443)));
    client.once('connected', () => {
      clearTimeout(timer);
      client.removeAllListeners('close');
      done(socket);
    });
    client.handshake();
  });
}

/** An address of IPv6 without its brackets. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
