import { attemptOr } from '../../lib/function-results.ts';
import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { present } from '../../lib/values.ts';
import { layoutBar } from '../../scene/edge-lines.ts';
import { asLines } from '../../scene/scene.ts';
import { listTexts, type Speech } from '../../scene/span.ts';
import { askOrSend } from '../edit/begin-edit.ts';
import { fieldExample } from '../form/form-pane.ts';
import { editedLine } from '../keyboard/editor.ts';
import { keyLabel } from '../keyboard/keyboard.ts';
import { type LayerKind, typedLine } from '../stack/kind.ts';
import { footHints, leave, type Moment, type Next, on } from '../state/moment.ts';
import type { LayerOf, State } from '../state/state.ts';
import { pop, swap } from '../state/state-changes.ts';

type Bar = LayerOf<'bar'>;

/**
 * One line of choices, each with its key: a choice sends, an input opens a text, a cycle takes its next option. A digit
 * that is no key of the bar begins the text that sends: `m30m`.
 */
export const bar: LayerKind<Bar> = {
  keys(layer) {
    if (layer.input) return [on(['return'], 'apply', { type: 'choose' }, 1), leave(['esc'], 'back')];
    const keys = barKeys(layer.bar);
    const isFree = (digit: string) => !keys.some(({ key }) => key === digit);
    const digits = endingInput(layer) ? [...'0123456789'].filter(isFree) : [];
    return [
      ...keys.map(({ key, title }, index) => on([key], title, { type: 'pressBarKey', key }, index + 1)),
      ...digits.map((key) => on([key], 'type', { type: 'typeKey', key: { name: key, text: key, alone: true } })),
      leave(),
    ];
  },
  place: 'foot',
  lines: (layer, now, { width, theme }) => ({
    title: [],
    lines: asLines(layoutBar({ ...barContent(layer, now), hints: footHints(now), width, theme }), 'prompt'),
    hasHints: true,
    speech: () => barSpeech(layer, now),
  }),
  takesText: (layer) => layer.input !== undefined,
  typed(state, layer, typed) {
    const name = layer.input?.name ?? endingInput(layer)?.name;
    if (name === undefined) return { state };
    const text = typedLine(layer.input?.line ?? editedLine(''), typed);
    return { state: swap(state, { ...layer, held: undefined, input: { name, line: text } }) };
  },
  update: {
    closeLayer: (state, layer) => ({
      state: layer.input ? swap(state, { ...layer, input: undefined }) : pop(state),
    }),
    holdDigit: (state, layer, { digit }) => ({ state: swap(state, { ...layer, held: digit }) }),
    choose: (state, layer, _, world) => entered(state, layer, world),
    pressBarKey: (state, layer, { key }, world) => pressed(state, layer, key, world),
  },
};

/** The keys of a bar with what they do, in the order of the footer. */
const barKeys = ({ choices, inputs = [], cycles = [] }: Bar['bar']) => [
  ...choices,
  ...inputs.map(({ key, title, field }) => ({ key, title: title ?? field.label.toLowerCase() })),
  ...cycles,
];

/** The input whose Return sends; undefined where the bar has none. */
export const endingInput = ({ bar }: Bar) => bar.inputs?.find(({ ends }) => ends);

/** Handles Return in the open input: keeps its value, or sends with it. */
function entered(state: State, layer: Bar, world: Moment): Next {
  const input = layer.bar.inputs?.find((one) => one.name === layer.input?.name);
  if (!layer.input || !input) return { state };
  const verdict = input.field.read(layer.input.line.text);
  if (!verdict.ok) return { state: swap(state, { ...layer, input: { ...layer.input, error: verdict.text } }) };
  const values = { ...layer.values, [input.name]: verdict.value };
  if (input.ends) return askOrSend(swap(state, { ...layer, values }), { ...layer.pending, values }, world);
  return { state: swap(state, { ...layer, values, input: undefined }) };
}

/** Handles a key of the bar: a choice sends, an input opens, a cycle takes its next option. */
function pressed(state: State, layer: Bar, key: string, world: Moment): Next {
  const choice = layer.bar.choices.find((one) => one.key === key);
  if (choice) return askOrSend(state, { ...layer.pending, values: { ...layer.values, ...choice.values } }, world);
  const input = layer.bar.inputs?.find((one) => one.key === key);
  if (input) {
    const held = layer.values[input.name];
    const text = typeof held === 'string' ? held : input.field.initial;
    return { state: swap(state, { ...layer, input: { name: input.name, line: editedLine(text) } }) };
  }
  const cycle = layer.bar.cycles?.find((one) => one.key === key);
  if (!cycle) return { state };
  const at = cycle.options.findIndex((option) => option.value === layer.values[cycle.name]);
  const next = cycle.options[(at + 1) % cycle.options.length];
  return { state: swap(state, { ...layer, values: { ...layer.values, [cycle.name]: next?.value } }) };
}

/** What a bar shows: its title, what is set, what would follow, and the open input. */
function barContent({ bar, values, input, held }: Bar, { context }: Moment) {
  const field = input && bar.inputs?.find((one) => one.name === input.name)?.field;
  const chosen = (bar.cycles ?? []).map((cycle) => ({
    name: paint(cycle.title),
    value: paint(
      cycle.options.find((one) => one.value === values[cycle.name])?.label ?? String(values[cycle.name] ?? ''),
    ),
  }));
  const texts = (bar.inputs ?? [])
    .filter((choice) => !choice.ends && values[choice.name])
    .map((choice) => ({ name: paint(choice.field.label.toLowerCase()), value: paint(String(values[choice.name])) }));
  const heldChoice = bar.choices
    .filter(({ key }) => key === held)
    .map(({ title }) => ({ name: paint(title), value: plain`unless you keep typing` }));
  const settings = [...heldChoice, ...chosen, ...texts];
  // A text that is typed counts as soon as it can be read.
  const verdict = input && field?.read(input.line.text);
  const nextValues = input && verdict?.ok ? { ...values, [input.name]: verdict.value } : values;
  // What cannot be said stops nobody.
  const result = attemptOr(undefined, () => (verdict?.ok === false ? undefined : bar.foresees?.(nextValues)));
  const means = input && field?.means && paint(field.means(input.line.text, context.now) ?? '');
  const foresight = result && {
    text: means
      ? paint(result.text)
      : plain`${paint(bar.choices[0]?.title)}: ${paint(result.end)}, ${paint(result.text)}`,
    isWarning: result.isWarning,
  };
  const open = input &&
    field && {
      ...input.line,
      label: paint(field.label),
      placeholder: fieldExample(field),
      ...present({ error: input.error === undefined ? undefined : paint(input.error), means }),
    };
  return { title: paint(bar.title), settings, foresight, ...present({ input: open }) };
}

/** What is said of a bar: its keys, what is set, and what would follow. */
function barSpeech(layer: Bar, now: Moment): Speech {
  const { bar, input } = layer;
  const { title, settings, foresight, input: open } = barContent(layer, now);
  const keys = barKeys(bar).map(({ key, title }) => plain`${paint(keyLabel(key))}: ${paint(title.replace(/…$/, ''))}`);
  const settingsText = listTexts(settings.map(({ name, value }) => plain`${name}: ${value}`));
  const token = `${settingsText}\n${input?.line.text ?? ''}`;
  const means = open?.means;
  return {
    title: plain`${title}. Type a key. ${listTexts(keys)}. Esc goes back`,
    remarks: [
      { about: 'settings', text: settingsText },
      {
        about: 'foresight',
        text: foresight ? plain`${foresight.isWarning ? plain`Warning: ` : plain``}${foresight.text}` : plain``,
        token: input ? (means ?? '') : token,
      },
      { about: 'means', text: means ?? plain``, token: input?.line.text ?? '' },
      { about: 'error', text: open?.error ? plain`Error: ${open.error}` : plain`` },
    ],
    prompt: open && plain`${open.label}: ${paint(open.text)}`,
  };
}
