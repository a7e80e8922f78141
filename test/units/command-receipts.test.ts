import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OutcomeWord } from '../../src/cli/actions/receipts.ts';
import { root } from '../laws/sources.ts';
import { noonClock } from '../support/clock.ts';
import { hasDisk } from '../support/monitors.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, orgdeck } = servedCommands({ monitors: 12, issues: 12, clock: noonClock() });
/** Runs a command with `--json`; its receipts are `items`. */
const receiptsOf = async (...line: string[]) => {
  const ran = await orgdeck([...line, '--json']);
  const { version, items, partial } = JSON.parse(ran.out);
  expect(version).toBe(1);
  return { ...ran, items, partial };
};

test('a receipt as JSON has the fields that docs/json.md describes', async () => {
  const page = readFileSync(join(root, 'docs/json.md'), 'utf8');
  const [section = ''] = page.slice(page.indexOf('## Receipts')).split('\n## Fields');
  const namesIn = (table = '') => [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const [fields, words] = section.split('| outcome |').map(namesIn);
  const key = ['keys-own', 'create', '--scopes', 'monitors_read', '--name', 'ci', '--reveal'];
  const ofKey = Object.keys((await receiptsOf(...key)).items[0]);
  expect(ofKey).toEqual(fields?.filter((field) => field !== 'undoes' && field !== 'steps'));
  const muted = await receiptsOf('monitors', 'mute', hasDisk(simulator), '--for', '1h');
  const ofUndo = Object.keys((await receiptsOf('undo', muted.items[0].entry)).items[0]);
  expect(ofUndo.sort()).toEqual(fields?.filter((field) => field !== 'secret' && field !== 'steps').sort());
  // Does not compile without one of the words.
  const all: Record<OutcomeWord, 1> = { done: 1, already: 1, partly: 1, failed: 1, unknown: 1, notSent: 1, planned: 1 };
  expect(words?.sort()).toEqual(Object.keys(all).sort());
});

test('a plan counts the rows that would be edited, and an issue names to whom it went', async () => {
  const some = await receiptsOf(
    'monitors',
    'mute',
    hasDisk(simulator),
    '1',
    '--for',
    '1h',
    '--keep-going',
    '--dry-run',
  );
  expect(some).toMatchObject({ exit: 3, partial: ['1 of 2 would be done'] });
  const [issue] = JSON.parse((await orgdeck(['issues', 'list', '--limit', '1', '--json', 'id'])).out).items;
  const { items } = await receiptsOf('issues', 'assign', issue.id, '--to', 'me');
  const assignees = items[0].changes.filter(({ field }: { field: string }) => field === 'assignee');
  expect(assignees).toMatchObject([{ to: { id: items[0].facts.assignee, name: expect.any(String) } }]);
});

test('a receipt warns where the service stores something else than was asked for', async () => {
  const [user] = JSON.parse((await orgdeck(['people', 'list', '--limit', '1', '--json', 'id'])).out).items;
  const warnings = [];
  for (const email of ['Ada.Lake@Example.test', 'ada@example.test'])
    warnings.push((await receiptsOf('people', 'edit', user.id, '--email', email)).items[0].warning);
  expect(warnings).toEqual([true, false]);
});

test('with --quiet nothing on standard error tells what was done', async () => {
  const key = (name: string) => ['keys-own', 'create', '--scopes', 'monitors_read', '--reveal', '--name', name];
  expect((await orgdeck(key('loud'))).err).not.toBe('');
  expect(await orgdeck([...key('quiet'), '--quiet'])).toMatchObject({ exit: 0, err: '' });
});
