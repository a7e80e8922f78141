import { expect, test } from 'vitest';
import { hasIssue } from '../support/issues.ts';
import { type JourneyOptions, journey } from '../support/journey.tsx';
import { hasDisk, hasSimple } from '../support/monitors.ts';
import { stories } from '../support/stories.ts';

const one: JourneyOptions = {
  screen: 'monitors',
  monitors: 0,
  issues: 0,
  before(service) {
    hasDisk(service, { id: 77, state: 'Alert' });
    hasSimple(service, 'Queue 配送', { id: 78 });
  },
};
const story = stories(journey, one);

/** Types a command into the palette. */
const typed = (text: string): string[] => [':', ...text];

story(
  'words behind a command answer its first question; what they mean is shown before Return',
  async (user, service) => {
    await user.presses(...typed('mute 2h'));
    await user.sees(/> mute 2h +until 14:00 UTC/);
    expect(service.received('POST')).toEqual([]);
    await user.presses('return');
    await user.sees(/Muted .*until 14:00/);
    expect(service.received('POST')).toHaveLength(1);
  },
);

story('wrong words are told in a sentence, and nothing is done', async (user, service) => {
  for (const [text, says] of [
    ['mute 2x', '2x is not a length'],
    ['theme blue', 'themes: default, light, mono, high-contrast'],
    ['poll 5', 'poll every 10 to 300 seconds'],
    ['view nights', 'no view is saved yet'],
  ] as const) {
    await user.presses(...typed(text), 'return');
    await user.sees(says);
    await user.presses('esc');
  }
  expect(service.received('POST')).toEqual([]);
});

story('a theme, the pace of polls and a screen from the palette', async (user, service, clock) => {
  await user.presses(...typed('theme mono'), 'return');
  await user.sees('theme mono');
  expect(await user.colors()).toBe(0);
  await user.presses(...typed('poll 60'));
  await user.sees(/> poll 60 +poll every 60s until the program ends/);
  await user.presses('return');
  await user.sees('live 1m');
  const before = service.received('GET').length;
  await clock.passes(29_000);
  expect(service.received('GET').length).toBe(before);
  await user.presses(...typed('4'), 'return');
  await user.sees('[4 rol');
});

test(
  'a picker and a form begin with the words',
  journey(
    async (user) => {
      await user.presses(...typed('assign robin'));
      await user.sees(/> assign robin +assign: search for "robin"/);
      await user.presses('return');
      await user.sees(/Robin Vale/);
      await user.presses('esc', '4');
      await user.sees('[4 rol');
      await user.presses(...typed('new Night shift'), 'return');
      await user.sees(/Name \* +\[ Night shift/);
    },
    { screen: 'issues', issues: 3 },
  ),
);

story('rows that were opened or edited are found from every screen', async (user) => {
  await user.presses('/', '配送', 'return');
  await user.sees(/> .*Queue/);
  await user.presses('return', 'q', '4');
  await user.sees('[4 rol');
  await user.presses(...typed('配送'));
  await user.sees(/> Queue 配送 +open it in Monitors/);
  await user.presses('return');
  await user.sees('[2 mon');
  await user.sees(/┌ Queue 配送/);
});

story(
  'behind service the palette offers the services that were read, those that begin with what is typed first; range takes one of the ranges',
  {
    before(service) {
      hasIssue(service, 1, { service: 'shop-web' });
      hasIssue(service, 2, { service: 'web' });
    },
  },
  async (user) => {
    await user.opens('issues');
    await user.sees('shop-web');
    await user.presses(':', 'service we');
    await user.sees(/> service web[\s\S]*service shop-web[\s\S]*service we /);
    await user.presses('return');
    await user.sees(/┌ web /);
    await user.presses('q', ':', 'range 3d');
    await user.sees(/range 3d +the ranges are 15m, 1h/);
    await user.presses('backspace', 'backspace', '1h', 'return');
    await user.sees(/Issues .* 1h/);
  },
);

story(
  'behind team and tag the palette offers those of the monitors that were read',
  {
    before(service) {
      hasSimple(service, 'Load', { id: 79, tags: ['team:shop', 'team:core', 'env:prod', 'odd'] });
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.sees('Load');
    await user.presses(':', 'team ');
    await user.sees(/> team core[\s\S]*team shop/);
    await user.neverSees('prod');
    await user.presses('esc', ':', 'tag pro');
    await user.sees(/> tag env:prod/);
    await user.neverSees('odd');
    await user.presses('return');
    await user.sees(/┌ env:prod /);
  },
);
