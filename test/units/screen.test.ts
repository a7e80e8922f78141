import { expect, test } from 'vitest';
import type { Clock } from '../../src/lib/time.ts';
import type { Output } from '../../src/terminal/output.ts';
import { createLines, createScreen } from '../../src/terminal/screen.ts';

/** A terminal that accepts `room` bytes, and a clock that the test advances. */
function bench(isLines = false, columns = 80, rows = 24) {
  let room = Number.POSITIVE_INFINITY;
  let size = { columns, rows };
  let now = 0;
  let recoversAt = Number.POSITIVE_INFINITY;
  let failure: Error | undefined;
  let onResize: () => void = () => undefined;
  const writes: string[] = [];
  const due: { at: number; then: () => void }[] = [];
  const output: Output = {
    write(bytes) {
      if (failure) throw failure;
      if (performance.now() >= recoversAt) room = Number.POSITIVE_INFINITY;
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
  let said = 0;
  const gone = () => void hangUps++;
  const screen = isLines
    ? createLines(output, clock, { gone, again: () => void said++ })
    : createScreen(output, clock, gone);
  return {
    screen,
    writes,
    written: () => writes.join(''),
    hangUps: () => hangUps,
    said: () => said,
    fails: (code: string) => {
      failure = Object.assign(new Error(code), { code });
    },
    takes: (bytes: number) => {
      room = bytes;
    },
    /** Real time, for what blocks. */
    recovers(ms: number) {
      recoversAt = performance.now() + ms;
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

const begin = '\u001B[?1049h\u001B[?25l';
const wiped = '\u001B]8;;\u001B\\\u001B[0m\u001B[r\u001B[H\u001B[J';

test('the first frame enters the alternate screen; of the frames of one turn the last one is drawn', async () => {
  const fixture = bench();
  fixture.screen.stream.write('first');
  fixture.screen.stream.write('frame');
  fixture.screen.stream.write('');
  await turn();
  expect(fixture.written()).toBe(`${begin}${wiped}frame`);
  fixture.screen.stream.write('frame');
  await turn();
  expect(fixture.written()).toBe(`${begin}${wiped}frame`);
});

test('a terminal that accepts a part gets the rest in order, and then the cells of the newest frame', async () => {
  const fixture = bench();
  fixture.takes(20);
  fixture.screen.stream.write('abcdef');
  await turn();
  for (const frame of ['abcdeg', 'abcdeh', 'abcdei']) {
    fixture.screen.stream.write(frame);
    await turn();
  }
  expect(fixture.written()).toHaveLength(20);
  fixture.takes(100);
  await fixture.passes(10);
  expect(fixture.written()).toBe(`${begin}${wiped}abcdef\bi`);
});

test('frames for a stalled terminal take no memory, and sequences are kept', async () => {
  const fixture = bench();
  fixture.screen.stream.write('first');
  await turn();
  fixture.takes(0);
  for (let frame = 0; frame < 100; frame++) {
    fixture.screen.stream.write(`frame ${frame} ${'x'.repeat(4000)}`);
    await turn();
    await fixture.passes(30);
  }
  expect(fixture.screen.isBehind()).toBe(true);
  fixture.screen.stream.write('newest');
  fixture.screen.control('\u001B[?2004h');
  expect(fixture.screen.send('\u001B]52;c;eA==\u0007')).toBe(true);
  fixture.takes(1_000_000);
  await fixture.passes(20);
  await turn();
  expect(fixture.screen.isBehind()).toBe(false);
  expect(fixture.written().length).toBeLessThan(1000);
  expect(fixture.written()).toMatch(/\u001B\[\?2004h\u001B\]52;c;eA==\u0007.*newest.*$/s);
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

test('codes of keys are left before the screen that they were asked on, and only where they were asked for', async () => {
  const fixture = bench();
  fixture.screen.stream.write('frame');
  await turn();
  fixture.screen.control('\u001B[>5u');
  fixture.screen.reassert();
  expect(fixture.writes.at(-1)).toBe('\u001B[?1049h\u001B[?25l\u001B[=5u');
  fixture.screen.control('\u001B[<u');
  fixture.screen.reassert();
  expect(fixture.writes.at(-1)).toBe('\u001B[?1049h\u001B[?25l');
  fixture.screen.control('\u001B[>5u');
  fixture.screen.close();
  expect(fixture.writes.at(-1)).toBe('\u001B[0m\u001B[<u\u001B[?1049l\u001B[?25h');
});

test('close resets every terminal mode once, and nothing is written after it', async () => {
  const fixture = bench();
  fixture.screen.control('\u001B[?2004h');
  fixture.screen.stream.write('frame');
  await turn();
  const before = fixture.written().length;
  expect(fixture.screen.close('last words\n')).toBe(true);
  expect(fixture.written().slice(before)).toBe('\u001B[0m\u001B[?2004l\u001B[?1049l\u001B[?25hlast words\n');
  fixture.screen.stream.write('late');
  await turn();
  fixture.screen.close('again');
  expect(fixture.written()).not.toMatch(/late|again/);
});

test('close does not leave an alternate screen that was never entered', () => {
  const fixture = bench();
  fixture.screen.close();
  expect(fixture.written()).toBe('\u001B[0m');
});

test('closing a stalled terminal finishes, says so, and ends a cut sequence', async () => {
  const fixture = bench();
  fixture.takes(3);
  fixture.screen.stream.write('frame');
  await turn();
  expect(fixture.screen.close()).toBe(false);
  const slow = bench();
  slow.takes(3);
  slow.screen.stream.write('frame');
  await turn();
  slow.recovers(300);
  expect(slow.screen.close('last words')).toBe(true);
  expect(slow.written()).toBe('\u001B[?\u0018\u001B[?2026l\u001B[r\u001B[0m\u001B[?1049l\u001B[?25hlast words');
});

test('many quick resizes are reported once, with the last size, and everything is drawn anew', async () => {
  const fixture = bench();
  const seen: string[] = [];
  const { stream } = fixture.screen;
  stream.on('resize', () => {
    seen.push(`${stream.columns}x${stream.rows}`);
    stream.write('of the new size');
  });
  for (let step = 0; step < 20; step++) fixture.becomes(90 + step, 30);
  expect(stream.columns).toBe(80);
  await fixture.passes(50);
  expect(seen).toEqual(['109x30']);
  expect(fixture.written()).toBe(`${begin}${wiped}of the new size`);
  // What was on its way when the window changed may have been wrapped: drawn anew, and again only if something was drawn since.
  await fixture.passes(150);
  expect(fixture.written()).toBe(`${begin}${`${wiped}of the new size`.repeat(2)}`);
  await fixture.passes(1000);
  expect(fixture.written()).toBe(`${begin}${`${wiped}of the new size`.repeat(2)}`);
  fixture.becomes(90, 30);
  await fixture.passes(200);
  stream.write('late');
  await turn();
  await fixture.passes(1000);
  expect(fixture.written().split(wiped)).toHaveLength(6);
  expect(fixture.written()).toMatch(/late$/);
});

test('a window that has its old size again is drawn anew: the terminal may have cut its lines', async () => {
  const fixture = bench();
  fixture.screen.stream.write('a frame');
  await turn();
  fixture.becomes(3, 24);
  fixture.becomes(80, 24);
  await fixture.passes(50);
  expect(fixture.written()).toBe(`${begin}${`${wiped}a frame`.repeat(2)}`);
});

test('while another program has the terminal nothing is drawn; then the newest frame is drawn whole', async () => {
  const fixture = bench();
  fixture.screen.stream.write('frame');
  await turn();
  fixture.screen.hold(true);
  expect(fixture.written()).toMatch(/\u001B\[0m\u001B\[\?1049l\u001B\[\?25h$/);
  const from = fixture.written().length;
  expect(fixture.screen.send('\u0007')).toBe(false);
  fixture.screen.stream.write('newer');
  await turn();
  expect(fixture.written()).toHaveLength(from);
  fixture.screen.hold(false);
  await turn();
  expect(fixture.written().slice(from)).toBe(`${begin}${wiped}newer`);
  expect(fixture.screen.send('\u0007')).toBe(true);
});

test('drained is reported once the terminal has accepted the newest frame', async () => {
  const fixture = bench();
  const drained: boolean[] = [];
  fixture.takes(3);
  fixture.screen.stream.write('a question');
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  await turn();
  fixture.screen.stream.write('a newer question');
  await turn();
  expect(drained).toEqual([]);
  fixture.takes(32);
  await fixture.passes(8);
  expect(drained).toEqual([]);
  fixture.takes(1000);
  await fixture.passes(8);
  expect(drained).toEqual([true]);
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  expect(drained).toEqual([true, true]);
});

test('lines are appended as they are, without modes or erasing, and the last one is ended at the close', async () => {
  const fixture = bench(true);
  fixture.screen.control('\u001B[?2004h');
  fixture.screen.stream.write('one\n');
  fixture.screen.stream.write('two \u001B]0;title\u0007');
  expect(fixture.written()).toBe('\u001B[?2004hone\ntwo ?]0;title?');
  fixture.screen.close('bye\n');
  expect(fixture.written()).toBe('\u001B[?2004hone\ntwo ?]0;title?\u001B[?2004l\nbye\n');
});

test('lines that were left out while the terminal did not keep up are said again by their owner', async () => {
  const fixture = bench(true);
  const drained: boolean[] = [];
  fixture.takes(2);
  fixture.screen.stream.write('one\n');
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  await fixture.passes(300);
  fixture.screen.stream.write('two\n');
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  expect(fixture.screen.isBehind()).toBe(true);
  fixture.takes(100);
  await fixture.passes(10);
  expect(fixture.written()).toBe('one\n');
  expect(fixture.said()).toBe(1);
  fixture.screen.drained((isWhole) => drained.push(isWhole));
  expect(drained).toEqual([false, true, true]);
});
