import { type JourneyOptions, journey } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';
// Loads the grammars first, so that no journey types before they are loaded.
import '../../src/query/check-query.ts';
import '../../src/query/complete.ts';

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
  'below the fields stands what they do not say: a finding is shown once, at its field',
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
