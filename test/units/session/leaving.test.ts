import { expect, test } from 'vitest';
import { textField } from '../../../src/describe/field.ts';
import { cameFrom } from '../../../src/session/list/cursor.ts';
import { update } from '../../../src/session/session.ts';
import type { Message } from '../../../src/session/state/message.ts';
import type { State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import type { View } from '../../../src/session/state/view.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { thingsNamed, turning } from '../../support/things.ts';

/** What is left, and what would be lost with it. */

const things = thingsNamed(({ id }) => id);
const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
const empty = emptyState(screens);
const step = (state: State, message: Message) => update(state, message, emptyWorld(screens, state));

const program = { kind: 'job', id: 'j', since: 0, title: 'logs', stopping: false, isProgram: true } as const;
const typed = {
  ...formLayer('', { name: textField('Name', '') }, { kind: 'view' }),
  lines: { name: { text: 'x', cursor: 1 } },
};
const secret = bareLayer('secret');
const moving = { ...empty.lists, things: { ...empty.lists.things, moving: ['a'] } } as State['lists'];

test.each<[string, Partial<State>]>([
  ['', {}],
  ['An edit is still being sent', { underWay: [turning] }],
  [
    'An edit is still being sent, and the secret that it shows once would be lost',
    { underWay: [turning, { ...turning, hasSecret: true }] },
  ],
  ['Unsaved order of Things (Ctrl-S saves it)', { lists: moving }],
  ['Still running: logs', { layers: [program] }],
  ['Still running: logs, logs', { layers: [program], behind: [program] }],
  ['', { layers: [{ ...program, ended: { at: 0, ok: true, text: '' } }] }],
  ['', { layers: [{ kind: 'job', id: 'j', since: 0, title: 'upload', stopping: false }] }],
  ['Not saved in a draft: Name', { layers: [typed] }],
  ['Not copied: Key', { layers: [secret] }],
  ['Not copied: Key', { secrets: [secret] }],
  ['', { layers: [{ ...secret, copied: true }] }],
  ['', { keepTrouble: 'full' }],
  ['Drafts are not on the disk', { keepTrouble: 'full', drafts: { f: { at: 1, texts: {} } } }],
  ['An edit is still being sent; Not saved in a draft: Name', { underWay: [turning], layers: [typed] }],
])('quitting loses %j: it is asked once', (lost, more) => {
  for (const [key, code, how] of [
    ['askQuit', 0, 'Press again'],
    ['interrupt', 130, 'Ctrl-C again'],
  ] as const) {
    const asked = step({ ...empty, ...more }, { type: key });
    const quits = [{ ask: 'quit', code }];
    if (lost === '') expect(asked.effects).toEqual(quits);
    else {
      expect([asked.effects, asked.state.flash?.text]).toEqual([undefined, `${lost}. ${how} to quit anyway`]);
      expect(step(asked.state, { type: key }).effects).toEqual(quits);
      // The question is no longer on the screen, or what would be lost is something else.
      const later = { ...asked.state, flash: { text: 'Undid', tone: 'good', at: 1 } as const };
      expect(step(later, { type: key }).effects).toBeUndefined();
      expect(step({ ...asked.state, warnedOf: 'other' }, { type: key }).effects).toBeUndefined();
      expect(step({ ...asked.state, warnedQuit: false }, { type: key }).effects).toBeUndefined();
    }
  }
});

const openedPlace: Message = { type: 'openPlace', place: { list: 'things', row: 'a' } };
test.each<[string, Message, boolean]>([
  ['another screen is opened', { type: 'openScreen', id: 'things' }, true],
  ['a row of a receipt is opened', openedPlace, true],
  ['another profile is opened', { type: 'useProfile', name: 'other', sure: true }, true],
  ['the palette runs something', { type: 'choose' }, true],
  ['a list opens over it', { type: 'openTimeline', view: 'handover' }, false],
  ['what is over it is closed', { type: 'closeLayer' }, false],
])('a secret that is not copied is asked about still when %s', (_, message, isClosed) => {
  const shown = { ...secret, shown: true, leaving: true };
  const over = bareLayer(message.type === 'choose' ? 'palette' : 'text');
  const after = (layer: typeof secret) => step({ ...empty, layers: [layer, over], secrets: [secret] }, message).state;
  const { layers, secrets, from } = after(shown);
  expect([layers.includes(shown), secrets]).toEqual([!isClosed, isClosed ? [secret, secret] : [secret]]);
  // Back would open it a second time.
  expect(from?.layers ?? []).not.toContain(shown);
  expect(after({ ...shown, copied: true }).secrets).toEqual([secret]);
});

test('switches say what is so now; what a kiosk may not do is refused', () => {
  const on = (message: Message, state = empty) => step(state, message);
  expect(on({ type: 'togglePause' })).toMatchObject({
    state: { paused: true, flash: { text: 'Polling paused · :pause resumes' } },
    effects: [{ ask: 'pause', on: true }],
  });
  expect(on({ type: 'togglePause' }, { ...empty, paused: true })).toMatchObject({
    state: { paused: false, flash: { text: 'Polling' } },
    effects: [{ on: false }],
  });
  expect(on({ type: 'setPollInterval', seconds: 30 }).state).toMatchObject({
    pollMs: 30_000,
    flash: { text: expect.stringContaining('30') },
  });
  expect(on({ type: 'toggleMouse' }, { ...empty, mouse: true }).state).toMatchObject({
    mouse: false,
    flash: { text: expect.stringContaining('Mouse off') },
  });
  const edits = { kind: 'timeline', view: 'edits', cursor: 0 };
  expect(on({ type: 'openPlace', place: {} }).state.layers).toMatchObject([edits]);
  expect(on({ type: 'openProfiles' }).effects).toEqual([{ ask: 'profiles' }]);
  for (const what of ['redraw', 'suspend'] as const)
    expect(on({ type: what })).toEqual({ state: empty, effects: [{ ask: what }] });
  const copy = { type: 'copyText', what: 'id', text: 'a' as never } as const;
  expect(on(copy)).toEqual({ state: empty, effects: [{ ask: 'copy', what: 'id', text: 'a' }] });
  const flash = { text: 'a', tone: 'good', at: 1 } as const;
  expect(on({ type: 'clearFlash', flash }, { ...empty, flash }).state.flash).toBeUndefined();
  expect(on({ type: 'clearFlash', flash: { ...flash } }, { ...empty, flash }).state.flash).toBe(flash);
  const world = emptyWorld(screens, empty);
  const kiosk = { ...world.context, profile: { ...world.context.profile, isKiosk: true } };
  const refused = update(empty, { type: 'suspend' }, { ...world, context: kiosk });
  expect([refused.effects, refused.state.flash]).toMatchObject([
    undefined,
    { text: 'Off in kiosk mode', tone: 'warn' },
  ]);
  const woke = on({ type: 'woke', sleptMs: 7_200_000 });
  expect(woke).toMatchObject({
    state: { wokeAt: world.context.now, flash: { text: 'Slept for 2h: reading again' } },
    effects: [{ ask: 'refresh' }],
  });
});

test.each<[string, Partial<NonNullable<State['from']>>, object, boolean]>([
  ['as it was opened', {}, {}, true],
  ['with another filter', {}, { listState: { filter: 'x' } }, false],
  ['with the filter that it was opened with', { filter: 'x' }, { listState: { filter: 'x' } }, true],
  ['of another list', { list: 'others' }, {}, false],
  ['with marks', {}, { listState: { marks: new Set(['a']) } }, false],
  ['in a range', {}, { listState: { rowRange: {} } }, false],
  ['with the detail of its row', { row: 'a' }, { detail: {}, listState: { detail: { id: 'a' } } }, true],
  ['with the detail of another row', { row: 'a' }, { detail: {}, listState: { detail: { id: 'b' } } }, false],
  ['with a detail where a list was opened', {}, { detail: {}, listState: { detail: { id: 'b' } } }, false],
  ['whose row has gone', { row: 'a' }, {}, true],
  ['whose row has gone, filtered since', { row: 'a' }, { listState: { filter: 'x' } }, false],
])(
  'back leads to where a list was opened from: %s',
  (_, from, { listState, ...view }: { listState?: object }, isBack) => {
    const state = { ...empty, from: { screen: 'home', tab: 2, list: 'things', filter: '', ...from } };
    const seen = {
      list: things,
      listState: { ...empty.lists.things, ...listState },
      detail: undefined,
      ...view,
    } as unknown as View;
    const back = cameFrom(state, seen);
    expect(back !== undefined).toBe(isBack);
    if (back)
      expect(back).toMatchObject({
        screen: 'home',
        tab: { home: 2 },
        from: undefined,
        lists: { things: { filter: '', detail: undefined } },
      });
    expect(cameFrom(empty, seen)).toBeUndefined();
  },
);

test.each<[string, Partial<State>, boolean]>([
  ['a place', {}, false],
  ['a draft', { drafts: { f: { at: 1, texts: {} } } }, true],
  ['a view', { views: [{ name: 'v', at: 1, screen: 'things', tab: 0, list: {} }] }, true],
  ['a note', { note: { at: 1, text: 'look at web-1' } }, true],
])('that %s could not be written is told once, where somebody has typed it', (_, more, isTold) => {
  const problem = 'no space left';
  const { state } = step({ ...empty, ...more }, { type: 'saveDone', problem });
  expect(state.flash?.text).toBe(isTold ? `Drafts, views and the note: ${problem}` : undefined);
  expect(step(state, { type: 'saveDone', problem }).state).toBe(state);
  expect(step(state, { type: 'saveDone', problem: undefined }).state.keepTrouble).toBeUndefined();
});
