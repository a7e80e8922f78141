import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { underlined } from '../../src/cli/judge-monitor.ts';
import { machineOfEach } from '../support/commands.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const machine = machineOfEach();
let place: string;
beforeEach(() => {
  place = temporaryFolder();
});

const good = { name: 'costs', type: 'cost alert', query: 'formula("a").last("7d") > 90' };
const bad = { name: 'costs of "a"', type: 'cost alert', query: 'formula("a").last("6h") > 90' };
const odd = { id: 41, type: 'cost alert', query: 'formula("a").last("1w") > 90' };

const keeps = (name: string, text: string) => {
  mkdirSync(join(place, name, '..'), { recursive: true });
  writeFileSync(join(place, name), text);
};
const checks = async (...words: string[]) => {
  const ran = await machine.orgdeck(['query', 'check', ...words]);
  return { ...ran, out: ran.out.replaceAll(`${place}/`, '') };
};
const found = async (...words: string[]) =>
  (await checks('-o', 'json', ...words)).out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a fault is told with its file, line, column and the name of the monitor', async () => {
  keeps('a/costs.json', JSON.stringify(bad, null, 2));
  keeps('a/good.json', JSON.stringify(good));
  const ran = await checks(join(place, 'a'));
  expect(ran).toMatchObject({ exit: 1, err: '' });
  expect(ran.out).toMatchInlineSnapshot(`
    "a/costs.json:4:33: wrong: window 6h is not a number of days: costs come once a day (costs of "a")
      formula("a").last("6h") > 90
                        ^^^^
      such as "7d" or "30d"
    2 files: 1 fine, 0 doubtful, 1 wrong
    "
  `);
});

test('a query that is too long for a line is cut around its fault', async () => {
  const fault = '"6h"';
  const long = (count: number) => 'a'.repeat(count);
  const query = `formula("${long(90)}").last(${fault}) > 90`;
  const [text, marks] = underlined(query, { start: query.indexOf(fault), end: query.indexOf(fault) + fault.length });
  expect([text, marks]).toEqual([`…${long(59)}").last("6h") > 90`, `${' '.repeat(68)}^^^^`]);
  expect(underlined(`${long(35)}f${long(60)}`, { start: 35, end: 36 })).toEqual([
    `${long(35)}f${long(41)}…`,
    `${' '.repeat(35)}^`,
  ]);
  expect(underlined('', { start: 0, end: 0 })).toEqual(['', '^']);
  const [cut] = underlined(`${long(600)}f${long(600)}`, { start: 600, end: 601 });
  expect(cut).toBe(`…${long(37)}f${long(38)}…`);
  expect(underlined(long(100), { start: 0, end: 60 })[1]).toBe('^'.repeat(40));
  // A letter of two cells stands at neither edge by half.
  const wide = '検'.repeat(60);
  expect(underlined(`${wide}f`, { start: 60, end: 61 })).toEqual([`…${'検'.repeat(38)}f`, `${' '.repeat(77)}^`]);
});

test('the place is the one in the file, behind escapes and letters of two units, of two bytes and of one', async () => {
  const query = 'formula("a").by("ä😀").last("6h") > 90';
  for (const text of [JSON.stringify({ query }), `{"query": ${JSON.stringify(query).replace('ä', '\\u00e4')}}`]) {
    keeps('a.json', text);
    const [{ line, column, end_column, start, end }] = await found(join(place, 'a.json'), '--type', 'cost alert');
    expect([...text].slice(column - 1, end_column - 1).join('')).toBe('\\"6h\\"');
    expect({ line, part: [...query].slice(start, end).join('') }).toEqual({ line: 1, part: '"6h"' });
  }
});

test.each([
  ['one object', JSON.stringify(bad), [1]],
  ['an array', JSON.stringify([good, bad], null, 1), [5, 10]],
  ['an answer around an array', JSON.stringify({ version: 1, items: [good, bad] }, null, 1), [7, 12]],
  ['JSON lines', `${JSON.stringify(good)}\n\n${JSON.stringify(bad)}\r\n`, [1, 3]],
  ['a byte order mark', `\uFEFF${JSON.stringify(bad)}`, [1]],
])('%s is read', async (_, text, lines) => {
  keeps('a.json', text);
  const all = await found(join(place, 'a.json'));
  expect(all.map(({ line }) => line)).toEqual(lines);
  expect(all.at(-1)).toMatchObject({ verdict: 'wrong', monitor: bad.name, file: join('a.json') });
});

test('of a directory every file of JSON is read, in order, and none of hidden ones or packages', async () => {
  for (const name of ['b.jsonl', 'a/x.ndjson', 'c.json', 'notes.md', '.git/x.json', 'node_modules/p/package.json'])
    keeps(name, JSON.stringify(good));
  expect((await found(place)).map(({ file }) => file)).toEqual(['a/x.ndjson', 'b.jsonl', 'c.json']);
});

test('a file that cannot be read is an error beside the others, never skipped', async () => {
  keeps('1.json', '{"query":\n "1 && 2"');
  keeps('2.json', `${JSON.stringify(good)}\n{"que`);
  keeps('3.json', '{"name": "no query"}');
  keeps('4.json', '[]');
  keeps('5.json', '[7]');
  keeps('6.json', '');
  keeps('7.json', JSON.stringify(odd));
  mkdirSync(join(place, 'empty'));
  const ran = await checks(place, join(place, 'empty'), join(place, 'gone.json'), join(place, 'gone/'));
  expect(ran.exit).toBe(1);
  expect(ran.out.split('\n').filter((line) => /: (wrong|doubtful): /.test(line))).toEqual([
    '1.json:2:10: wrong: this is not JSON: a comma or } is missing here',
    '2.json:2:2: wrong: this is not JSON: a name in double quotes is missing before "que',
    '3.json:1:1: wrong: there is no monitor in it',
    '4.json:1:1: wrong: there is no monitor in it',
    '5.json:1:2: wrong: the monitor is not an object',
    '6.json:1:1: wrong: this is not JSON: a value is missing here',
    expect.stringMatching(/^7\.json:1:\d+: doubtful: .* \(41\)$/),
    'empty:1:1: wrong: there is no file of JSON in this directory',
    'gone.json:1:1: wrong: does not exist',
    expect.stringMatching(/gone\/?:1:1: wrong: does not exist$/),
  ]);
  expect(ran.out).toContain('10 files: 1 fine, 1 doubtful, 9 wrong');
  expect((await checks(`${place}/gone/`)).out).toContain('does not exist');
  expect(await checks(join(place, '7.json'))).toMatchObject({ exit: 0 });
});

test('-o github annotates the lines of a change', async () => {
  keeps('a,b%.json', JSON.stringify(bad));
  keeps('c.json', JSON.stringify(odd));
  const ran = await checks('-o', 'github', place);
  expect(ran.exit).toBe(1);
  expect(ran.out.split('\n')).toEqual([
    expect.stringMatching(
      /^::error file=a%2Cb%25\.json,line=1,col=\d+,endColumn=\d+,title=costs of "a"::window 6h is .*$/,
    ),
    expect.stringMatching(/^::warning file=c\.json,line=1,col=\d+,endColumn=\d+,title=41::window 1w .*$/),
    '',
  ]);
});

test('-o sarif is a log that services for code read', async () => {
  keeps('a b.json', JSON.stringify(bad));
  const log = JSON.parse((await checks('-o', 'sarif', join(place, 'a b.json'))).out);
  expect(log).toMatchObject({ version: '2.1.0', runs: [{ columnKind: 'unicodeCodePoints' }] });
  const [{ results, tool }] = log.runs;
  expect(results).toEqual([
    {
      ruleId: 'wrong',
      level: 'error',
      message: { text: expect.stringMatching(/^costs of "a": window 6h is not a number of days/) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'a%20b.json' },
            region: { startLine: 1, startColumn: expect.any(Number), endColumn: expect.any(Number) },
          },
        },
      ],
    },
  ]);
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['wrong', 'doubtful']);
});

test('what is neither a query nor a file is refused with what to write', async () => {
  expect(await checks('1', '&&', '2')).toMatchObject({ exit: 2, err: expect.stringContaining('needs quotes') });
  expect(await checks('-o', 'xml', place)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('text, json, github, sarif'),
  });
  expect(await checks('-o', 'sarif', '1 && 2')).toMatchObject({ exit: 2, err: expect.stringContaining('name files') });
});
