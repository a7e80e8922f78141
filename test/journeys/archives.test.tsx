import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const base = '/api/v2/logs/config/archives';
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

story(
  'the query has room for its words before the kind is shown, which stands in the preview',
  {
    ...options,
    columns: 100,
    before(service: Simulator) {
      service.org.archives.clear();
      const query = 'service:(payments-api OR payments-worker)';
      const destination = { ...bucket, bucket: 'shop-logs-payments', path: '/payments' };
      service.has('archives', { name: 'old gateway (bucket is gone)', query, destination });
    },
  },
  async (user) => {
    await user.opens('archives');
    await user.sees(/│ +#▲ +STATE +NAME +WRITES TO +QUERY +│/);
    await user.sees(/> +1 working .*shop-logs-payments\/payments +service:\(payments-a/);
  },
);

story(
  'editing an archive sends one reviewed replacement that keeps every field; u restores it',
  async (user, service) => {
    await user.opens('archives');
    await user.presses('e', 'tab', 'ctrl+u', 'service:shop', 'ctrl+s');
    await user.sees('Review changes');
    await user.sees('service:web');
    await user.sees('service:shop');
    expect(service.received('PUT')).toEqual([]);
    await user.presses('return');
    await user.sees(`✓ ${receiptOf.save('web')}`);
    expect(named(service, 'web')?.attributes).toMatchObject({ query: 'service:shop', include_tags: true });
    const [sent] = service.received('PUT', base);
    const body = sent?.body as { data: { attributes: { destination: unknown; state?: unknown } } };
    expect(body.data.attributes).toMatchObject({ tier: 'gold', destination: bucket });
    expect(body.data.attributes).not.toHaveProperty('state');
    await user.presses('u');
    await user.sees(receiptOf.undo(receiptOf.save('web')));
    expect(named(service, 'web')?.attributes.query).toBe('service:web');
  },
);

story(
  'the form of a new archive requires the settings of its destination; the archive is last, and u deletes it',
  async (user, service) => {
    await user.opens('archives');
    await user.presses('n', 'mobile', 'tab', '*', 'tab', 'right');
    await user.sees('Client email');
    await user.presses('ctrl+s');
    await user.sees('Bucket is required');
    await user.presses('shop-mobile', 'tab', 'archiver@shop.example.test', 'ctrl+s', 'return');
    await user.sees('✓ Created mobile, last in the order');
    await user.sees(/│.> +4 .*mobile/);
    await user.neverSees(/\d new/);
    expect(names(service)).toEqual(['web', 'audit', 'rest', 'mobile']);
    expect(named(service, 'mobile')?.attributes.destination).toEqual({
      type: 'provider_b',
      bucket: 'shop-mobile',
      integration: { client_email: 'archiver@shop.example.test' },
    });
    await user.presses('u');
    await user.sees(receiptOf.undo('created mobile'));
    expect(names(service)).toEqual(['web', 'audit', 'rest']);
  },
);

story('the form requires an encryption key and key:value tags, and keeps what was typed', async (user, service) => {
  await user.opens('archives');
  await user.presses('e', ...Array(8).fill('tab'), 'right', 'right', 'ctrl+s');
  await user.sees('Encryption key is required');
  await user.presses('arn-of-a-key', ...Array(4).fill('tab'), 'nonsense', 'ctrl+s');
  await user.sees('Rehydration tags: each is key:value, such as team:web');
  await user.sees('arn-of-a-key');
  expect(service.received('PUT')).toEqual([]);
});

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

story('a role is added to the readers by name and removed again', async (user, service) => {
  await user.opens('archives');
  await user.presses('a');
  await user.sees('Add reader to web');
  await user.presses('/', 'standard');
  await user.sees('Standard Role');
  await user.presses('return');
  await user.sees('to web');
  const [role] = named(service, 'web')?.readers ?? [];
  expect(role).toBeDefined();
  await user.presses('return', ']');
  await user.sees('[Readers 1]');
  await user.presses('d');
  await user.sees('open to everyone now');
  expect([...(named(service, 'web')?.readers ?? [])]).toEqual([]);
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect([...(named(service, 'web')?.readers ?? [])]).toEqual([role]);
});

story('deleting asks for the name, and the row disappears at once', async (user, service) => {
  await user.opens('archives');
  await user.presses('j', 'd');
  await user.sees('Delete archive audit?');
  await user.presses('web', 'return');
  await user.sees('Type audit to confirm');
  await user.presses('ctrl+u', 'audit', 'return');
  await user.sees('✓ Deleted audit');
  expect(names(service)).toEqual(['web', 'rest']);
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

story('repeating an edit on the next archive changes only the same field', async (user, service) => {
  await user.opens('archives');
  await user.presses('e', 'tab', 'ctrl+u', 'service:shop', 'ctrl+s', 'return');
  await user.sees(`✓ ${receiptOf.save('web')}`);
  await user.presses('j', '.');
  await user.sees(`✓ ${receiptOf.save('audit')}`);
  expect(named(service, 'audit')?.attributes).toMatchObject({
    query: 'service:shop',
    include_tags: false,
    destination: { ...bucket, bucket: 'audit' },
  });
});

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
