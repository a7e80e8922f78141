import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { messages } from '../../../src/session/layers/messages.ts';
import { withNotice, withoutNotices } from '../../../src/session/log.ts';
import type { Flash } from '../../../src/session/message.ts';
import { initial, type State } from '../../../src/session/state.ts';
import { messagesNow } from '../../../src/session/trouble.ts';
import type { View } from '../../../src/session/view.ts';
import type { World } from '../../../src/session/world.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const subject = { parts: ['Mute'] };
const about = { subject, at: 1, ends: 2, end: '09:00 UTC', list: 'monitors', rowId: '1', action: 'extend' };
const notice = (key: string) => ({ key, ...about });
const state: State = {
  ...initial(screens, { columns: 100, rows: 30 }),
  notices: [notice('first'), notice('second')],
};
const line = (text: string, of?: string): Flash => ({ text, tone: 'warn', at: 1, ...(of && { notice: of }) });
const world = { messages: [line('first', 'first'), line('second', 'second'), line('said')] } as unknown as World;

const dismissed = (cursor: number) => {
  const layer = { kind: 'messages' as const, cursor };
  const next = messages.update.dismiss?.({ ...state, layers: [layer] }, layer, { do: 'dismiss' }, world);
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
  const told = withNotice({ ...state, notices: [] }, said);
  const view = { known: {} } as View;
  const texts = (from: State) => messagesNow(from, view, 6 * minute).map(({ text }) => text);
  expect(texts(told)).toEqual(['Mute ends in 4 min (09:00 UTC)']);
  expect(texts(withoutNotices(told, ['first']))).toEqual(['Mute ends in 10 min (09:00 UTC)']);
});

test('the key that opened the messages closes them', () => {
  const leaving = messages.keys({ kind: 'messages', cursor: 0 }, state).find(({ run }) => run.do === 'pop');
  expect(leaving?.keys).toEqual(['esc', 'q', '!', 'backspace']);
});

test('the footer offers to dismiss a notice, not a message', () => {
  const hints = [1, 2].map((cursor) =>
    messages.keys({ kind: 'messages', cursor }, state).find(({ run }) => run.do === 'dismiss'),
  );
  expect(hints.map((binding) => binding?.hint)).toEqual([2, undefined]);
});
