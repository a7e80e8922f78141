import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createLeave } from '../../src/terminal/leave.ts';
import type { Screen } from '../../src/terminal/screen.ts';

/** A process that is never really left. */
function bench(more: { readonly finish?: (code: number) => Promise<void>; readonly takes?: boolean } = {}) {
  const told: string[] = [];
  const events = new EventEmitter();
  const stdin = new EventEmitter() as unknown as NodeJS.ReadStream;
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  const screen = {
    close(last = '') {
      told.push(`close ${last.trim()}`);
      return more.takes ?? true;
    },
  } as Screen;
  const fake = Object.assign(events, {
    exit(code: number) {
      told.push(`exit ${code}`);
      resolve(code);
    },
  }) as unknown as NodeJS.Process;
  const leave = createLeave({
    screen,
    clock: systemClock,
    watcher: { pid: 1, guards: () => undefined, dismiss: () => told.push('dismiss') },
    cook: () => void told.push('cook'),
    finish: more.finish,
    process: fake,
    stdin,
  });
  return { leave, told, events, stdin, exited };
}

test('terminal, message, finish, exit: in this order and once, however often it is asked', async () => {
  const it = bench({ finish: async (code) => void it.told.push(`finish ${code}`) });
  it.events.emit('SIGTERM');
  it.events.emit('SIGTERM');
  it.leave.leave(0, 'no');
  it.events.emit('uncaughtException', new Error('late'));
  expect(await it.exited).toBe(143);
  it.events.emit('exit');
  expect(it.told).toEqual(
    ['close', 'cook', 'dismiss', 'finish 143', 'exit 143'].map((line) => line.replace(/^close$/, 'close ')),
  );
});

test('a finish that hangs is left after a second', async () => {
  const it = bench({ finish: () => new Promise(() => undefined) });
  it.leave.leave(130);
  expect(await it.exited).toBe(130);
});

test('a finish that fails does not keep it', async () => {
  const it = bench({ finish: () => Promise.reject(new Error('disk')) });
  it.leave.leave(0);
  expect(await it.exited).toBe(0);
});

test('a crash says what happened, without sequences', async () => {
  const it = bench();
  it.events.emit('unhandledRejection', new Error('bad \u001B]0;x\u0007'));
  expect(await it.exited).toBe(1);
  expect(it.told[0]).toContain('Error: bad ?]0;x?');
});

test('a terminal that is gone is a hang-up', async () => {
  const it = bench();
  (it.stdin as unknown as EventEmitter).emit('end');
  expect(await it.exited).toBe(129);
});

test('a terminal that did not take the sequences is left to the watcher', async () => {
  const it = bench({ takes: false });
  it.leave.leave(0);
  await it.exited;
  expect(it.told).not.toContain('dismiss');
});

test('Ctrl-C belongs to the editor while it has the terminal; a TERM does not', async () => {
  const it = bench();
  it.leave.lend(true);
  it.events.emit('SIGINT');
  expect(it.told).toEqual([]);
  it.events.emit('SIGTERM');
  expect(await it.exited).toBe(143);
});

test('released, it hears nothing', () => {
  const it = bench();
  it.leave.release();
  expect(it.events.eventNames()).toEqual([]);
  expect((it.stdin as unknown as EventEmitter).eventNames()).toEqual([]);
});
