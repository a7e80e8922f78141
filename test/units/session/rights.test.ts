import { expect, test } from 'vitest';
import { createRights } from '../../../src/session/rights.ts';
import { createTestClock } from '../../support/clock.ts';

/** Rights whose reads answer with what `answers` holds. */
function begun() {
  const clock = createTestClock();
  const held = { hasRoom: true, asked: [] as (number | undefined)[], changed: 0, answers: [] as object[] };
  const front = Promise.withResolvers<void>();
  const rights = createRights({
    cache: {
      ask: async (_: unknown, freshMs?: number) => {
        held.asked.push(freshMs);
        return held.answers.shift() as never;
      },
    },
    clock,
    question: () => ({ key: 'rights', of: [], plan: () => ({}) as never }),
    hasRoom: () => held.hasRoom,
    front: () => front.promise,
    changed: () => {
      held.changed += 1;
    },
  });
  return { rights, held, front, clock };
}
const answer = (...missing: string[]) => ({ value: { missing } });

test('permissions are read after what is on screen, anew each time', async () => {
  const { rights, held, front, clock } = begun();
  held.answers = [answer('write'), answer()];
  rights.read('me');
  await clock.passes(10);
  expect(held.asked).toEqual([]);
  front.resolve();
  await clock.passes(10);
  expect([[...rights.missing()], held.asked, held.changed]).toEqual([['write'], [0], 1]);
  rights.read('me');
  await clock.passes(10);
  expect([rights.missing().size, held.asked]).toEqual([0, [0, 0]]);
});

test('without room in the limits they are read a minute later, once however often they were wanted', async () => {
  const { rights, held, front, clock } = begun();
  front.resolve();
  held.hasRoom = false;
  held.answers = [answer('write')];
  rights.read('me');
  await clock.passes(10);
  rights.read('me');
  await clock.passes(10);
  await clock.passes('59s');
  expect(held.asked).toEqual([]);
  held.hasRoom = true;
  await clock.passes('2s');
  expect(held.asked).toEqual([0]);
});

test('what could not be read is unknown, so nothing is missing', async () => {
  const { rights, held, front, clock } = begun();
  front.resolve();
  held.answers = [answer('write'), { ...answer('write'), problem: { kind: 'refused', text: 'no' } }];
  rights.read('me');
  await clock.passes(10);
  rights.read('me');
  await clock.passes(10);
  expect(rights.missing().size).toBe(0);
});

test('nothing is read once they are closed', async () => {
  const { rights, held, front, clock } = begun();
  rights.read('me');
  rights.close();
  front.resolve();
  await clock.passes('2m');
  expect(held.asked).toEqual([]);
});
