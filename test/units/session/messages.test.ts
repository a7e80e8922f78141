import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { timeline } from '../../../src/session/layers/timeline.ts';
import { withNotices, withoutNotices } from '../../../src/session/state/log.ts';
import type { Flash } from '../../../src/session/state/message.ts';
import { messageLines, messagesNow } from '../../../src/session/state/message-texts.ts';
import type { Moment } from '../../../src/session/state/moment.ts';
import { initial, type State } from '../../../src/session/state/state.ts';
import type { View } from '../../../src/session/state/view.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { contextOf } from '../../support/plans.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const subject = { parts: ['Mute'] };
const about = { subject, at: 1, ends: 2, end: '09:00 UTC', list: 'monitors', rowId: '1', action: 'extend' };
const notice = (key: string) => ({ key, ...about });
const state: State = {
  ...initial(screens, { columns: 100, rows: 30 }),
  notices: [notice('first'), notice('second')],
};
const line = (text: string, of?: string): Flash => ({ text, tone: 'warn', at: 1, ...(of && { notice: of }) });
const world = { messages: [line('first', 'first'), line('second', 'second'), line('said')] } as unknown as Moment;

const dismissed = (cursor: number) => {
  const layer = bareLayer('timeline', { view: 'messages', cursor });
  const next = timeline.update.dismissNotice?.({ ...state, layers: [layer] }, layer, { type: 'dismissNotice' }, world);
  return next?.state.notices.map(({ key }) => key);
};

test('d dismisses the notice under the cursor alone; a message is no notice', () => {
  expect(dismissed(0)).toEqual(['second']);
  expect(dismissed(1)).toEqual(['first']);
  expect(dismissed(2)).toEqual(['first', 'second']);
  expect(dismissed(9)).toEqual(['first', 'second']);
});

test('a notice that waits is listed once, as it is true now; one that is handled stays as it was said', () => {
  const minute = 60_000;
  const said = { ...notice('first'), ends: 10 * minute, at: 0 };
  const told = withNotices({ ...state, notices: [] }, [said]);
  const view = { read: {} } as View;
  const texts = (from: State) => messagesNow(from, view, 6 * minute).map(({ text }) => text);
  expect(texts(told)).toEqual(['Mute ends in 4 min (09:00 UTC)']);
  expect(texts(withoutNotices(told, ['first']))).toEqual(['Mute ends in 10 min (09:00 UTC)']);
});

test('the footer offers to dismiss a notice, not a message', () => {
  const hints = [1, 2].map((cursor) =>
    timeline
      .keys(bareLayer('timeline', { view: 'messages', cursor }), state)
      .find(({ run }) => run.type === 'dismissNotice'),
  );
  expect(hints.map((binding) => binding?.hint)).toEqual([2, undefined]);
});

test('the log shows what waits, what is wrong with the rows in front, then the messages of this run; each in full', () => {
  const problem = {
    kind: 'forbidden',
    text: 'no',
    operation: 'things.list',
    status: 403,
    permission: ['a', 'b'],
    messages: ['Forbidden'],
    fields: ['name'],
  } as const;
  const known = (more: object) => ({ read: { asking: false, partial: false, ...more } }) as Moment['view'];
  const said = { ...state, messages: [line('said')] };
  const texts = (view: Moment['view']) => messagesNow(said, view, 5).map(({ text, at, tone }) => [text, at, tone]);
  const waiting = [
    ['Mute ends in 1 min (09:00 UTC)', 1, 'warn'],
    ['Mute ends in 1 min (09:00 UTC)', 1, 'warn'],
  ];
  const value = { rows: [], notes: ['two notes', 'second'], unread: ['/data/0'] };
  expect(texts(known({}))).toEqual([...waiting, ['said', 1, 'warn']]);
  expect(texts(known({ problem, value }))).toEqual([...waiting, ['Not loaded: no', 5, 'bad'], ['said', 1, 'warn']]);
  expect(texts(known({ value, at: 3 }))).toEqual([...waiting, ['two notes', 3, 'warn'], ['said', 1, 'warn']]);
  const detail = { ...known({}), detail: { whole: { problem } } } as unknown as Moment['view'];
  expect(texts(detail)[2]).toEqual(['Not loaded: no', 5, 'bad']);
  expect(messagesNow(said, known({}), 5)[0]?.notice).toBe('first');
  const full = (message: Flash, view: Moment['view']) =>
    messageLines(message, { context: contextOf(), view } as Moment).join('\n');
  const [reading] = messagesNow({ ...said, notices: [] }, known({ problem, value }), 0);
  expect(full(reading as Flash, known({ problem }))).toBe(
    [
      ...['Not loaded: no', '', 'Time       1970-01-01 00:00:00 UTC', 'Action     reading', 'Kind       forbidden'],
      ...['Operation  things.list', 'Status     403', 'Requires   a, b', 'Server     Forbidden', 'Field      name', ''],
      ...['two notes', 'second', 'Left out   /data/0'],
    ].join('\n'),
  );
  const { operation: _, status: __, fields: ___, ...bare } = { ...problem, permission: [], messages: [] };
  expect(
    full({ ...line('failed'), problem: bare }, known({}))
      .split('\n')
      .slice(3),
  ).toEqual(['Action     edit', 'Kind       forbidden']);
  expect(full(line('said'), known({})).split('\n')).toHaveLength(3);
});
