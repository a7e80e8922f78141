import type { Clock } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { codedKey, modifierPrefix } from './key-codes.ts';

/** One key as the bindings name it: `j`, `M`, `space`, `return`, `esc`, `tab`, `shift+tab`, `up`, `ctrl+d`, `alt+x`. */
export interface Key {
  readonly name: string;
  /** The text that the key types, if any. */
  readonly text?: string;
  /** The only key of its chunk, so pressed by itself. Typed-ahead and pasted keys never confirm. */
  readonly alone: boolean;
}

/** A press of the left button, or a turn of the wheel; places count from 0. */
export interface MouseEvent {
  readonly kind: 'press' | 'up' | 'down';
  readonly column: number;
  readonly row: number;
}

interface Keyboard {
  /** Takes bytes from the terminal, in chunks of any size. */
  feed(chunk: Uint8Array | string): void;
  close(): void;
}

/** Milliseconds after which a lone Esc byte counts as the Esc key; the wait grows where the link has torn a sequence apart. */
export const escapeWait = 25;
/** Milliseconds in which the rest of a sequence that a slow link tore still belongs to it, even after a lone Esc has counted. */
const tornWithin = 700;

/** Keys in one read that count as pasted: nobody types so many, nor holds one down for so long over a link that stalls. */
const mostTyped = 1000;
/** Milliseconds in which text behind pasted keys belongs to them. */
const pastedWithin = 100;

/** The sequence behind pasted text, from a terminal that marks such text. */
const pasteEnd = '\x1b[201~';

const csiNames: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift+tab',
  '1~': 'home',
  '7~': 'home',
  '4~': 'end',
  '8~': 'end',
  '2~': 'insert',
  '3~': 'delete',
  '5~': 'pageup',
  '6~': 'pagedown',
};
const controls: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'return',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'esc',
  ' ': 'space',
  '\0': 'ctrl+space',
  '\x1f': 'ctrl+_',
};

/** What keys without a text of their own stand for in pasted text. */
const pastedTexts: Readonly<Record<string, string>> = { return: '\n', tab: '\t' };

/**
 * Decodes chunks to keys: splits typed-ahead text into single keys, buffers an incomplete escape sequence or character,
 * passes pasted text on as one piece, also from a terminal that does not mark it, and drops the terminal's replies (DA, DSR,
 * OSC, DCS), which must never act as keys.
 */
export function createKeyboard(with_: {
  readonly clock: Clock;
  readonly key: (key: Key) => void;
  readonly paste: (text: string) => void;
  /** A reply of the terminal to a query. */
  readonly reply?: (text: string) => void;
  readonly mouse?: (event: MouseEvent) => void;
}): Keyboard {
  const decoder = new TextDecoder('utf-8');
  const state = {
    /** The beginning of a sequence or character whose rest has not come. */
    pending: '',
    /** Pasted text so far; undefined outside a paste. */
    pasting: undefined as string | undefined,
    cancel: () => {},
    /** When a lone Esc last counted as the key. */
    escapedAt: Number.NEGATIVE_INFINITY,
    /** Since when `pending` waits. */
    heldAt: 0,
    /** Milliseconds that a lone Esc waits. */
    wait: escapeWait,
    /** The keys of the chunk so far. */
    keys: [] as TypedKey[],
  };
  const typed = createTyped(with_);
  const flush = () => typed.take(state.keys.splice(0));
  /** Makes the next Esc wait longer, because a sequence came in two parts, so many milliseconds apart. */
  const torn = (apart: number) => {
    state.wait = Math.min(tornWithin, Math.max(state.wait, 2 * apart));
  };

  const parse = (text: string, final: boolean): string => {
    const escaped = with_.clock.now() - state.escapedAt;
    if (state.pasting === undefined && escaped < tornWithin && tornRest.test(text)) {
      torn(state.wait + escaped);
      state.escapedAt = Number.NEGATIVE_INFINITY;
      return parse(`\x1b${text}`, final);
    }
    let index = 0;
    while (index < text.length) {
      const rest = text.slice(index);
      const match = state.pasting === undefined ? nextMatch(rest, final) : takePasted(rest);
      if (match === 'more') break;
      if (final && rest === '\x1b') state.escapedAt = with_.clock.now();
      index += match.length;
      act(match, rest);
    }
    flush();
    return text.slice(index);
  };

  /** Acts on what was read; keys wait for the others of their chunk. */
  const act = (match: Exclude<Match, 'more'>, text: string): void => {
    if (match.kind === 'key') return void state.keys.push({ name: match.name, ...present({ text: match.text }) });
    if (match.kind === 'noise') with_.reply?.(text.slice(0, match.length));
    if (match.kind === 'paste') state.pasting = '';
    if (match.kind !== 'mouse') return;
    flush();
    with_.mouse?.(match.event);
  };

  /** Takes pasted text up to the mark at its end, or to what may be the beginning of that. */
  const takePasted = (text: string): Match => {
    flush();
    const end = text.indexOf(pasteEnd);
    const length = end < 0 ? text.length - tornEnd(text, pasteEnd) : end;
    const pasted = (state.pasting ?? '') + text.slice(0, length);
    state.pasting = end < 0 ? pasted : undefined;
    if (end < 0) return length === 0 ? 'more' : { kind: 'nothing', length };
    with_.paste(pasted);
    return { kind: 'nothing', length: length + pasteEnd.length };
  };

  return {
    feed(chunk) {
      state.cancel();
      const text = state.pending + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
      if (state.pending === '\x1b' && /^.[[O]/.test(text)) torn(with_.clock.now() - state.heldAt);
      state.pending = parse(text, false);
      if (state.pending === '' || state.pasting !== undefined) return;
      state.heldAt = with_.clock.now();
      const wait = state.pending === '\x1b' ? state.wait : tornWithin;
      state.cancel = with_.clock.after(wait, () => {
        const rest = state.pending;
        state.pending = '';
        parse(rest, true);
      });
    },
    close() {
      state.cancel();
      typed.close();
    },
  };
}

/** Hands on the keys of a chunk, or as pasted text what nobody types so fast and no terminal has marked. */
function createTyped(with_: Pick<Parameters<typeof createKeyboard>[0], 'clock' | 'key' | 'paste'>) {
  const state = { pasted: '', cancel: () => {} };
  const endPaste = () => {
    const { pasted } = state;
    state.cancel();
    state.pasted = '';
    if (pasted !== '') with_.paste(pasted);
  };
  return {
    take(keys: readonly TypedKey[]): void {
      // A reply or a click amid pasted text does not end it.
      if (keys.length === 0) return;
      const texts = keys.flatMap(({ name, text }) => text ?? pastedTexts[name] ?? []);
      // Much text in one read, where a control character is no key, or text alone right behind such a read.
      const isRest = state.pasted !== '' && texts.length === keys.length;
      if (texts.length >= mostTyped || isRest) {
        state.pasted += texts.join('');
        state.cancel();
        state.cancel = with_.clock.after(pastedWithin, endPaste);
        return;
      }
      endPaste();
      for (const key of keys) with_.key({ ...key, alone: keys.length === 1 });
    },
    close: () => state.cancel(),
  };
}

type TypedKey = Omit<Key, 'alone'>;

type Match =
  | 'more'
  | (TypedKey & { readonly kind: 'key'; readonly length: number })
  | { readonly kind: 'mouse'; readonly event: MouseEvent; readonly length: number }
  | { readonly kind: 'noise' | 'paste' | 'nothing'; readonly length: number };

/** What a text begins with; `final`: nothing follows it. */
function nextMatch(text: string, final: boolean): Match {
  if (text[0] !== '\x1b') return character(text);
  const match = sequence(text);
  if (match !== 'more' || !final) return match;
  // A lone Esc is the key; what begins a sequence and does not go on was typed. Other incomplete sequences are dropped.
  if (text.length > 2) return { kind: 'nothing', length: text.length };
  return { kind: 'key', name: text.length === 1 ? 'esc' : `alt+${text[1]}`, length: text.length };
}

function character(text: string): Match {
  const point = String.fromCodePoint(text.codePointAt(0) as number);
  const { length } = point;
  const name = controls[point];
  if (name) return { kind: 'key', name, ...present({ text: point === ' ' ? ' ' : undefined }), length };
  if (point < ' ') return { kind: 'key', name: `ctrl+${String.fromCharCode(point.charCodeAt(0) + 96)}`, length };
  if (point >= '\x80' && point < '\xa0') return { kind: 'nothing', length };
  return { kind: 'key', name: point, text: point, length };
}

/** The escape sequence at the start of a text that begins with Esc. */
function sequence(text: string): Match {
  const second = text[1];
  if (second === undefined) return 'more';
  if (second === '[') return csi(text);
  if (second === 'O') {
    const third = text[2];
    if (third === undefined) return 'more';
    const name = csiNames[third];
    return name ? { kind: 'key', name, length: 3 } : { kind: 'noise', length: 3 };
  }
  if (']P_^X'.includes(second)) {
    const whole = /^..[\s\S]*?(?:\x07|\x1b\\)/.exec(text)?.[0];
    if (whole) return { kind: 'noise', length: whole.length };
    return text.length > 4096 ? { kind: 'noise', length: text.length } : 'more';
  }
  const point = String.fromCodePoint(text.codePointAt(1) as number);
  const named = { '\r': 'return', '\x7f': 'backspace', ' ': 'space' }[point];
  if (named === undefined && point < ' ') return { kind: 'key', name: 'esc', length: 1 };
  return { kind: 'key', name: `alt+${named ?? point}`, length: 1 + point.length };
}

function csi(text: string): Match {
  const match = /^\x1b\[([<-?]?)([0-9;:]*)([ -/]*)([@-~])/.exec(text);
  if (!match) {
    const rest = text.replace(/^\x1b\[[<-?]?[0-9;:]*[ -/]*/, '');
    return rest === '' ? 'more' : { kind: 'noise', length: text.length - rest.length };
  }
  const [whole, leader, parameters = '', between, last = ''] = match;
  const length = whole.length;
  // A mouse report in the oldest form, from a terminal without mode 1006: three characters follow.
  if (whole === '\x1b[M') return text.length < 6 ? 'more' : { kind: 'noise', length: 6 };
  const event = leader === '<' && !between && last === 'M' ? mouseEvent(parameters) : undefined;
  if (event) return { kind: 'mouse', event, length };
  if (leader || between) return { kind: 'noise', length };
  if (last === '~' && parameters === '200') return { kind: 'paste', length };
  if (last === 'u') {
    const key = codedKey(parameters);
    return key ? { kind: 'key', ...key, length } : { kind: 'noise', length };
  }
  // Cursor position reports (`ESC[12;40R`), focus events, device status: replies, not keys.
  const [first = '', modifier] = parameters.split(';');
  const base = csiNames[last === '~' ? `${first}~` : last];
  if (!base) return { kind: 'noise', length };
  return { kind: 'key', name: modifierPrefix(modifier ? Number(modifier) - 1 : 0) + base, length };
}

const mouseButtons: Readonly<Record<string, MouseEvent['kind']>> = { '0': 'press', '64': 'up', '65': 'down' };

/** `button;column;row` of a terminal in mode 1006, which counts from 1. Other buttons and moves mean nothing. */
function mouseEvent(parameters: string): MouseEvent | undefined {
  const [button = '', column, row] = parameters.split(';');
  const kind = mouseButtons[button];
  const [x, y] = [Number(column) - 1, Number(row) - 1];
  return kind !== undefined && x >= 0 && y >= 0 ? { kind, column: x, row: y } : undefined;
}

/** What follows the Esc of an arrow key, or of a terminal's reply; nothing that a person types in one chunk. */
const tornRest = /^(?:[[O][ABCDHF]$|\[[IO]$|\[M[\s\S]{3}|\[[<-?][\d;]|\[[\d;:]+[Rntu]|\]\d+;|P[\d>!+]?[$|\d+]|_G)/;

/** Number of characters at the end of `text` that may be the beginning of `mark`. */
function tornEnd(text: string, mark: string): number {
  let size = mark.length - 1;
  while (!text.endsWith(mark.slice(0, size))) size -= 1;
  return size;
}

const names: Readonly<Record<string, string>> = {
  return: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift-Tab',
  space: 'Space',
  backspace: 'Backspace',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  delete: 'Del',
};

/** A key's name on the screen: `Enter`, `Ctrl-R`, `j`. */
export function keyLabel(key: string): string {
  const named = names[key];
  if (named) return named;
  const control = /^ctrl\+(.+)$/.exec(key)?.[1];
  if (control) return `Ctrl-${control.length === 1 ? control.toUpperCase() : keyLabel(control)}`;
  const alt = /^alt\+(.+)$/.exec(key)?.[1];
  return alt ? `Alt-${keyLabel(alt)}` : key;
}
