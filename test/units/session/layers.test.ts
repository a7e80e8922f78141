import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { layerKindOf, layerKinds } from '../../../src/session/layers/index.ts';
import type { Layer } from '../../../src/session/state/layer.ts';
import type { TopMessage } from '../../../src/session/state/message.ts';
import type { State } from '../../../src/session/state/state.ts';
import { update } from '../../../src/session/update.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { everyLayer } from '../../support/layers.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];

const stateWith = (layer: Layer): State => ({ ...emptyState(screens), layers: [layer] });
const worldOf = (state: State) =>
  emptyWorld(screens, state, {
    below: [{ keys: ['j'], title: 'down', group: 'move', run: { do: 'move', by: 1 } }],
    picks: () => [
      { id: 'ann', label: 'Ann' },
      { id: 'ben', label: 'Ben' },
    ],
  });

const layers = everyLayer(filterList);

/** One message of each kind for the layer on top; a missing one does not compile. */
const examples: { readonly [K in TopMessage['do']]: Extract<TopMessage, { do: K }> } = {
  pop: { do: 'pop' },
  draft: { do: 'draft', take: true },
  step: { do: 'step', by: 1 },
  choose: { do: 'choose' },
  holdDigit: { do: 'holdDigit', digit: undefined },
  barKey: { do: 'barKey', key: '1' },
  typing: { do: 'typing' },
  recall: { do: 'recall', by: 1 },
  type: { do: 'type', key: { name: 'a', text: 'a', alone: true } },
  paste: { do: 'paste', text: 'b' },
  asked: { do: 'asked', typed: 'a' },
  field: { do: 'field', by: 1 },
  row: { do: 'row', by: 1 },
  option: { do: 'option', by: 1 },
  offer: { do: 'offer', by: 1 },
  takeOffer: { do: 'takeOffer' },
  complete: { do: 'complete' },
  nextFinding: { do: 'nextFinding' },
  submit: { do: 'submit' },
  editRaw: { do: 'editRaw' },
  edited: { do: 'edited' },
  fileRead: { do: 'fileRead', name: 'name', path: '/a', content: 'text' },
  toggle: { do: 'toggle' },
  dismiss: { do: 'dismiss' },
  yes: { do: 'yes' },
  retry: { do: 'retry' },
  rawEntries: { do: 'rawEntries' },
  shiftHours: { do: 'shiftHours' },
  shiftSince: { do: 'shiftSince' },
  openEntry: { do: 'openEntry' },
  saveReport: { do: 'saveReport' },
  entry: { do: 'entry', what: 'check' },
  profile: { do: 'profile', what: 'test' },
  reveal: { do: 'reveal' },
  copySecret: { do: 'copySecret' },
  cancelJob: { do: 'cancelJob' },
};

test('every message for the layer on top has a handler in some kind of layer', () => {
  const byEngine = ['pop', 'step', 'type', 'paste'];
  const taken = new Set([...byEngine, ...Object.values(layerKinds).flatMap((kind) => Object.keys(kind.update))]);
  expect(Object.keys(examples).filter((name) => !taken.has(name))).toEqual([]);
});

test.each(layers)('every message that a key of %s sends has a handler there or in the session', (_, layer) => {
  const kind = layerKindOf(layer);
  const own = new Set<string>([
    'pop',
    ...Object.keys(kind.update),
    ...(kind.rows ? ['step'] : []),
    ...(kind.typed ? ['type'] : []),
  ]);
  const lost = kind
    .keys(layer, stateWith(layer))
    .filter(({ run }) => Object.hasOwn(examples, run.do) && !own.has(run.do));
  expect(lost.map(({ keys, run }) => `${keys} ${run.do}`)).toEqual([]);
});

test.each(layers)('no key of %s is bound twice', (_, layer) => {
  const items =
    layer.kind === 'menu'
      ? []
      : layerKindOf(layer)
          .keys(layer, stateWith(layer))
          .flatMap(({ keys }) => keys);
  expect(items).toEqual([...new Set(items)]);
});

const messages = fc.array(
  fc.oneof(
    fc.constantFrom(...Object.values(examples).filter((message) => message.do !== 'submit' && message.do !== 'yes')),
    fc.record({ do: fc.constant('step' as const), by: fc.constantFrom(-1e9, -10, -1, 1, 10, 1e9) }),
    fc.record({
      do: fc.constant('type' as const),
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
          const top = state.layers.at(-1) as Layer;
          const rows = layerKindOf(top).rows?.(top, worldOf(state));
          const isMoved = step.do === 'step' && rows && 'cursor' in top && state !== before;
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

test.each(layers)('Esc, pressed a few times, closes %s', (_, layer) => {
  let state = stateWith(layer);
  for (let left = 4; left > 0 && state.layers.length > 0; left -= 1)
    state = update(state, { do: 'pop' }, worldOf(state)).state;
  expect(state.layers).toEqual([]);
});
