import { describe, expect, test } from 'vitest';
import { screens } from '../../../screens/index.ts';
import { action } from '../../../src/describe/action.ts';
import { bareSession, heldSource } from '../../support/bare-session.ts';
import { bareList } from '../../support/things.ts';

interface Lamp {
  readonly id: string;
  readonly isOn?: boolean;
}

const deed = (id: string, key: string, more: object = {}) =>
  action<Lamp>({ id, key, title: id, help: id, uses: [], send: () => ({}) as never, done: () => id, ...more });

const session = async (...actions: readonly object[]) => {
  const rows = [{ id: 'a', isOn: true }, { id: 'b' }];
  const list = bareList<Lamp>({ id: 'lamps', actions: actions as never, nameOf: ({ id }) => id });
  const held = { ...list, load: () => heldSource('lamps', () => rows) };
  const { session: made, clock } = await bareSession([
    { id: 'lamps', title: 'Lamps', key: '1', lists: [held as never] },
  ]);
  await clock.passes(0);
  return made;
};

describe('actions of one key', () => {
  const toggle = [
    deed('disable', 't', { already: ({ isOn }: Lamp) => (isOn ? undefined : 'already disabled') }),
    deed('enable', 't', { already: ({ isOn }: Lamp) => (isOn ? 'not disabled' : undefined) }),
  ];

  test('the one that the row takes has it; the others keep their place in the menu without a key', async () => {
    const made = await session(...toggle);
    const keyed = () =>
      made
        .now()
        .bindings.filter(({ keys }) => keys.includes('t'))
        .map(({ title }) => title);
    expect(keyed()).toEqual(['disable']);
    made.send({ type: 'moveCursor', by: 1 });
    expect(keyed()).toEqual(['enable']);
    expect(made.now().bindings.map(({ title }) => title)).toEqual(expect.arrayContaining(['disable', 'enable']));
  });

  test('one that is about a line of the detail has it there alone', async () => {
    const onLine = { onLine: ({ subRowId }: { subRowId?: string }) => subRowId };
    const made = await session(deed('delete', 'd'), deed('remove', 'd', onLine));
    const keyed = made
      .now()
      .bindings.filter(({ keys }) => keys.includes('d'))
      .map(({ title }) => title);
    expect(keyed).toEqual(['delete']);
  });

  test('several that need no row are asked for in a menu with digits', async () => {
    const made = await session(deed('upload', 'n', { on: 'list' }), deed('create', 'n', { on: 'list' }));
    const [binding] = made.now().bindings.filter(({ keys }) => keys.includes('n'));
    expect(binding).toMatchObject({ title: 'new…', run: { type: 'openChoice', ids: ['upload', 'create'] } });
    if (binding) made.send(binding.run);
    expect(made.now().state.layers.at(-1)).toMatchObject({
      ...{ kind: 'menu', title: 'New' },
      items: [
        { key: '1', label: 'upload' },
        { key: '2', label: 'create' },
      ],
    });
  });
});

/** What each key of an action may mean. One that is free gets a line here with its first action. */
const meanings: Readonly<Record<string, RegExp>> = {
  a: /^(?:assign|add user|add reader|add key|grant)$/,
  A: /^acknowledge$/,
  c: /^copy$/,
  d: /^(?:delete|delete key|remove user|remove reader|revoke)$/,
  e: /^(?:edit|edit key|rename)$/,
  E: /^exclude$/,
  i: /^ignore$/,
  m: /^mute$/,
  M: /^(?:unmute|end)$/,
  n: /^(?:new|new \w.*|upload file)$/,
  O: /^reopen$/,
  r: /^resolve$/,
  t: /^(?:enable\/disable|enable|disable)$/,
  X: /^unassign$/,
  '+': /^extend$/,
  'ctrl+s': /^save order$/,
};

test('a letter of an action has one meaning on every screen', () => {
  const actions = screens.flatMap(({ lists }) => lists).flatMap((list) => list.actions);
  const odd = actions
    .filter(({ key, title }) => key !== undefined && !meanings[key]?.test(title))
    .map(({ id, key, title }) => `${id}: ${key} means ${meanings[key ?? ''] ?? 'nothing yet'}, not ${title}`);
  expect(odd).toEqual([]);
});
