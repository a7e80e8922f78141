import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const bucket = {
  type: 'provider_c',
  bucket: 'logs',
  path: '/web',
  integration: { account_id: '000011112222', role_name: 'archive-writer' },
  encryption: { type: 'NO_OVERRIDE' },
  retention_lock: 'kept',
};

/** Three archives and nothing else; one destination and one archive have an unknown member. */
function hasArchives(service: Simulator): void {
  service.org.archives.clear();
  service.has('archives', { name: 'web', query: 'service:web', destination: bucket, include_tags: true, tier: 'gold' });
  service.has('archives', { name: 'audit', query: 'source:audit', destination: { ...bucket, bucket: 'audit' } });
  service.has('archives', { name: 'rest', query: '*', destination: { ...bucket, bucket: 'rest' } });
}

const options = { columns: 80, rows: 30, monitors: 0, issues: 0, before: hasArchives } as const;
const story = stories(journey, options);
const names = (service: Simulator) => [...service.org.archives.values()].map((archive) => archive.attributes.name);
const named = (service: Simulator, name: string) =>
  [...service.org.archives.values()].find((archive) => archive.attributes.name === name);

story('reordering sends one edit that names every archive; u restores the order', async (user, service) => {
  await user.opens('archives');
  await user.presses('J');
  await user.sees('unsaved order');
  await user.presses('ctrl+s');
  await user.sees('Save the new order?');
  await user.sees('A log goes to the first archive whose query matches');
  service.has('archives', { name: 'late', query: 'service:late', destination: bucket });
  await user.presses('y');
  await user.sees('✓ Saved the order of 4 archives');
  expect(names(service)).toEqual(['audit', 'web', 'rest', 'late']);
  expect(service.received('PUT', 'archive-order')).toHaveLength(1);
  await user.presses('u');
  await user.sees(receiptOf.undo('saved the order'));
  expect(names(service)).toEqual(['web', 'audit', 'rest', 'late']);
});

story(
  'without permission to read the order, the list shows its own order and says so; an archive without a destination is listed',
  {
    before(service) {
      hasArchives(service);
      service.switches.nullDestination = true;
      service.refuses(403, { match: 'archives.order', times: 99, body: { errors: ['Forbidden'] } });
    },
  },
  async (user) => {
    await user.opens('archives');
    await user.sees('the order could not be read');
    await user.sees('(unknown)');
    await user.presses('G', 'e');
    await user.sees('Edit archive rest');
    await user.presses('esc', 'return');
    await user.sees('unknown destination');
  },
);

story(
  'a picker of roles says that it shows the first of them, and what is typed is searched on the service',
  {
    before(service) {
      hasArchives(service);
      for (let at = 10; at < 35; at += 1) service.has('roles', { name: `A role ${at}` });
      service.has('roles', { name: 'Zebra keepers' });
    },
  },
  async (user, service, clock) => {
    await user.opens('archives');
    await user.presses('a');
    await user.sees(/\d+ more: type to search/);
    await user.neverSees('Zebra keepers');
    await user.presses('zebra');
    await clock.passes(260);
    await user.sees(/> Zebra keepers/);
    await user.neverSees('first 20');
    expect(service.received('GET', 'roles').at(-1)?.query.filter).toBe('zebra');
    await user.presses('return');
    await user.sees('Added reader Zebra keepers to web');
  },
);

story(
  'u creates a deleted archive again; until all its readers are back it is OPEN TO EVERYONE, and u goes on',
  async (user, service) => {
    const readers = [...service.org.roles.keys()].slice(0, 2);
    for (const id of readers) named(service, 'audit')?.readers.add(id);
    await user.opens('archives');
    await user.presses('j', 'd', 'audit', 'return');
    await user.sees('✓ Deleted audit');
    await user.presses('u');
    await user.sees('Creates it again with a new ID, in 4 requests');
    await user.sees('It is OPEN TO EVERYONE until its readers are added again');
    service.refuses(401, { match: 'archives.add-reader' });
    await user.presses('y');
    await user.sees('created again in part, OPEN TO EVERYONE until');
    expect(names(service)).toEqual(['web', 'rest', 'audit']);
    await user.presses('u');
    await user.sees('It is OPEN TO EVERYONE until its readers are added again');
    await user.presses('y');
    await user.sees(receiptOf.undo('deleted audit'));
    await user.presses('g');
    await user.sees('audit/web');
    expect(names(service)).toEqual(['web', 'audit', 'rest']);
    expect([...(named(service, 'audit')?.readers ?? [])]).toEqual(readers);
  },
);
