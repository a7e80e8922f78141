import { expect, test } from 'vitest';
import type { Pending } from '../../../src/session/send/pending-edit.ts';
import { update } from '../../../src/session/session.ts';
import type { Message } from '../../../src/session/state/message.ts';
import { createSleepDetector, type Moment, tooOldToEdit } from '../../../src/session/state/moment.ts';
import type { Layer, State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { thingsNamed, turn } from '../../support/things.ts';

const at = (wokeAt: number | undefined, readAt: number | undefined, top?: Pick<Layer, 'kind'>) =>
  [{ wokeAt, layers: top ? [top] : [], notices: [] } as unknown as State, worldOf({ at: readAt })] as const;

const worldOf = (read: object, found?: object) =>
  ({ view: { read }, find: () => found && { read: found } }) as unknown as Moment;

const isHeld = (message: Message['type'], [state, world]: ReturnType<typeof at>) =>
  tooOldToEdit(state, { type: message } as Message, world) !== undefined;

test.each([
  'startAction',
  'handleNotice',
  'repeatAction',
  'saveOrder',
  'editConfirmed',
  'askUndo',
  'askRedo',
  'retryFailed',
] as const)('%s waits until the rows have been read again after a sleep', (edit) => {
  expect(isHeld(edit, at(1000, 999))).toBe(true);
  expect(isHeld(edit, at(1000, undefined))).toBe(true);
  expect(isHeld(edit, at(1000, 1000))).toBe(false);
  expect(isHeld(edit, at(undefined, 999))).toBe(false);
});

test.each<[string, Message | undefined, (pending: Pending) => Layer[]]>([
  ['the first key', { type: 'handleNotice' }, () => []],
  ['a form', { type: 'submitForm' }, (pending) => [formLayer('', {}, { kind: 'action', pending })]],
  ['a pick', { type: 'choose' }, (pending) => [bareLayer('pick', { pending })]],
  ['a question', undefined, () => []],
])('%s of a notice waits for the list of the notice, whatever is in front', (_, end, layersOf) => {
  const pending: Pending = { action: turn, list: thingsNamed(({ id }) => id), rows: [{ id: 'a' }], isOfNotice: true };
  const isOld = (front: number, ofNotice: number, own = pending) => {
    const notices = [{ list: 'things', rowId: 'a' }];
    const state = { wokeAt: 1000, layers: layersOf(own), notices } as unknown as State;
    const message: Message = end ?? { type: 'editConfirmed', pending: own };
    return tooOldToEdit(state, message, worldOf({ at: front }, { at: ofNotice })) !== undefined;
  };
  expect([isOld(999, 1000), isOld(1000, 999)]).toEqual([false, true]);
  if (end?.type === 'handleNotice') return;
  // Any other is about the rows in front.
  const usual = { ...pending, isOfNotice: undefined };
  expect([isOld(999, 1000, usual), isOld(1000, 999, usual)]).toEqual([true, false]);
});

test('an edit of rows from an earlier run waits until they have been read, with the reason', () => {
  const [state] = at(undefined, 5);
  const world = worldOf({ at: 5, isFromSnapshot: true });
  expect(tooOldToEdit(state, { type: 'startAction', id: 'x' }, world)).toContain('from before this start');
  expect(tooOldToEdit(state, { type: 'moveCursor', by: 1 }, world)).toBeUndefined();
});

test('messages that do not edit are processed at once', () => {
  for (const look of [
    'moveCursor',
    'openCurrent',
    'openFilter',
    'refresh',
    'openHelp',
    'askQuit',
    'submitForm',
    'choose',
  ] as const)
    expect(isHeld(look, at(1000, 999)), look).toBe(false);
});

test.each(['submitForm', 'choose', 'pressBarKey'] as const)('%s waits where it completes an edit', (end) => {
  expect(isHeld(end, at(1000, 999, { kind: 'bar' }))).toBe(true);
  expect(isHeld(end, at(1000, 999, { kind: 'pick' }))).toBe(true);
  expect(isHeld(end, at(1000, 999, { kind: 'menu' }))).toBe(false);
});

test.each([
  ['action', true],
  ['search', false],
] as const)('a form of an %s waits: %s', (kind, isAsked) => {
  const form = { kind: 'form', for: { kind } } as unknown as Layer;
  expect(isHeld('submitForm', at(1000, 999, form))).toBe(isAsked);
});

test('a gap of more than a minute is a sleep, reported once', () => {
  const clock = { ms: 0, now: () => clock.ms, after: () => () => {} };
  const sleepDetector = createSleepDetector(clock);
  clock.ms += 60_000;
  expect(sleepDetector.slept()).toBe(0);
  clock.ms += 60_001;
  expect(sleepDetector.slept()).toBe(60_001);
  expect(sleepDetector.slept()).toBe(0);
});

test('a clock that is set back is reported once, so that no edit waits for the time that it said before', () => {
  const clock = { ms: 10_000_000, now: () => clock.ms, after: () => () => {} };
  const sleepDetector = createSleepDetector(clock);
  clock.ms -= 2000;
  expect(sleepDetector.slept()).toBe(0);
  clock.ms -= 3_600_000;
  expect(sleepDetector.slept()).toBe(-3_600_000);
  expect(sleepDetector.slept()).toBe(0);
  const screens = [{ id: 'things', title: 'Things', key: '1', lists: [thingsNamed((row) => row.id)] }];
  const state = emptyState(screens);
  const world = emptyWorld(screens, state);
  const woken = update(state, { type: 'woke', sleptMs: -3_600_000 }, world);
  expect(woken).toMatchObject({
    state: { wokeAt: world.context.now, flash: { text: 'The clock was set back by 1h: reading again' } },
    effects: [{ ask: 'refresh' }],
  });
});
