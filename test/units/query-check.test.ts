import { describe, expect, test } from 'vitest';
import { machineOfEach } from '../support/commands.ts';

const machine = machineOfEach();

const checks = (words: readonly string[], stdin?: string, terminal = false) =>
  machine.orgdeck(['query', 'check', ...words], { ...(stdin === undefined ? {} : { stdin }), terminal });
const line = (monitor: unknown) => JSON.stringify(monitor);
const good = { type: 'cost alert', query: 'formula("a").last("7d") > 90' };
const bad = { type: 'cost alert', query: 'formula("a").last("6h") > 90' };
const odd = { type: 'cost alert', query: 'formula("a").last("1w") > 90' };

describe('monitors on standard input', () => {
  test('an array, an answer around one, and one monitor are read as the commands print them', async () => {
    const both = [good, bad];
    for (const text of [
      JSON.stringify(both),
      JSON.stringify(both, null, 2),
      `\n${JSON.stringify({ items: both, partial: 'the first 2' }, null, 2)}`,
      JSON.stringify({ monitors: both }, null, 2),
    ]) {
      const ran = await checks(['--json'], text);
      expect(ran).toMatchObject({ exit: 1, err: '' });
      expect(
        ran.out
          .trimEnd()
          .split('\n')
          .map((verdict) => JSON.parse(verdict).verdict),
      ).toEqual(['fine', 'wrong']);
    }
    expect(await checks([], JSON.stringify(good, null, 2))).toMatchObject({
      exit: 0,
      out: '1 fine, 0 doubtful, 0 wrong\n',
    });
    expect(await checks([], '[1]')).toMatchObject({ exit: 1, out: expect.stringContaining('is not an object') });
  });

  test.each(['[{"type"', '{\n "id": 1\n}', '[]x'])('%j is refused whole', async (text) => {
    expect(await checks([], text)).toMatchObject({ exit: 2, out: '' });
  });
});

describe('a query by argument', () => {
  test('underlines the fault, with a message and a remedy', async () => {
    const ran = await checks([bad.query, '--type', 'cost alert']);
    expect(ran).toMatchObject({ exit: 1, err: '' });
    expect(ran.out).toMatchInlineSnapshot(`
      "line 1, cost alert
        formula("a").last("6h") > 90
                          ^^^^
        wrong: window 6h is not a number of days: costs come once a day
        such as "7d" or "30d"
      0 fine, 0 doubtful, 1 wrong
      "
    `);
  });

  test('guesses a missing type and says so', async () => {
    const ran = await checks(['101 && 102']);
    expect(ran).toEqual({
      exit: 0,
      out: '1 fine, 0 doubtful, 0 wrong\n',
      err: 'assuming composite; use --type to override\n',
    });
    expect((await checks(['logs("a").last("5m") > 1', '--json'])).err).toContain('assuming log alert');
    expect((await checks(['"a.b".over("*").last(2)', '--json'])).err).toContain('assuming service check');
    expect((await checks(['formula("a").last("7d") > 1', '--json'])).err).toContain('assuming cost alert');
    expect((await checks(['avg(last_5m):avg:a{*} > 1', '--json'])).err).toContain('assuming query alert');
  });

  test('options are read from a flag', async () => {
    const options = line({
      thresholds: { critical: 80 },
      variables: [{ name: 'a', data_source: 'data_quality_metrics' }],
    });
    const ran = await checks([good.query, '--type', 'cost alert', '--options', options, '--json']);
    expect(ran.exit).toBe(1);
    expect(JSON.parse(ran.out)).toEqual({
      verdict: 'wrong',
      message: 'the query says 90, thresholds.critical says 80',
      hint: 'make them the same number',
      start: 26,
      end: 28,
    });
    for (const wrong of ['{', '[]', '5', 'null'])
      expect(await checks([good.query, '--options', wrong])).toMatchObject({
        exit: 2,
        out: '',
        err: expect.stringContaining('--options needs a JSON object'),
      });
  });
});

describe('JSON lines on standard input', () => {
  test('one verdict for each line, in order, including an unterminated last line', async () => {
    const ran = await checks(['--json'], [good, bad, odd, good].map(line).join('\n'));
    expect(ran.exit).toBe(1);
    const verdicts = ran.out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(verdicts.map((verdict) => verdict.verdict)).toEqual(['fine', 'wrong', 'doubtful', 'fine']);
    expect(verdicts[0]).toEqual({ verdict: 'fine' });
    expect(Object.keys(verdicts[1])).toEqual(['verdict', 'message', 'hint', 'start', 'end']);
  });

  test('doubtful queries do not fail', async () => {
    expect(await checks([], `${line(odd)}\n`)).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/doubtful: window 1w is not in days[\s\S]*\n0 fine, 1 doubtful, 0 wrong\n$/),
    });
  });

  test('a line that is no monitor is wrong, and counts', async () => {
    const ran = await checks([], `\n{\n[]\n{"query":5}\n${'x'.repeat(1_000_001)}\n\ufeff${line(good)}\r\n`);
    expect(ran.exit).toBe(1);
    expect(ran.out).toMatchInlineSnapshot(`
      "line 1
        wrong: the line is empty
        one monitor on each line
      line 2
        wrong: the line is not JSON
        one monitor on each line, as jq -c writes them
      line 3
        wrong: the line is not an object
        such as {"type": "log alert", "query": "…"}
      line 4
        wrong: the line has no query
        such as {"type": "…", "query": "…"}
      line 5
        wrong: the line is too long
        at most 1000000 bytes
      1 fine, 0 doubtful, 5 wrong
      "
    `);
  });

  test('an exported monitor is a valid line', async () => {
    const monitor = {
      id: 4211,
      name: 'spend',
      message: '',
      tags: [],
      ...good,
      options: { thresholds: { critical: 90 }, variables: [{ name: 'a', data_source: 'data_quality_metrics' }] },
    };
    expect(await checks([], line(monitor))).toMatchObject({ exit: 0, out: '1 fine, 0 doubtful, 0 wrong\n' });
  });

  test('positions count characters, not UTF-16 units', async () => {
    const ran = await checks(['--json'], line({ type: 'composite', query: '1 && 😀' }));
    expect(JSON.parse(ran.out)).toMatchObject({ start: 5, end: 6 });
    const behind = await checks(
      ['--json'],
      line({ type: 'cost alert', query: 'formula("a").by("😀").last("6h") > 1' }),
    );
    expect(JSON.parse(behind.out)).toMatchObject({ start: 26, end: 30 });
  });

  test('escape sequences in a query are not printed, and marks are under the fault', async () => {
    const query = `1 &&\u001b[31m\u202e 界 ${'&& 7 '.repeat(40)}`;
    const ran = await checks([], line({ type: `composite`, query }));
    expect(ran.out).not.toMatch(/[\u001b\u202e]/);
    expect(ran.out.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^ {2}1 &&␛\[31m␦ 界 && 7 .*…$/),
      '      ^',
    ]);
    const json = await checks(['--json'], line({ type: 'composite', query }));
    expect(json.out).not.toMatch(/[\u001b\u202e]/);
  });

  test('empty input is a usage error', async () => {
    const why = { exit: 2, out: '', err: expect.stringContaining('which query?') };
    expect(await checks([], undefined, true)).toMatchObject(why);
    expect(await checks(['-'], undefined, true)).toMatchObject(why);
    expect(await checks([], '')).toMatchObject({ exit: 0, out: '0 fine, 0 doubtful, 0 wrong\n' });
  });
});
