import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { layerKindOf, layerKinds } from '../../../src/session/layers/index.ts';
import { update } from '../../../src/session/session.ts';
import type { MessageOf, TopMessage } from '../../../src/session/state/message.ts';
import type { Layer, State } from '../../../src/session/state/state.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { everyLayer } from '../../support/layers.ts';
import { contextOf } from '../../support/plans.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];

const stateWith = (layer: Layer): State => ({ ...emptyState(screens), layers: [layer] });
const worldOf = (state: State) =>
  emptyWorld(screens, state, {
    below: [{ keys: ['j'], title: 'down', group: 'move', run: { type: 'moveCursor', by: 1 } }],
    picks: () => [
      { id: 'ann', label: 'Ann' },
      { id: 'ben', label: 'Ben' },
    ],
  });

const layers = everyLayer(filterList);

/** One message of each kind for the layer on top; a missing one does not compile. */
const examples: { readonly [K in TopMessage['type']]: MessageOf<K> } = {
  closeLayer: { type: 'closeLayer' },
  answerDraft: { type: 'answerDraft', take: true },
  moveInLayer: { type: 'moveInLayer', by: 1 },
  choose: { type: 'choose' },
  holdDigit: { type: 'holdDigit', digit: undefined },
  pressBarKey: { type: 'pressBarKey', key: '1' },
  startTyping: { type: 'startTyping' },
  recall: { type: 'recall', by: 1 },
  typeKey: { type: 'typeKey', key: { name: 'a', text: 'a', alone: true } },
  pasteText: { type: 'pasteText', text: 'b' },
  searchDue: { type: 'searchDue', typed: 'a' },
  moveField: { type: 'moveField', by: 1 },
  moveInputRow: { type: 'moveInputRow', by: 1 },
  moveOption: { type: 'moveOption', by: 1 },
  moveOffer: { type: 'moveOffer', by: 1 },
  takeOffer: { type: 'takeOffer' },
  completePath: { type: 'completePath' },
  nextDiagnostic: { type: 'nextDiagnostic' },
  submitForm: { type: 'submitForm' },
  openEditor: { type: 'openEditor' },
  toggleChoice: { type: 'toggleChoice' },
  dismissNotice: { type: 'dismissNotice' },
  answerYes: { type: 'answerYes' },
  retryFailed: { type: 'retryFailed' },
  moveView: { type: 'moveView', by: 1 },
  openShiftMenu: { type: 'openShiftMenu' },
  setShift: { type: 'setShift', shift: { hours: 12 } },
  openNote: { type: 'openNote' },
  openEntryMenu: { type: 'openEntryMenu' },
  openShiftStart: { type: 'openShiftStart' },
  openEntry: { type: 'openEntry' },
  saveReport: { type: 'saveReport' },
  runOnEntry: { type: 'runOnEntry', what: 'check' },
  runOnProfile: { type: 'runOnProfile', what: 'test' },
  toggleSecret: { type: 'toggleSecret' },
  copySecret: { type: 'copySecret' },
  cancelJob: { type: 'cancelJob' },
};

test('every message for the layer on top has a handler in some kind of layer', () => {
  const byEngine = ['closeLayer', 'moveInLayer', 'typeKey', 'pasteText'];
  const taken = new Set([...byEngine, ...Object.values(layerKinds).flatMap((kind) => Object.keys(kind.update))]);
  expect(Object.keys(examples).filter((name) => !taken.has(name))).toEqual([]);
});

test.each(layers)('every message that a key of %s sends has a handler there or in the session', (_, layer) => {
  const kind = layerKindOf(layer);
  const own = new Set<string>([
    'closeLayer',
    ...Object.keys(kind.update),
    ...(kind.rowKeys ? ['moveInLayer'] : []),
    ...(kind.typed ? ['typeKey'] : []),
  ]);
  const lost = kind
    .keys(layer, stateWith(layer), [], contextOf())
    .filter(({ run }) => Object.hasOwn(examples, run.type) && !own.has(run.type));
  expect(lost.map(({ keys, run }) => `${keys} ${run.type}`)).toEqual([]);
});

test.each(layers)('no key of %s is bound twice', (_, layer) => {
  const items =
    layer.kind === 'menu'
      ? []
      : layerKindOf(layer)
          .keys(layer, stateWith(layer), [], contextOf())
          .flatMap(({ keys }) => keys);
  expect(items).toEqual([...new Set(items)]);
});

const messages = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...Object.values(examples).filter((message) => message.type !== 'submitForm' && message.type !== 'answerYes'),
    ),
    fc.record({ type: fc.constant('moveInLayer' as const), by: fc.constantFrom(-1e9, -10, -1, 1, 10, 1e9) }),
    fc.record({
      type: fc.constant('typeKey' as const),
      key: fc.constantFrom(
        { name: 'a', text: 'a', alone: true },
        { name: 'backspace', alone: true },
        { name: 'left', alone: true },
      ),
    }),
  ),
  { maxLength: 12 },
);

test.each(layers)(
  'after any messages to %s its cursor is on its rows and the layers below are unchanged',
  (_, layer) => {
    fc.assert(
      fc.property(messages, (steps) => {
        const below: Layer = { kind: 'text', title: 'below', lines: [], top: 0 };
        let state: State = { ...stateWith(layer), layers: [below, layer] };
        for (const step of steps) {
          if (state.layers.length < 2) break;
          const before = state;
          const copy = { ...before, layers: [...before.layers] };
          state = update(before, step, worldOf(before)).state;
          expect(before).toEqual(copy);
          // What is run from a list of all keys acts on the list below all layers.
          if (state.layers.length === 0 && (layer.kind === 'help' || layer.kind === 'palette')) return;
          const top = state.layers.at(-1) as Layer;
          const rows = layerKindOf(top).rowKeys?.(top, worldOf(state));
          const isMoved = step.type === 'moveInLayer' && rows && 'cursor' in top && state !== before;
          if (isMoved) {
            expect(top.cursor).toBeGreaterThanOrEqual(0);
            expect(top.cursor).toBeLessThanOrEqual(Math.max(0, rows.length - 1));
          }
        }
        expect(state.layers[0] === below || layer.kind === 'profiles' || layer.kind === 'take').toBe(true);
      }),
      { numRuns: 25 },
    );
  },
);
