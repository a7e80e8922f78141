import type { Tone } from '../describe/column.ts';
import { joined, type Painted, plain, sliced, trimmed } from '../lib/painted.ts';
import { cells, cut, squeeze, wrap } from '../lib/text.ts';
import type { Span } from './span.ts';
import type { Glyphs, Theme } from './theme.ts';

/** A part of a message; of a name the end is left out where there is no room. */
export interface ToastPart {
  readonly text: Painted;
  readonly isName?: boolean;
}

export interface ToastProps {
  /** None: a blank line. */
  readonly parts?: readonly ToastPart[];
  readonly tone?: Tone | undefined;
  /** What can be pressed now, from `keyHints` of the session. It is never cut. */
  readonly keys?: Painted;
  /** One that stays for long: its names are shortened to 16 cells before it takes a second line. */
  readonly isStanding?: boolean;
  readonly width: number;
  readonly theme: Theme;
}

/** Cells of the mark before the first line, and of the indent of the second. */
const indent = 3;
/** The most lines of a message. */
const most = 2;
/** Cells that a shortened name keeps. */
export const leastName = 8;
/** The same in a message of one line. */
const leastOfOne = 16;

/** The lines of a message, one or two: names are shortened before anything else is left out. */
export function layoutToast({
  parts = [],
  tone = 'plain',
  keys,
  isStanding,
  width,
  theme,
}: ToastProps): (readonly Span[])[] {
  if (parts.every(({ text }) => text === '')) return [[]];
  const { dot, ellipsis } = theme.glyphs;
  const room = Math.max(1, width - indent);
  const tail = keys ? plain` ${dot} ${keys}` : plain``;
  const one = isStanding ? onOneLine(parts, room - cells(tail), ellipsis) : undefined;
  const lines = one === undefined ? linesOf(parts, room, tail, theme.glyphs) : [one];
  return lines.map((text, at): Span[] => [
    { text: at === 0 ? plain` ${markOf(tone, theme.glyphs)} ` : plain`   `, tone },
    { text, tone: tone === 'good' ? 'plain' : tone },
    ...(at === lines.length - 1 ? [{ text: text === '' ? (keys ?? plain``) : tail, tone: 'strong' as const }] : []),
  ]);
}

/** A message on one line of so many cells, with its names shortened to `least` cells; undefined where it does not fit. */
export function onOneLine(
  parts: readonly ToastPart[],
  room: number,
  ellipsis: Painted,
  least = leastOfOne,
): Painted | undefined {
  const rest = parts.reduce((sum, { text, isName }) => sum + (isName ? 0 : cells(text)), 0);
  const names = parts.filter(({ isName }) => isName);
  const each = names.length === 0 ? 0 : Math.floor((room - rest) / names.length);
  if (rest > room || names.some(({ text }) => cells(text) > each && each < least)) return undefined;
  return shortened(parts, each, ellipsis);
}

const shortened = (parts: readonly ToastPart[], name: number, ellipsis: Painted): Painted =>
  joined(parts.map((part) => (part.isName ? cut(part.text, name, ellipsis) : part.text)));

/** A line without the dot at its end, which would separate nothing. */
const withoutDot = (line: Painted, dot: Painted): Painted =>
  line.endsWith(` ${dot}`) ? sliced(line, 0, line.length - dot.length - 1) : line;

function linesOf(parts: readonly ToastPart[], room: number, tail: Painted, { dot, ellipsis }: Glyphs): Painted[] {
  const wrapped = (text: Painted): Painted[] => wrap(text, room).map((line) => withoutDot(trimmed(line), dot));
  const longest = Math.max(0, ...parts.map(({ text, isName }) => (isName ? cells(text) : 0)));
  for (let name = Math.min(longest, room * most); name >= Math.min(longest, leastName); name -= 1) {
    const lines = wrapped(shortened(parts, name, ellipsis));
    const last = lines.at(-1) ?? plain``;
    if (lines.length <= most && cells(last) + cells(tail) <= room) return lines;
    if (lines.length < most && cells(tail) <= room) return [...lines, plain``];
  }
  // A text without names, or with too long a rest: both its ends stay.
  const whole = shortened(parts, leastName, ellipsis);
  for (let width = room * most - cells(tail); width > 0; width -= 1) {
    const lines = wrapped(squeeze(whole, width, ellipsis));
    if (lines.length <= most && cells(lines.at(-1) ?? '') + cells(tail) <= room) return lines;
  }
  return [plain``];
}

/** The mark of a message by its tone. */
export function markOf(tone: Tone, glyphs: Glyphs): Painted {
  if (tone === 'good') return glyphs.ok;
  if (tone === 'bad') return glyphs.bad;
  return tone === 'warn' ? glyphs.warn : glyphs.info;
}
