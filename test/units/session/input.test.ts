import { expect, test } from 'vitest';
import { textField } from '../../../src/describe/field.ts';
import type { Key } from '../../../src/session/keyboard/keyboard.ts';
import { bindings } from '../../../src/session/keys/bindings.ts';
import { createBurst, createInput } from '../../../src/session/keys/key-input.ts';
import { createReading, createSight, readingMs } from '../../../src/session/keys/reading.ts';
import { createSortGuard } from '../../../src/session/list/cursor.ts';
import type { ListState } from '../../../src/session/rows/list-state.ts';
import { update } from '../../../src/session/session.ts';
import type { Flash, Message } from '../../../src/session/state/message.ts';
import type { Layer, LayerOf, State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';
import { thingsNamed, turn } from '../../support/things.ts';

const screens = [{ id: 'things', title: 'Things', key: '1', lists: [thingsNamed((row) => row.id)] }];
const pending = { action: turn, list: thingsNamed((row) => row.id), rows: [{ id: 'a' }] };
const typed = (text: string): Key => ({ name: text, text, alone: true });
const named = (name: string): Key => ({ name, alone: true });
const old: Flash = { text: 'old', tone: 'info', at: 1 };
const help = bareLayer('help', { searching: true });
const yesNo = bareLayer('confirm');
const word: LayerOf<'confirm'> = { ...yesNo, confirm: { question: 'Sure?', typed: 'web' } };
const wait = bareLayer('wait', { pending });

/** The input of a session in this state; what it sends and says. */
function inputOf(more: Partial<State> = {}) {
  const clock = createSteppedClock();
  const sent: Message[] = [];
  const said: string[] = [];
  const held = { state: { ...emptyState(screens), ...more } };
  const reading = createReading(clock);
  const burst = createBurst(clock);
  reading.follow(held.state);
  const send = (message: Message) => {
    // What is passing is said as well as what stays.
    if (message.type === 'showFlash' && message.flash.isPassing) said.push(message.flash.text);
    else sent.push(message);
    const before = held.state;
    held.state = update(before, message, emptyWorld(screens, before)).state;
    reading.follow(held.state);
    burst.follow(before, held.state);
  };
  const input = createInput({
    state: () => held.state,
    now() {
      const world = emptyWorld(screens, held.state);
      return { ...world, bindings: bindings(held.state, world.view, world.context, screens) };
    },
    reading,
    burst,
    sortGuard: createSortGuard(clock),
    sight: createSight(clock, () => undefined),
    send,
    say: (text) => void said.push(text),
    clock,
  });
  return { clock, input, reading, burst, held, sent, said };
}

/** What these keys send and say, each after a long pause. */
async function pressed(more: Partial<State>, ...keys: readonly Key[]) {
  const { clock, input, sent, said } = inputOf(more);
  for (const key of keys) {
    input.press(key);
    await clock.passes(1000);
  }
  return [...sent, ...said];
}

test('a key sends what its binding says; the message above the hints goes, unless the key only moves', async () => {
  expect(await pressed({ flash: old }, typed('j'), typed('?'))).toEqual([
    { type: 'moveCursor', by: 1 },
    { type: 'openHelp' },
    { type: 'clearFlash', flash: old },
  ]);
  expect(await pressed({}, typed('?'))).toEqual([{ type: 'openHelp' }]);
});

const kept = bareLayer('secret', { leaving: true });

const sent: Layer = {
  ...formLayer('Edit', { name: textField('Name', '') }, { kind: 'profile' }),
  busy: true,
};

test.each<[string, Partial<State>, Key, (Message | string)[]]>([
  ['a key that is refused says why', {}, named('return'), ['Open: no row to open']],
  ['Esc with nothing to close clears the message', { flash: old }, named('esc'), [{ type: 'clearFlash', flash: old }]],
  ['Esc with nothing to close and no message does nothing', {}, named('esc'), []],
  ['a letter without a binding is refused', {}, typed('z'), ['z does nothing here']],
  ['the key of jobs says what it would show', {}, typed('W'), ['W shows running jobs; none is running']],
  ['a named key without a binding does nothing', {}, named('insert'), []],
  ['a letter while something loads does nothing', { layers: [wait] }, typed('z'), []],
  [
    'a letter while a form is sent says so, and what Esc does',
    { layers: [sent] },
    typed('z'),
    ['The form is being sent; Esc goes back without canceling it'],
  ],
  ['a letter is text where there is a line', { layers: [help] }, typed('z'), [{ type: 'typeKey', key: typed('z') }]],
  ['a letter is no text on a terminal too small', { layers: [help], size: { columns: 20, rows: 5 } }, typed('z'), []],
  [
    'a key answers no question that is not drawn yet',
    { layers: [kept] },
    named('esc'),
    ['Esc was pressed before the question was drawn: press it again'],
  ],
  ['a question on a terminal too small is none', { layers: [yesNo], size: { columns: 20, rows: 5 } }, typed('y'), []],
])('%s', async (_, more, key, expected) => {
  expect(await pressed(more, key)).toEqual(expected);
});

const together = 'Alt-j does nothing here; for Esc and then j, press one at a time';

test.each<[string, Partial<State>]>([
  ['in a list', {}],
  ['while something loads', { layers: [wait] }],
  ['where no edit of the line has it', { layers: [help] }],
  ['at a question', { layers: [yesNo] }],
])('Esc and a letter in one read, which is Alt and the letter, is told %s, and what follows is dropped', (_, more) => {
  const { input, said, burst } = inputOf(more);
  if (burst.isOn()) throw new Error('nothing was typed yet');
  input.press(named('alt+j'));
  expect(said).toEqual([together]);
  input.press(typed('m'));
  expect(said.at(-1)).toBe(`${together} · ignored: m`);
});

test('a letter with Alt that edits the line is no mistake', async () => {
  const text = { text: 'one two', cursor: 7 };
  const sent = await pressed({ layers: [{ ...help, query: text }] }, named('alt+b'));
  expect(sent).toEqual([{ type: 'typeKey', key: named('alt+b') }]);
});

test('after a refused letter the next ones are ignored; a receipt stays, with them behind it', () => {
  const { input, said, sent, held } = inputOf();
  for (const key of ['z', 'j', 'k']) input.press(typed(key));
  expect(said).toEqual(
    ['z', 'z · ignored: j', 'z · ignored: jk'].map((text) => text.replace('z', 'z does nothing here')),
  );
  const spaced = inputOf();
  for (const key of ['z', 'a', 'space', 'return', 'b']) spaced.input.press(typed(key));
  expect(spaced.said.at(-1)).toBe('z does nothing here · ignored: a Space Enter b');
  const receipt: Flash = { text: 'Muted web', tone: 'good', at: 1 };
  held.state = { ...held.state, flash: receipt };
  input.press(typed('x'));
  const more = ' · z does nothing here · ignored: jkx';
  expect(sent).toEqual([
    { type: 'showFlash', flash: { ...receipt, text: `Muted web${more}`, parts: ['Muted web', more] } },
  ]);
});

test('a question that takes the place of another one is unread; nothing waits once the reading is closed', async () => {
  const { reading, held, clock } = inputOf({ layers: [yesNo] });
  reading.shown(yesNo.confirm);
  await clock.passes(200);
  reading.follow({ ...held.state, layers: [word] });
  // The frame with the one before it, which comes late, tells nothing of it.
  reading.shown(yesNo.confirm);
  await clock.passes(200);
  reading.shown(word.confirm);
  await clock.passes(readingMs - 1);
  expect(reading.isUnread()).toBe(true);
  await clock.passes(1);
  expect(reading.isUnread()).toBe(false);
  reading.follow(held.state);
  reading.shown(yesNo.confirm);
  reading.close();
  expect(clock.waiting()).toBe(0);
});

test('what would be chosen must have been drawn, and what an answer has brought must have been there for a moment', async () => {
  const clock = createSteppedClock();
  const [local, found] = [{ id: 'Bobby' }, { id: 'Bob' }];
  const under = { now: local as object | undefined };
  const sight = createSight(clock, () => under.now);
  sight.pressed();
  expect([sight.isUnread(), sight.undrawn()]).toEqual([true, local]);
  sight.shown(local);
  expect([sight.isUnread(), sight.undrawn()]).toEqual([false, undefined]);
  under.now = found;
  sight.shown(local);
  expect([sight.isUnread(), sight.undrawn()]).toEqual([true, found]);
  sight.shown(found);
  await clock.passes(readingMs - 1);
  expect(sight.isUnread()).toBe(true);
  await clock.passes(1);
  expect(sight.isUnread()).toBe(false);
  under.now = undefined;
  expect(sight.isUnread()).toBe(false);
});

test('digits of a range count one after the other; after an edit of rows from before a sleep the next letters are ignored', () => {
  const base = emptyState(screens);
  const own = base.lists.things as ListState;
  const range = inputOf({ lists: { things: { ...own, rowRange: { from: 'a', rows: [], count: '' } } } });
  for (const digit of ['4', '5']) range.input.press(typed(digit));
  expect(range.sent).toEqual(['4', '5'].map((digit) => ({ type: 'addDigit', digit })));
  const step = { id: 'a', name: 'a', calls: [], before: {}, after: {} };
  const edit = { group: 'g', text: 'a is on', list: 'things', at: 1, forward: pending, steps: [step] };
  const slept = inputOf({ wokeAt: 1, undo: [edit] });
  slept.input.press(typed('u'));
  slept.input.press(typed('j'));
  expect(slept.said).toEqual(['The rows are from before the sleep: wait until they are read again · ignored: j']);
});

test('a digit right behind one that has chosen is ignored', () => {
  const bar = { title: 'mute', choices: [{ key: '4', title: '4h', values: {} }], values: {} };
  const { input, burst, said } = inputOf({ layers: [bareLayer('bar', { bar, pending })] });
  input.press(typed('4'));
  burst.shown(burst.undrawn() ?? {});
  input.press(typed('5'));
  expect(said).toEqual(['Ignored 5: typed right after 4']);
});

test('pasted text goes into a line, and is ignored where there is none', () => {
  const pasted = (more: Partial<State>) => {
    const { input, sent, said } = inputOf(more);
    input.paste('web');
    return [...sent, ...said];
  };
  const size = { columns: 20, rows: 5 };
  expect(pasted({ layers: [help] })).toEqual([{ type: 'pasteText', text: 'web' }]);
  for (const more of [{}, { layers: [yesNo] }, { layers: [help], size }])
    expect(pasted(more)).toEqual(['Pasted text is ignored here']);
});

test('a paste that would hold up every later key is refused where a line is typed', () => {
  const pasting = (length: number) => {
    const { input, sent, said } = inputOf({ layers: [help] });
    input.paste('x'.repeat(length));
    return [sent.length, ...said];
  };
  expect(pasting(10_000)).toEqual([1]);
  expect(pasting(10_001)).toEqual([0, 'Pasted text of 10001 characters is ignored: at most 10000 fit in a line']);
});
