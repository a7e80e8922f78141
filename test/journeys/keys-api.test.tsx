import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journey, type User } from '../support/journey.tsx';
import { apiKey, onlyOurs } from '../support/keys.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const one = {
  ...bare,
  before(service: Simulator) {
    onlyOurs(service);
    service.has('api_keys', { name: 'log shipper' });
  },
};
const story = stories(journey, one);

async function opensApiKeys(user: User, tab = 2): Promise<void> {
  await user.opens('keys');
  for (let at = 0; at < tab; at += 1) await user.presses(']');
  await user.sees(tab === 2 ? /● live.*API keys \[?\d/s : /● live.*API keys v1 \[?\d/s);
}

story('a new API key: the secret is shown once, the key works at once, and u deletes it', async (user, service) => {
  await opensApiKeys(user);
  await user.presses('n', 'edge', 'tab', 'tab', 'right', 'ctrl+s', 'return');
  await user.sees('Secret of edge');
  expect(apiKey(service, 'edge')?.remoteConfig).toBe(false);
  const secret = apiKey(service, 'edge')?.secret ?? '';
  await user.presses('r');
  await user.sees(secret);
  await user.presses('esc');
  await user.sees('Not copied yet');
  await user.presses('esc');
  await user.sees(/>.? .*edge/);
  await user.loses(secret);
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(apiKey(service, 'edge')).toBeUndefined();
  await user.journal.written();
  expect(readFileSync(user.journal.path, 'utf8')).not.toContain(secret);
});

test(
  'where the API keys tab is not offered, the problem names API keys v1, and the other way round',
  journey(
    async (user, service) => {
      await user.opens('keys');
      await user.presses(']', ']');
      await user.sees('; use the list of API keys v1');
      await user.presses(']');
      await user.sees(/● live.*API keys v1 \[?\d/s);
      await user.neverSees('of use only where');
      service.withdraws(['api-keys.list-v1'], 404);
      await user.presses('ctrl+r');
      await user.sees('; use the list of API keys ·');
    },
    {
      ...bare,
      before(service) {
        onlyOurs(service);
        service.withdraws(['api-keys.list'], 404);
      },
    },
  ),
);

story('v1: a key is renamed and deleted, and the secret that identifies it is shown nowhere', async (user, service) => {
  const secret = apiKey(service, 'log shipper')?.secret ?? 'none';
  await opensApiKeys(user, 3);
  await user.sees('the same keys over the v1 API, which does not report leaks');
  // Of a key that is not in use it is not known whether it is leaked.
  expect(await user.line(/^│.>/)).toMatch(/^│.> – /);
  await user.presses('/', 'shipper', 'return', 'e', '2', 'ctrl+s');
  await user.sees(offering('Saved log shipper2 (was log shipper)'));
  expect(service.received('PUT')[0]?.path).toContain(secret);
  expect(service.received('PUT')[0]?.body).toEqual({ name: 'log shipper2' });
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(apiKey(service, 'log shipper')).toBeDefined();

  await user.presses('return');
  await user.sees('hidden: the v1 API');
  await user.presses(']');
  await user.sees('(hidden, ends in');
  await user.neverSees(secret);
  await user.presses('q', 'y', 'Y', 'r');
  await user.presses('Y', 'c');
  await user.presses('Y', 'u');
  await user.sees('Copied curl');
  expect(user.copied).toHaveLength(4);
  expect(user.copied[2]).toBe('orgdeck call api-keys.get-v1 --key env:KEY');
  expect(user.copied[3]).toContain(`/api/v1/api_key/'"$KEY"''`);
  await user.presses('o');
  await user.presses('q', 'd', 'log shipper', 'return');
  await user.sees('Deleted API key log shipper');
  await user.presses('H', 'tab');
  await user.sees('deleted API key log shipper');
  await user.neverSees(secret);
  await user.journal.written();
  for (const text of [...user.copied, readFileSync(user.journal.path, 'utf8'), await user.screen()])
    expect(text).not.toContain(secret);
});

story('v1: a new key is shown once, and an error that quotes the key is redacted', async (user, service) => {
  await opensApiKeys(user, 3);
  await user.presses('n', 'old door', 'return');
  await user.sees('Secret of old door');
  await user.presses('y', 'esc');
  await user.sees(/>.? .*old door/);
  const secret = apiKey(service, 'old door')?.secret ?? 'none';
  expect(user.copied).toEqual([secret]);
  service.refuses(400, { body: { errors: [`cannot rename ${secret}`] }, match: 'api-keys.update-v1' });
  await user.presses('e', 'x', 'return');
  await user.sees('cannot rename [redacted]');
  await user.presses('esc', 'esc', '!', 'return');
  await user.sees(/^ ?Message/m);
  await user.neverSees(secret);
  await user.journal.written();
  expect(readFileSync(user.journal.path, 'utf8')).not.toContain(secret);
});
