import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { timeline } from '../../../src/session/layers/timeline.ts';
import { initial, type State } from '../../../src/session/state/state.ts';
import { messagesNow, withNotices, withoutNotices } from '../../../src/session/state/state-changes.ts';
import type { View } from '../../../src/session/state/view.ts';
import { bareLayer } from '../../support/bare-layer.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const subject = { parts: ['Mute'] };
const about = { subject, at: 1, ends: 2, end: '09:00 UTC', list: 'monitors', rowId: '1', action: 'extend' };
const notice = (key: string) => ({ key, ...about });
const state: State = {
  ...initial(screens, { columns: 100, rows: 30 }),
  notices: [notice('first'), notice('second')],
};

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
      .keys(bareLayer('timeline', { view: 'messages', cursor }), state, [])
      .find(({ run }) => run.type === 'dismissNotice'),
  );
  expect(hints.map((binding) => binding?.hint)).toEqual([2, undefined]);
});
