import type { Tone } from '../describe/column.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { clip } from '../lib/text.ts';
import { cutSpans, fitSpans, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

/**
 * The first line: the profile, the strip of screens, the host where there is room for it, freshness at the right. Of the
 * profile, spans marked `keep` stay whatever happens; the strip gets what they and the freshness leave. Where that is no room
 * for the screen in front, the freshness is its spans marked `keep`, if it has any.
 */
export function headerLine(props: HeaderProps): readonly Span[] {
  const { width, theme } = props;
  const { left, shown } = partsOf(props);
  return [...fitSpans(left, Math.max(0, width - spanCells(shown)), theme.glyphs.ellipsis), ...shown];
}

export interface HeaderProps {
  readonly profile: readonly Span[];
  readonly screens: readonly StripEntry[];
  readonly host: Painted;
  readonly right: readonly Span[];
  readonly width: number;
  readonly theme: Theme;
}

/** Cells of ` ● live 15s `: a freshness of fewer leaves the strip as it is, so that screens with another poll move nothing. */
const usualFresh = 12;

function partsOf({ profile, screens, host, right, width, theme }: HeaderProps) {
  const kept = spanCells(profile.filter((span) => span.keep));
  const short = right.filter((span) => span.keep);
  const isTight = spanCells(profile) + spanCells(right) + currentCells(screens, theme) > width;
  const fresh = isTight && short.length > 0 ? short : right;
  const shown = cutSpans(fresh, Math.max(0, width - kept - 1), theme.glyphs.ellipsis);
  const room = Math.max(0, width - spanCells(profile) - Math.max(spanCells(shown), usualFresh));
  const least = stripSpans(screens, room, theme);
  // Not a part of a bracket where a long problem leaves no room.
  const strip = spanCells(least) > room ? [] : least;
  const at: Span = { text: host === '' ? host : plain`${host} `, tone: 'dim' };
  const isRoomy = spanCells([at, ...stripSpans(screens, 1000, theme)]) <= room;
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
    ...(called === '' || (key === '' && form === 'key')
      ? []
      : [{ text: plain`${key === '' ? key : plain` `}${called}`, bold }]),
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
