import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
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
