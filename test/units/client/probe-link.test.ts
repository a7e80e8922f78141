import { expect, test } from 'vitest';
import { probeLink } from '../../../src/client/connection.ts';
import { getThing, listThings } from '../../support/calls.ts';
import { serve } from '../../support/scripted-server.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';

const clock = createSteppedClock();
const probe = (origin: string, endpoint = listThings as typeof listThings | typeof getThing) =>
  probeLink(endpoint, { origin, environment: {}, clock });

test.each([200, 299, 401, 404])('any answer shows the way, and how far our clock is ahead: %i', async (status) => {
  const date = new Date(clock.now() - 60_000).toUTCString();
  const { origin, received } = await serve((_, answer) =>
    answer.writeHead(status, { date, 'content-length': 0 }).end(),
  );
  expect(await probe(origin)).toEqual({ ok: true, ms: 0, aheadMs: 59_500 });
  expect(Object.keys(received[0]?.headers ?? {}).join()).not.toContain('key');
});

test('an answer without a date tells nothing of the clock', async () => {
  const { origin } = await serve((_, answer) => {
    answer.sendDate = false;
    answer.writeHead(200, { 'content-length': 0 }).end();
  });
  expect(await probe(origin)).toEqual({ ok: true, ms: 0 });
});

test.each([300, 307, 502])('a service that redirects or fails is no way: %i', async (status) => {
  const { origin } = await serve((_, answer) => answer.writeHead(status, { 'content-length': 0 }).end());
  expect(await probe(origin)).toEqual({ ok: false, text: expect.stringContaining(String(status)) });
});

test('without an address, or with a request that cannot be written, nothing is sent', async () => {
  expect(await probe('nonsense')).toEqual({ ok: false, text: expect.stringContaining('https://') });
  expect(await probe('http://127.0.0.1:1', getThing)).toEqual({ ok: false, text: 'thing_id is missing' });
  expect(await probe('http://127.0.0.1:1')).toEqual({ ok: false, text: expect.stringContaining('refused') });
});

test('its connection is closed at once', async () => {
  const state = { open: 0 };
  const { origin } = await serve((_, answer) => {
    state.open += 1;
    answer.socket?.on('close', () => {
      state.open -= 1;
    });
    answer.writeHead(200, { 'content-length': 0 }).end();
  });
  await probe(origin);
  await expect.poll(() => state.open, { timeout: 400, interval: 5 }).toBe(0);
});
