import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { type ActionCommand, commandName, leftOut } from '../../src/cli/actions/shape.ts';
import { actionLines, wordsOfLines } from '../support/action-lines.ts';
import { invented, inventedWords } from '../support/invented.ts';
import { servedCommands } from '../support/served-commands.ts';
import { receiptFaults, textFaults } from './receipts.ts';

const verbs: readonly ActionCommand[] = screens
  .flatMap(({ lists }) => lists.flatMap((list) => list.actions.map((action) => ({ list, action }))))
  // What a job has done is told by the job.
  .filter(({ action }) => !(action.id in leftOut) && !action.job);

describe.each([
  ['in the words of the specification', undefined],
  ['in the words of a deployment', inventedWords()],
])('%s', (_, vocabulary) => {
  const { machine, there, orgdeck: bare } = servedCommands({ monitors: 30, issues: 20, vocabulary });
  const isSpoken = vocabulary !== undefined;
  /** With the vocabulary, where there is one. */
  const orgdeck: typeof bare = (line, more) => {
    if (!isSpoken) return bare(line, more);
    const path = join(machine.directory, 'words.json');
    writeFileSync(path, JSON.stringify(invented));
    return bare(['--vocabulary', path, ...line], more);
  };

  test('no text that tells of an edit has a thing of the program in it', {
    timeout: 120_000,
    tags: ['long'],
  }, async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']);
    const env = { FAKE_CLIENT_SECRET: 'fake-client-secret' };
    const wordsOf = wordsOfLines(orgdeck, machine.directory, isSpoken ? invented.words.provider_a : undefined);
    const faults: string[] = [];
    expect(Object.keys(actionLines).toSorted(), 'each action has a line in test/support/action-lines.ts').toEqual(
      verbs
        .map(({ action }) => action.id)
        .filter((id, at, all) => all.indexOf(id) === at)
        .toSorted(),
    );
    for (const id of Object.keys(actionLines)) {
      const verb = verbs.find(({ action }) => action.id === id);
      if (!verb) continue;
      const line = [...commandName(verb).split(' '), ...(await wordsOf(actionLines[id]))];
      const asked = await orgdeck([...line, '--profile', 'acme'], { types: ['n'], env });
      faults.push(...textFaults(asked.err, [], isSpoken).map((fault) => `${id} asks: ${fault}`));
      const { exit, out, err } = await orgdeck([...line, '--yes', '--json'], { env });
      if (exit !== 0) faults.push(`${id} ends with ${exit}: ${err}`);
      else
        for (const item of JSON.parse(out).items)
          faults.push(...receiptFaults(item, isSpoken).map((fault) => `${id}: ${fault}`));
    }
    const texts = [await orgdeck(['journal']), await orgdeck(['journal', '--markdown'])];
    // What lists say of themselves, without their rows.
    for (const { id, search } of screens.flatMap(({ lists }) => lists))
      if (!search?.subject) texts.push({ ...(await orgdeck([...id.split('.'), 'list'])), out: '' });
    for (let nth = 0; nth < 12; nth += 1) texts.push(await orgdeck(['undo', '--yes']));
    for (const { out, err } of texts) faults.push(...textFaults(`${out}${err}`, [], isSpoken));
    expect(faults).toEqual([]);
  });
});

test.each([
  ['is JSON', 'Created audit: schema: {"fields":[]}'],
  ['has the id of an action', 'undid mappings.create Mappings'],
  ['has a member of a request', 'uploaded codes: part_count: 1'],
  ['has an empty name', 'created user : applied'],
  ['has a key of the dashboard', 'Created audit; f: create a federated one'],
  ['has a key of the dashboard', 'Order changed: K moves it up'],
  ['has a key of the dashboard', '1 account has errors (Enter: details)'],
])('the law finds what %s', (says, text) => {
  expect(textFaults(text)).toEqual([`${says}: ${text}`]);
});

test('the law finds a neutral word where a vocabulary is loaded', () => {
  const text = 'Created provider_a account';
  expect([textFaults(text), textFaults(text, [], true)]).toEqual([[], [`has a neutral word: ${text}`]]);
});

test('the law lets texts of the service be, and wants a name and an id', () => {
  expect(textFaults('Muted {"a": 1} for 1h', ['{"a": 1}'])).toEqual([]);
  const receipt = {
    action: 'roles.create',
    outcome: 'done',
    target: { kind: 'roles', id: null, name: ' ' },
    text: 'Created',
  };
  expect(receiptFaults(receipt)).toEqual(['roles.create: an empty name', 'roles.create: an empty id']);
  expect(receiptFaults({ ...receipt, outcome: 'failed', target: { ...receipt.target, name: 'x' } })).toEqual([]);
});
