import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { ask, call } from '../../src/api/endpoint.ts';
import { currentUser } from '../../src/api/users.ts';
import type { Client } from '../../src/client/client.ts';
import type { Context } from '../../src/describe/context.ts';
import type { AnyList, Screen } from '../../src/describe/screen.ts';
import { clientAt } from '../support/client-at.ts';
import { createTestClock } from '../support/clock.ts';
import { honest } from '../support/declared-operations.ts';
import { contextOf } from '../support/plans.ts';
import { createSimulator } from '../support/simulator.ts';
import { readFaults, type Send } from './reads.ts';

/** Runs a story against a seeded organization over HTTP. */
async function seated<T>(story: (client: Client, context: Context) => Promise<T>): Promise<T> {
  const clock = createTestClock();
  const service = createSimulator({ seed: 5, monitors: 12, issues: 6, clock, lively: false });
  const at = await service.start();
  const client = clientAt(at, { readOnly: true, clock, random: () => 0.5 });
  try {
    return await story(client, contextOf({ now: clock.now() }));
  } finally {
    await client.close();
    await service.stop();
  }
}

const read = <T>(story: (send: Send, context: Context) => Promise<T>): Promise<T> =>
  seated((client, context) => story((call) => client.send(call), context));

const lists = screens.flatMap((screen) => screen.lists);

test('every list sends exactly the operations that it declares', async () => {
  expect(await read((send, context) => readFaults(lists, context, send))).toEqual([]);
});

test('the law reports an undeclared operation, and a declared one that is never sent', async () => {
  const roles = lists.find((list) => list.id === 'roles') as AnyList;
  const [first, ...others] = roles.reads ?? [];
  const strange = lists.find((list) => list.id === 'retention')?.reads?.[0];
  if (!first || !strange) throw new Error('roles and retention filters read with nothing');
  const faults = await read((send, context) => readFaults([{ ...roles, reads: [...others, strange] }], context, send));
  expect(faults).toEqual([
    `roles reads with ${first.id} and does not say so`,
    `roles says that it reads with ${strange.id}, and never does`,
  ]);
});

test('every journey reports an action that sends an undeclared operation', async () => {
  const roles = screens.find((screen) => screen.lists.some((list) => list.id === 'roles')) as Screen;
  const bare = { ...roles, lists: roles.lists.map((list) => ({ ...list, reads: [] })) };
  const purpose = (action: string) => ({ purpose: { action, target: { id: '', name: '' } } });
  const action = roles.lists[0]?.actions[0]?.id ?? '';
  const lies = await seated(async (client) => {
    const observed = honest(client, [bare]);
    await observed.client.send(call(currentUser), purpose(action));
    await observed.client.run(ask(call(currentUser)), purpose('undo'));
    return [...observed.lies];
  });
  expect(lies).toEqual([`${action} sends current-user.get and does not say so`]);
});
