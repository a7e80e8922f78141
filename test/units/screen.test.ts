import { expect, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import type { Output } from '../../src/terminal/output.ts';
import { createScreen } from '../../src/terminal/screen.ts';

/** A terminal that takes `room` bytes, and time that a test lets pass. */
function bench(columns = 80, rows = 24) {
  let room = Number.POSITIVE_INFINITY;
  let size = { columns, rows };
  let now = 0;
  let failure: Error | undefined;
  let onResize: () => void = () => undefined;
  const writes: string[] = [];
  const due: { at: number; then: () => void }[] = [];
  const output: Output = {
    write(bytes) {
      if (failure) throw failure;
      const taken = Math.min(room, bytes.length);
      if (taken > 0) writes.push(Buffer.from(bytes.subarray(0, taken)).toString());
      room -= taken;
      return taken;
    },
    size: () => size,
    onResize(then) {
      onResize = then;
      return () => undefined;
    },
  };
  const clock: Clock = {
    now: () => now,
    after(ms, then) {
      const it = { at: now + ms, then };
      due.push(it);
      return () => void due.splice(due.indexOf(it), due.includes(it) ? 1 : 0);
    },
  };
  let gone = 0;
  const screen = createScreen(output, clock, () => gone++);
  return {
    screen,
    writes,
    written: () => writes.join(''),
    gone: () => gone,
    fails: (code: string) => {
      failure = Object.assign(new Error(code), { code });
    },
    takes: (bytes: number) => {
      room = bytes;
    },
    becomes(toColumns: number, toRows: number) {
      size = { columns: toColumns, rows: toRows };
      onResize();
    },
    async passes(ms: number) {
      const until = now + ms;
      for (;;) {
        due.sort((a, b) => a.at - b.at);
        const next = due[0];
        if (!next || next.at > until) break;
        due.shift();
        now = next.at;
        next.then();
        await Promise.resolve();
      }
      now = until;
      await Promise.resolve();
    },
  };
}

const turn = () => new Promise((go) => setImmediate(go));

test('writes of one turn leave as one, and a short one needs no synchronised update', async () => {
  const it = bench();
  it.screen.stream.write('\u001B[?2026h');
  it.screen.stream.write('short');
  it.screen.stream.write('\u001B[?2026l');
  await turn();
  expect(it.writes).toEqual(['short']);
  it.screen.stream.write(`\u001B[?2026h${'x'.repeat(2000)}\u001B[?2026l`);
  await turn();
  expect(it.writes[1]).toBe(`\u001B[?2026h${'x'.repeat(2000)}\u001B[?2026l`);
});

test('a terminal that takes a part gets the rest when it goes on, in order', async () => {
  const it = bench();
  it.takes(3);
  it.screen.stream.write('abcdef');
  await turn();
  it.screen.stream.write('ghi');
  await turn();
  expect(it.written()).toBe('abc');
  it.takes(100);
  await it.passes(10);
  expect(it.written()).toBe('abcdefghi');
});

test('a stalled terminal bounds memory, and is drawn whole when it goes on', async () => {
  const it = bench();
  let drawn = 0;
  it.screen.drawnBy({
    forget: () => undefined,
    draw: () => void it.screen.stream.write(`newest ${++drawn}`),
  });
  it.takes(0);
  it.screen.stream.write('first');
  await turn();
  for (let frame = 0; frame < 100; frame++) {
    it.screen.stream.write(`frame ${frame} ${'x'.repeat(4000)}`);
    await turn();
    await it.passes(30);
  }
  expect(it.screen.isBehind()).toBe(true);
  it.screen.stream.write('\u001B[?2004h lost text');
  await turn();
  expect(it.screen.send('\u001B]52;c;eA==\u0007')).toBe(true);
  it.takes(1_000_000);
  await it.passes(20);
  await turn();
  expect(it.screen.isBehind()).toBe(false);
  expect(it.written().length).toBeLessThan(60_000);
  expect(it.written()).not.toContain('lost text');
  expect(it.written()).toMatch(/\u001B\[\?2004h\u001B\]52;c;eA==\u0007.*newest 1$/s);
});

test('a little that nobody takes for a quarter of a second is a stall too', async () => {
  const it = bench();
  it.takes(0);
  it.screen.stream.write('a');
  await turn();
  await it.passes(300);
  it.screen.stream.write('b');
  await turn();
  expect(it.screen.isBehind()).toBe(true);
});

test('a hang-up is told once, and nothing throws afterwards', async () => {
  const it = bench();
  it.fails('EIO');
  it.screen.stream.write('a');
  await turn();
  it.screen.stream.write('b');
  await turn();
  expect(it.screen.send('c')).toBe(false);
  expect(it.screen.close('bye')).toBe(false);
  expect(it.gone()).toBe(1);
});

test('close takes back what is set, once, and nothing passes after it', async () => {
  const it = bench();
  it.screen.stream.write('\u001B[?1049h\u001B[?25l\u001B[?2004h\u001B[>1u frame');
  await turn();
  const before = it.written().length;
  expect(it.screen.close('last words\n')).toBe(true);
  expect(it.written().slice(before)).toBe('\u001B[0m\u001B[<u\u001B[?2004l\u001B[?1049l\u001B[?25hlast words\n');
  it.screen.stream.write('\u001B[?1049l late');
  await turn();
  it.screen.close('again');
  expect(it.written()).not.toMatch(/late|again/);
});

test('an alternate screen that was never entered is not left', () => {
  const it = bench();
  it.screen.close();
  expect(it.written()).toBe('\u001B[0m');
});

test('closing a stalled terminal ends, says so, and what was cut off is ended', () => {
  const it = bench();
  it.takes(3);
  it.screen.stream.write('\u001B[?25l frame');
  it.screen.flush(0);
  expect(it.screen.close()).toBe(false);
});

test('a storm of window changes is told once, with the size that counts', async () => {
  const it = bench();
  const seen: string[] = [];
  let forgotten = 0;
  it.screen.drawnBy({ forget: () => forgotten++, draw: () => undefined });
  it.screen.stream.on('resize', () => seen.push(`${it.screen.stream.columns}x${it.screen.stream.rows}`));
  for (let step = 0; step < 20; step++) it.becomes(90 + step, 30);
  expect(it.screen.stream.columns).toBe(80);
  await it.passes(50);
  expect(seen).toEqual(['109x30']);
  expect(forgotten).toBe(1);
  expect(it.written()).toContain('\u001B[H\u001B[J');
});

test('once everybody has heard of a new size all is drawn anew, and again only where something was drawn since', async () => {
  const it = bench();
  const drawn = { times: 0 };
  it.screen.drawnBy({
    forget: () => undefined,
    draw() {
      drawn.times += 1;
      it.screen.stream.write(`frame ${drawn.times}`);
    },
  });
  it.becomes(100, 30);
  await it.passes(50);
  // Whoever has not heard of it yet draws for the old size.
  it.screen.stream.write('a line too wide');
  await it.passes(150);
  expect(drawn.times).toBe(1);
  expect(it.written()).toMatch(/a line too wide[\s\S]*\u001B\[H\u001B\[Jframe 1$/);
  await it.passes(1000);
  expect(drawn.times).toBe(1);
  it.becomes(90, 30);
  await it.passes(200);
  it.screen.stream.write('late');
  await it.passes(10);
  await it.passes(1000);
  expect(drawn.times).toBe(3);
  expect(it.written()).toMatch(/late[\s\S]*frame 3$/);
});

test('while the terminal is lent nothing is sent beside the frames', () => {
  const it = bench();
  it.screen.hold(true);
  expect(it.screen.send('\u0007')).toBe(false);
  it.screen.hold(false);
  expect(it.screen.send('\u0007')).toBe(true);
});

test('drained: told when the terminal has taken all, not before', async () => {
  const it = bench();
  const told: boolean[] = [];
  it.takes(3);
  it.screen.stream.write('a question');
  it.screen.drained((isWhole) => told.push(isWhole));
  await turn();
  expect(told).toEqual([]);
  it.takes(100);
  await it.passes(8);
  expect(told).toEqual([true]);
  it.screen.drained((isWhole) => told.push(isWhole));
  expect(told).toEqual([true, true]);
});

test('drained: a frame that was left out is not whole, and waits until the terminal takes frames again', async () => {
  const it = bench();
  const told: boolean[] = [];
  it.takes(3);
  it.screen.stream.write('a first frame');
  await turn();
  await it.passes(300);
  it.screen.stream.write('the question');
  it.screen.drained((isWhole) => told.push(isWhole));
  await turn();
  await it.passes(300);
  expect(it.screen.isBehind()).toBe(true);
  expect(told).toEqual([]);
  it.takes(1000);
  await it.passes(8);
  expect(told).toEqual([false]);
});
