import { present } from '../../lib/values.ts';

/** Keys of a keypad, which terminals with the kitty keyboard protocol tell apart from the others. */
const keypad: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Array.from('0123456789', (digit, at) => [57399 + at, digit])),
  57409: '.',
  57410: '/',
  57411: '*',
  57412: '-',
  57413: '+',
  57414: 'return',
  57415: '=',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
};

/** Keys that have names of their own. */
const named: Readonly<Record<number, string>> = { 8: 'backspace', 9: 'tab', 13: 'return', 27: 'esc', 127: 'backspace' };

/** What a letter with Ctrl is in terminals that send one byte for it: Ctrl-I is Tab, so that a key means the same in all. */
const controlled: Readonly<Record<string, string>> = {
  ' ': 'ctrl+space',
  '@': 'ctrl+space',
  '2': 'ctrl+space',
  '/': 'ctrl+_',
  '-': 'ctrl+_',
  _: 'ctrl+_',
  '7': 'ctrl+_',
  '[': 'esc',
  '3': 'esc',
  h: 'backspace',
  '8': 'backspace',
  i: 'tab',
  j: 'return',
  m: 'return',
};

const shift = 1;
const alt = 2;
const ctrl = 4;
/** Super, hyper, meta: keys of the window system. */
const foreign = 8 | 16 | 32;

/** `ctrl+alt+shift+`, as far as these bits say. */
export const modifierPrefix = (bits: number): string =>
  (bits & ctrl ? 'ctrl+' : '') + (bits & alt ? 'alt+' : '') + (bits & shift ? 'shift+' : '');

/**
 * The key of `ESC[code:shifted:latin;modifiers u`, the form of the kitty keyboard protocol for keys that would otherwise begin like
 * a sequence, or be one byte with others. Undefined for keys that have no meaning here and for the release of a key.
 */
export function codedKey(parameters: string): { readonly name: string; readonly text?: string } | undefined {
  const [codes = '', state = ''] = parameters.split(';');
  const [modifiers, event] = state.split(':');
  const [keyCode = 0, shifted = 0, latin] = codes.split(':').map(Number);
  const bits = Number(modifiers || 1) - 1;
  if (event === '3' || bits & foreign) return undefined;
  const before = modifierPrefix(bits);
  const pad = keypad[keyCode];
  if (pad === 'return') return { name: pad };
  if (pad !== undefined)
    return { name: before + pad, ...present({ text: before + pad.slice(1) === '' ? pad : undefined }) };
  const special = named[keyCode];
  if (special) return { name: namedKey(special, bits) };
  // Ctrl and Alt keys are those of a Latin keyboard, whatever letters are on it.
  const code = keyCode > 127 && latin && bits & (ctrl | alt) ? latin : keyCode;
  if (!isText(code)) return undefined;
  const letter = String.fromCodePoint(code);
  const upper = isText(shifted) && code === keyCode ? String.fromCodePoint(shifted) : letter.toUpperCase();
  return bits & ctrl ? controlKey(letter.toLowerCase(), bits) : letterKey(bits & shift ? upper : letter, bits);
}

/** Esc has no form with Alt, and only Tab has one with Shift. */
function namedKey(name: string, bits: number): string {
  if (name === 'tab' && bits & shift) return 'shift+tab';
  return bits & alt && name !== 'esc' ? `alt+${name}` : name;
}

const controlKey = (letter: string, bits: number) => ({
  name: bits & alt ? `ctrl+alt+${letter}` : (controlled[letter] ?? `ctrl+${letter}`),
});

const letterKey = (text: string, bits: number) =>
  bits & alt ? { name: `alt+${text}` } : { name: text === ' ' ? 'space' : text, text };

/** Whether a code point is text: no control character, half of a pair, or key of the private range. */
const isText = (code: number): boolean => code <= 0x10ffff && !/[\p{Cc}\p{Cs}\p{Co}]/u.test(String.fromCodePoint(code));
