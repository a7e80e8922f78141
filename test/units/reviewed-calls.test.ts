import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { disk, refuses, reviewedClock, runSteps, type Step } from '../support/reviewed-lines.ts';
import { servedCommands } from '../support/served-commands.ts';

/** Lines that end before anything is sent, or with what the service refuses. */
const wrong = {
  'lines of no command': [
    'nope',
    'monitors lst',
    'integrations list',
    'monitors get',
    'monitors list --nope',
    'monitors list x',
    'info x',
    'simulator x',
    'config check x y',
    'profiles list x',
    'profiles use a b',
    'profiles test a b',
    'vocabulary check a b',
    'query check a b',
    'tables upload a b --name t',
    'call --list monitors.get',
    'call monitors.list',
    'call monitors.list --api-key sekrit-sekrit-0000',
    '--app-key=sekrit-sekrit-0000 info',
    '--profile --demo info',
    'monitors list --query --demo',
    'simulator --port 70000',
    'simulator --seed x',
    'simulator --monitors 100001',
    'info --tz Mars/Olympus',
    'info --profile nope',
    'info --base-url nope',
    'info -Xy_3',
    '--base-url https://kim:sekrit@api.acme.test monitors list',
    '--demo --theme pink',
    '--demo --poll 4',
    '--demo --screen attic',
  ],
  'profiles that cannot be': [
    'profiles add acme --base-url htps://api.acme.test',
    'profiles add acme --base-url http://api.acme.test',
    'profiles add acme',
    "profiles add acme --base-url ''",
    "profiles add 'a b' --base-url https://a.test --store-keys",
    'profiles add acme --base-url https://a.test --poll 5',
    'profiles add acme --base-url https://a.test --api-key-env A --api-key-file b',
    'profiles add acme --base-url https://acme.test',
    'profiles add beta --base-url https://beta.test',
    'profiles add acme --base-url https://acme.test --store-keys',
    'profiles add gamma --base-url https://gamma.test --store-keys',
    'profiles edit beta',
    'profiles edit beta --production --dry-run',
    'profiles edit gamma --poll 20',
    'profiles edit beta --poll 5',
    'profiles edit beta --name acme',
    'profiles remove acme',
    ...['y', 'beta', ''].map((typed) => `profiles remove acme ?? ${typed}`),
    'profiles remove acme --dry-run',
    'profiles list',
    'profiles remove acme ?? acme',
    'profiles list',
    'profiles remove acme ?? ',
  ],
};

const chains: Readonly<Record<string, readonly Step[]>> = {
  ...Object.fromEntries(
    Object.entries(wrong).map(([title, lines]) => [title, lines.map((line) => `orgdeck ${line}`)] as const),
  ),
  'calls that name no operation': [
    'call',
    'call nope',
    'call monitors.nope',
    'call monitors.get',
    'call monitor.get',
    'call monitors.get --monitr_id 4',
    'call monitors.get --monitor_id 1 4',
    'call monitors.get --monitor_id --demo',
    'call monitors.get --monitor_id',
    'call monitors.get --monitor_id 1 --monitor_id 2',
    "call monitors.get --monitor_id 1 --body '{}'",
    'call monitors.get --monitor_id ..',
    'call monitors.create',
    `call monitors.create --body '{"name":'`,
    `call monitors.create --body '{\n  "é": 1,\n  "ü": fake-text\n}'`,
    "call monitors.create --body '{} x'",
    `call monitors.create --body ${'['.repeat(70)}${']'.repeat(70)}`,
    'call monitors.create --body @/nowhere',
    'call monitors.list --page_size many',
    "call monitors.mute --read-only --monitor_id 1 --body '{}'",
    'call users.list --paginate --page[number] 1',
  ],
  'the operations that calls send': [
    'orgdeck call --list',
    'orgdeck call users.list --help',
    'orgdeck call monitors.mute --help',
  ],
  'calls and their answers': [
    ({ simulator }) => ({
      far: simulator.has('monitor', { id: 9_007_199_254_740_993n, name: 'far \u001b[31mred\u202e \u009b2J' }),
    }),
    'call monitors.get --monitor_id {far}',
    'call monitors.get --monitor_id 1',
    'call monitors.list --page-size=2 --page 99 --group_states all --with_downtimes true',
    "call users.list '--page[size]' 1 '--filter[status]' Active --filter -x",
    'call archives.get --archive_id -Vx_h',
    'call monitors.can-delete --monitor-ids 1 --monitor_ids 2,3',
    refuses(200, { match: 'users.list', body: { data: ['u1', 'u2'].map((id) => ({ type: 'users', id })) } }),
    refuses(400, { match: 'users.list', body: { errors: ['out of order'] } }),
    'call users.list --paginate --page[size] 2',
    `call issues.assign --issue_id {issues} --body '{"data":{"id":"00000000-0000-4000-8000-00000000dead","type":"assignee"}}'`,
  ],
  'calls that edit': [
    disk,
    ({ machine }) => {
      writeFileSync(join(machine.directory, 'body.json'), '{"scope":"host:f"}');
      return { directory: machine.directory };
    },
    'call monitors.mute --monitor_id {disk} --body @{directory}/body.json',
    `call monitors.mute --monitor_id {disk} --body - << {"scope":"host:a"}`,
    'call integrations.create-a --dry-run --body - << {"client_secret":"tiny-but-secret-0000"}',
    `call integrations.create-a --body '{"client_secret":"tiny-but-secret-0000"}'`,
    'call api-keys.get-v1 --key tiny-but-secret-0000',
    ({ machine, there }) => machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']),
    'call monitors.can-delete --monitor-ids {disk} --profile acme',
    `call monitors.mute --monitor_id {disk} --body '{"scope":"host:b"}' --dry-run --profile acme`,
    'call monitors.delete --monitor_id {disk} --profile acme',
    'call monitors.delete --monitor_id {disk} --profile acme --read-only ?? y',
    'call monitors.delete --monitor_id {disk} --profile acme ?? y',
    "call monitors.mute --monitor_id {disk} --body '{}' --profile acme ?? ",
    "call monitors.mute --monitor_id {disk} --body '{}' --profile acme ?? y",
    'call monitors.delete --monitor_id {disk} --profile acme ?? {disk}',
    'call monitors.delete --monitor_id {monitors} --profile acme --yes',
  ],
  'a journal that others may write': [
    async ({ machine }) => {
      writeFileSync(join(machine.directory, 'journal.jsonl'), '');
      chmodSync(join(machine.directory, 'journal.jsonl'), 0o644);
    },
    "call monitors.mute --monitor_id 1 --body '{}'",
    'monitors mute {monitors} --for 1h',
  ],
  'a journal that cannot be written': [
    async ({ machine }) => symlinkSync('/dev/full', join(machine.directory, 'journal.jsonl')),
    'monitors mute {monitors} --for 1h',
  ],
  'odd lines about monitors and issues': [
    disk,
    'monitors list --query status:alert',
    'issues list --range soon',
    'issues list --states angry',
    'issues list --states resolved',
    refuses(200, {
      ...{
        match: 'monitors.list',
        body: [{ id: 7, name: 'web', type: 'metric alert', query: 'x', overall_state: 'OK' }, 5],
      },
    }),
    'monitors list --json',
    'monitors mute {disk} --for 1h --scope host:nope',
    "monitors mute {disk} --for 1h --scope '* team:core'",
    'monitors unmute {disk} --scope host:web-1',
    'monitors mute {disk} --for 45',
    'monitors mute 999999 --for 1h',
    'archives get -Xy_3',
    'archives delete --9fQ',
  ],
};

describe.each(Object.entries(chains))('%s', (title, steps) => {
  const served = servedCommands({ monitors: 6, issues: 6, clock: reviewedClock });

  test('is as was reviewed', async () => {
    const name = title.replaceAll(' ', '-');
    await expect(await runSteps(steps, served)).toMatchFileSnapshot(`../support/stored/chains/${name}.txt`);
  });
});
