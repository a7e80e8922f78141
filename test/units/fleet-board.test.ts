import { expect, test } from 'vitest';
import { createProfileAccess } from '../../src/cli/profile-access.ts';
import type { Start } from '../../src/cli/start.ts';
import type { FleetStanding } from '../../src/session/outside/outside.ts';
import { clientAt } from '../support/client-at.ts';
import { hasIssue } from '../support/issues.ts';
import { createSimulator } from '../support/simulator.ts';

/** A fleet of two marked profiles and one that is not, read until the test has ended. */
async function withFleet(look: (fleet: Awaited<ReturnType<typeof fleetOf>>) => Promise<void>): Promise<void> {
  const fleet = await fleetOf();
  try {
    await look(fleet);
  } finally {
    fleet.stop();
    await fleet.service.stop();
  }
}

async function fleetOf() {
  const service = createSimulator({ seed: 8, monitors: 40, issues: 0, lively: false, rate: 1000 });
  hasIssue(service, 1, { error_type: 'BetaError', total_count: 99_000 });
  const at = await service.start();
  const told: (readonly [name: string, standing: FleetStanding])[] = [];
  const waits: { readonly ms: number; readonly then: () => void }[] = [];
  const closed: string[] = [];
  const opened: string[] = [];
  const profiles = [
    { name: 'acme', fleet: true },
    { name: 'other', fleet: false },
    { name: 'typed', fleet: true },
  ];
  const start = {
    profiles: { list: async () => ({ ok: true, value: { profiles, broken: [], variables: [] } }) },
    clock: {
      now: Date.now,
      after(ms: number, then: () => void) {
        waits.push({ ms, then });
        return () => {};
      },
    },
    random: () => 0.5,
    keyring: { willAsk: (name: string) => name === 'typed' },
    async resolve(name: string) {
      opened.push(name);
      return { ok: true, value: { name, keyRequest: name } };
    },
    async connect({ name }: { readonly name: string }) {
      const client = clientAt(at);
      const close = async () => {
        closed.push(name);
        await client.close();
      };
      return { ok: true, value: { client, close } };
    },
  } as unknown as Start;
  const port = createProfileAccess({ start, current: 'other', keysRefused: () => false, turn: () => {} });
  const stop = port.watchFleet((name, standing) => told.push([name, standing]));
  return { service, told, waits, closed, opened, stop };
}

test('marked profiles are read with two requests each, again after a minute and a half, until the board closes', () =>
  withFleet(async ({ service, told, waits, closed, opened, stop }) => {
    await expect.poll(() => waits.length).toBe(1);
    expect(opened).toEqual(['acme', 'typed']);
    expect(Object.fromEntries(told)).toEqual({
      typed: { problem: 'the keys of typed are typed at each start' },
      acme: {
        alerting: expect.any(Number),
        issues: '1',
        muteEnds: expect.any(Number),
        quota: expect.any(Number),
      },
    });
    const acme = Object.fromEntries(told).acme as { alerting: number; muteEnds: number; quota: number };
    expect(acme.alerting).toBeGreaterThan(0);
    expect(acme.muteEnds).toBeGreaterThan(Date.now());
    expect(acme.quota).toBeLessThanOrEqual(1);
    expect(service.received()).toHaveLength(2);
    expect(waits[0]?.ms).toBe(75_000);
    // A search tells a hundred at most.
    const data = Array.from({ length: 100 }, (_, at) => ({ id: `i${at}`, type: 'error_tracking_search_result' }));
    service.refuses(200, { match: 'issues.search', body: { data } });
    waits.shift()?.then();
    await expect.poll(() => waits.length).toBe(1);
    expect(told.at(-1)).toMatchObject(['acme', { issues: '100+' }]);
    expect(service.received()).toHaveLength(4);
    stop();
    await expect.poll(() => closed).toEqual(['acme']);
    expect(service.received()).toHaveLength(4);
  }));

test('an organization that refuses the keys is read no more, and says so', () =>
  withFleet(async ({ service, told, waits, closed }) => {
    service.refuses(401, { times: 9, body: { errors: ['Unauthorized'] } });
    await expect.poll(() => closed).toEqual(['acme']);
    expect(waits).toEqual([]);
    expect(told.at(-1)).toEqual(['acme', { problem: expect.stringMatching(/keys/) }]);
    expect(service.received()).toHaveLength(1);
  }));
