import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { createBurst } from '../../../src/session/keys/key-input.ts';
import { initial, type Layer, type State } from '../../../src/session/state/state.ts';
import { bareLayer } from '../../support/bare-layer.ts';

const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const bare = initial(screens, { columns: 100, rows: 30 });
const help = bareLayer('help');
const searching = bareLayer('help', { searching: true });
const over = (...layers: Layer[]): State => ({ ...bare, layers });
const letter = (text: string) => ({ name: text, text, alone: true });

function begun() {
  const held = { at: 1_000_000 };
  const burst = createBurst({ now: () => held.at, after: () => () => {} });
  const passes = (ms: number) => {
    held.at += ms;
  };
  return { burst, passes };
}

test('of many dropped keys the first are named and the others counted', () => {
  const { burst } = begun();
  burst.refused('z does nothing here');
  const said = Array.from({ length: 22 }, () => burst.drop(letter('z')));
  expect(said[19]).toBe(`z does nothing here · ignored: ${'z'.repeat(20)}`);
  expect(said[20]).toBe(`z does nothing here · ignored: ${'z'.repeat(20)} and 1 more key`);
  expect(said[21]).toBe(`z does nothing here · ignored: ${'z'.repeat(20)} and 2 more keys`);
  burst.refused('z does nothing here');
  expect(burst.drop(letter('a'))).toBe('z does nothing here · ignored: a');
});

test('after a refusal keys count again 500 ms after it was drawn', () => {
  const { burst, passes } = begun();
  burst.refused('no');
  burst.shown(burst.undrawn() ?? {});
  passes(499);
  expect(burst.isOn()).toBe(true);
  passes(1);
  expect(burst.isOn()).toBe(false);
});

test('a clock that is set back ends what is left of a burst', () => {
  const { burst, passes } = begun();
  burst.refused('mute: there is no row');
  burst.shown(burst.undrawn() ?? {});
  burst.chose('4');
  passes(-3_600_000);
  expect([burst.isOn(), burst.drop(letter('4'))]).toEqual([false, undefined]);
});

test('after a layer has closed keys count once the frame without it is on the terminal', () => {
  const { burst, passes } = begun();
  burst.follow(over(help), over());
  passes(60_000);
  expect(burst.drop(letter('r'))).toBe('Ignored r: typed before the screen was drawn');
  expect(burst.drop(letter('i'))).toBe('Ignored ri: typed before the screen was drawn');
  burst.shown({});
  expect(burst.isOn()).toBe(true);
  burst.shown(burst.undrawn() ?? {});
  expect(burst.drop(letter('r'))).toBeUndefined();
});

test('after g has brought other rows keys count once they are on the terminal', () => {
  const { burst } = begun();
  burst.reordered();
  expect(burst.drop(letter('r'))).toBe('Ignored r: typed before the screen was drawn');
  burst.shown(burst.undrawn() ?? {});
  expect(burst.drop(letter('r'))).toBeUndefined();
});

test('a layer that a key opens, or one below that takes text, ends the drop; one that an answer opens begins it', () => {
  const { burst } = begun();
  burst.refused('no');
  burst.pressed(() => burst.follow(over(), over(help)));
  expect(burst.isOn()).toBe(false);
  burst.follow(over(), over(help));
  expect(burst.drop(letter('r'))).toBe('Ignored r: typed before the screen was drawn');
  burst.pressed(() => burst.follow(over(), over(help)));
  burst.follow(over(searching, help), over(searching));
  expect(burst.isOn()).toBe(false);
  burst.follow(over(help, searching), over(help));
  expect(burst.isOn()).toBe(true);
  burst.follow(over(help), over(help));
  expect(burst.isOn()).toBe(true);
});
