import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { helpEntries } from '../../../src/session/layers/help.ts';
import { timeline } from '../../../src/session/layers/timeline.ts';
import type { Message, TimelineView } from '../../../src/session/state/message.ts';
import { initial, type State } from '../../../src/session/state/state.ts';
import { messagesNow, withNotices, withoutNotices } from '../../../src/session/state/state-changes.ts';
import type { View } from '../../../src/session/state/view.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { bareSession } from '../../support/bare-session.ts';
import { contextOf } from '../../support/plans.ts';
import { settled } from '../../support/steppedclock.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const subject = { parts: ['Mute'] };
const about = { subject, at: 1, ends: 2, end: '09:00 UTC', list: 'monitors', rowId: '1', action: 'extend' };
const notice = (key: string) => ({ key, ...about });
/** These alarms were read, the last one urgent. */
const alarms = (...keys: readonly string[]): Message => ({
  ...{ type: 'alarmsRead', list: 'monitors', alarms: keys.map((key) => ({ key, isUrgent: key === keys.at(-1) })) },
});
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

test('a failed read is listed with the time at which it failed', () => {
  const view = { read: { at: 1, problem: { text: 'no answer', at: 2 } } } as View;
  expect(messagesNow({ ...state, notices: [] }, view, 3)).toMatchObject([{ text: 'Not loaded: no answer', at: 2 }]);
});

test('the footer offers to dismiss a notice, not a message', () => {
  const hints = [1, 2].map((cursor) =>
    timeline
      .keys(bareLayer('timeline', { view: 'messages', cursor }), state, [], contextOf())
      .find(({ run }) => run.type === 'dismissNotice'),
  );
  expect(hints.map((binding) => binding?.hint)).toEqual([2, undefined]);
});

/** A session with the timeline open on this view, of two edits, and these notices. */
async function onTimeline(view: TimelineView, keys: readonly string[]) {
  const edit = { operation: 'o', target: 'row', outcome: 'applied', text: 'applied', undoable: true };
  const entries = ['newer', 'older'].map((id, at) => ({ ...edit, id, at: 2 - at }));
  const { session, state, asked } = await bareSession(screens, {}, { journal: { entries }, entry: 'done' });
  session.send({ type: 'setNotices', notices: keys.map(notice) });
  session.send({ type: 'openTimeline', view });
  await settled();
  const left = () => state().notices.map(({ key }) => key);
  return { ...session, left, asked, state };
}

test.each<[title: string, by: number, comes: Message, dismissed: string]>([
  ['one above it is over', 1, { type: 'clearNotices', keys: ['a'] }, 'b'],
  ['one comes above it', 1, alarms('a', 'b', 'c'), 'b'],
  ['it is over itself', 1, { type: 'clearNotices', keys: ['b'] }, ''],
  ['one comes while it is on no notice', 3, { type: 'setNotices', notices: [notice('d')] }, ''],
])('the key that dismisses a notice means the one under the cursor: %s', async (_, by, comes, dismissed) => {
  const { send, left } = await onTimeline('messages', ['a', 'b', 'c']);
  send({ type: 'moveInLayer', by });
  send(comes);
  const before = left();
  send({ type: 'dismissNotice' });
  expect(before.filter((key) => !left().includes(key)).join()).toBe(dismissed);
});

test('behind a notice that is dismissed the next one is under the cursor', async () => {
  const { send, left } = await onTimeline('messages', ['a', 'b', 'c']);
  send({ type: 'dismissNotice' });
  send({ type: 'dismissNotice' });
  expect(left()).toEqual(['c']);
});

test('Enter in the help runs the line that is marked, also where the key of a notice has come above it', async () => {
  const { session, state } = await bareSession(screens);
  session.send({ type: 'openHelp' });
  const marked = () => {
    const [layer] = state().layers;
    return layer?.kind === 'help' ? helpEntries('', session.now())[layer.cursor]?.keys : undefined;
  };
  session.send({ type: 'moveInLayer', by: 4 });
  const before = marked();
  session.send({ type: 'setNotices', notices: [{ ...notice('a'), list: 'retention', action: 'retention.toggle' }] });
  expect(helpEntries('', session.now())[0]?.sentence).toContain('Mute ends in');
  expect(marked()).toBe(before);
});

test('the edit that a question of the timeline names is undone, also where a notice comes before the answer', async () => {
  const { send, asked } = await onTimeline('all', []);
  send({ type: 'moveInLayer', by: 1 });
  send({ type: 'runOnEntry', what: 'undo' });
  send({ type: 'setNotices', notices: [{ ...notice('a'), at: 3 }] });
  send({ type: 'answerYes' });
  await settled();
  expect(asked.filter(([name]) => name === 'entry').map(([, id]) => id)).toEqual(['older']);
});
