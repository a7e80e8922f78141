import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import type { Cache } from '../../../src/cache/cache.ts';
import type { LoggedEdit } from '../../../src/describe/context.ts';
import { namePart, receipt, toReceipt } from '../../../src/describe/receipt.ts';
import { withFilter, withSearch } from '../../../src/session/layers/filter.ts';
import type { Flash, RowNotice } from '../../../src/session/state/message.ts';
import { initial, type State } from '../../../src/session/state/state.ts';
import {
  flash,
  flashReceipt,
  logged,
  noticeParts,
  noticeText,
  withAlarms,
  withNotices,
  withoutNotices,
} from '../../../src/session/state/state-changes.ts';
import { createFeeding } from '../../../src/session/watch/watchers.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const empty = initial(screens, { columns: 100, rows: 30 });
const said = (state: State, text: string, tone: Flash['tone'] = 'good'): State =>
  logged(state, { ...state, flash: { text, tone, at: 1 } });
const texts = ({ messages }: State) => messages.map(({ text }) => text);
const notice = (key: string): RowNotice => ({
  key,
  subject: receipt`Mute on ${namePart(key)}`,
  at: 1,
  ends: 600_001,
  end: '09:00 UTC',
  list: 'monitors',
  rowId: '1',
  action: 'extend',
});

test('a message that goes on and a warning said again take the place of the one before', () => {
  expect(texts(said(said(empty, 'Muted Disk'), 'Muted Disk · ignored: 4'))).toEqual(['Muted Disk · ignored: 4']);
  const dropped = said(said(empty, 'No row · ignored: 4', 'warn'), 'No row · ignored: 45', 'warn');
  expect(texts(dropped)).toEqual(['No row · ignored: 45']);
  expect(texts(said(said(empty, 'Resolved E1 in web'), 'Resolved E1 in web-2'))).toHaveLength(2);
  expect(texts(said(said(empty, 'no row', 'warn'), 'no row', 'warn'))).toEqual(['no row']);
  expect(texts(said(said(empty, 'Muted Disk'), 'Muted Disk'))).toEqual(['Muted Disk', 'Muted Disk']);
  expect(texts(said(said(empty, 'one'), 'two'))).toEqual(['two', 'one']);
});

test('a notice says how long it still is, and in the log what it said when it came', () => {
  const disk = notice('Disk');
  expect(noticeText(disk, 1)).toBe('Mute on Disk ends in 10 min (09:00 UTC)');
  expect(noticeText(disk, 360_002)).toBe('Mute on Disk ends in 4 min (09:00 UTC)');
  expect(noticeText(disk, 600_000)).toBe('Mute on Disk ends in 1 min (09:00 UTC)');
  expect(noticeParts(disk, 1)).toContainEqual({ name: 'Disk' });
  expect(texts(withNotices(empty, [disk]))).toEqual(['Mute on Disk ends in 10 min (09:00 UTC)']);
});

test('of several notices the urgent one stands first, then the one that ends first', () => {
  const later = { ...notice('later'), ends: 900_000 };
  const told = withNotices(withNotices(empty, [later, notice('soon')]), [{ ...later, key: 'red', isUrgent: true }]);
  const keys = (state: State) => state.notices.map(({ key }) => key);
  expect(keys(told)).toEqual(['red', 'soon', 'later']);
  // What alerts has changed since.
  const urgent = { key: 'later', isUrgent: true };
  expect(keys(withAlarms(told, 'monitors', [{ key: 'red' }, urgent, { key: 'soon' }]))).toEqual([
    'later',
    'soon',
    'red',
  ]);
  expect(keys(withAlarms(told, 'monitors', [urgent]))).toEqual(['later']);
  expect(withAlarms(told, 'monitors', told.notices)).toBe(told);
  expect(withAlarms(told, 'other', [])).toBe(told);
});

test('a receipt keeps the word about keys that were dropped while its edit was under way', () => {
  const dropped = flash(empty, 'Ignored r: typed before the screen was drawn', 'warn', 1);
  const told = flashReceipt(dropped, toReceipt('Muted Disk'), 2).flash;
  expect(told?.text).toBe('Muted Disk · Ignored r: typed before the screen was drawn');
  expect(told?.parts?.join('')).toContain('Ignored r');
  expect(flashReceipt(flash(empty, 'no row', 'warn', 1), toReceipt('Muted Disk'), 2).flash?.text).toBe('Muted Disk');
});

test('the log keeps the newest 200 messages, receipts and notices alike', () => {
  const numbers = Array.from({ length: 250 }, (_, at) => `${at}.`);
  const full = numbers.reduce((state, text) => said(state, text), empty);
  expect([full.messages.length, texts(full)[0], texts(full).at(-1)]).toEqual([200, '249.', '50.']);
  const rung = numbers.reduce((state, key) => withNotices(state, [notice(key)]), full);
  expect([rung.messages.length, texts(rung)[0]]).toEqual([200, noticeText(notice('249.'), 1)]);
  // At once they are what they are one after the other.
  expect(withNotices(full, numbers.map(notice))).toEqual(rung);
});

test('a notice stands once, behind the others, until it is handled', () => {
  const two = withNotices(withNotices(empty, [notice('a'), notice('b')]), [notice('a')]);
  expect(two.notices.map(({ key }) => key)).toEqual(['b', 'a']);
  expect(withoutNotices(two, ['b']).notices.map(({ key }) => key)).toEqual(['a']);
  expect(withoutNotices(two, ['c'])).toBe(two);
});

test('20 searches and 20 filters are kept for each list, each once', () => {
  const words = Array.from({ length: 30 }, (_, at) => `w${at}`);
  const filtered = [...words, 'w20'].reduce((state, text) => withFilter(state, 'retention', text), empty);
  expect([filtered.filters.retention?.length, new Set(filtered.filters.retention).size]).toEqual([20, 20]);
  expect(filtered.filters.retention?.slice(0, 2)).toEqual(['w20', 'w29']);
  expect(withFilter(filtered, 'retention', ' ')).toBe(filtered);
  const searched = [...words, 'w20'].reduce((state, query) => withSearch(state, filterList, { query }), empty);
  expect(searched.searches.retention).toHaveLength(20);
  expect(searched.searches.retention?.filter(({ query }) => query === 'w20')).toHaveLength(1);
  expect(searched.searches.retention?.slice(0, 2)).toEqual([{ query: 'w20' }, { query: 'w29' }]);
});

test('an edit that ends is read from the journal at once, and of two reads the later one counts', async () => {
  const reads: ((edits: readonly LoggedEdit[]) => void)[] = [];
  const feeding = createFeeding({
    cache: {} as Cache,
    hasRoom: () => true,
    journal: () => new Promise((read) => void reads.push(read)),
    changed: () => {},
  });
  const edit = (operation: string) => [{ operation } as LoggedEdit];
  const known = feeding.knownEdits();
  feeding.readEdits();
  feeding.readEdits();
  expect(reads).toHaveLength(2);
  reads[1]?.(edit('newer'));
  reads[0]?.(edit('older'));
  expect(await known).toEqual(edit('newer'));
  expect(feeding.edits()).toEqual(edit('newer'));
});
