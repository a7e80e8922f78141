import { expect, test } from 'vitest';
import { onStage, PROGRAM, type StageOptions, sevenIssues, threeMonitors } from '../support/dashboard.ts';
import { openTerminal, type Pty } from '../support/terminal.ts';

const both: StageOptions = {
  before(service) {
    sevenIssues(service);
    threeMonitors(service);
  },
};
const ready = (pty: Pty) => pty.sees(/> .*TypeError/);

test.concurrent.each([
  [80, 24],
  [120, 40],
  [200, 50],
])('at %ix%i every row is drawn in place, and quitting restores the terminal', async (columns, rows) => {
  await onStage(
    async ({ pty, types }) => {
      await ready(pty);
      await pty.settles(300);
      const first = pty.screen();
      expect(first.every((line) => line.length <= columns)).toBe(true);
      expect(first.filter((line) => line.includes('ChunkLoad')).length).toBe(1);
      expect(first[0]).not.toBe('');
      expect(first[rows - 1]).toMatch(/help/);
      await types('\r');
      await pty.missesSoon('TYPE: MESSAGE');
      await types('q');
      await pty.sees('TYPE: MESSAGE');
      await types('?');
      await pty.missesSoon('TYPE: MESSAGE');
      await types('q');
      await pty.sees('TYPE: MESSAGE');
      await types('2');
      await pty.sees('disk full');
      await types('1');
      await ready(pty);
      await pty.settles(400);
      // The first line holds the age of the data.
      expect(
        pty
          .screen()
          .slice(1)
          .map((line) => line.trimEnd()),
      ).toEqual(first.slice(1).map((line) => line.trimEnd()));
    },
    { ...both, columns, rows },
  )();
});

test.concurrent(
  'a terminal that can sends keys as codes, on this screen only: Esc and Ctrl keys act at once',
  onStage(async ({ pty, types }) => {
    const output = () => pty.outputSince(0).replaceAll('\u001B', '^');
    await ready(pty);
    await pty.settles(300);
    expect(output()).toMatch(/\^\[\?1049h[\s\S]*\^\[\?u/);
    expect(output()).not.toContain('^[>');
    pty.presses('\u001B[?0u');
    await pty.settles(100);
    expect(output().match(/\^\[[><=]\d*u/g)).toEqual(['^[>5u']);
    await types('/zzz');
    await pty.sees('No match');
    pty.presses('\u001B[27u');
    await ready(pty);
    // Without a shell behind it the program goes on at once.
    pty.presses('\u001B[122;5u');
    await pty.settles(400);
    expect(output()).toMatch(/\^\[<u[\s\S]*\^\[\?1049l[\s\S]*\^\[\?1049h[\s\S]*\^\[>5u/);
    const mark = pty.mark();
    pty.presses('\u001B[99;5u');
    expect((await pty.ends()).code).toBe(130);
    const last = pty.outputSince(mark).replaceAll('\u001B', '^');
    expect(last).toMatch(/\^\[<u[\s\S]*\^\[\?1049l/);
    expect(last.match(/\^\[[><=]\d*u/g)).toEqual(['^[<u']);
  }, both),
);

test.concurrent(
  'after many quick resizes the screen equals a full redraw',
  onStage(async ({ pty }) => {
    await ready(pty);
    for (let step = 0; step < 50; step++) await pty.resize(1 + ((step * 67) % 240), 1 + ((step * 29) % 70));
    await pty.resize(100, 30);
    await ready(pty);
    await pty.settles(500);
    const after = pty.screen();
    pty.presses('\u000C');
    await pty.settles(500);
    expect(pty.screen().slice(1)).toEqual(after.slice(1));
    expect(after[29]).toMatch(/help/);
  }, both),
);

test.concurrent(
  'without changes nothing is written',
  onStage(async ({ pty }) => {
    await ready(pty);
    await pty.settles(1500);
    const mark = pty.mark();
    await new Promise((go) => setTimeout(go, 4000));
    expect(pty.outputSince(mark)).toBe('');
  }, both),
);

test.concurrent(
  'a terminal that is too small shows the minimum size, and q works',
  onStage(
    async ({ pty }) => {
      await pty.sees('needs 60x16, has 59x15');
      await pty.resize(80, 24);
      await ready(pty);
      await pty.resize(59, 15);
      await pty.sees('needs 60x16, has 59x15');
      pty.presses('q');
      await pty.settles(300);
      pty.presses('y');
      expect(await pty.ends()).toEqual({ code: 0, signal: 0 });
    },
    { ...both, columns: 59, rows: 15 },
  ),
);

test.concurrent(
  'NO_COLOR writes bold, dim and inverse, but no color',
  onStage(
    async ({ pty, types }) => {
      await ready(pty);
      await types('\rq2');
      await pty.sees('disk full');
      await types('m');
      await pty.settles(300);
      const codes = [...pty.outputSince(0).matchAll(/\u001B\[([0-9;]*)m/g)].flatMap((match) =>
        (match[1] ?? '').split(';'),
      );
      expect(codes.length).toBeGreaterThan(0);
      expect(
        codes.filter((code) => !['', '0', '1', '2', '3', '4', '7', '22', '23', '24', '27'].includes(code)),
      ).toEqual([]);
    },
    { ...both, env: { NO_COLOR: '1' } },
  ),
);

test.concurrent(
  "without NO_COLOR only colors of the terminal's palette are written",
  onStage(async ({ pty }) => {
    await ready(pty);
    await pty.settles(300);
    const codes = [...pty.outputSince(0).matchAll(/\u001B\[([0-9;]*)m/g)].map((match) => match[1] ?? '');
    expect(codes.some((code) => /^(3|4|9|10)\d$/.test(code))).toBe(true);
    expect(codes.filter((code) => /^[34]8;/.test(code))).toEqual([]);
  }, both),
);

test.concurrent.each([
  ['--ascii', {}, ['--ascii']],
  ['a locale that is not UTF-8', { LANG: 'C' }, []],
])('%s: everything except service text is ASCII', async (_, env, flags) => {
  await onStage(
    async ({ pty, types }) => {
      await ready(pty);
      await types('\r');
      await pty.missesSoon('ChunkLoadError');
      await types(']]');
      await pty.settles(300);
      await types('q');
      await pty.sees('ChunkLoadError');
      await types('?');
      await pty.missesSoon('ChunkLoadError');
      await types('q');
      await pty.sees('ChunkLoadError');
      await types('2');
      await pty.sees('disk full');
      await types('m');
      await pty.sees('4h');
      const strange = new Set(pty.outputSince(0).match(/[^\u0000-\u007F]/g));
      expect([...strange]).toEqual([]);
    },
    { ...both, env, flags },
  )();
});

test.concurrent('when standard input is no terminal, help goes to standard error with exit code 2', async () => {
  const script = `"${process.execPath}" "${PROGRAM}" --demo </dev/null 2>&1 >/dev/null; echo "ended $?"`;
  const pty = openTerminal({ command: '/bin/sh', args: ['-c', script], rows: 120 });
  try {
    await pty.sees('ended 2');
    await pty.sees(/terminal/);
  } finally {
    await pty.close();
  }
});
