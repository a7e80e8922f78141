import { expect, test } from 'vitest';
import type { Problem } from '../../src/api/problem.ts';
import { failed, sayingWhatIsAwaited, tellUnread } from '../../src/cli/io.ts';
import { createTestClock } from '../support/clock.ts';

const heard = () => {
  const said: string[] = [];
  return { said, err: (text: string) => void said.push(text) };
};

test.each([
  [0, []],
  [5, ['not understood and left out: 1; 2; 3; 4; 5\n']],
  [7, ['not understood and left out: 1; 2; 3; 4; 5 and 2 more\n']],
])('of %i fields that were not understood five are named', (count, told) => {
  const io = heard();
  tellUnread(
    io,
    Array.from({ length: count }, (_, at) => String(at + 1)),
  );
  expect(io.said).toEqual(told);
});

test('a refusal says once what the service says and which permission is needed', () => {
  const refused = { kind: 'forbidden', text: 'Forbidden', messages: ['Ask Kim'], permission: ['roles_write'] } as const;
  const tell = (problem: Problem) => {
    const io = heard();
    return [failed(io, problem), io.said.join('')];
  };
  expect(tell(refused)).toEqual([4, 'Forbidden\n  the service says: Ask Kim\n  needs: roles_write\n']);
  const whole = 'Forbidden: Ask Kim (needs roles_write)';
  expect(tell({ ...refused, text: whole })).toEqual([4, `${whole}\n`]);
});

test('after a second it is said for which program a command waits, and nothing without one', async () => {
  const clock = createTestClock(0);
  const typed = { typed: true } as const;
  const waits = async (apiKey: { readonly command: readonly string[] } | typeof typed, time: number) => {
    const io = heard();
    const opening = Promise.withResolvers<string>();
    const request = { owner: 'acme', sources: { apiKey, appKey: apiKey } };
    const waiting = sayingWhatIsAwaited({ keyRequest: request }, { ...io, clock }, opening.promise);
    await clock.passes(time);
    opening.resolve('open');
    return [await waiting, io.said];
  };
  const told = ['orgdeck: waiting for pass to print a key, 30s at most; Ctrl-C ends\n'];
  expect(await waits({ command: ['pass', 'show', 'acme'] }, 999)).toEqual(['open', []]);
  expect(await waits({ command: ['pass', 'show', 'acme'] }, 1000)).toEqual(['open', told]);
  expect(await waits(typed, 2000)).toEqual(['open', []]);
});
