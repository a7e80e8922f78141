import { ESC } from '../sequences.ts';

/** How a cell is drawn. Colors are the parameters of their SGR sequence, empty for the terminal's own. */
interface Style {
  readonly foreground: string;
  readonly background: string;
  /** Bits of `attributes`. */
  readonly flags: number;
  /** Address of the link that the cell belongs to; empty for none. */
  readonly link: string;
}

/** SGR parameters of each attribute: on and off. Bold and dim are turned off together. */
const attributes = [
  { on: 1, off: 22 },
  { on: 2, off: 22 },
  { on: 3, off: 23 },
  { on: 4, off: 24 },
  { on: 7, off: 27 },
  { on: 9, off: 29 },
  { on: 53, off: 55 },
] as const;

/** Attributes that are seen on a blank: underlined, inverse, struck, overlined. */
const seenOnBlanks = 0b111_1000;

const mostRemembered = 4096;

/** The style of a cell that nobody has styled. */
export const plainStyle = 0;

/** Styles by small numbers, so that two cells compare as numbers. One table for all writers: styles are few and never change. */
export interface Styles {
  /** The style after the parameters of an SGR sequence; unknown ones change nothing. */
  styled(style: number, parameters: string): number;
  /** The style with this link; with an empty one, without. */
  linked(style: number, link: string): number;
  /** The number of the style that a blank with this style looks like. */
  ofBlank(style: number): number;
  hasBackground(style: number): boolean;
  /** Bytes that turn the style `from` into the style `to`; empty for the same. */
  between(from: number, to: number): string;
  /** How many bytes `between` has. */
  bytesBetween(from: number, to: number): number;
}

/** Styles whose turns are looked up in a table: a screen has some twenty. */
const few = 64;

export function createStyles(): Styles {
  const numbers = new Map<string, number>();
  const all: Style[] = [];
  const blanks: number[] = [];
  const turns = new Map<number, string>();
  const lengths = new Int32Array(few * few).fill(-1);
  const following = new Map<string, number[]>();
  const number = (style: Style): number => {
    const name = `${style.foreground}|${style.background}|${style.flags}|${style.link}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, all.length);
    return all.push(style) - 1;
  };
  number({ foreground: '', background: '', flags: 0, link: '' });
  const style = (at: number) => all[at] as Style;
  const between = (from: number, to: number): string => {
    if (from === to) return '';
    const pair = from * 65_536 + to;
    const known = turns.get(pair);
    if (known !== undefined) return known;
    const turn = turned(style(from), style(to));
    turns.set(pair, turn);
    return turn;
  };
  return {
    styled(from, parameters) {
      const next = following.get(parameters);
      const known = next?.[from];
      if (known !== undefined) return known;
      const found = number(styledBy(style(from), parameters));
      // A line may name any colors: what is remembered is bounded.
      if (next) next[from] = found;
      else if (following.size < mostRemembered) following.set(parameters, []);
      return found;
    },
    linked: (from, link) => number({ ...style(from), link }),
    hasBackground: (at) => style(at).background !== '',
    ofBlank(styleId) {
      const known = blanks[styleId];
      if (known !== undefined) return known;
      const { foreground, background, flags, link } = style(styleId);
      const seen = flags & seenOnBlanks;
      const blank = number({ foreground: seen === 0 ? '' : foreground, background, flags: seen, link });
      blanks[styleId] = blank;
      return blank;
    },
    between,
    bytesBetween(from, to) {
      if (from === to) return 0;
      if (from >= few || to >= few) return between(from, to).length;
      const pair = from * few + to;
      if (lengths[pair] === -1) lengths[pair] = between(from, to).length;
      return lengths[pair] as number;
    },
  };
}

function turned(from: Style, to: Style): string {
  const link = from.link === to.link ? '' : `${ESC}]8;;${to.link}${ESC}\\`;
  const changes = sgr(changed(from, to));
  const anew = sgr(['', ...changed({ foreground: '', background: '', flags: 0, link: '' }, to)]);
  return link + (anew.length < changes.length ? anew : changes);
}

const sgr = (parameters: readonly string[]): string =>
  parameters.length === 0 ? '' : `${ESC}[${parameters.join(';')}m`;

function changed(from: Style, to: Style): string[] {
  const gone = attributes.filter((_, bit) => from.flags & ~to.flags & (1 << bit));
  const off = [...new Set(gone.map((attribute) => attribute.off))];
  // What an off parameter turns off besides must be set again.
  const switchedOn = attributes.filter(
    (attribute, bit) =>
      (to.flags & (1 << bit)) !== 0 && ((from.flags & (1 << bit)) === 0 || off.some((code) => code === attribute.off)),
  );
  return [
    ...off.map(String),
    ...switchedOn.map((attribute) => String(attribute.on)),
    ...(from.foreground === to.foreground ? [] : [to.foreground || '39']),
    ...(from.background === to.background ? [] : [to.background || '49']),
  ];
}

/** Parameters that set a color: one of the sixteen, or with 38 and 48 any. */
const foregrounds = /^(?:3[0-8]|9[0-7])(?:;|$)/;
const backgrounds = /^(?:4[0-8]|10[0-7])(?:;|$)/;

function styledBy(style: Style, parameters: string): Style {
  const codes = parameters.split(';').map(Number);
  let styled = style;
  for (let index = 0; index < codes.length; ) {
    const isLong = codes[index] === 38 || codes[index] === 48;
    const length = isLong ? (codes[index + 1] === 5 ? 3 : 5) : 1;
    styled = styledByOne(styled, codes[index] as number, codes.slice(index, index + length).join(';'));
    index += length;
  }
  return styled;
}

/** The style after one code; `color` is the code with what follows it where it sets a color. */
function styledByOne(style: Style, code: number, color: string): Style {
  if (code === 0) return { ...style, foreground: '', background: '', flags: 0 };
  if (foregrounds.test(color)) return { ...style, foreground: color };
  if (backgrounds.test(color)) return { ...style, background: color };
  if (code === 39) return { ...style, foreground: '' };
  if (code === 49) return { ...style, background: '' };
  const bits = (side: 'on' | 'off') =>
    attributes.reduce((flags, attribute, bit) => (attribute[side] === code ? flags | (1 << bit) : flags), 0);
  return { ...style, flags: (style.flags & ~bits('off')) | bits('on') };
}
