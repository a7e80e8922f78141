import type { IUnicodeVersionProvider, Terminal } from '@xterm/headless';
import stringWidth from 'string-width';

/**
 * Character widths of current terminals without grapheme clusters: each character on its own, emoji two cells, parts of a
 * joined emoji side by side. The emulator's own table is from before most emoji.
 */
const today: IUnicodeVersionProvider = {
  version: 'today',
  wcwidth,
  charProperties(codepoint, preceding) {
    const width = wcwidth(codepoint);
    const before = (preceding >> 1) & 3;
    const joins = width === 0 && preceding !== 0 && before > 0;
    return ((joins ? Math.max(before, width) : width) << 1) | (joins ? 1 : 0);
  },
};

const known = new Map<number, 0 | 1 | 2>();

function wcwidth(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x7f) return 1;
  const width = known.get(codepoint) ?? measured(codepoint);
  known.set(codepoint, width);
  return width;
}

function measured(codepoint: number): 0 | 1 | 2 {
  const letter = String.fromCodePoint(codepoint);
  if (/^\p{Emoji_Modifier}$/u.test(letter)) return 2;
  if (/^\p{Regional_Indicator}$/u.test(letter)) return 1;
  return Math.min(2, stringWidth(letter)) as 0 | 1 | 2;
}

/** Widths as today's terminals have them, but each symbol that may be an emoji takes two cells. */
const wideSymbols: IUnicodeVersionProvider = {
  ...today,
  version: 'wide symbols',
  wcwidth: wideSymbol,
  charProperties: (codepoint, preceding) =>
    wideSymbol(codepoint) === wcwidth(codepoint) ? today.charProperties(codepoint, preceding) : 2 << 1,
};

function wideSymbol(codepoint: number): 0 | 1 | 2 {
  return codepoint > 0xff && /^\p{Extended_Pictographic}$/u.test(String.fromCodePoint(codepoint))
    ? 2
    : wcwidth(codepoint);
}

const measureBy = (provider: IUnicodeVersionProvider) => (terminal: Terminal) => {
  terminal.unicode.register(provider);
  terminal.unicode.activeVersion = provider.version;
};

/** Makes the emulator measure widths like a current terminal. */
export const measureAsToday = measureBy(today);

/** Makes the emulator draw symbols wide that others draw narrow. */
export const measureSymbolsWide = measureBy(wideSymbols);
