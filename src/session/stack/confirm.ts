import type { Confirmation } from '../../describe/action.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { wrap } from '../../lib/text.ts';
import { asLines, type Spans } from '../../scene/scene.ts';
import { flow, lined, type Room, type Speech, typing } from '../../scene/span.ts';
import type { Theme } from '../../scene/theme.ts';
import { editedLine } from '../keyboard/editor.ts';
import type { Message } from '../state/message.ts';
import { leave, type Moment, on } from '../state/moment.ts';
import type { LayerOf } from '../state/state.ts';
import { flash, pop, swap } from '../state/state-changes.ts';
import { type LayerKind, typedLine } from './kind.ts';

/**
 * The layer of a question. A text to type that is longer than 24 characters, or that a keyboard may not have, is
 * replaced by a code of this moment.
 */
export const confirmLayer = (
  confirm: Confirmation,
  yes: Message,
  { code }: Pick<Moment, 'code'>,
): LayerOf<'confirm'> => ({
  kind: 'confirm',
  confirm: typeable(confirm, code),
  typed: editedLine(),
  yes,
});

/** The question with a text that a keyboard has. */
export const typeable = (confirm: Confirmation, code: () => string): Confirmation =>
  confirm.typed === undefined || isTypeable(confirm.typed) ? confirm : { ...confirm, typed: code() };

const isTypeable = (text: string): boolean =>
  /^[\x20-\x7e]{1,24}$/.test(text) && text.trim() === text && !text.includes('  ');

const letters = 'abcdefghjkmnpqrstuvwxyz';

/** Four random letters, without those that look like digits. `random` gives numbers from 0 to under 1. */
export const randomCode = (random: () => number): string =>
  Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)]).join('');

/** A question whose default is No, but where it names what Enter does. Where a text must be typed, only that text confirms. */
export const confirm: LayerKind<LayerOf<'confirm'>> = {
  keys({ confirm: { typed, enter } }) {
    const yes = (key: string, title: string) => on([key], title, { type: 'answerYes' }, 1, { deliberate: true });
    if (typed !== undefined) return [yes('return', 'confirm'), leave(['esc'], 'cancel')];
    if (enter !== undefined) return [yes('return', 'yes'), leave(['esc', 'q', 'n', 'N', 'backspace'], 'no')];
    return [yes('y', 'yes'), leave(['esc', 'q', 'n', 'N', 'return', 'backspace', 'space'], 'no')];
  },
  place: 'panel',
  lines: (layer, _, room) => ({
    title: [{ text: plain`Confirm`, tone: layer.confirm.destructive ? 'bad' : 'warn' }],
    lines: asLines(questionLines(layer, room)),
    speech: () => questionSpeech(layer),
  }),
  takesText: (layer) => layer.confirm.typed !== undefined,
  question: (layer) => layer.confirm,
  typed: (state, layer, typed) => ({ state: swap(state, { ...layer, typed: typedLine(layer.typed, typed) }) }),
  update: {
    answerYes(state, layer, _, world) {
      const wanted = layer.confirm.typed;
      if (wanted !== undefined && !isTyped(wanted, layer))
        return { state: flash(state, `Type ${wanted} to confirm, or Esc`, 'warn', world.context.now) };
      return { state: pop(state), effects: [{ ask: 'later', ms: 0, message: layer.yes }] };
    },
  },
};

/** Whether the text that confirms is typed; blanks around it count for nothing. */
const isTyped = (wanted: string, { typed }: LayerOf<'confirm'>): boolean => typed.text.trim() === wanted;

/** A question. Long details are cut so that the line of its answer stays in sight. */
function questionLines(layer: LayerOf<'confirm'>, { width, height, theme }: Room): readonly Spans[] {
  const { question, details = [], destructive, enter, typed: wanted } = layer.confirm;
  const inner = Math.max(1, width - 2);
  const asks = wrap(paint(question), inner).map(
    (line): Spans => [{ text: plain` ${line}`, tone: destructive ? 'bad' : 'strong' }],
  );
  const tells = details.flatMap((detail) =>
    wrap(paint(detail), inner).map((line): Spans => [{ text: plain` ${line}` }]),
  );
  const keys = enter === undefined ? [keyAnswer] : enterAnswer(paint(enter), inner);
  const answer = wanted === undefined ? keys : typedAnswer(wanted, layer, inner, theme);
  const room = Math.max(0, height - asks.length - answer.length - 2);
  const shown: readonly Spans[] =
    tells.length > room
      ? [...tells.slice(0, Math.max(0, room - 1)), [{ text: plain` ${theme.glyphs.ellipsis} and more` }]]
      : tells;
  const body: Spans[] = [...asks, [], ...(room > 0 ? shown : []), ...(shown.length > 0 && room > 0 ? [[]] : [])];
  return [...body.slice(0, Math.max(0, height - answer.length)), ...answer];
}

function questionSpeech({ confirm, typed }: LayerOf<'confirm'>): Speech {
  const { question, details = [], enter, typed: wanted } = confirm;
  const keys = enter === undefined ? plain`y: yes. n, Enter or Esc: no` : plain`Enter: ${paint(enter)}. Esc: no`;
  const how = wanted === undefined ? keys : plain`Type ${paint(wanted)} and press Enter to confirm. Esc cancels`;
  return {
    title: lined([paint(question), ...details.map(paint), how]),
    prompt: wanted === undefined ? undefined : plain`Confirm: ${paint(typed.text)}`,
  };
}

const keyAnswer: Spans = [
  { text: plain` [y]`, tone: 'strong' },
  { text: plain` Yes  ` },
  { text: plain`[N]`, tone: 'strong' },
  { text: plain` No (default)` },
];

const enterAnswer = (enter: Painted, width: number): readonly Spans[] =>
  wrap(plain`Enter: ${enter} · Esc`, width).map((line) => [{ text: plain` ${line}`, tone: 'strong' }]);

function typedAnswer(wanted: string, layer: LayerOf<'confirm'>, width: number, theme: Theme): Spans[] {
  const isRight = isTyped(wanted, layer);
  return [
    ...flow(
      [
        [{ text: plain`Type ` }, { text: paint(wanted), tone: 'strong' }],
        [{ text: plain`and Enter to confirm,` }],
        [{ text: plain`Esc to cancel:` }],
      ],
      width,
      1,
      theme.glyphs.ellipsis,
    ).map((line): Spans => [{ text: plain` ` }, ...line]),
    [
      { text: isRight ? plain` ${theme.glyphs.ok} ` : plain` > `, tone: isRight ? 'good' : 'dim' },
      ...typing(layer.typed, Math.max(1, width - 3), theme),
    ],
  ];
}
