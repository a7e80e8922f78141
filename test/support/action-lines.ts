import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a command line may name: the ids of a list now, and a new name. */
interface Known {
  /** The id at a place of a list, or of the row with a name. */
  id(list: string, at?: number | string): string;
  /** What the deployment calls a provider. */
  word(neutral: 'provider_a'): string;
  /** A file with this content. */
  file(name: string, body: string): string;
}

export type CommandWords = (known: Known) => readonly string[];
const on =
  (list: string, ...more: readonly string[]): CommandWords =>
  ({ id }) => [`id:${id(list)}`, ...more];
const secret =
  (name: string): CommandWords =>
  ({ file }) => ['--secret-file', `${file('', '')}secret-of-${name}`];
const tenant = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const account = 'robot@project-9.iam.example.test';
const key = JSON.stringify({
  ...{
    type: 'service_account',
    project_id: 'project-9',
    private_key_id: 'fake-key-id',
    private_key: 'fake-private-key',
  },
  ...{ client_email: account, client_id: '123', auth_uri: 'https://example.test', token_uri: 'https://example.test' },
  ...{ auth_provider_x509_cert_url: 'https://example.test', client_x509_cert_url: 'https://example.test' },
});

/**
 * What stands behind the verb of each action that is a command, in an order in which each has something to do. An action
 * without a line fails the law of receipts.
 */
export const actionLines: Readonly<Record<string, CommandWords>> = {
  'issues.assign': ({ id }) => [id('issues'), '--to', id('people', 3)],
  'issues.unassign': on('issues'),
  'issues.acknowledge': on('issues'),
  'issues.resolve': on('issues'),
  'issues.reopen': ({ id }) => [id('issues'), id('issues', 1)],
  'issues.ignore': on('issues'),
  'issues.exclude': ({ id }) => [id('issues', 1)],
  'monitors.mute': ({ id }) => [id('monitors'), id('monitors', 1), '--for', '1h', '--reason', 'ticket 4711'],
  'monitors.extend': on('monitors', '--for', '2h'),
  'monitors.unmute': on('monitors'),
  'mutes.create': () => ['--tag', 'service:shop', '--for', 'every Tue 22:00 for 2h'],
  'mutes.edit': ({ id }) => [id('mutes --range upcoming'), '--reason', 'patching'],
  'mutes.extend': ({ id }) => [id('mutes --range upcoming'), '--for', '30m'],
  'mutes.end': ({ id }) => [id('mutes')],
  'monitors.create': () => ['--kind', 'metric', '--name', 'load is high'],
  'monitors.edit': on('monitors', '--priority', '5', '--message', 'look at the load'),
  'monitors.clone': on('monitors', '--name', 'a copy'),
  'monitors.check': on('monitors'),
  'monitors.delete': ({ id }) => [id('monitors', 2)],
  'monitors.delete-force': ({ id }) => [id('monitors', 3)],
  'keys.create': (known) => ['--name', 'night job', '--scopes', 'monitors_read', ...secret('job')(known)],
  'keys.edit-own': ({ id }) => [id('keys-own', 1), '--scopes', 'monitors_read,slos_read'],
  'keys.edit-org': ({ id }) => [id('keys-org', 2), '--name', 'renamed key'],
  'keys.clear-own': ({ id }) => [id('keys-own', 1)],
  'keys.clear-org': ({ id }) => [id('keys-org', 3)],
  'keys.delete-own': ({ id }) => [id('keys-own', 1)],
  'keys.delete-org': ({ id }) => [id('keys-org', 3)],
  'api-keys.create': (known) => ['--name', 'new agents', ...secret('agents')(known)],
  'api-keys.edit': on('api-keys', '--name', 'old agents'),
  'api-keys.delete': ({ id }) => [id('api-keys', 1)],
  'api-keys.create-v1': (known) => ['--name', 'newer agents', ...secret('newer-agents')(known)],
  'api-keys.edit-v1': on('api-keys-v1', '--name', 'oldest agents'),
  'api-keys.delete-v1': ({ id }) => [id('api-keys-v1', 2)],
  'people.create': () => ['--email', 'kim@example.test', '--name', 'Kim Hill'],
  'people.create-account': () => ['--name', 'night robot', '--email', 'robot@example.test'],
  'people.edit': ({ id }) => [id('people', 4), '--title', 'operator'],
  'people.create-key': (known) => [
    'name:night robot',
    '--name',
    'robot key',
    '--scopes',
    'monitors_read',
    ...secret('robot')(known),
  ],
  'people.edit-key': ({ id }) => ['name:night robot', id('keys-org', 'robot key'), '--name', 'robot key 2'],
  'people.delete-key': ({ id }) => ['name:night robot', id('keys-org', 'robot key 2')],
  'people.disable': ({ id }) => [id('people', 'Zoë Åkerström-Nuñez')],
  'people.enable': ({ id }) => [id('people --status Disabled', 'Zoë Åkerström-Nuñez')],
  'roles.create': () => ['--name', 'night shift', '--permissions', 'name:monitors_write'],
  'roles.edit': () => ['name:night shift', '--name', 'late shift'],
  'roles.grant': () => ['name:late shift', 'name:monitors_downtime'],
  'roles.revoke': () => ['name:late shift', 'name:monitors_downtime'],
  'roles.add-user': ({ id }) => ['name:late shift', id('people', 5)],
  'roles.remove-user': ({ id }) => ['name:late shift', id('people', 5)],
  'roles.clone': () => ['name:late shift', '--name', 'early shift'],
  'roles.delete': () => ['name:early shift'],
  'role-templates.create': on('role-templates', '--name', 'from a template'),
  'mappings.create': ({ id }) => [
    '--key',
    'groups',
    '--value',
    'sre-night',
    '--kind',
    'role',
    '--role',
    id('roles', 1),
  ],
  'mappings.edit': ({ id }) => [id('mappings'), '--value', 'sre-day'],
  'mappings.delete': ({ id }) => [id('mappings', 1)],
  'integrations.create-a': () => ['--tenant', tenant, '--client', tenant, '--secret', 'env:FAKE_CLIENT_SECRET'],
  'integrations.edit-a': on('integrations.a', '--hosts', 'env:prod'),
  'integrations.filter-a': on('integrations.a', '--hosts', 'env:staging'),
  'integrations.delete-a': on('integrations.a'),
  'integrations.create-b-v1': ({ file }) => ['--file', file('robot.json', key)],
  'integrations.edit-b-v1': on('integrations.b-v1', '--hosts', 'env:prod'),
  'integrations.federate-b-v1': on('integrations.b-v1'),
  'integrations.delete-b-v1': on('integrations.b-v1'),
  'integrations.create-delegate-b': () => [],
  'integrations.create-b': () => ['--email', account],
  'integrations.edit-b': on('integrations.b', '--tags', 'env:prod'),
  'integrations.delete-b': on('integrations.b'),
  'tables.create': ({ word }) => [
    ...['--name', 'night_codes', '--source', word('provider_a'), '--tenant-id', tenant, '--client-id', tenant],
    ...[
      '--storage-account',
      'codes',
      '--container',
      'codes',
      '--file',
      'codes.csv',
      '--key',
      'code',
      '--columns',
      'team,code:STRING',
    ],
  ],
  'tables.edit': on('tables', '--description', 'what the codes mean'),
  'tables.add-row': ({ id }) => [id('tables', 'country_names'), '--set', 'key=XX'],
  'tables.edit-row': () => ['country_names', 'de', '--set', 'name=Elsewhere'],
  'tables.delete-row': () => ['country_names', 'jp'],
  'tables.delete': on('tables'),
  'retention.create': () => ['--name', 'night spans', '--query', 'service:night', '--rate', '1'],
  'retention.edit': ({ id }) => [`id:${id('retention', 2)}`, '--rate', '0.5'],
  'retention.disable': ({ id }) => [`id:${id('retention', 2)}`],
  'retention.enable': ({ id }) => [`id:${id('retention', 2)}`],
  'retention.set-order': ({ id }) => [`id:${id('retention', 2)}`, '--last'],
  'retention.delete': ({ id }) => [`id:${id('retention', 3)}`],
  'archives.create': ({ word }) => [
    ...['--name', 'night logs', '--query', 'service:night', '--kind', word('provider_a'), '--storage-account', 'logs'],
    ...['--container', 'night', '--client-id', tenant, '--tenant-id', tenant],
  ],
  'archives.edit': ({ id }) => [`id:${id('archives')}`, '--query', 'service:night'],
  'archives.add-reader': ({ id }) => [`id:${id('archives')}`, id('roles', 2)],
  'archives.remove-reader': ({ id }) => [`id:${id('archives')}`, id('roles', 2)],
  'archives.set-order': ({ id }) => [`id:${id('archives', 1)}`, '--last'],
  'archives.delete': ({ id }) => [`id:${id('archives', 1)}`],
};

type Command = (line: readonly string[]) => Promise<{ readonly out: string }>;

/** Gives the words of a line, with ids as they are now. */
export function wordsOfLines(orgdeck: Command, directory: string, provider = 'provider_a') {
  const rows = new Map<string, readonly (readonly string[])[]>();
  const known: Known = {
    id(list, place = 0) {
      const found = rows.get(list);
      if (!found) throw new Error(list);
      return (typeof place === 'number' ? found[place] : found.find(([, name]) => name === place))?.[0] ?? '';
    },
    word: () => provider,
    file(name, body) {
      const path = join(directory, name);
      if (name) writeFileSync(path, body);
      return name ? path : `${directory}/`;
    },
  };
  return async (line: CommandWords = () => []): Promise<readonly string[]> => {
    rows.clear();
    for (;;)
      try {
        return line(known);
      } catch (error) {
        const list = (error as Error).message;
        const [name = '', ...more] = list.split(' ');
        const { out } = await orgdeck([...name.split('.'), 'list', ...more, '--fields', 'id,name', '--quiet']);
        rows.set(
          list,
          out
            .trimEnd()
            .split('\n')
            .map((line) => line.split('\t')),
        );
      }
  };
}
