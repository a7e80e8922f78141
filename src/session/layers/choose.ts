import type { Bar } from '../../describe/action.ts';
import { flash, pop, swap } from '../change.ts';
import { pickedFirst, question } from '../edit/begin.ts';
import { line } from '../form/line.ts';
import type { Message } from '../message.ts';
import type { Layer, State } from '../state.ts';
import type { Next, World } from '../world.ts';
import { matchingHelp, matchingPalette, pickRows } from './matching.ts';
import { taken } from './take.ts';

/** Return, or a choice's own key, in a layer that offers choices. */
export function choose(state: State, top: Layer, message: Message, world: World): Next {
  switch (top.kind) {
    case 'filter':
      return { state: pop(state) };
    case 'menu': {
      const item = message.do === 'barKey' ? top.items.find((it) => it.key === message.key) : top.items[top.cursor];
      if (!item) return { state };
      if (item.refused) return { state: flash(state, `${item.label}: ${item.refused}`, 'warn', world.context.now) };
      return run(pop(state), item.run);
    }
    case 'help': {
      const found = matchingHelp(state, top.query.text, world)[top.cursor];
      if (!found) return { state };
      if (found.refused) return { state: flash(state, `${found.title}: ${found.refused}`, 'warn', world.context.now) };
      return run(pop(state), found.run);
    }
    case 'palette': {
      const found = matchingPalette(state, top.query.text, world)[top.cursor];
      if (!found) return { state };
      if (found.refused) return { state: flash(state, `${found.label}: ${found.refused}`, 'warn', world.context.now) };
      return run(pop(state), found.run);
    }
    case 'take':
      return { state: taken(state, top, world) };
    case 'pick': {
      const { picker } = top;
      if (message.do === 'quickPick' && picker.quick && !picker.quick.pick)
        return { state: swap(state, { ...top, wished: true }) };
      const pick = message.do === 'quickPick' ? picker.quick?.pick : pickRows(top, world.picks(top))[top.cursor];
      if (!pick) return { state };
      const recent = picker.things
        ? state.recent
        : [pick, ...state.recent.filter((it) => it.id !== pick.id)].slice(0, 8);
      const values = picker.values(pick);
      if (top.isFirst)
        return pickedFirst({ ...state, recent }, { ...top.pending, pickedAs: pick.label }, values, world);
      return question({ ...state, recent }, { ...top.pending, values }, world);
    }
    case 'bar':
      return bar(state, top, message, world);
    default:
      return { state };
  }
}

/** A key of the line stands for its binding: it is sent round again as if it had been pressed. */
const run = (state: State, message: Message): Next => ({ state, effects: [{ ask: 'later', ms: 0, message }] });

function bar(state: State, top: Extract<Layer, { kind: 'bar' }>, message: Message, world: World): Next {
  const it = top.bar as Bar<Record<string, unknown>>;
  if (top.input) {
    const input = it.inputs?.find((one) => one.name === top.input?.name);
    if (!input) return { state };
    const verdict = input.field.read(top.input.line.text);
    if (!verdict.ok) return { state: swap(state, { ...top, input: { ...top.input, error: verdict.text } }) };
    const values = { ...top.values, [input.name]: verdict.value };
    if (input.ends) return question(swap(state, { ...top, values }), { ...top.pending, values }, world);
    return { state: swap(state, { ...top, values, input: undefined }) };
  }
  if (message.do !== 'barKey') return { state };
  const choice = it.choices.find((one) => one.key === message.key);
  if (choice) return question(state, { ...top.pending, values: { ...top.values, ...choice.values } }, world);
  const input = it.inputs?.find((one) => one.key === message.key);
  if (input) {
    const held = top.values[input.name];
    return {
      state: swap(state, {
        ...top,
        input: { name: input.name, line: line(typeof held === 'string' ? held : input.field.initial) },
      }),
    };
  }
  const cycle = it.cycles?.find((one) => one.key === message.key);
  if (cycle && cycle.options.length > 0) {
    const at = cycle.options.findIndex((one) => one.value === top.values[cycle.name]);
    const next = cycle.options[(at + 1) % cycle.options.length];
    return { state: swap(state, { ...top, values: { ...top.values, [cycle.name]: next?.value } }) };
  }
  return { state };
}
