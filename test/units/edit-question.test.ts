import { expect, test } from 'vitest';
import { askQuestion } from '../../src/cli/edit-question.ts';

const asked = { yes: false, dryRun: false };

async function ask(reply: string | undefined, confirm: Parameters<typeof askQuestion>[2], settings = asked) {
  const said: string[] = [];
  const io = { err: (text: string) => void said.push(text), answer: async () => reply };
  return [await askQuestion(io, settings, confirm), said.join('')] as const;
}

test.each(['y', 'Y', 'yes', ' YES \n'])('the answer %j is yes', async (reply) => {
  expect(await ask(reply, { question: 'Go on?' })).toEqual([undefined, 'Go on?\n']);
});

test.each(['n', '', 'why', 'yesterday', 'y n', 'ok by me', 'ye', undefined])('the answer %j is no', async (reply) => {
  expect(await ask(reply, { question: 'Go on?' })).toEqual([1, 'Go on?\nnothing was sent\n']);
});

test.each(['web', 'web-1x', 'WEB-1', 'y', 'yes', '', undefined])('the name web-1 is not typed by %j', async (reply) => {
  expect((await ask(reply, { question: 'Delete?', typed: 'web-1' }))[0]).toBe(1);
});

test('a typed name may have spaces around it; --yes and --dry-run ask nothing', async () => {
  const confirm = { question: 'Delete?', typed: 'web-1' };
  expect((await ask(' web-1 ', confirm))[0]).toBeUndefined();
  for (const settings of [
    { yes: true, dryRun: false },
    { yes: false, dryRun: true },
  ])
    expect(await ask('n', confirm, settings)).toEqual([undefined, '']);
  expect(await askQuestion({ err: () => undefined }, asked, confirm)).toBe(2);
});

test.each([
  [undefined, 'y sends it, anything else does not'],
  ['web-1', 'Type web-1 to go on'],
])('where %s is to be typed the person is asked: %s', async (typed, asks) => {
  const titles: string[] = [];
  const answer = async (title: string) => void titles.push(title);
  await askQuestion({ err: () => undefined, answer }, asked, { question: 'Go on?', ...(typed && { typed }) });
  expect(titles).toEqual([asks]);
});
