import { expect } from 'vitest';
import { inventedWords } from '../support/invented.ts';
import { journey } from '../support/journey.tsx';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 150, rows: 32, monitors: 0, issues: 0, vocabulary: inventedWords() } as const;
const story = stories(journey, mine);
const archive = {
  name: 'web',
  query: 'service:web',
  destination: {
    type: 'provider_b',
    bucket: 'logs',
    integration: { client_email: 'archiver@shop.example.test' },
    provider_b_region: 'kept',
  },
};

/** Replaces all archives by this one. */
function hasArchive(service: Simulator): void {
  service.org.archives.clear();
  service.has('archives', archive);
}

story('a filter finds what is shown, and the service receives the typed words', async (user, service) => {
  await user.opens('roles');
  await user.presses('s', 'zephyrine', 'ctrl+s');
  await user.sees(/Roles 3\b/);
  expect(service.received('GET', 'roles').map((call) => call.query.filter)).toContain('zephyrine');
  await user.sees('Zephyrine Read');
  await user.presses('/', 'zephyrine stand', 'return');
  await user.sees(/1 of 3\b/);
  await user.presses(']');
  await user.sees(/Permissions \d+/);
  await user.presses('/', 'nimbalor', 'return');
  await user.sees(/Permissions <\/nimbalor> 3 of \d+/);
  await user.sees('nimbalor_configuration_');
});

story(
  'tabs, help and empty lists use the labels, or the words where there is no label',
  { before: (service) => service.org.accounts.a.clear() },
  async (user) => {
    await user.opens('integrations');
    await user.sees(/Nimbalor Cloud .*cumulex v1.*cumulex v2/);
    await user.sees('No Nimbalor Cloud accounts. n: add one');
    await user.presses(']', ':', 'key file');
    await user.sees('federated accounts (cumulex v2) need no key');
  },
);

story('a list, a form and the raw tab use the words of their places', { before: hasArchive }, async (user) => {
  await user.opens('archives');
  await user.sees(/web +cumulex_s.* logs/);
  await user.presses('n', 'mobile', 'tab', '*', 'tab');
  await user.sees(/nimbalor.*cumulex_storage.*stratovar/);
  await user.presses('right', 'right');
  await user.sees('SSE_STRATOKEEP');
  await user.presses('esc', 'esc', 'return', ']', ']');
  await user.sees('"cumulex_region": "kept"');
});

story('copied text uses the words of the deployment, except operation ids', { before: hasArchive }, async (user) => {
  await user.opens('archives');
  await user.presses('Y', 'r');
  await user.presses('Y', 'c');
  await user.sees('Copied');
  expect(user.copied[0]).toContain('"type":"cumulex_storage"');
  expect(user.copied[1]).toMatch(/^orgdeck call archives\.get --archive_id /);
});

story(
  'a missing permission has the name that the deployment uses',
  { keys: { permissions: ['monitors_read'] } },
  async (user) => {
    await user.presses('6');
    await user.sees(/needs? nimbalor_configuration_read|lack nimbalor_configuration_read/);
  },
);
