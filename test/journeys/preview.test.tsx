import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasSimple } from '../support/monitors.ts';
import { hasFilters } from '../support/retention.ts';
import { stories } from '../support/stories.ts';

const story = stories(journey, {});

const beside = { columns: 180, rows: 30, monitors: 0, issues: 0 } as const;
const below = { columns: 120, rows: 40, monitors: 0, issues: 0 } as const;
const runbook = 'https://runbooks.example.test/disk';
const countOf = (screen: string, part: string): number => screen.split(part).length - 1;

story(
  'a preview that is cut says so at its foot, and one that is whole does not',
  {
    ...beside,
    before: (service) => {
      const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of the message`);
      hasSimple(service, 'long', { message: lines.join('\n') });
      hasSimple(service, 'short');
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('/long', 'return');
    await user.sees('line 1 of the message');
    expect((await user.screen()).split('\n').at(-3)).toMatch(/─ Enter: more ┘$/);
    // Enter belongs to the menu then.
    await user.presses('x');
    await user.sees(/─ … ┘$/m);
    await user.neverSees('Enter: more');
    await user.presses('esc');
    await user.presses('q', '/short', 'return');
    await user.neverSees('line 1 of the message');
    await user.neverSees('Enter: more');
  },
);

story(
  'a list that is shorter than its frame leaves the rest to the preview: a long message is whole',
  {
    ...below,
    before: (service) => {
      const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1} of the message`);
      hasSimple(service, 'long', { message: lines.join('\n') });
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.sees('line 20 of the message');
    await user.neverSees('Enter: more');
  },
);

story(
  'a preview says the runbook and who is notified once, and above a message that ends out of sight',
  {
    ...beside,
    before: (service) => {
      const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of the message`);
      const end = `Look at the disk: ${runbook}\n@oncall`;
      hasSimple(service, 'long', { message: [...lines, end].join('\n') });
      hasSimple(service, 'short', { message: end });
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('/short', 'return');
    await user.sees('Look at the disk');
    const short = await user.screen();
    expect([countOf(short, runbook), countOf(short, '@oncall')]).toEqual([1, 1]);
    await user.presses('q', '/long', 'return');
    await user.sees('line 1 of the message');
    const long = await user.screen();
    expect([countOf(long, runbook), countOf(long, '@oncall')]).toEqual([1, 1]);
    expect(long.indexOf(runbook)).toBeLessThan(long.indexOf('line 1 of the message'));
  },
);

story(
  'while rows are moved, preview and detail say the place that is not saved yet beside the one that is',
  { ...below, before: hasFilters },
  async (user) => {
    await user.opens('retention');
    await user.presses('j');
    await user.sees('Position 2: the first');
    await user.presses('J');
    await user.sees('Position 3 once saved, 2 now: the first');
    await user.presses('return');
    expect(await user.line('Position')).toContain('3 once saved, 2 now: the first');
    await user.presses('q', 'k');
    // A row that another one has passed has moved too.
    await user.sees('Position 2 once saved, 3 now: the first');
    await user.presses('q');
    await user.sees('Position 3: the first');
  },
);

story(
  'while a list is loading its preview says so, not that there is no row',
  { ...below, before: (service) => void hasSimple(service, 'Value of') },
  async (user, service) => {
    service.delays(400, 'GET /api/v1/monitor');
    await user.presses('2');
    await user.sees(/┌ Preview ─/);
    expect(countOf(await user.screen(), 'Loading…')).toBe(2);
    await user.sees('Value of');
    await user.presses('/nothing has this', 'return');
    await user.sees('No row under the cursor');
  },
);
