import { expect, test } from 'vitest';
import { pair, type Section, section, subColumn, type Tab, textLine } from '../../../src/describe/column.ts';
import { backTitle } from '../../../src/session/keys/common.ts';
import { toItem } from '../../../src/session/list/detail.ts';
import { findMatches } from '../../../src/session/rows/detail-view.ts';
import type { Message } from '../../../src/session/state/message.ts';
import { stepper } from '../../support/stepper.ts';
import { bareList } from '../../support/things.ts';

interface Book {
  readonly id: string;
  readonly chapters: readonly string[];
  readonly note?: string;
}

const many = (count: number, what: string) => Array.from({ length: count }, (_, at) => textLine(`${what} ${at + 1}`));

const books = bareList<Book>({
  id: 'books',
  title: 'Books',
  columns: [{ id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.id }],
  detail: {
    sections: (row): readonly Section[] => [
      section('about', '', [pair('id', row.id), ...(row.note === undefined ? [] : [textLine(row.note)])]),
      section('text', 'text', many(60, 'sentence')),
      section('end', 'end', [textLine(`the end of ${row.id}`)]),
    ],
    tabs: (row): readonly Tab[] => [
      {
        kind: 'rows',
        id: 'chapters',
        title: 'chapters',
        empty: 'none',
        columns: [subColumn({ id: 'name', title: 'NAME', min: 4, priority: 1 })],
        rows: row.chapters.map((name) => ({ id: name, cells: { name } })),
      },
    ],
  },
});

const all: readonly Book[] = ['A', 'B', 'C'].map((id) => ({ id, chapters: ['Dawn', 'Noon', 'Dusk', 'Night'] }));

function opened(size = { columns: 80, rows: 24 }) {
  const session = stepper<Book>(books, undefined, size);
  session.poll(all);
  session.send({ type: 'openCurrent' });
  const detail = () => {
    const { detail } = session.view();
    if (!detail) throw new Error('no detail is open');
    return detail;
  };
  return { session, detail };
}

test('q leaves a detail before it clears marks, and is titled so', () => {
  const { session } = opened();
  const titles: string[] = [];
  session.send({ type: 'toggleMark' });
  for (const isOpen of [true, false]) {
    expect(session.view().detail !== undefined).toBe(isOpen);
    titles.push(backTitle(session.state(), session.view()));
    session.send({ type: 'goBack' });
  }
  expect([titles, session.view().listState.marks.size]).toEqual([['back', 'clear marks'], 0]);
});

const types = (text: string): Message => ({ type: 'pasteText', text });

test('Esc in the search line brings back the page as it was; an empty search and `back` end a search', () => {
  const { session, detail } = opened();
  session.send({ type: 'movePage', by: 1 });
  const before = detail().top;
  session.send({ type: 'openFind' }, types('end of'), { type: 'closeLayer' });
  expect(detail()).toMatchObject({ top: before, wanted: '' });
  session.send({ type: 'openFind' }, types('end of'), { type: 'choose' });
  expect(backTitle(session.state(), session.view())).toBe('end search');
  const there = detail().top;
  session.send({ type: 'goBack' });
  expect(detail()).toMatchObject({ top: there, wanted: '' });
  session.send({ type: 'goBack' });
  expect(session.view().detail).toBeUndefined();
});

test('a match on the first or last line in sight moves nothing, one behind it does', () => {
  for (const [place, isInSight] of [
    ['first', true],
    ['last', true],
    ['next', false],
  ] as const) {
    const { session, detail } = opened();
    session.send({ type: 'movePage', by: 1 }, { type: 'movePage', by: 1 });
    const { top } = detail();
    const end = top + session.view().room.detailRows;
    const line = { first: top, last: end - 1, next: end }[place];
    const sentence = Array.from({ length: 40 }, (_, at) => `sentence ${at + 10}`).find(
      (text) => findMatches(detail(), text)[0]?.line === line,
    );
    session.send({ type: 'openFind' }, types(sentence ?? ''), { type: 'choose' });
    // A third of what is in sight stands above it.
    const above = Math.floor(session.view().room.detailRows / 3);
    expect([detail().found.length, detail().top], place).toEqual([1, isInSight ? top : line - above]);
  }
});

test('a search that finds nothing says so and moves nothing', () => {
  const { session, detail } = opened();
  session.send({ type: 'movePage', by: 1 });
  const before = detail().top;
  session.send({ type: 'openFind' }, types('nowhere'), { type: 'choose' }, { type: 'moveMatch', by: 1 });
  expect(detail()).toMatchObject({ top: before, wanted: 'nowhere', found: [], foundAt: -1 });
});

test('N before the first match goes to the last one', () => {
  const { session, detail } = opened();
  session.send(
    { type: 'openFind' },
    types('sentence 1'),
    { type: 'choose' },
    { type: 'moveTab', by: 1 },
    { type: 'moveTab', by: 1 },
  );
  expect(detail()).toMatchObject({ top: 0, foundAt: -1, found: { length: 11 } });
  session.send({ type: 'moveMatch', by: -1 });
  expect(detail().foundAt).toBe(detail().found.length - 1);
});

test('in rows a search moves the cursor', () => {
  const { session, detail } = opened();
  session.send({ type: 'moveTab', by: 1 }, { type: 'openFind' }, types('n'), { type: 'choose' });
  expect(detail()).toMatchObject({ subRowId: 'Dawn', foundAt: 0 });
  session.send({ type: 'moveMatch', by: 1 });
  expect(detail().subRowId).toBe('Noon');
  session.send({ type: 'moveMatch', by: 1 });
  expect(detail().subRowId).toBe('Night');
  session.send({ type: 'moveMatch', by: 1 });
  expect(detail().subRowId).toBe('Dawn');
  session.send({ type: 'moveMatch', by: -1 });
  expect(detail().subRowId).toBe('Night');
  session.send({ type: 'openFind' }, { type: 'moveInLayer', by: 1 });
  expect(detail().subRowId).toBe('Dawn');
  session.send({ type: 'moveInLayer', by: -1 }, { type: 'choose' });
  expect(detail().subRowId).toBe('Night');
  const from = (...messages: readonly Message[]) => {
    session.send({ type: 'moveToEnd', last: false }, { type: 'moveCursor', by: 2 }, ...messages);
    return detail().subRowId;
  };
  expect([from(), from({ type: 'moveMatch', by: -1 }), from({ type: 'moveMatch', by: 1 })]).toEqual([
    'Dusk',
    'Noon',
    'Night',
  ]);
  // A new search begins at the cursor.
  expect(from({ type: 'goBack' }, { type: 'openFind' }, types('n'), { type: 'choose' })).toBe('Night');
});

test('after a step to the row beside, back still leads to the screen from which the detail was opened', () => {
  const { session } = opened();
  const from = { screen: 'home', tab: 0, list: books.id, row: 'A', filter: '' };
  expect(toItem({ ...session.state(), from }, session.view(), 1).from).toEqual({ ...from, row: 'B' });
  const other = { ...from, row: 'C' };
  expect(toItem({ ...session.state(), from: other }, session.view(), 1).from).toEqual(other);
});

test('what is read stays in sight when a poll puts lines above it', () => {
  const { session, detail } = opened();
  session.send({ type: 'movePage', by: 1 }, { type: 'movePage', by: 1 });
  const before = detail().top;
  session.poll(all.map((row) => ({ ...row, note: 'one line more' })));
  expect(detail().top).toBe(before + 1);
});

test('the row of a tab that is under the cursor stays there while a read sorts or loses others, moved to or not', () => {
  const { session, detail } = opened();
  const reads = (...chapters: string[]) => {
    session.poll(all.map((book) => ({ ...book, chapters })));
    return detail().subRowId;
  };
  session.send({ type: 'moveTab', by: 1 });
  expect(reads('Noon', 'Dawn', 'Dusk', 'Night')).toBe('Dawn');
  // In place of one that has gone.
  expect(reads('Noon', 'Dusk', 'Night')).toBe('Dusk');
  expect(reads('Dusk', 'Night', 'Noon')).toBe('Dusk');
  session.send({ type: 'moveCursor', by: 1 });
  expect(reads('Noon', 'Dusk', 'Night')).toBe('Night');
  expect(reads('Noon', 'Dusk')).toBe('Dusk');
  expect(reads()).toBeUndefined();
  session.send({ type: 'moveTab', by: 1 }, { type: 'moveTab', by: 1 });
  expect(reads('Night', 'Noon')).toBe('Night');
  session.send({ type: 'moveCursor', by: 1 }, { type: 'goBack' }, { type: 'openCurrent' }, { type: 'moveTab', by: 1 });
  expect(detail().subRowId).toBe('Night');
});
