import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a service that takes time, and counts what passes. */
export interface LongLink {
  readonly url: string;
  /** Requests since the last `counts`, as `GET /api/v1/monitor`, without their queries. */
  counts(): { readonly requests: readonly string[]; readonly connections: number; readonly bytes: number };
  /** Resolves once nothing has passed for a second. */
  rests(): Promise<void>;
  close(): Promise<void>;
}

/** Round trips before the first byte of a connection arrives: that of TCP and that of TLS 1.3, which loopback does without. */
const handshakes = 2;

/**
 * Listens on loopback and passes everything on to the service at `url`: each way takes half a round trip, a new connection two round trips
 * before its first byte, and answers share `bytesPerMs`. `bytes` counts those of answers as they come.
 */
export async function openLongLink(
  url: string,
  {
    roundTripMs,
    bytesPerMs = Number.POSITIVE_INFINITY,
  }: { readonly roundTripMs: number; readonly bytesPerMs?: number },
): Promise<LongLink> {
  const { hostname, port } = new URL(url);
  const seen = { requests: [] as string[], connections: 0, bytes: 0 };
  const sockets = new Set<Socket>();
  const line = { freeAt: 0, movedAt: 0 };
  const passOn = (from: Socket, to: Socket, until: () => number) => {
    const later = (what: () => void) => setTimeout(what, Math.max(0, until() + roundTripMs / 2 - performance.now()));
    from.on('data', (bytes) =>
      later(() => {
        line.movedAt = performance.now();
        if (to.writable) to.write(bytes);
      }),
    );
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => later(() => to.destroy()));
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const openAt = performance.now() + handshakes * roundTripMs;
    seen.connections += 1;
    for (const socket of [near, far]) sockets.add(socket.setNoDelay());
    near.on('data', (bytes) => {
      const [, request] = /^([A-Z]+ [^ ?]+)\S* HTTP\/1\.1\r\n/.exec(bytes.toString('latin1')) ?? [];
      if (request !== undefined) seen.requests.push(request);
    });
    let answered = 0;
    far.on('data', (bytes) => {
      seen.bytes += bytes.length;
      line.freeAt = Math.max(line.freeAt, performance.now()) + bytes.length / bytesPerMs;
      answered = line.freeAt;
    });
    passOn(near, far, () => Math.max(openAt, performance.now()));
    passOn(far, near, () => Math.max(answered, performance.now()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts() {
      const counted = { ...seen };
      Object.assign(seen, { requests: [], connections: 0, bytes: 0 });
      return counted;
    },
    async rests() {
      while (performance.now() - line.movedAt < 1000 || performance.now() < line.freeAt)
        await new Promise((go) => setTimeout(go, 100));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
