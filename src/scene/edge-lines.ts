import type { Tone } from '../describe/column.ts';
import { joinPainted, type Painted, plain, sliced, trimmed } from '../lib/painted.ts';
import { cells, clip, cut, squeeze, wrap } from '../lib/text.ts';
import { cutSpans, fitSpans, flow, type Room, type Span, spanCells, type Typing, typing } from './span.ts';
import type { Glyphs, Theme } from './theme.ts';

/**
 * The first line: the profile, the strip of screens, the host where there is room for it, freshness at the right. Of the
 * profile, spans marked `keep` stay whatever happens; the strip gets what they and the freshness leave. Where that is no room
 * for the screen in front, the freshness is its spans marked `keep`, if it has any.
 */
export function headerLine(props: HeaderProps): readonly Span[] {
  const { width, theme } = props;
  const { left, shown } = partsOf(props);
  return [...fitSpans(left, width - spanCells(shown), theme.glyphs.ellipsis), ...shown];
}

interface HeaderProps extends Pick<Room, 'width' | 'theme'> {
  readonly profile: readonly Span[];
  readonly screens: readonly StripEntry[];
  readonly host: Painted;
  readonly right: readonly Span[];
}

/** Cells of ` ● live 15s `: a freshness of fewer leaves the strip as it is, so that screens with another poll move nothing. */
const usualFresh = 12;

function partsOf({ profile, screens, host, right, width, theme }: HeaderProps) {
  const kept = spanCells(profile.filter((span) => span.keep));
  const short = right.filter((span) => span.keep);
  const isTight = spanCells(profile) + spanCells(right) + currentCells(screens, theme) > width;
  const fresh = isTight && short.length > 0 ? short : right;
  const shown = cutSpans(fresh, Math.max(0, width - kept - 1), theme.glyphs.ellipsis);
  const room = width - spanCells(profile) - Math.max(spanCells(shown), usualFresh);
  const least = stripSpans(screens, room, theme);
  // Not a part of a bracket where a long problem leaves no room.
  const strip = spanCells(least) > room ? [] : least;
  const at: Span = { text: host === '' ? host : plain`${host} `, tone: 'dim' };
  const isRoomy = spanCells([at, ...stripSpans(screens, Number.POSITIVE_INFINITY, theme)]) <= room;
  return { left: [...profile, ...(isRoomy ? [at] : []), ...strip], shown };
}

/** A screen in the strip. */
export interface StripEntry {
  readonly key: Painted;
  readonly name: Painted;
  /** Empty where nothing is known, or nothing is worth a number. */
  readonly count: Painted;
  /** The count is of what needs a person: drawn as `24!`, and as `24+!` where it ends in `+`: at least as many. */
  readonly needsPerson: boolean;
  /** It wakes somebody: red. What else needs a person can wait until the morning. */
  readonly notifies?: boolean;
  /** More rows may come. */
  readonly isPartial?: boolean;
  readonly isCurrent: boolean;
}

/** How a screen is drawn. `key` is the least of the current one; `gone` adds its count to that of the ellipsis. */
type Form = 'whole' | 'short' | 'key' | 'gone';

/** The first screens are home, issues and monitors: the others leave before them. */
const core = 3;

/** Who gives way, and to which form, one after the other; within a step from the right. */
const steps: readonly { readonly to: Form; readonly who: (entry: StripEntry, at: number) => boolean }[] = [
  { to: 'short', who: (entry) => entry.count === '' },
  { to: 'short', who: (entry) => entry.count !== '' },
  { to: 'gone', who: (entry, at) => !entry.isCurrent && entry.count === '' && at > 0 },
  { to: 'gone', who: (entry, at) => !entry.isCurrent && at >= core },
  { to: 'gone', who: (entry) => !entry.isCurrent && entry.count === '' },
  { to: 'gone', who: (entry) => !entry.isCurrent && !entry.needsPerson },
  { to: 'gone', who: (entry) => !entry.isCurrent },
  { to: 'key', who: (entry) => entry.isCurrent },
];

/**
 * The screens on one line, `0 home [1 issues 96] 2 monitors 24!`, the current one in brackets. Where `width` is too small names
 * get short, then screens leave, those without a count first; `… 3!` stands for them, with the count of what needs a person
 * there. Every screen that is drawn has its name: digits alone tell nobody what they count. Names do not depend on which
 * screen is the current one, so that turning to another moves nothing while both are drawn.
 */
export function stripSpans(entries: readonly StripEntry[], width: number, theme: Theme): readonly Span[] {
  const forms = fitting(entries, width, theme);
  return [
    ...entries.flatMap((entry, at) =>
      entrySpans(entry, forms[at] ?? 'whole').map((span) => ({ ...span, target: entry.key })),
    ),
    ...moreSpans(entries, forms, theme),
  ];
}

/** Cells that name the screen in front and say that there are others. */
const currentCells = (entries: readonly StripEntry[], theme: Theme): number =>
  spanCells([
    ...entries.filter(({ isCurrent }) => isCurrent).flatMap((one) => entrySpans(one, 'short')),
    ...moreSpans(
      entries,
      entries.map(({ isCurrent }) => (isCurrent ? 'short' : 'gone')),
      theme,
    ),
  ]);

function fitting(entries: readonly StripEntry[], width: number, theme: Theme): readonly Form[] {
  const forms: Form[] = entries.map(() => 'whole');
  // Every step asks how wide all would be: an entry is measured once in each form.
  const measured = entries.map((): Partial<Record<Form, number>> => ({}));
  const cellsAt = (entry: StripEntry, at: number): number => {
    const [form, known] = [forms[at] ?? 'whole', measured[at] ?? {}];
    known[form] ??= spanCells(entrySpans(entry, form));
    return known[form];
  };
  const fits = () =>
    entries.reduce((sum, entry, at) => sum + cellsAt(entry, at), spanCells(moreSpans(entries, forms, theme))) <= width;
  for (const { to, who } of steps) {
    for (let index = entries.length - 1; index >= 0 && !fits(); index -= 1) {
      const entry = entries[index];
      if (entry && who(entry, index)) forms[index] = to;
    }
  }
  // What gave way last may have left more room than was missing: for whole names, of screens with a count first, then for others.
  const widen = (at: number, wider: Form) => {
    const form = forms[at] ?? 'whole';
    forms[at] = wider;
    if (!fits()) forms[at] = form;
  };
  const places = [...entries.keys()];
  const [counted, bare] = [true, false].map((has) => places.filter((at) => (entries[at]?.count !== '') === has));
  for (const at of [...(counted ?? []), ...(bare ?? [])]) if (forms[at] === 'short') widen(at, 'whole');
  for (const at of bare ?? []) if (forms[at] === 'gone') widen(at, 'short');
  return forms;
}

/** Says that screens are left out, and what needs a person in them. */
function moreSpans(entries: readonly StripEntry[], forms: readonly Form[], { glyphs }: Theme): Span[] {
  if (!forms.includes('gone')) return [];
  const gone = entries.filter(({ needsPerson }, at) => forms[at] === 'gone' && needsPerson);
  const needs = gone.reduce((sum, { count }) => sum + Number.parseInt(count, 10), 0);
  const more = gone.some(({ count }) => count.endsWith('+')) ? plain`+` : plain``;
  return [
    { text: plain` ${glyphs.ellipsis} `, tone: 'dim' },
    ...(needs > 0 ? [{ text: plain`${needs}${more}!`, tone: needTone(gone) }, { text: plain` ` }] : []),
  ];
}

const needTone = (entries: readonly StripEntry[]): Tone => (entries.some(({ notifies }) => notifies) ? 'bad' : 'warn');

/** A space or a bracket stands on both sides, so that turning to another screen moves nothing. */
function entrySpans(entry: StripEntry, form: Form): Span[] {
  const { key, name, count, needsPerson, isPartial, isCurrent } = entry;
  if (form === 'gone') return [];
  const called = form === 'key' ? plain`` : form === 'short' ? shortName(name, key) : name;
  const bold = isCurrent;
  return [
    { text: isCurrent ? plain`[` : plain` `, bold },
    { text: key, tone: isCurrent ? 'plain' : 'dim', bold },
    ...(called === '' ? [] : [{ text: plain`${key === '' ? key : plain` `}${called}`, bold }]),
    ...(count === ''
      ? []
      : [
          { text: plain` `, bold },
          {
            text: plain`${count}${needsPerson ? plain`!` : plain``}`,
            tone: isPartial ? ('dim' as const) : needsPerson ? needTone([entry]) : undefined,
            bold,
          },
        ]),
    { text: isCurrent ? plain`]` : plain` `, bold },
  ];
}

/** At most four cells: `mon` of monitors, `keys` and `home` as they are; a screen without a key has its name alone, so it is whole. */
const shortName = (name: Painted, key: Painted): Painted =>
  key === '' || clip(name, 5).cells <= 4 ? name : clip(name, 3).text;

/** A part of a message; of a name the end is left out where there is no room. */
export interface ToastPart {
  readonly text: Painted;
  readonly isName?: boolean;
}

export interface ToastProps extends Pick<Room, 'width' | 'theme'> {
  /** None: a blank line. */
  readonly parts?: readonly ToastPart[];
  readonly tone?: Tone | undefined;
  /** What can be pressed now, from `keyHints` of the session. It is never cut. */
  readonly keys?: Painted;
  /** Whether the message stays for long: its names are shortened to 16 cells before it takes a second line. */
  readonly isStanding?: boolean;
}

/** Cells of the mark before the first line, and of the indent of the second. */
const indent = 3;
/** The most lines of a message. */
const most = 2;
/** Cells that a shortened name keeps. */
export const leastName = 8;
/** Cells that a shortened name keeps in a message of one line. */
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
    { text: at === 0 ? plain` ${toastMark(tone, theme.glyphs)} ` : plain`   `, tone },
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
  const each = Math.floor((room - rest) / names.length);
  if (rest > room || names.some(({ text }) => cells(text) > each && each < least)) return undefined;
  return shortened(parts, each, ellipsis);
}

const shortened = (parts: readonly ToastPart[], name: number, ellipsis: Painted): Painted =>
  joinPainted(parts.map((part) => (part.isName ? cut(part.text, name, ellipsis) : part.text)));

/** A line without the dot at its end, which would separate nothing. */
const withoutDot = (line: Painted, dot: Painted): Painted =>
  line.endsWith(` ${dot}`) ? sliced(line, 0, line.length - dot.length - 1) : line;

function linesOf(parts: readonly ToastPart[], room: number, tail: Painted, { dot, ellipsis }: Glyphs): Painted[] {
  const wrapped = (text: Painted): Painted[] => wrap(text, room).map((line) => withoutDot(trimmed(line), dot));
  const longest = Math.max(...parts.map(({ text, isName }) => (isName ? cells(text) : 0)));
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
export function toastMark(tone: Tone, glyphs: Glyphs): Painted {
  if (tone === 'good') return glyphs.ok;
  if (tone === 'bad') return glyphs.bad;
  return tone === 'warn' ? glyphs.warn : glyphs.info;
}

export interface Hint {
  readonly keys: Painted;
  readonly title: Painted;
  readonly disabled?: boolean;
  /** Whether the hint leads to what has no room: it stays longer than the others. */
  readonly keep?: boolean;
}

interface HintLineProps {
  readonly hints: readonly Hint[];
  readonly width: number;
}

/**
 * The line of hints: as many as fit, whole ones only. What the key at the end does (`q back`) stays longest, then the first
 * one, then those to keep (`x more`, `? help`), then the others in their order.
 */
export function hintLine({ hints, width }: HintLineProps): readonly Span[] {
  const spans = hints.map(hintSpans);
  const first = [hints.length - 1, 0, ...hints.keys().filter((at) => hints[at]?.keep)];
  let room = width - 1 + 2;
  const fits = new Set<number>();
  for (const index of new Set([...first, ...hints.keys()])) {
    const wide = spanCells(spans[index] ?? []) + 2;
    if (wide > room && fits.size > 0) {
      if (first.includes(index)) continue;
      break;
    }
    room -= wide;
    fits.add(index);
  }
  const shown = spans.filter((_, at) => fits.has(at));
  return shown.flatMap((hint, at): Span[] => [{ text: at === 0 ? plain` ` : plain`  ` }, ...hint]);
}

/** One key and what it does. */
function hintSpans({ keys, title, disabled }: Hint): Span[] {
  return [
    { text: keys, tone: disabled ? 'dim' : 'strong' },
    { text: plain` ${title}`, tone: disabled ? 'dim' : 'plain' },
  ];
}

interface BarLineProps extends Pick<Room, 'width' | 'theme'> {
  readonly title: Painted;
  /** Values that apply to every choice: `scope host:web-1`. */
  readonly settings: readonly { readonly name: Painted; readonly value: Painted }[];
  /** What the values would do, below the title. */
  readonly foresight?: { readonly text: Painted; readonly isWarning: boolean } | undefined;
  /** A text being typed: the title stands above it, or what is wrong with it. */
  readonly input?: Typing & {
    readonly label: Painted;
    readonly error?: Painted | undefined;
    /** What the text means so far, beside the title above it; empty while it means nothing. */
    readonly means?: Painted | undefined;
  };
  /** Every choice with its key; none is left out, because a hidden prompt looks like a freeze. */
  readonly hints: readonly Hint[];
}

/**
 * The lines that a bar takes in `width` cells, two where that is enough: what is asked, and the keys. What is wrong
 * with a typed text, or what it means, stands above it, so that the text is not shortened.
 */
export function layoutBar({
  title,
  settings,
  foresight,
  input,
  hints,
  width,
  theme,
}: BarLineProps): (readonly Span[])[] {
  const { bad, dot, ellipsis } = theme.glyphs;
  const inner = Math.max(1, width - 1);
  const keys = flow(hints.map(hintSpans), inner, 2, ellipsis).map((line): Span[] => [{ text: plain` ` }, ...line]);
  const ahead = foresight ? wrap(foresight.text, inner) : [];
  const tone = foresight?.isWarning ? 'warn' : 'plain';
  const lines = ahead.map((line): Span[] => [{ text: plain` ${trimmed(line)}`, tone }]);
  if (input) {
    const label = plain` ${input.label}: `;
    const wrong = input.error === undefined ? [] : wrap(plain`${bad} ${input.error}`, inner);
    const { means = plain`` } = input;
    const head: Span = { text: plain` ${title}`, tone: 'dim' };
    const isOneLine = means === '' || cells(title) + cells(means) + 3 <= inner;
    const about: Span[][] = isOneLine
      ? [[head, { text: means === '' ? plain`` : plain` ${dot} ${means}`, tone: 'strong', keep: true }]]
      : [[head], ...wrap(means, inner).map((line): Span[] => [{ text: plain` ${trimmed(line)}`, tone: 'strong' }])];
    return [
      ...(wrong.length > 0 ? [] : about),
      ...lines,
      ...wrong.map((line): Span[] => [{ text: plain` ${trimmed(line)}`, tone: 'bad' }]),
      [{ text: label, tone: 'info', keep: true }, ...typing(input, Math.max(8, width - cells(label) - 1), theme)],
      ...keys,
    ];
  }
  const question: Span[] = [
    { text: plain` ${title}`, tone: 'info' },
    ...settings.flatMap(({ name, value }): Span[] => [
      { text: plain` ${dot} ${name} `, tone: 'dim', keep: true },
      { text: value, tone: 'strong', keep: true },
    ]),
  ];
  return [question, ...lines, ...keys];
}
