import { layoutBar } from '../../components/BarLine.tsx';
import { footerLine, type Hint } from '../../components/Footer.tsx';
import type { Span } from '../../components/span.ts';
import { layoutToast, type ToastPart, type ToastProps } from '../../components/Toast.tsx';
import type { Theme } from '../../components/theme.ts';
import { typing } from '../../components/typing.ts';
import type { Part } from '../describe/receipt.ts';
import { paint } from '../lib/paint.ts';
import { joined, plain } from '../lib/painted.ts';
import { keyHints } from '../session/key-hints.ts';
import { keyName } from '../session/keys/names.ts';
import { meantSince } from '../session/layers/journal.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { noticeParts } from '../session/log.ts';
import type { Message } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import { readFailure } from '../session/trouble.ts';
import { exampleOf } from './FormLayer.tsx';

type Now = ReturnType<Session['now']>;
type Bar = LayerOf<'bar'>;

/** What leads to keys for which a line of hints has no room. */
const leads: ReadonlySet<Message['do']> = new Set(['verbs', 'help']);

/** The bindings with a place in the footer, in order; of a list without rows, those that work. */
export function hintsOf(now: Now): readonly Hint[] {
  const { value, problem } = now.view.known;
  const isBare = now.view.ids.length === 0 && (value ?? problem) !== undefined;
  // The key of a notice works, whatever is under the cursor.
  const offered = now.bindings.find(({ run }) => run.do === 'handleNotice')?.keys ?? [];
  return now.bindings
    .filter((binding) => binding.hint !== undefined && !(isBare && binding.refused !== undefined))
    .sort((one, other) => (one.hint ?? 0) - (other.hint ?? 0))
    .map((binding) => ({
      keys: paint(keyName(binding.keys[0] ?? '')),
      title: paint(binding.title),
      disabled: (binding.refused ?? binding.doubt) !== undefined && !offered.includes(binding.keys[0] ?? ''),
      keep: leads.has(binding.run.do),
    }));
}

/**
 * The last lines of the frame: the flash, or the open bar or filter, and the hints. Two, or more for a long bar or a message of two
 * lines, which make the body shorter.
 */
export function footLines(now: Now, width: number, theme: Theme): readonly (readonly Span[])[] {
  const top = now.state.layers.at(-1);
  const hints = hintsOf(now);
  if (top?.kind === 'bar') return layoutBar({ ...asked(top, now), hints, width, theme });
  return [...linesAboveHints(now, width, theme), footerLine({ hints, width, theme })];
}

function linesAboveHints(now: Now, width: number, theme: Theme): readonly (readonly Span[])[] {
  const top = now.state.layers.at(-1);
  if (top?.kind === 'journal' && top.since) return [sinceLine(top, now, width, theme)];
  if (top?.kind === 'filter' || top?.kind === 'find') {
    // What was typed or pasted into it and ignored.
    const said = now.state.flash?.tone === 'warn' ? layoutToast({ ...saidNow(now), width, theme }) : [];
    return [...said, [{ text: plain` /`, tone: 'info' }, ...typing(top.line, Math.max(10, width - 3), theme)]];
  }
  return messageLines(now, width, theme);
}

/** The start of the shift as it is typed, with what it means or why it was refused. */
function sinceLine(layer: LayerOf<'journal'>, { context }: Now, width: number, theme: Theme): readonly Span[] {
  const { line = { text: '', cursor: 0 }, error } = layer.since ?? {};
  const said = paint(error ?? (line.text === '' ? '22:00, yesterday 22:00 or 6h' : meantSince(layer, context)));
  const room = Math.max(10, Math.min(30, width - said.length - 10));
  return [
    { text: plain` since `, tone: 'info' },
    ...typing(line, room, theme),
    { text: plain`  ${said}`, tone: error === undefined ? 'dim' : 'bad' },
  ];
}

/** The lines between the list and the hints: the first notice that waits, and the last message; a blank one for neither. */
function messageLines(now: Now, width: number, theme: Theme): readonly (readonly Span[])[] {
  const said = saidNow(now);
  const { notices } = now.state;
  const [notice] = notices;
  if (!notice) return layoutToast({ ...said, width, theme });
  const keyOf = (does: Message['do']) => now.bindings.find(({ run }) => run.do === does);
  const list = keyOf('messages')?.keys[0];
  const others = notices.length - 1;
  const key = keyOf('handleNotice');
  const keys = [
    ...(key ? [plain`${paint(key.keys[0] ?? '')} ${paint(key.title)}`] : []),
    ...(others > 0 ? [plain`${list === undefined ? plain`` : plain`${paint(list)} `}${others} more`] : []),
  ];
  const lines = layoutToast({
    parts: paintedParts(noticeParts(notice, now.context.now)),
    isStanding: true,
    tone: 'warn',
    ...(keys.length > 0 && { keys: joined(keys, plain` ${theme.glyphs.dot} `) }),
    width,
    theme,
  });
  return said.parts === undefined ? lines : [...lines, ...layoutToast({ ...said, width, theme })];
}

/** The parts of a sentence as a message is drawn of them. */
export const paintedParts = (parts: readonly Part[]): readonly ToastPart[] =>
  parts.map((part) => (typeof part === 'string' ? { text: paint(part) } : { text: paint(part.name), isName: true }));

/** The last message; else why the rows on screen are old. */
export function saidNow({ state, view }: Now): Pick<ToastProps, 'parts' | 'tone' | 'keys'> {
  const { flash } = state;
  const top = state.layers.at(-1);
  // A job that has ended shows its outcome itself.
  if (flash && top?.kind === 'job' && top.ended?.text === flash.text) return {};
  if (flash)
    return {
      parts: paintedParts(flash.parts ?? [flash.text]),
      tone: flash.tone,
      ...(flash.keys === undefined ? {} : { keys: paint(flash.keys) }),
    };
  // Without rows the list shows the same sentence in their place.
  const trouble = view.total > 0 ? view.known.problem : undefined;
  if (trouble && state.layers.length === 0)
    return { parts: [{ text: paint(readFailure(trouble, true)) }], tone: 'bad', keys: paint(keyHints.messages) };
  return {};
}

/** What the values would do; a fault in saying so does not stop the bar. */
function foreseen(bar: Bar['bar'], values: Bar['values']) {
  try {
    return bar.foresees?.(values);
  } catch {
    return undefined;
  }
}

/** A bar as it is drawn. */
export function asked({ bar, values, input, held }: Bar, { context }: Now) {
  const field = input && bar.inputs?.find((one) => one.name === input.name)?.field;
  const chosen = (bar.cycles ?? []).map((cycle) => ({
    name: paint(cycle.title),
    value: paint(
      cycle.options.find((one) => one.value === values[cycle.name])?.label ?? String(values[cycle.name] ?? ''),
    ),
  }));
  const kept = (bar.inputs ?? [])
    .filter((choice) => !choice.ends && values[choice.name])
    .map((choice) => ({ name: paint(choice.field.label.toLowerCase()), value: paint(String(values[choice.name])) }));
  const waits = bar.choices
    .filter(({ key }) => key === held)
    .map(({ title }) => ({ name: paint(title), value: plain`unless you type on` }));
  const settings = [...waits, ...chosen, ...kept];
  // A text that is typed counts as soon as it can be read.
  const verdict = input && field?.read(input.line.text);
  const meant = input && verdict?.ok ? { ...values, [input.name]: verdict.value } : values;
  const seen = verdict?.ok === false ? undefined : foreseen(bar, meant);
  const means = input && field?.means && paint(field.means(input.line.text, context.now) ?? '');
  const foresight = seen && {
    text: means ? paint(seen.text) : plain`${paint(bar.choices[0]?.title)}: ${paint(seen.end)}, ${paint(seen.text)}`,
    isWarning: seen.isWarning,
  };
  if (!input || !field) return { title: paint(bar.title), settings, foresight };
  return {
    title: paint(bar.title),
    settings,
    foresight,
    input: {
      ...input.line,
      label: paint(field.label),
      placeholder: exampleOf(field),
      ...(input.error === undefined ? {} : { error: paint(input.error) }),
      ...(means === undefined ? {} : { means }),
    },
  };
}
