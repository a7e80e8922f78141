import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time.ts';
import { createLeave } from '../../src/terminal/leave-terminal.ts';
import type { TerminalScreen } from '../../src/terminal/screen.ts';

/** A process whose exit is only recorded. */
function bench(more: { readonly finish?: (code: number) => Promise<void>; readonly takes?: boolean } = {}) {
  const steps: string[] = [];
  const events = new EventEmitter();
  const stdin = new EventEmitter() as unknown as NodeJS.ReadStream;
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  const screen = {
    close(last = '') {
      steps.push(`close ${last.trim()}`);
      return more.takes ?? true;
    },
  } as TerminalScreen;
  const fake = Object.assign(events, {
    exit(code: number) {
      steps.push(`exit ${code}`);
      resolve(code);
    },
  }) as unknown as NodeJS.Process;
  const leave = createLeave({
    screen,
    clock: systemClock,
    watcher: {
      ready: Promise.resolve(),
      guards: () => undefined,
      endsBlocked: () => undefined,
      dismiss: (ending) => steps.push(`dismiss ${ending}`),
    },
    cook: () => void steps.push('cook'),
    finish: more.finish,
    process: fake,
    stdin,
  });
  return { leave, steps, events, stdin, exited };
}

test('leaving resets the terminal, prints, finishes and exits, in this order and once', async () => {
  const fixture = bench({ finish: async (code) => void fixture.steps.push(`finish ${code}`) });
  fixture.events.emit('SIGTERM');
  fixture.events.emit('SIGTERM');
  fixture.leave.leave(0, 'no');
  fixture.events.emit('uncaughtException', new Error('late'));
  expect(await fixture.exited).toBe(143);
  fixture.events.emit('exit');
  expect(fixture.steps).toEqual(
    ['close', 'cook', 'dismiss ending', 'finish 143', 'exit 143'].map((line) => line.replace(/^close$/, 'close ')),
  );
});

test('a finish that hangs ends after a second', async () => {
  const fixture = bench({ finish: () => new Promise(() => undefined) });
  fixture.leave.leave(130);
  expect(await fixture.exited).toBe(130);
});

test('a finish that fails does not prevent the exit', async () => {
  const fixture = bench({ finish: () => Promise.reject(new Error('disk')) });
  fixture.leave.leave(0);
  expect(await fixture.exited).toBe(0);
});

test('a crash prints its error without escape sequences', async () => {
  const fixture = bench();
  fixture.events.emit('unhandledRejection', new Error('bad \u001B]0;x\u0007'));
  expect(await fixture.exited).toBe(1);
  expect(fixture.steps[0]).toContain('Error: bad ?]0;x?');
});

test('a closed terminal is a hang-up', async () => {
  const fixture = bench();
  (fixture.stdin as unknown as EventEmitter).emit('end');
  expect(await fixture.exited).toBe(129);
});

test('when the terminal does not accept the reset, the watcher resets it', async () => {
  const fixture = bench({ takes: false });
  fixture.leave.leave(0);
  await fixture.exited;
  expect(fixture.steps).not.toContain('dismiss ending');
});

test('while the editor has the terminal, SIGINT is ignored and SIGTERM is not', async () => {
  const fixture = bench();
  fixture.leave.lend(true);
  fixture.events.emit('SIGINT');
  expect(fixture.steps).toEqual([]);
  fixture.events.emit('SIGTERM');
  expect(await fixture.exited).toBe(143);
});

test('after release no signal is handled', () => {
  const fixture = bench();
  fixture.leave.release();
  expect(fixture.events.eventNames()).toEqual([]);
  expect((fixture.stdin as unknown as EventEmitter).eventNames()).toEqual([]);
});
