import { expect, test } from 'vitest';
import type { FieldLanguage } from '../../src/describe/field.ts';
import { type JourneyOptions, journey, type User } from '../support/journey.tsx';
import { filterNamed, hasFilters } from '../support/retention.ts';
import { stories } from '../support/stories.ts';
import { sketch, smallLanguage } from '../support/test-screen.ts';

const story = stories(journey, {});

const here = (language: () => Promise<FieldLanguage> = async () => smallLanguage()): JourneyOptions => ({
  columns: 80,
  rows: 24,
  monitors: 0,
  issues: 0,
  before: hasFilters,
  screens: [sketch(language)],
});

/** Opens the form of a new filter of kind `latency`, with the cursor in its query. */
async function writes(user: User) {
  await user.opens('sketch');
  await user.presses('n');
  await user.sees('Kind');
  await user.presses('down', 'return');
  await user.sees('3 in the list, 3 read');
  await user.presses('web', 'tab', 'tab');
}

story(
  'new asks for type and count, then opens the form; the name follows the team until it is edited',
  here(),
  async (user, service) => {
    await writes(user);
    await user.sees('web latency');
    await user.presses('shift+tab', ' one', 'shift+tab', 'X', 'tab', 'tab');
    await user.sees('web latency one');
    await user.presses('shift+tab', 'ctrl+u', 'tab');
    await user.sees('webX latency');
    await user.presses('sum > 3', 'ctrl+s');
    await user.sees('✓ made webX latency of kind latency');
    expect(filterNamed(service, 'webX latency').filter.query).toBe('sum > 3');
    await user.presses('.');
    await user.sees('made webX latency of kind latency');
    expect(service.received('POST')).toHaveLength(2);
  },
);

story('an action that reads its values first then opens without a question', here(), async (user, service) => {
  await user.opens('sketch');
  await user.presses('j', 'c');
  await user.sees('is now one of 3');
  expect(filterNamed(service, 'one of 3').filter.query).toBe('*');
});

story('a refusal appears at the field it concerns, also from the review', here(), async (user, service) => {
  await user.opens('sketch');
  await user.presses('j', 'e', 'tab', 'ctrl+u', 'sum > 4', 'ctrl+s');
  await user.sees('Review changes');
  await user.sees('- service:checkout');
  service.refuses(400, { body: { errors: ['no such name'] }, match: 'retention.update' });
  await user.presses('return');
  await user.sees(/> Name.*checkout\s/);
  await user.sees('no such name');
  service.refuses(400, { body: { errors: ['cannot be counted'] }, match: 'retention.update' });
  await user.presses('2', 'ctrl+s');
  await user.sees('Review changes');
  await user.presses('return');
  await user.sees('> Query');
  await user.sees('✗');
  await user.sees('cannot be counted');
  await user.presses('ctrl+s');
  await user.sees('Review changes');
  await user.presses('return');
  await user.sees('saved checkout2');
});

story(
  'an incomplete end shows a calm hint; a fault inside shows its message, remedy and position',
  here(),
  async (user) => {
    await writes(user);
    await user.presses('sum');
    expect(await user.line('an operator and a number are missing')).toContain('· an operator');
    await user.presses('(last_8d) zap maybe > 3');
    await user.loses('an operator');
    await user.sees('! maybe is not documented (3 of 3)');
    await user.presses('home');
    await user.sees('✗ window last_8d is over the 1w limit (1 of 3)');
    await user.sees('last_1w at most');
    await user.presses('alt+n', 'alt+n');
    await user.sees('✗ zap is no function (2 of 3)');
    await user.presses('home', 'ctrl+k', 'sum', 'tab');
    await user.sees('✗ an operator and a number are missing');
  },
);

story(
  'saving an invalid query is refused once, with the cursor at the fault; saving again asks the service',
  here(),
  async (user, service) => {
    await writes(user);
    await user.presses('sum(last_8d) > 3', 'ctrl+s');
    await user.sees('Ctrl-S again: save anyway');
    expect(service.received('POST')).toEqual([]);
    await user.presses('X');
    await user.loses('Ctrl-S again');
    await user.sees('sum(Xlast_8d)');
    await user.presses('backspace', 'ctrl+s');
    await user.sees('made web latency');
    expect(filterNamed(service, 'web latency').filter.query).toBe('sum(last_8d) > 3');
  },
);

story('a doubtful query gives a warning in the review and can be saved', here(), async (user) => {
  await user.opens('sketch');
  await user.presses('j', 'e', 'tab', 'ctrl+u', 'maybe > 4', 'ctrl+s');
  await user.sees('! Query: maybe is not documented');
  await user.presses('return');
  await user.sees('saved checkout');
});

story(
  'in a multi-line query, up and down move by rows and leave at the ends; pastes and the review keep line breaks',
  here(),
  async (user, service) => {
    await user.opens('sketch');
    await user.presses('j', 'e', 'tab', 'ctrl+u');
    await user.pastes('sum\r\ncount\tx');
    await user.sees('count  x');
    await user.presses('return', '> 3', 'up', 'up');
    await user.sees('> Query');
    await user.presses('up');
    await user.sees(/> Name/);
    await user.presses('down', 'ctrl+s');
    await user.sees(/^│ *\+ sum *│$/m);
    await user.sees(/^│ *\+ count {2}x *│$/m);
    await user.presses('return');
    await user.sees('saved checkout');
    expect(filterNamed(service, 'checkout').filter.query).toBe('sum\ncount  x\n> 3');
  },
);

story(
  'the external editor gets the exact query; one trailing line break is removed',
  { ...here(), edits: (text, ending) => (ending === '.txt' ? text.replace(/\n$/, '\nand more\n') : '{}') },
  async (user, service) => {
    await user.opens('sketch');
    await user.presses('j', 'e', 'tab', 'ctrl+e');
    await user.sees(/\[ and more *\]/);
    await user.presses('alt+u');
    await user.loses('and more');
    await user.presses('alt+r', 'ctrl+s', 'ctrl+s', 'return');
    await user.sees('saved checkout');
    expect(filterNamed(service, 'checkout').filter.query).toBe('service:checkout\nand more');
  },
);

story(
  'a save waits for the grammar; when it cannot be loaded, a message says so and the field still works',
  here(async () => Promise.reject(new Error('no such file'))),
  async (user, service) => {
    await writes(user);
    await user.sees('Not checked: no such file');
    await user.presses('zap', 'ctrl+s');
    await user.sees('made web latency');
    expect(filterNamed(service, 'web latency').filter.query).toBe('zap');
  },
);

test('a save waits until the grammar has loaded, then checks the query with it', async () => {
  const late = Promise.withResolvers<FieldLanguage>();
  await journey(
    async (user, service) => {
      await writes(user);
      await user.presses('zap > 3', 'ctrl+s');
      await user.sees('checking');
      expect(service.received('POST')).toEqual([]);
      late.resolve(smallLanguage());
      await user.sees('zap is no function');
      await user.sees('Ctrl-S again');
      await user.presses('ctrl+s');
      await user.sees('made web latency');
    },
    here(() => late.promise),
  )();
});
