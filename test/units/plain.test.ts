import { expect, test } from 'vitest';
import { facts, gap, head, pair, section, textLine } from '../../src/describe/column.ts';
import { paint } from '../../src/lib/paint.ts';
import { numbered, type Remark } from '../../src/scene/span.ts';
import { type Hearing, nothingSaid, unsaid } from '../../src/shell/plain.ts';
import { rowSentence, sectionText } from '../../src/shell/speech.ts';

/** Hears scene after scene, each at its time; answers with what was written for each. */
function hears(...scenes: readonly (readonly [at: number, scene: Hearing])[]): readonly string[] {
  let said = nothingSaid;
  return scenes.map(([at, scene]) => {
    const next = unsaid(said, scene, at);
    said = next.said;
    return next.text;
  });
}

const remark = (about: string, words: string, more: Partial<Remark> = {}): Remark => ({
  about,
  text: paint(words),
  ...more,
});
const list = (...remarks: readonly Remark[]): Hearing => ({ path: ['list'], remarks });
const typing = (prompt: string, ...remarks: readonly Remark[]): Hearing => ({
  path: ['list', 'form'],
  remarks,
  prompt: paint(prompt),
});

test('a remark is said once, and again when its text is another one', () => {
  expect(
    hears(
      [0, list(remark('a', 'one'), remark('b', 'two'))],
      [1, list(remark('a', 'one'), remark('b', 'two'))],
      [2, list(remark('a', 'one'), remark('b', 'three'))],
    ),
  ).toEqual(['one\ntwo\n', '', 'three\n']);
});

test('with a token, another text alone is not said; another token is, with the same text too', () => {
  const row = (token: string, words: string) => list(remark('row', words, { token }));
  expect(hears([0, row('7', 'for 2m')], [1, row('7', 'for 3m')], [2, row('8', 'for 3m')])).toEqual([
    'for 2m\n',
    '',
    'for 3m\n',
  ]);
});

test('a count that changes by itself is said again only after its time', () => {
  const counts = (words: string) => list(remark('counts', words, { token: '', everyMs: 60_000 }));
  expect(
    hears(
      [0, counts('1 row')],
      [30_000, counts('2 rows')],
      [59_999, counts('3 rows')],
      [60_000, counts('3 rows')],
      [70_000, counts('4 rows')],
      [200_000, counts('4 rows')],
    ),
  ).toEqual(['1 row\n', '', '', '3 rows\n', '', '4 rows\n']);
});

test('another place says everything; back in a place below it, only what says where the person is', () => {
  const below = list(remark('title', 'Monitors'), remark('row', 'Row 1', { orients: true }));
  const over: Hearing = { path: ['list', 'menu'], remarks: [remark('title', 'Menu')] };
  const other: Hearing = { path: ['other'], remarks: [remark('title', 'Issues')] };
  expect(hears([0, below], [1, over], [2, below], [3, other], [4, below])).toEqual([
    'Monitors\nRow 1\n',
    'Menu\n',
    'Row 1\n',
    'Issues\n',
    'Monitors\nRow 1\n',
  ]);
});

test('a lasting remark is not repeated in another place', () => {
  const message = remark('message', 'Muted Disk', { lasting: true, token: '1' });
  const other: Hearing = { path: ['other'], remarks: [message] };
  expect(hears([0, list(message)], [1, other], [2, list(message)])).toEqual(['Muted Disk\n', '', '']);
});

test('news is what comes after the place was entered, five at once, and then how many more', () => {
  const news = (count: number) =>
    list(...Array.from({ length: count }, (_, at) => remark(`new ${at}`, `New ${at}`, { news: true })));
  expect(hears([0, news(2)], [1, news(3)], [2, news(11)])).toEqual([
    '',
    'New 2\n',
    'New 3\nNew 4\nNew 5\nNew 6\nNew 7\nand 3 more\n',
  ]);
});

test('typed letters continue the line of the prompt; anything else ends it and begins it anew', () => {
  const error = remark('error', 'too long');
  expect(
    hears(
      [0, typing('Name: ')],
      [1, typing('Name: ab')],
      [2, typing('Name: ab')],
      [3, typing('Name: a')],
      [4, typing('Name: a', error)],
      [5, list(remark('title', 'Monitors'))],
    ),
  ).toEqual(['Name: ', 'ab', '', '\nName: a', '\ntoo long\nName: a', '\nMonitors\n']);
});

test('a row is a sentence: titles before values, own words where a column has them, no empty cells', () => {
  const column = (id: string, value: string, more = {}) => ({
    id,
    title: id.toUpperCase(),
    min: 1,
    priority: 1,
    text: () => value,
    ...more,
  });
  const columns = [
    column('state', 'ALERT'),
    column('name', 'courier-app answers with errors', { flex: true }),
    column('users', '12'),
    column('none', '–'),
    column('blank', '  '),
    column('groups', '1/2', { says: () => '1 of 2 groups' }),
    column('trend', '▁▂▃', { says: () => '' }),
  ];
  expect(rowSentence(columns, {}, {} as never)).toBe('ALERT, courier-app answers with errors, users 12, 1 of 2 groups');
});

test('a section is its title and its lines, without gaps', () => {
  const lines = [
    pair('State', 'Alert'),
    pair('Owner', ''),
    gap,
    head('Message'),
    textLine('one\ntwo'),
    facts('a', { label: 'b', text: 'c' }),
  ];
  expect(sectionText(section('x', 'Now', lines))).toBe('Now:\nState: Alert\nOwner: none\nMessage:\none\ntwo\na, b c');
});

test('rows have numbers, and beyond the most only how many there are', () => {
  expect(numbered(['a', 'b', 'c'].map(paint), 2)).toBe('1. a\n2. b\nand 1 more: Down goes on');
  expect(numbered(['a'].map(paint))).toBe('1. a');
});
