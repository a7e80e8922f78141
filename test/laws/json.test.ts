import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { domains } from '../../src/cli/domains.ts';
import { outputFields } from '../../src/describe/screen.ts';
import { brokenPromises, contractOfLists } from '../support/json-page.ts';
import { root } from './sources.ts';

const stored = JSON.parse(readFileSync(join(root, 'test/support/fixtures/json-fields.json'), 'utf8'));
const lists = screens.flatMap((screen) => screen.lists);

test('no field of the JSON that scripts rely on is gone or of another type', () => {
  expect(brokenPromises(stored, contractOfLists())).toEqual([]);
  // A new field is stored with the change that brings it.
  expect(contractOfLists()).toEqual(stored);
});

test('every list prints fields with names and phrases, each once', () => {
  for (const list of lists) {
    const fields = outputFields(list);
    const names = fields.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['id', 'name']);
    expect(list.output, list.id).toBeDefined();
    expect([...new Set(names)]).toEqual(names);
    for (const { name, says } of fields) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(says).not.toBe('');
    }
  }
});

test('no field of a list is a secret', () => {
  const secret = /secret$|private_key|^key$|password|token$/;
  const names = lists.flatMap((list) => outputFields(list).map(({ name }) => `${list.id} ${name}`));
  expect(names.filter((name) => secret.test(name.split(' ')[1] ?? ''))).toEqual([]);
});

test('every list has a command', () => {
  const ids = lists.map(({ id }) => id);
  expect(domains.filter((id) => id !== 'integrations').toSorted()).toEqual(ids.toSorted());
});

test('the law reports each planted violation', () => {
  const now = { monitors: { id: 'id', state: 'text' } };
  expect(brokenPromises({ monitors: { id: 'id' } }, now)).toEqual([]);
  expect(brokenPromises({ monitors: { muted: 'flag' }, gone: { id: 'id' } }, now)).toEqual([
    'monitors: muted is gone',
    'gone: id is gone',
  ]);
  expect(brokenPromises({ monitors: { id: 'text' } }, now)).toEqual(['monitors: id was text and is id']);
});
