import { type Outlook, readOutlook } from '../describe/read-outlook.ts';
import { initialQuery } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import type { Theme } from '../scene/theme.ts';
import { keyLabel } from '../session/keyboard/keyboard.ts';
import type { DetailView } from '../session/rows/detail-view.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { failedReadText } from '../session/state/state-changes.ts';
import type { View } from '../session/state/view.ts';

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

const joinSteps = (steps: readonly Painted[], { glyphs }: Theme): Painted =>
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
