import { expect, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import type { Output } from '../../src/terminal/output.ts';
import { createScreen } from '../../src/terminal/screen.ts';

/** A terminal that accepts `room` bytes, and a clock that the test advances. */
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
      const timer = { at: now + ms, then };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer), due.includes(timer) ? 1 : 0);
    },
  };
  let hangUps = 0;
  const screen = createScreen(output, clock, () => hangUps++);
  return {
    screen,
    writes,
    written: () => writes.join(''),
    hangUps: () => hangUps,
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

test('writes of one turn are sent together, and a short one without a synchronised update', async () => {
  const fixture = bench();
  fixture.screen.stream.write('\u001B[?2026h');
  fixture.screen.stream.write('short');
  fixture.screen.stream.write('\u001B[?2026l');
  await turn();
  expect(fixture.writes).toEqual(['short']);
  fixture.screen.stream.write(`\u001B[?2026h${'x'.repeat(2000)}\u001B[?2026l`);
  await turn();
  expect(fixture.writes[1]).toBe(`\u001B[?2026h${'x'.repeat(2000)}\u001B[?2026l`);
});

test('a terminal that accepts a part gets the rest in order once it is ready', async () => {
  const fixture = bench();
  fixture.takes(3);
  fixture.screen.stream.write('abcdef');
  await turn();
  fixture.screen.stream.write('ghi');
  await turn();
  expect(fixture.written()).toBe('abc');
  fixture.takes(100);
  await fixture.passes(10);
  expect(fixture.written()).toBe('abcdefghi');
});

test('output for a stalled terminal is bounded, and the whole frame is drawn when it is ready', async () => {
  const fixture = bench();
  let drawn = 0;
  fixture.screen.drawnBy({
    forget: () => undefined,
    draw: () => void fixture.screen.stream.write(`newest ${++drawn}`),
  });
  fixture.takes(0);
  fixture.screen.stream.write('first');
  await turn();
  for (let frame = 0; frame < 100; frame++) {
    fixture.screen.stream.write(`frame ${frame} ${'x'.repeat(4000)}`);
    await turn();
    await fixture.passes(30);
  }
  expect(fixture.screen.isBehind()).toBe(true);
  fixture.screen.stream.write('\u001B[?2004h lost text');
  await turn();
  expect(fixture.screen.send('\u001B]52;c;eA==\u0007')).toBe(true);
  fixture.takes(1_000_000);
  await fixture.passes(20);
  await turn();
  expect(fixture.screen.isBehind()).toBe(false);
  expect(fixture.written().length).toBeLessThan(60_000);
  expect(fixture.written()).not.toContain('lost text');
  expect(fixture.written()).toMatch(/\u001B\[\?2004h\u001B\]52;c;eA==\u0007.*newest 1$/s);
});

test('output not accepted within a quarter of a second is a stall as well', async () => {
  const fixture = bench();
  fixture.takes(0);
  fixture.screen.stream.write('a');
  await turn();
  await fixture.passes(300);
  fixture.screen.stream.write('b');
  await turn();
  expect(fixture.screen.isBehind()).toBe(true);
});

test('a hang-up is reported once, and later writes do not throw', async () => {
  const fixture = bench();
  fixture.fails('EIO');
  fixture.screen.stream.write('a');
  await turn();
  fixture.screen.stream.write('b');
  await turn();
  expect(fixture.screen.send('c')).toBe(false);
  expect(fixture.screen.close('bye')).toBe(false);
  expect(fixture.hangUps()).toBe(1);
});

test('close resets every terminal mode once, and nothing is written after it', async () => {
  const fixture = bench();
  fixture.screen.stream.write('\u001B[?1049h\u001B[?25l\u001B[?2004h\u001B[>1u frame');
  await turn();
  const before = fixture.written().length;
  expect(fixture.screen.close('last words\n')).toBe(true);
  expect(fixture.written().slice(before)).toBe('\u001B[0m\u001B[<u\u001B[?2004l\u001B[?1049l\u001B[?25hlast words\n');
  fixture.screen.stream.write('\u001B[?1049l late');
  await turn();
  fixture.screen.close('again');
  expect(fixture.written()).not.toMatch(/late|again/);
});

test('close does not leave an alternate screen that was never entered', () => {
  const fixture = bench();
  fixture.screen.close();
  expect(fixture.written()).toBe('\u001B[0m');
});

test('closing a stalled terminal finishes, says so, and ends a cut sequence', () => {
  const fixture = bench();
  fixture.takes(3);
  fixture.screen.stream.write('\u001B[?25l frame');
  fixture.screen.flush(0);
  expect(fixture.screen.close()).toBe(false);
});

test('many quick resizes are reported once, with the last size', async () => {
  const fixture = bench();
  const seen: string[] = [];
  let forgotten = 0;
  fixture.screen.drawnBy({ forget: () => forgotten++, draw: () => undefined });
  fixture.screen.stream.on('resize', () => seen.push(`${fixture.screen.stream.columns}x${fixture.screen.stream.rows}`));
  for (let step = 0; step < 20; step++) fixture.becomes(90 + step, 30);
  expect(fixture.screen.stream.columns).toBe(80);
  await fixture.passes(50);
  expect(seen).toEqual(['109x30']);
  expect(forgotten).toBe(1);
  expect(fixture.written()).toContain('\u001B[H\u001B[J');
});

test('everything is redrawn once the new size is in use, and again only if something was drawn since', async () => {
  const fixture = bench();
  const drawn = { times: 0 };
  fixture.screen.drawnBy({
    forget: () => undefined,
    draw() {
      drawn.times += 1;
      fixture.screen.stream.write(`frame ${drawn.times}`);
    },
  });
  fixture.becomes(100, 30);
  await fixture.passes(50);
  // A late frame is still drawn for the old size.
  fixture.screen.stream.write('a line too wide');
  await fixture.passes(150);
  expect(drawn.times).toBe(1);
  expect(fixture.written()).toMatch(/a line too wide[\s\S]*\u001B\[H\u001B\[Jframe 1$/);
  await fixture.passes(1000);
  expect(drawn.times).toBe(1);
  fixture.becomes(90, 30);
  await fixture.passes(200);
  fixture.screen.stream.write('late');
  await fixture.passes(10);
  await fixture.passes(1000);
  expect(drawn.times).toBe(3);
  expect(fixture.written()).toMatch(/late[\s\S]*frame 3$/);
});

test('while an external program has the terminal, only frames are written', () => {
  const fixture = bench();
  fixture.screen.hold(true);
  expect(fixture.screen.send('\u0007')).toBe(false);
  fixture.screen.hold(false);
  expect(fixture.screen.send('\u0007')).toBe(true);
});

test('drained is reported once the terminal has accepted everything', async () => {
  const fixture = bench();
  const drained: boolean[] = [];
  fixture.takes(3);
  fixture.screen.stream.write('a question');
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  await turn();
  expect(drained).toEqual([]);
  fixture.takes(100);
  await fixture.passes(8);
  expect(drained).toEqual([true]);
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  expect(drained).toEqual([true, true]);
});

test('drained waits for a skipped frame until the terminal accepts frames again', async () => {
  const fixture = bench();
  const drained: boolean[] = [];
  fixture.takes(3);
  fixture.screen.stream.write('a first frame');
  await turn();
  await fixture.passes(300);
  fixture.screen.stream.write('the question');
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  await turn();
  await fixture.passes(300);
  expect(fixture.screen.isBehind()).toBe(true);
  expect(drained).toEqual([]);
  fixture.takes(1000);
  await fixture.passes(8);
  expect(drained).toEqual([false]);
});
