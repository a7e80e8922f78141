import { expect } from 'vitest';
import { type JourneyOptions, journey } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';
// Loads the grammars first, so that no journey types before they are loaded.
import '../../src/query/check-query.ts';
import '../../src/query/query-help.ts';

const story = stories(journey, {});

const at = (columns: number, rows: number): JourneyOptions => ({
  columns,
  rows,
  monitors: 0,
  issues: 0,
  before: (service: Simulator) => void hasDisk(service, { id: 77 }),
});

story(
  'at 80 columns a form says what it is, what is required, how much of it is seen, and that its draft is kept',
  at(80, 24),
  async (user) => {
    await user.opens('monitors');
    await user.presses('n', 'return');
    await user.sees(/^┌ New metric monitor ─+ \* required ┐$/m);
    await user.sees(/^│> Name +\[ +\] │$/m);
    await user.sees(/^│ {2}Query \* +\[ avg\(.* \] │$/m);
    await user.sees(/─ 1-9\/9 ┘$/m);
    await user.presses('Load');
    await user.sees(/^└ draft saved \d\d:\d\d UTC ─+ 1-9\/9 ┘$/m);
    await user.sees(/^ Ctrl-S review and create {2}.*Esc close \(draft kept\) *$/m);
    await user.sees(/^│ What it would do now +│\n│ ✓ valid +│\n│ {3}Alerts when, for each host, the average .* │$/m);
    await user.presses('ctrl+s');
    await user.sees(/^│ What will be sent +│\n│ ✓ valid +│$/m);
  },
);

story(
  'below the fields stands what they do not say: a diagnostic is shown once, at its field',
  at(80, 24),
  async (user) => {
    await user.opens('monitors');
    await user.presses('n', 'return', 'tab', 'ctrl+u');
    await user.pastes('avg(last_8d):avg:disk.used{*} by {host} > 5');
    await user.sees('✗ window last_8d is over the 1w limit');
    await user.sees(/What it would do now +│\n│ {3}Alerts when, for each host/);
    await user.neverSees('✓ valid');
    await user.neverSees('Query: window');
  },
);

story('Return opens and shuts the further fields, and in a text it is a line break', at(80, 24), async (user) => {
  await user.opens('monitors');
  await user.presses('n', 'return');
  await user.sees(/▸ More options \(\d+\)/);
  await user.presses('shift+tab', 'return');
  await user.sees('▾ Fewer options');
  await user.sees(/─ \d+-\d+\/2\d ┘$/m);
  await user.presses('return');
  await user.sees('▸ More options');
  await user.presses('tab', 'tab', 'tab', 'tab', 'look', 'return', 'twice');
  await user.sees(/> Message +\[ look +\] │\n│ +\[ twice +\] │/);
});

story(
  'at 120 columns the right half says what would be refused and Review changes, in the review the request',
  at(120, 40),
  async (user) => {
    await user.opens('monitors');
    await user.presses('e');
    await user.sees(/┌ Edit monitor Disk ─+ \* required ┐┌ What it would do now ─+┐/);
    await user.sees('✓ valid');
    await user.sees('None yet');
    await user.sees(/Alerts when, for each host, the average/);
    await user.sees('No notifications: the message has no @name');
    await user.presses('ctrl+u');
    await user.sees('· Name is required');
    await user.presses('Store');
    await user.sees('✓ valid');
    await user.sees('- Disk');
    await user.sees('+ Store');
    await user.neverSees('PUT /api');
    await user.presses('ctrl+s');
    await user.sees('┌ What will be sent ─');
    await user.sees('PUT /api/v1/monitor/77');
    await user.sees('"name": "Store"');
  },
);

story(
  'at 200 columns a new thing shows its request at once, an edit as soon as there is a change',
  at(200, 50),
  async (user) => {
    await user.opens('monitors');
    await user.presses('n', 'return');
    await user.sees('POST /api/v1/monitor');
    await user.neverSees('Changes');
    await user.presses('esc');
    await user.presses('e');
    await user.sees('None yet');
    await user.neverSees('PUT /api');
    await user.presses('x');
    await user.sees('PUT /api/v1/monitor/77');
  },
);

const longMessage = (times: number) => 'look at the dashboard first '.repeat(times).trim();

story(
  'at 80x24 every line of a long request can be read in the review before it is sent, and sent from its end',
  at(80, 24),
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('n', 'return');
    await user.presses('Load', 'tab', 'tab', 'tab');
    await user.sees('> Message');
    await user.pastes(longMessage(40));
    await user.presses('ctrl+s');
    await user.sees(/ Review ─.*[\s\S]* 1-19\/\d+ ┘$/m);
    await user.sees(/^ Enter send {2}j down {2}Ctrl-D page down {2}Esc back to the form *$/m);
    const read: string[] = [];
    const lines = async () => (await user.screen()).split('\n').filter((line) => line.startsWith('│'));
    for (const line of await lines()) read.push(line);
    const [, count = '0'] = /-\d+\/(\d+) ┘/.exec(await user.screen()) ?? [];
    for (let last = 20; last <= Number(count); last += 1) {
      await user.presses('j');
      await user.sees(`${last - 18}-${last}/${count} ┘`);
      read.push((await lines()).at(-1) ?? '');
    }
    const texts = read.map((line) => line.replace(/^│ /, '').replace(/ *│$/, ''));
    const from = texts.findIndex((text) => text.startsWith('POST '));
    const shown = texts.slice(from + 1).map((text) => text.trim());
    await user.presses('return');
    await user.sees('Created monitor');
    const [sent] = service.received('POST', '/monitor').filter(({ path }) => path.endsWith('/monitor'));
    const words = (text: string) => text.replace(/\s/g, '');
    expect(words(shown.join(''))).toBe(words(JSON.stringify(sent?.body)));
  },
);

story(
  'a review that has room for all of it offers no scrolling; at 120 columns both halves scroll, back by one line with each key',
  at(120, 24),
  async (user) => {
    await user.opens('monitors');
    await user.presses('e', 'x', 'ctrl+s');
    await user.sees('┌ What will be sent ─');
    await user.neverSees('j down');
    await user.sees(/UTC ─+┘└─+┘$/m);
    await user.neverSees(/\d+-\d+\/\d+ ┘/);
    await user.presses('esc', 'tab', 'tab', 'tab');
    await user.sees('> Message');
    await user.pastes(longMessage(40));
    await user.presses('ctrl+s');
    await user.sees('j down');
    // A row that is broken after a blank loses no letter.
    await user.neverSees('…');
    await user.presses('G');
    await user.sees(/^│ .*│{2} \} +│$/m);
    // Of the right half, which is the longer one.
    const end = /(\d+)-(\d+)\/\2 ┘$/m.exec(await user.screen());
    await user.presses('G', 'j', 'k');
    await user.sees(`${Number(end?.[1]) - 1}-${Number(end?.[2]) - 1}/${end?.[2]} ┘`);
    await user.presses('g');
    await user.sees(/ 1-19\/\d+ ┘/);
  },
);
