import { describe, expect, test } from 'vitest';
import { hasDisk } from '../support/monitors.ts';
import { disk, refuses, reviewedClock, runSteps, type Step, type World } from '../support/reviewed-lines.ts';
import { servedCommands } from '../support/served-commands.ts';

const disks = ({ simulator }: World) => ({ disk: hasDisk(simulator), other: hasDisk(simulator, { name: 'Older' }) });
/** A downtime, called {downtime}, of two hours from now. */
const downtime =
  (fields: object, hours = 2) =>
  ({ simulator }: World) => ({
    downtime: simulator.has('downtime', { scope: ['*'], end: simulator.now() / 1000 + hours * 3600, ...fields }),
  });
/** Three issues in one state, called {a}, {b} and {c}. */
const issuesIn =
  (state: string) =>
  ({ simulator }: World) => {
    const [a = '', b = '', c = ''] = simulator.org.issues.keys();
    for (const id of [a, b, c]) Object.assign(simulator.org.issues.get(id) ?? {}, { state });
    return { a, b, c };
  };
/** A row of a kind that needs no code of its own in the simulator, by a name. */
const has =
  (name: string, kind: string, fields: object) =>
  ({ simulator }: World) => ({ [name]: simulator.has(kind, { ...fields }) });
const filter = (name: string) =>
  has('filter', 'apm_retention_filter', {
    ...{ name, enabled: true, filter: { query: '*' }, rate: 1, trace_rate: 0, editable: true },
  });
const production: Step = ({ machine, there }) =>
  machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']).then(() => undefined);
const passes =
  (minutes: number): Step =>
  ({ simulator }) =>
    void simulator.passes(minutes * 60_000);
/** The last entry of the journal so far, by a name. */
const entry =
  (name: string): Step =>
  ({ edits }) => ({ [name]: edits().at(-1) ?? '' });

const chains: Readonly<Record<string, readonly Step[]>> = {
  'one of three rows fails': [
    issuesIn('OPEN'),
    refuses(400, { match: 'issues.set-state', body: { errors: [{ detail: 'Boom' }] } }),
    'issues resolve - << {a}\tanything\n{b}\n{c}\n',
    'journal',
  ],
  'rows that are not one': [
    disk,
    disk,
    'monitors mute name:Disk --for 1h',
    'monitors mute nope --for 1h',
    "monitors unmute ''",
    'issues reopen {issues} --read-only',
    'monitors mute 1 --for 1h --reason known issue',
    'retention edit a b --rate 1',
    'monitors mute {disk} --for 1h --reason --dry-run',
    'monitors mute {disk} --for 1h --reason=--dry-run',
  ],
  'a second mute of a monitor': [
    disk,
    'monitors mute {disk} --for 1h',
    'monitors mute {disk} --for 4h',
    'monitors mute {disk} --for 1h',
    'monitors mute {disk} --for 6h --scope host:web-1',
    'monitors unmute {disk}',
    'monitors unmute {disk} --all --dry-run',
    'monitors unmute {disk} --all',
    'monitors mute {disk} --for 1h',
    "monitors mute {disk} --for 4h --add --reason 'a disk is on its way'",
    'undo --dry-run',
    'monitors unmute {disk} --all --dry-run',
    'mutes list --fields downtime_id,scope,until',
  ],
  'a mute that another one covers': [
    disk,
    downtime({ monitor_tags: ['team:core'], scope: ['host:web-2'] }),
    'monitors mute {disk} --for 1h',
    'monitors unmute {disk} --json',
    'monitors unmute {disk}',
    'monitors mute {disk} --for 1h --scope host:web-1',
    'monitors unmute {disk} --scope host:web-1',
    'monitors unmute {disk} --downtime {downtime}',
    'monitors unmute {disk} --json',
  ],
  'a delete and the mutes that stay': [
    disks,
    ({ simulator }) => {
      const of = (monitor: number, hours: number) =>
        simulator.has('downtime', {
          ...{ monitor_id: monitor, scope: ['*'], end: simulator.now() / 1000 + 3600 * hours },
        });
      const [disk = 0, other = 0] = [...simulator.org.monitors.keys()].slice(-2).map(Number);
      return { one: of(disk, 2), two: of(other, 3) };
    },
    'monitors delete {disk} --yes',
    'mutes end {one}',
    'monitors delete {other} --yes --end-mutes',
    'mutes list --fields downtime_id,scope',
    disk,
    downtime({ monitor_tags: ['*'] }),
    refuses(404, { match: 'downtimes.list', times: 9, body: { errors: ['Not found'] } }),
    refuses(404, { match: 'downtimes-v1.list', times: 9, body: { errors: ['Not found'] } }),
    'monitors delete {disk} --yes --end-mutes',
  ],
  'a downtime of several monitors': [
    disk,
    downtime({ id: 8130, monitor_tags: ['team:core'] }, 1),
    'monitors extend {disk} --for 1h',
    'monitors extend {disk} --for 1h --downtime 1',
    'monitors unmute {disk}',
    'monitors unmute {disk} --downtime 1',
    'monitors extend {disk} --for 1h --downtime {downtime}',
    'monitors unmute {disk} --downtime {downtime}',
  ],
  'odd times of mutes': [
    disk,
    "monitors mute {disk} --for 'until 2027-10-31 02:30' --tz Europe/Berlin --dry-run",
    "monitors mute {disk} --for 'until 2027-10-31 02:30' --tz Europe/Berlin",
    "monitors mute {disk} --for 'until 2027-03-28 02:30' --tz Europe/Berlin",
    "monitors mute {monitors:2} --for 'until 23:30' --tz Asia/Kolkata",
    ...['yesterday', '-5m', "''"].map((time) => `monitors mute {disk} --for ${time}`),
    'monitors mute {disk}',
    'monitors mute --for 1h',
    'monitors unmute 1 --all --scope x',
    'monitors mute 1 --for 1h --sope x',
    ({ simulator }) => ({ end: simulator.has('downtime', { monitor_id: 41_001, scope: ['*'], end: 253_402_300_799 }) }),
    'mutes list --json until',
  ],
  'what a mute tells a program': [
    disk,
    'monitors mute {disk} --for 1h --dry-run --json',
    "monitors mute {disk} --for 'until 18:00' --reason 'a new disk' --json",
    "monitors mute {disk} --for 'until 18:00' --json",
    'mutes create --tag service:shop --for 2h --reason deploys --json',
    'undo --yes',
    'mutes create --tag service:shop --for forever',
    "mutes create --tag 'a b' --for 1h",
    'mutes create --for 1h',
  ],
  'an unmute of which a part fails': [
    disk,
    'monitors mute {disk} --for 1h --scope host:web-1',
    "monitors mute {disk} --for 4h --add --reason 'a new disk'",
    refuses(400, { match: 'monitors.unmute', body: { errors: ['Boom'] } }),
    'monitors unmute {disk} --all --json',
    'monitors unmute {disk} --all --json',
  ],
  'mutes that have ended already': [
    disk,
    'monitors unmute {disk} --json',
    'monitors mute {disk} --for 1h',
    'monitors unmute {disk}',
    'monitors unmute {disk} --json',
    'monitors mute {disk} --for 1h',
    "mutes end 'mute {disk} *'",
    "mutes end 'mute {disk} *' --json",
    ({ simulator }) => {
      const monitor = Number([...simulator.org.monitors.keys()].at(-1));
      return {
        one: simulator.has('downtime', { monitor_id: monitor, scope: ['host:web-1'] }),
        two: simulator.has('downtime', {
          ...{ monitor_identifier: { monitor_id: monitor }, scope: 'host:web-2', schedule: {} },
        }),
      };
    },
    ...['one', 'one', 'two', 'two', 'monitors'].map((id) => `mutes end {${id}} --json`),
    'mutes end 999999',
    'mutes end 00000000-0000-4000-8000-00000000ffff',
    "mutes end 'mute 999999 *'",
  ],
  'a retention filter': [
    filter('checkout'),
    "retention new --name 'by hand' --rate 0.25",
    "retention new --name 'by hand' --rate 7 --query '*'",
    "retention new --name 'by hand' --rate 0.25 --query service:x --json",
    'retention edit name:checkout',
    'retention edit name:checkout --rate 1',
    'retention edit name:checkout --rate 0.5 --enabled no',
    'retention edit name:checkout --rate 0.5 --json',
    'retention edit name:checkout --rate 0.25 --json',
    'retention disable name:checkout --json',
    'retention enable name:checkout',
    'retention enable name:checkout --json',
    'retention order id:{filter}',
    'retention order id:{filter} --first --last',
    'retention order id:{filter} --first',
    'retention delete id:{filter}',
    'retention delete id:{filter} ?? check',
    'retention delete id:{filter} ?? checkout',
    'journal',
    'journal --markdown',
  ],
  roles: [
    has('role', 'roles', { name: 'night shift' }),
    'roles grant {role} monitors_write nope',
    'roles new --name x --permissions name:nope',
    'issues assign {issues} --to nosuch',
    'roles new --name x --permissions name:monitors_read',
    'roles grant {role} monitors_read',
    'roles revoke {role} monitors_read',
    "roles grant 'name:night shift' monitors_write monitors_downtime",
    "roles grant 'name:night shift' monitors_write --json",
    'roles revoke {role} monitors_write',
    'roles revoke {role} monitors_write --json',
    'roles add-user {role} {people:2}',
    'roles add-user {role} {people:2} --json',
    'roles remove-user {role} {people:2}',
    'roles remove-user {role} {people:2} --json',
    'roles new --name readers --permissions monitors_write --json',
    'roles edit name:readers --permissions monitors_downtime',
    'roles edit name:readers --without-defaults yes',
    "roles clone name:readers --name 'late readers' --json",
    'roles delete id:{role} --yes --if-exists',
    'roles delete id:{role} --yes',
    'roles delete id:{role} --yes --if-exists',
    refuses(504, { match: 'roles.create', body: {} }),
    'roles new --name perhaps --json',
  ],
  'what needs no code of its own': [
    has('archive', 'archives', { name: 'errors' }),
    ...['add-reader', 'add-reader', 'remove-reader', 'remove-reader'].map(
      (verb) => `archives ${verb} {archive} {roles:2} --json`,
    ),
    'archives delete id:{archive} --quiet ?? errors',
    'mappings create --key groups --value sre --role name:Auditors --dry-run',
    'mappings create --key groups --value sre --role name:Auditors',
    'integrations a create --tenant t --client c --secret hunter2hunter2',
    ({ simulator }) => {
      const tables = [...simulator.org.tableStore.tables.values()];
      const { name = '', key = '' } = tables.find((one) => one.status === 'DONE' && one.source === 'LOCAL_FILE') ?? {};
      return { table: name, column: key };
    },
    'tables add-row name:{table} --set {column}=zz-1',
    'tables add-row name:{table} --set no_such_column=1',
    'tables rows delete {table} zz-1',
    "monitors edit {monitors} --query 'avg(last_5m)::' --yes",
    "monitors edit {monitors} --query 'avg(last_5m)::' --yes --anyway",
    'monitors create --kind slo-burn-rate --name x',
    'monitors edit {monitors:2} --renotify-interval 30 --json',
    'journal --json',
    'monitors mute none --for 1h --quiet',
  ],
  'questions in production': [
    production,
    disks,
    'monitors mute {disk} {other} --for 1h --profile acme',
    'mutes create --tag service:shop --scope host:web-1 --for 1h --profile acme',
    'roles grant name:Auditors monitors_write monitors_downtime --profile acme ?? n',
    'roles grant name:Auditors monitors_write --profile acme ?? n',
    'monitors mute {disk} {other} --for 1h --profile acme ?? y',
  ],
  'the states of issues': [
    issuesIn('OPEN'),
    'issues resolve {a} --json',
    'issues resolve {a} --json',
    'issues assign {a} --to {people:1}',
    'issues assign {a} --to {people:1} --json',
    'issues acknowledge - << {b}\n{c}',
    'issues acknowledge - << {b}\n{c}',
    refuses(400, { match: 'issues.set-state', body: { errors: [{ detail: 'Boom' }] } }),
    'issues resolve {b} --json',
  ],
  'an undo of the last edit': [
    'journal --since 1h',
    issuesIn('OPEN'),
    'issues ignore {a}',
    passes(1),
    'issues resolve {a} {b}',
    'journal --json',
    'undo',
    'undo ?? n',
    'undo --yes',
    ({ simulator, edits }) => {
      const [a = ''] = simulator.org.issues.keys();
      Object.assign(simulator.org.issues.get(a) ?? {}, { state: 'EXCLUDED' });
      return { ignored: edits()[0] ?? '' };
    },
    'undo --yes',
    'undo --yes',
    'undo ffffffff-none',
    'journal --markdown --since 1h',
    'journal --since x',
  ],
  'an undo of which a row cannot be undone': [
    issuesIn('OPEN'),
    'issues resolve {a} {b} {c}',
    ({ simulator }) => {
      const [, b = ''] = simulator.org.issues.keys();
      Object.assign(simulator.org.issues.get(b) ?? {}, { state: 'EXCLUDED' });
    },
    'undo --yes',
    'issues list --fields id,state --limit 3 --states OPEN,EXCLUDED',
  ],
  'an undo by its entry': [
    disk,
    has('key', 'api_keys', { name: 'old agents' }),
    'monitors mute {disk} --for 1h --json',
    entry('muted'),
    passes(1),
    'api-keys delete id:{key} --yes',
    'undo',
    'undo {muted} --json --dry-run',
    'undo {muted} --json',
    'undo {muted}',
    'journal',
    'monitors mute {disk} --for 1h',
    entry('again'),
    ({ simulator }) => void simulator.org.silences.clear(),
    'undo {again} --json',
  ],
  'an undo of a mute that would have ended': [
    disk,
    'monitors mute {disk} --for 1h',
    'monitors extend {disk} --for 2h',
    entry('extended'),
    'monitors mute {disk} --for 1h --scope host:web-1 --reason deploy --add',
    'monitors mute {disk} --for 4h --scope host:web-2 --reason deploy --add',
    'monitors unmute {disk} --all',
    passes(130),
    'undo --yes',
    'undo {extended} --json',
    'monitors unmute {disk} --scope *',
    passes(60),
    'undo --yes',
    'journal',
  ],
  'ids of which one is wrong': [
    disks,
    'monitors mute {disk} not-one --for 1h',
    'monitors mute {disk} not-one --for 1h --json',
    'monitors mute {disk} {other} {monitors} {monitors:1} {monitors:2} {monitors:3} {monitors:4} 999999 --for 1h --json',
    'monitors mute {disk} not-one --for 1h --json --keep-going',
    'monitors mute {disk} {other} {monitors} {monitors:1} {monitors:2} {monitors:3} {monitors:4} 999999 --for 1h --keep-going',
  ],
};

describe.each(Object.entries(chains))('%s', { tags: ['long', 'stored'] }, (title, steps) => {
  const served = servedCommands({ monitors: 12, issues: 12, clock: reviewedClock });

  test('is as was reviewed', async () => {
    const name = title.replaceAll(' ', '-');
    await expect(await runSteps(steps, served)).toMatchFileSnapshot(`../support/stored/chains/${name}.txt`);
  });
});
