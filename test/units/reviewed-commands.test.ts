import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { type ActionCommand, commandName } from '../../src/cli/actions/shape.ts';
import { actionLines, type CommandWords, wordsOfLines } from '../support/action-lines.ts';
import { linesOf, requestLine, reviewed, reviewedClock } from '../support/reviewed-lines.ts';
import { servedCommands } from '../support/served-commands.ts';
import type { Simulator } from '../support/simulator.ts';
import { firstOf, storedAs } from '../support/sweeps.ts';

const verbs = screens.flatMap(({ lists }) =>
  lists.flatMap((list) => list.actions.map((action): ActionCommand => ({ list, action }))),
);
const known = Object.keys(actionLines).flatMap((id) => verbs.find(({ action }) => action.id === id) ?? []);
/** Three actions of a list at a time, in an organization where those before them have been done. */
const cases = [...Map.groupBy(known, ({ list }) => list.id)].flatMap(([list, all]) =>
  all.flatMap((_, from) => (from % 3 === 0 ? [[list, from, all] as const] : [])),
);

const edits = /^(?:POST|PUT|PATCH|DELETE) /;
/** What the service does with the edits of a command. */
const failures: Readonly<Record<string, (simulator: Simulator) => void>> = {
  'is refused': ({ refuses }) => refuses(403, { times: 9, match: edits }),
  'finds nothing': ({ refuses }) => refuses(404, { times: 9, match: edits }),
};

describe.each(cases)('the actions of %s from %i', { tags: ['long', 'stored'] }, (list, from, actions) => {
  const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 30, issues: 20, clock: reviewedClock });

  test('ask, send, say and take back what was reviewed', async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']);
    const env = { FAKE_CLIENT_SECRET: 'fake-client-secret' };
    const wordsOf = wordsOfLines(orgdeck, machine.directory);
    const lineFor = async (verb: ActionCommand) => [
      ...commandName(verb).split(' '),
      ...(await wordsOf(actionLines[verb.action.id])),
    ];
    for (const verb of actions.slice(0, from)) await orgdeck([...(await lineFor(verb)), '--yes', '--quiet'], { env });
    const pages: string[] = [];
    for (const verb of actions.slice(from, from + 3)) {
      const line = await lineFor(verb);
      pages.push(`# ${line.join(' ')}`);
      const step = async (title: string, words: readonly string[], types?: readonly string[]) => {
        simulator.forgets();
        // No secret is written over that of the step before.
        for (const name of readdirSync(machine.directory))
          if (name.startsWith('secret-of-')) rmSync(join(machine.directory, name));
        const { exit, out, err } = await orgdeck(words, { env, ...(types && { types }) });
        const lines = [...simulator.received().map(requestLine), ...linesOf(out), ...linesOf(err)];
        pages.push(
          `${title}: ${exit}`,
          ...lines.filter((each) => each !== '' && !each.startsWith('acme is')).map((each) => `  ${each}`),
        );
      };
      await step('asks', [...line, '--profile', 'acme'], ['n']);
      for (const [title, fails] of Object.entries(failures)) {
        fails(simulator);
        await step(title, [...line, '--yes']);
        simulator.recovers();
      }
      await step('does', [...line, '--yes', '--json']);
      await step('undoes', ['undo', '--yes']);
      simulator.appliesThenFails(1, { status: 502, match: edits });
      await step('does it again, without an answer', [...line, '--yes']);
      simulator.recovers();
      await step('and once more', [...line, '--yes']);
    }
    await expect(reviewed(pages, there, machine)).toMatchFileSnapshot(`../support/stored/edits/${list}-${from}.txt`);
  });
});

describe('the lists', () => {
  const { there, machine, orgdeck } = servedCommands({ monitors: 12, issues: 12, clock: reviewedClock });
  /** Values of a list of which others are: the rows of a table, the parts of a service. */
  const subjects: Readonly<Record<string, readonly [list: string, field: string]>> = {
    'tables.rows': ['tables', 'id'],
    service: ['issues', 'service'],
  };

  test.each(screens.flatMap((screen) => screen.lists.map(({ id }) => id)))('%s tells what was reviewed', async (id) => {
    const [list, field] = subjects[id] ?? [];
    const first = ['--limit', '1', '--fields', field ?? ''];
    const subject = list ? [(await orgdeck([list, 'list', ...first])).out.trim()] : [];
    const words = id.split('.');
    const lines: string[] = [];
    const tells = async (...line: readonly string[]) => {
      const { exit, out, err } = await orgdeck(line);
      const said = reviewed(linesOf(out), there, machine).trimEnd().split('\n');
      lines.push(`# ${line.join(' ')}: ${exit}`, ...firstOf(said, 10), ...linesOf(err));
      return out;
    };
    await tells(...words, 'list', ...subject, '-o', 'wide');
    const rows = await tells(...words, 'list', ...subject, '--json', '--limit', '6');
    const [row] = JSON.parse(rows).items;
    if (row) await tells(...words, 'get', ...subject, `id:${row.id}`);
    await storedAs(`rows/${id}`, [reviewed(lines, there, machine).trimEnd()]);
  });
});

const words =
  (...line: readonly string[]): CommandWords =>
  () =>
    line;
const monitor =
  (verb: string, ...more: readonly string[]): CommandWords =>
  ({ id }) => ['monitors', verb, id('monitors', 4), ...more];
const upcoming =
  (verb: string, ...more: readonly string[]): CommandWords =>
  ({ id }) => ['mutes', verb, id('mutes --range upcoming'), ...more];
const undo = words('undo', '--yes');
const mutesAhead = words('mutes', 'list', '--range', 'upcoming', '--json');

/** Lines that follow each other in one organization. */
const chains: Readonly<Record<string, readonly CommandWords[]>> = {
  'a rule over a tag': [
    words('mutes', 'create', '--tag', 'service:shop', '--for', 'every Tue 22:00 for 2h', '--reason', 'patching'),
    mutesAhead,
    upcoming('get'),
    upcoming('end', '--window'),
    mutesAhead,
    undo,
    upcoming('edit', '--time', 'every Wed 21:00 for 1h', '--scope', 'host:web-1'),
    upcoming('extend', '--for', '30m'),
    upcoming('end'),
    undo,
    mutesAhead,
  ],
  'a window to come': [
    words('mutes', 'create', '--tag', 'team:core', '--from', 'tomorrow 09:00', '--until', 'tomorrow 11:00'),
    mutesAhead,
    upcoming('end', '--window'),
    upcoming('edit', '--time', 'tomorrow 10:00-12:00', '--reason', 'later'),
    upcoming('end'),
    undo,
  ],
  'a tag now': [
    words('monitors', 'mute', '--tag', 'service:cart-api', '--for', '1h'),
    words('mutes', 'list', '--json', '--limit', '3'),
    ({ id }) => ['mutes', 'end', id('mutes')],
    undo,
    words('mutes', 'create', '--tag', 'nothing', '--for', 'forever'),
    words('mutes', 'create', '--tag', 'team:a b', '--for', '2h'),
  ],
  'one monitor': [
    monitor('mute', '--for', '30m', '--scope', 'host:web-1'),
    monitor('mute', '--for', '2h', '--scope', 'host:web-1'),
    monitor('mute', '--for', 'until 15:00', '--reason', 'all of it'),
    monitor('mute', '--for', '1h', '--add'),
    monitor('get', '--json'),
    monitor('unmute'),
    monitor('extend', '--for', '1h'),
    monitor('extend', '--for', '1h', '--scope', 'host:web-1'),
    monitor('unmute', '--scope', 'host:web-1'),
    undo,
    monitor('unmute', '--all'),
    undo,
    monitor('get'),
  ],
  'a monitor on weekdays': [
    monitor('mute', '--every', 'weekdays', '--from', '22:00', '--until', '23:00'),
    monitor('mute', '--from', '22:00', '--until', '23:00'),
    monitor('unmute'),
    upcoming('end'),
    monitor('mute', '--for', 'forever'),
    monitor('mute', '--for', '2h'),
    monitor('delete'),
  ],
  'searches for issues': [
    ...['FIRST_SEEN', 'IMPACTED_SESSIONS', 'TOTAL_COUNT'].map((order) => words('issues', 'list', '--order', order)),
    ...['me', 'none'].map((person) => words('issues', 'list', '--assignee', person)),
    ...['15m', '7d', '30d'].map((range) => words('issues', 'list', '--range', range)),
    words('issues', 'list', '--states', 'RESOLVED,IGNORED', '--track', 'BACKEND', '--query', 'service:cart-api'),
    words('issues', 'list', '--team', 'Payments', '--sort', 'count:desc', '--limit', '2'),
  ],
  'other searches': [
    ...['upcoming', 'ended', 'all'].map((range) => words('mutes', 'list', '--range', range)),
    words('monitors', 'list', '--query', 'status:alert'),
    words('people', 'list', '--status', 'Disabled'),
    words('people', 'list', '--kind', 'accounts', '--text', 'deploy'),
    words('hygiene', 'list', '--json'),
    words('service', 'list', 'cart-api', '--json'),
    words('service', 'list', 'service:'),
    words('home', 'list', '--json'),
  ],
};

describe.each(Object.entries(chains))('%s', (title, lines) => {
  const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 20, issues: 20, clock: reviewedClock });

  test('is as was reviewed', async () => {
    const wordsOf = wordsOfLines(orgdeck, machine.directory);
    const pages: string[] = [];
    for (const each of lines) {
      const line = await wordsOf(each);
      simulator.forgets();
      const { exit, out, err } = await orgdeck([...line, ...(/list|get|undo/.test(line.join(' ')) ? [] : ['--yes'])]);
      pages.push(`# ${line.join(' ')}: ${exit}`);
      for (const said of [...simulator.received().map(requestLine), ...linesOf(out), ...linesOf(err)])
        if (said !== '') pages.push(`  ${said}`);
    }
    const name = title.replaceAll(' ', '-');
    await expect(reviewed(pages, there, machine)).toMatchFileSnapshot(`../support/stored/chains/${name}.txt`);
  });
});
