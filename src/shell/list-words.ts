import { columnName } from '../describe/column.ts';
import { type Outlook, readOutlook } from '../describe/receipt.ts';
import { initialQuery } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import { plural } from '../lib/text.ts';
import { type Span, spanCells } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import { keyLabel } from '../session/keyboard/keyboard.ts';
import { asideText, isPart, type StateCount } from '../session/rows/counts.ts';
import type { DetailView } from '../session/rows/detail-view.ts';
import { countShown } from '../session/rows/visible-list.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { failedReadText } from '../session/state/state-changes.ts';
import type { View } from '../session/state/view.ts';

/** A part of the title; the one that gives way first has the highest number, and 0 never does. */
interface Part {
  readonly leaves: number;
  readonly spans: readonly Span[];
  /** What stays of it. */
  readonly short?: readonly Span[];
}

/**
 * Title bar over the rows `shown`: the list in front between the other tabs of its screen. Where it is wider than
 * `width` cells, parts leave whole; name, filter, total and what needs a person stay.
 */
export function listTitle(
  { view }: Pick<Moment, 'view'>,
  theme: Theme,
  width: number,
  shown: readonly string[],
): readonly Span[] {
  const between: Span = { text: plain` ${theme.glyphs.separator} `, tone: 'dim' };
  const others: Span = { text: theme.glyphs.ellipsis, tone: 'dim' };
  const front = view.screen.lists.findIndex(({ id }) => id === view.list.id);
  const parts = view.screen.lists.flatMap((list, at): readonly Part[] => {
    const before = at === 0 ? [] : [between];
    // What stands beside the list in front for all tabs on that side where they have no room.
    const short = at === front - 1 ? [others] : at === front + 1 ? [between, others] : [];
    if (at !== front)
      return [{ leaves: 4, spans: [...before, { text: paint(list.title), tone: 'dim', target: list.id }], short }];
    const [first, ...rest] = frontTitle(view, theme, shown);
    return [{ leaves: 0, spans: [...before, ...(first?.spans ?? [])] }, ...rest];
  });
  const drawn = (kept: readonly number[]) =>
    parts.flatMap((part) => (kept.includes(part.leaves) ? part.spans : (part.short ?? [])));
  const fits = (kept: readonly number[]) => spanCells(drawn(kept)) <= width;
  const levels = [0, 1, 2, 3, 4, 5, 6];
  const fitting = levels.map((_, at) => levels.slice(0, levels.length - at)).find(fits);
  // What gave way last may have left room for the other tabs.
  if (fitting) return drawn(!fitting.includes(4) && fits([...fitting, 4]) ? [...fitting, 4] : fitting);
  const named = parts.filter((part) => part.leaves !== 4);
  const least = [named, named.filter(({ leaves }) => leaves < 2)].map((some) =>
    some.flatMap((part) => (part.leaves === 0 ? part.spans : (part.short ?? []))),
  );
  return least.find((spans) => spanCells(spans) <= width) ?? least.at(-1) ?? [];
}

/** What a list is asked for: its search, and its time range. */
export const askedText = ({ list, listState: { asked } }: Pick<View, 'list' | 'listState'>): string =>
  [list.search?.says(asked.search) ?? '', asked.range].filter((part) => part !== '').join(' ');

/** Of the list in front: filter, rows, rows by state, what is new, what is asked, the order. */
function frontTitle(view: View, theme: Theme, shown: readonly string[]): Part[] {
  const { list, listState, total } = view;
  const shownRows = countShown(view);
  const sort = listState.sort ?? list.sorted;
  const column = list.columns.find((column) => column.id === sort?.by);
  const searchText = askedText(view);
  const dot: Span = { text: plain` ${theme.glyphs.dot} `, tone: 'dim' };
  const isRead = view.read.value !== undefined;
  const more = isPart(view.read) ? plain`+` : plain``;
  const rows = !isRead
    ? plain``
    : shownRows === total
      ? plain` ${total}${more}`
      : plain` ${shownRows} of ${total}${more}`;
  return [
    {
      leaves: 0,
      spans: [
        { text: paint(list.title), bold: true, keep: true },
        ...(listState.filter === ''
          ? []
          : [{ text: plain` </${paint(listState.filter)}>`, tone: 'info' as const, keep: true }]),
        { text: rows, keep: true, tone: more === '' ? 'plain' : 'dim' },
      ],
    },
    ...stateParts(view, dot),
    ...newPart(view, dot, theme, shown),
    ...(listState.moving
      ? [
          {
            leaves: 1,
            spans: [dot, { text: plain`unsaved order: Ctrl-S save, q discard`, tone: 'warn' as const }],
            short: [dot, { text: plain`unsaved order`, tone: 'warn' as const }],
          },
        ]
      : []),
    ...(searchText === '' ? [] : [{ leaves: 3, spans: [dot, { text: paint(searchText), tone: 'dim' as const }] }]),
    ...(column
      ? [
          {
            leaves: 6,
            spans: [
              dot,
              {
                text: plain`by ${paint(columnName(column))} ${sort?.down ? theme.glyphs.down : theme.glyphs.up}`,
                tone: 'dim' as const,
              },
            ],
          },
        ]
      : []),
  ];
}

/** The rows that are listed, by state. */
const stateParts = ({ counts, listed, read }: View, dot: Span): Part[] =>
  (listed ?? counts).states.map((state) => statePart(state, dot, isPart(read)));

/** `ALERT 24 (5 muted)`, `ALERT 24+` where not all rows are read; shorter `ALERT 24`, and nothing where the state needs nobody. */
function statePart(state: StateCount, dot: Span, isPartial: boolean): Part {
  const { tone, aside } = state;
  const count: Span = {
    text: paint(`${state.label} ${state.count}${isPartial ? '+' : ''}`),
    tone: isPartial ? 'dim' : (tone ?? 'plain'),
    keep: state.needsPerson !== undefined,
  };
  const also: readonly Span[] = aside
    ? [{ text: paint(asideText(isPartial ? { ...state, aside: { ...aside, isLeast: true } } : state)) }]
    : [];
  const spans = [dot, count, ...also];
  return state.needsPerson === undefined ? { leaves: 2, spans } : { leaves: 1, spans, short: [dot, count] };
}

/**
 * `8 new alerts ▲ (g)`: rows since the last look; the arrow where some of them are not on screen. `6 not listed`: a filter hides
 * them.
 */
function newPart(view: View, dot: Span, theme: Theme, shown: readonly string[]): Part[] {
  const { counts, waiting } = view;
  const { fresh, freshNeeds } = counts;
  if (fresh.size === 0) return [];
  const needs = Object.entries(freshNeeds);
  const tone = needs.length > 0 ? 'bad' : 'warn';
  const { size } = needs.length > 0 ? fresh.intersection(counts.needPerson) : fresh;
  const named = needs.length > 0 ? needs.map(([one, some]) => plural(some, `new ${one}`)).join(', ') : `${size} new`;
  const listed = view.listed?.fresh;
  const onScreen = new Set(shown);
  const isAway = listed ? waiting > 0 || listed.some((id) => !onScreen.has(id)) : !fresh.isSubsetOf(onScreen);
  const away = isAway ? plain` ${theme.glyphs.up}` : plain``;
  const found = listed && (needs.length > 0 ? listed.filter((id) => counts.needPerson.has(id)) : listed);
  const hidden = found && found.length < size ? plain`, ${size - found.length} not listed` : plain``;
  return [
    {
      leaves: 5,
      spans: [dot, { text: plain`${paint(named)}${hidden}${away}${isAway ? plain` (g)` : plain``}`, tone, keep: true }],
      short: [dot, { text: plain`${size} new${away}`, tone, keep: true }],
    },
  ];
}

/**
 * What happens next with a read that has failed or takes long, and which keys help: `Next try 12:05:31 UTC · Ctrl-R: now · !: full error`.
 * Empty for a read that has only begun.
 */
export function nextSteps(now: Moment, entry: Outlook, theme: Theme): Painted {
  const outlook = readOutlook(entry, now.state, now.context);
  return joinSteps([paint(outlook), entry.problem || outlook !== '' ? keySteps(now, entry, theme) : plain``], theme);
}

/** The keys that help where a read has failed or takes long. */
export function keySteps({ below }: Moment, { problem, asking }: Outlook, theme: Theme): Painted {
  const step = (type: Message['type'], what: string, view?: string): readonly string[] => {
    const key = below.find(({ run }) => run.type === type && (!view || ('view' in run && run.view === view)))?.keys[0];
    return key === undefined ? [] : [`${keyLabel(key)}: ${what}`];
  };
  const all = problem
    ? [
        ...(asking || problem.status === 401 ? [] : step('refresh', 'try now')),
        ...(problem.kind === 'forbidden' ? step('openProfiles', 'profiles and keys') : []),
        // The messages have no problem of a part.
        ...(problem.kind === undefined ? [] : step('openTimeline', 'full error', 'messages')),
      ]
    : step('openProfiles', 'profiles');
  return joinSteps(all.map(paint), theme);
}

/** Texts with a dot between two, without those that are empty. */
export const joinSteps = (steps: readonly Painted[], { glyphs }: Theme): Painted =>
  joinPainted(
    steps.filter((step) => step !== ''),
    plain` ${glyphs.dot} `,
  );

/** What stands in place of the rows of a tab: its own sentence, or why they were not read; empty while they are. */
export const unreadText = (
  { whole: { problem } }: DetailView,
  { empty }: { readonly empty?: string | undefined },
): string => empty ?? (problem ? failedReadText(problem, false) : '');

/** Why a list that was read has no rows: nothing that a person searched for, or nothing at all. */
export function noRowsText({ list, listState: { asked: query } }: Pick<View, 'list' | 'listState'>): string {
  const { search, ranges, empty } = list;
  const text = search?.says(query.search) ?? '';
  const isSearched =
    text !== '' &&
    search?.subject === undefined &&
    JSON.stringify(query.search) !== JSON.stringify(initialQuery(list).search);
  if (!isSearched) return empty;
  return ranges
    ? `No match for ${text} in ${query.range}. s: change the search, T: time range`
    : `No match for ${text}. s: change the search`;
}
