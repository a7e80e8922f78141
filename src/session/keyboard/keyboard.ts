import type { Clock } from '../../lib/clock.ts';
import { present } from '../../lib/present.ts';
import { codedKey } from './key-codes.ts';

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

export interface Keyboard {
  /** Takes bytes from the terminal, in chunks of any size. */
  feed(chunk: Uint8Array | string): void;
  close(): void;
}

/** Milliseconds after which a lone Esc byte counts as the Esc key; longer where the link has torn a sequence apart. */
export const escapeWait = 25;
/** A slow link may tear a sequence: its rest belongs to it within this many milliseconds, even after a lone Esc has counted. */
const tornWithin = 700;

/** Nobody types so many keys between two reads, nor holds one down for so long over a link that stalls: they were pasted. */
const mostTyped = 1000;
/** What comes within so many milliseconds is the rest of that. */
const pastedWithin = 100;

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

/** What a key types without a text of its own. */
const pastedTexts: Readonly<Record<string, string>> = { return: '\n', tab: '\t' };

/**
 * Decodes chunks to keys: splits typed-ahead text into single keys, buffers an incomplete escape sequence or
 * character, passes pasted text on as one piece, also from a terminal that does not mark it, and drops the terminal's replies (DA, DSR, OSC, DCS), which must never
 * act as keys.
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
    pending: '',
    pasting: undefined as string | undefined,
    cancel: () => {},
    escapedAt: Number.NEGATIVE_INFINITY,
    heldAt: 0,
    wait: escapeWait,
    /** Pasted without a mark, until a pause. */
    unmarked: '',
    endPaste: () => {},
  };
  /** A sequence came in two parts, so many milliseconds apart: the next Esc waits longer. */
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
    const keys: { name: string; text?: string }[] = [];
    let index = 0;
    const emit = (name: string, typed?: string) => keys.push({ name, ...present({ text: typed }) });
    while (index < text.length) {
      if (state.pasting !== undefined) {
        const end = text.indexOf('\x1b[201~', index);
        if (end < 0) {
          // The end mark may be split across chunks: keep a possible beginning of it.
          const kept = tornEnd(text.slice(index), '\x1b[201~');
          state.pasting += text.slice(index, text.length - kept);
          flush(keys);
          return text.slice(text.length - kept);
        }
        const pasted = state.pasting + text.slice(index, end);
        state.pasting = undefined;
        index = end + 6;
        flush(keys.splice(0));
        with_.paste(pasted);
        continue;
      }
      const code = text[index] as string;
      if (code !== '\x1b') {
        const point = String.fromCodePoint(text.codePointAt(index) as number);
        index += point.length;
        const named = controls[point];
        if (named) emit(named, point === ' ' ? ' ' : undefined);
        else if (point < ' ') emit(`ctrl+${String.fromCharCode(point.charCodeAt(0) + 96)}`);
        else if (point >= '\x80' && point < '\xa0') continue;
        else emit(point, point);
        continue;
      }
      const rest = text.slice(index);
      const match = sequence(rest);
      if (match === 'more' && !final) {
        flush(keys);
        return rest;
      }
      if (match === 'more') {
        if (rest.length === 1) state.escapedAt = with_.clock.now();
        // A lone Esc is the key; what begins a sequence and does not go on was typed. Other incomplete sequences are dropped.
        if (rest.length === 1) emit('esc');
        if (rest.length === 2) emit(`alt+${rest[1]}`);
        index = text.length;
        continue;
      }
      index += match.length;
      if (match.kind === 'noise') with_.reply?.(rest.slice(0, match.length));
      if (match.kind === 'paste') state.pasting = '';
      else if (match.kind === 'key') emit(match.name, match.text);
      else if (match.kind === 'mouse') {
        flush(keys.splice(0));
        with_.mouse?.(match.event);
      }
    }
    flush(keys);
    return '';
  };

  const endPaste = () => {
    const { unmarked } = state;
    state.endPaste();
    state.unmarked = '';
    if (unmarked !== '') with_.paste(unmarked);
  };

  /** Takes keys that were pasted without a mark: much text in one read, where a control character is no key, or text alone right behind such a read. */
  const tookPaste = (keys: readonly { name: string; text?: string }[]): boolean => {
    const texts = keys.flatMap(({ name, text }) => text ?? pastedTexts[name] ?? []);
    const isRest = keys.length > 0 && state.unmarked !== '' && texts.length === keys.length;
    if (texts.length < mostTyped && !isRest) return false;
    state.unmarked += texts.join('');
    state.endPaste();
    state.endPaste = with_.clock.after(pastedWithin, endPaste);
    return true;
  };

  const flush = (keys: { name: string; text?: string }[]) => {
    if (tookPaste(keys)) return;
    if (keys.length > 0) endPaste();
    const alone = keys.length === 1;
    for (const key of keys) with_.key({ ...key, alone });
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
      state.endPaste();
    },
  };
}

type Match =
  | 'more'
  | { readonly kind: 'key'; readonly name: string; readonly text?: string; readonly length: number }
  | { readonly kind: 'mouse'; readonly event: MouseEvent; readonly length: number }
  | { readonly kind: 'noise' | 'paste'; readonly length: number };

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
  if (second === ']' || second === 'P' || second === '_' || second === '^' || second === 'X') {
    const whole = /^..[\s\S]*?(?:\x07|\x1b\\)/.exec(text)?.[0];
    if (whole) return { kind: 'noise', length: whole.length };
    return text.length > 4096 ? { kind: 'noise', length: text.length } : 'more';
  }
  if (second === '\x1b') return { kind: 'key', name: 'esc', length: 1 };
  const point = String.fromCodePoint(text.codePointAt(1) as number);
  if (point === '\r') return { kind: 'key', name: 'alt+return', length: 2 };
  if (point === '\x7f') return { kind: 'key', name: 'alt+backspace', length: 2 };
  if (point === ' ') return { kind: 'key', name: 'alt+space', length: 2 };
  if (point < ' ') return { kind: 'key', name: 'esc', length: 1 };
  return { kind: 'key', name: `alt+${point}`, length: 1 + point.length };
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
  const bits = modifier ? Number(modifier) - 1 : 0;
  const prefix = (bits & 4 ? 'ctrl+' : '') + (bits & 2 ? 'alt+' : '') + (bits & 1 ? 'shift+' : '');
  return { kind: 'key', name: prefix + base, length };
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
