import { describe, expect, test } from 'vitest';
import { screens } from '../../../screens/index.ts';
import { filterList } from '../../../screens/retention.ts';
import { hintLine } from '../../../src/scene/edge-lines.ts';
import { bindings } from '../../../src/session/keys/bindings.ts';
import { layerKindOf } from '../../../src/session/layers/index.ts';
import { update } from '../../../src/session/session.ts';
import { footHints } from '../../../src/session/state/moment.ts';
import type { Layer, State } from '../../../src/session/state/state.ts';
import { bareLayer, reportOf } from '../../support/bare-layer.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { everyLayer } from '../../support/layers.ts';

/** Every kind of layer over a list, as it is walked by keys alone. */

const layers = everyLayer(filterList).map(([kind, layer], at) => [`${kind} ${at}`, layer] as const);
const over = (layer: Layer): State => ({ ...emptyState(screens), layers: [layer] });

function keysOf(state: State) {
  const { view, context } = emptyWorld(screens, state);
  return bindings(state, view, context, screens);
}

/** The state after this key. */
function pressed(state: State, key: string): State {
  const binding = keysOf(state).find(({ keys }) => keys.includes(key));
  if (!binding || binding.refused !== undefined) return state;
  const world = emptyWorld(screens, state);
  return update(state, binding.run, { ...world, bindings: keysOf(state) }).state;
}

/** How many times the key is pressed until no layer is left; undefined where it leads nowhere. */
function pressesToLeave(layer: Layer, key: string): number | undefined {
  let state = over(layer);
  for (let presses = 1; presses <= 6; presses += 1) {
    state = pressed(state, key);
    if (state.layers.length === 0) return presses;
  }
  return undefined;
}

describe.each(layers)('the layer %s', (_, layer) => {
  const kind = layerKindOf(layer);

  test('is left by Esc', () => {
    expect(pressesToLeave(layer, 'esc')).toBeDefined();
  });

  test('that shows is left by q', () => {
    if (!kind.isShowing || kind.takesText(layer)) return;
    expect(pressesToLeave(layer, 'q')).toBeDefined();
  });
});

/** The hints of a moment, and how many of them 80 columns show whole. */
function hintsOf(state: State) {
  const hints = footHints({ ...emptyWorld(screens, state), bindings: keysOf(state) });
  const drawn = hintLine({ hints, width: 80 }).map(({ text }) => text);
  return { hints, shown: hints.filter(({ keys, title }) => drawn.join('').includes(`${keys} ${title}`)) };
}

/** Hints at most: six, help and the way back. Of these 80 columns have room for seven, of whatever length their words are. */
const most = 8;
const atLeast = 7;

describe('the hints of 80 columns', () => {
  const places = screens.flatMap(({ id, lists }) => lists.map((list, tab) => [list.id, id, tab] as const));

  test.each(places)('of %s are six, besides help and the way back', (_, screen, tab) => {
    const { hints, shown } = hintsOf({ ...emptyState(screens), screen, tab: { [screen]: tab } });
    expect(hints.length).toBeLessThanOrEqual(most);
    expect(shown.length).toBeGreaterThanOrEqual(Math.min(atLeast, hints.length));
  });

  test.each(layers.filter(([, layer]) => layerKindOf(layer).isShowing))(
    'of the layer %s are six and the way back',
    (_, layer) => {
      const { hints, shown } = hintsOf(over(layer));
      expect(hints.length).toBeLessThanOrEqual(most);
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(atLeast, hints.length));
      expect(shown.at(-1)).toEqual(hints.at(-1));
    },
  );

  test.each([true, false])(
    'of the handover have the key that saves it, also where its line can be undone: %s',
    (undoable) => {
      const entries = [
        { id: 'e', at: 1, operation: 'o', target: 't', text: '', outcome: 'applied', undoable },
      ] as never;
      const report = reportOf(['e'], { list: 'monitors', row: '1' });
      const { shown } = hintsOf(over(bareLayer('timeline', { entries, report })));
      expect(shown.map(({ keys }) => keys)).toContain('Ctrl-S');
    },
  );
});
