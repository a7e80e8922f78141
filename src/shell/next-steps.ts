import type { CacheEntry } from '../cache/cache.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import type { Theme } from '../scene/theme.ts';
import { keyLabel } from '../session/keyboard/names.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { readOutlook } from '../session/state/read-outlook.ts';

/**
 * What happens next with a read that has failed or takes long, and which keys help: `Next try 12:05:31 UTC · Ctrl-R: now · !: full error`.
 * Empty for a read that has only begun.
 */
export function nextSteps({ state, context, below }: Moment, entry: CacheEntry<unknown>, theme: Theme): Painted {
  const { problem, asking } = entry;
  const outlook = readOutlook(entry, state, context);
  const step = (type: Message['type'], what: string, view?: string): readonly string[] => {
    const key = below.find(({ run }) => run.type === type && (!view || ('view' in run && run.view === view)))?.keys[0];
    return key === undefined ? [] : [`${keyLabel(key)}: ${what}`];
  };
  const all = problem
    ? [
        ...(asking || problem.status === 401 ? [] : step('refresh', 'try now')),
        ...(problem.kind === 'forbidden' ? step('openProfiles', 'profiles and keys') : []),
        ...step('openTimeline', 'full error', 'messages'),
      ]
    : outlook === ''
      ? []
      : step('openProfiles', 'profiles');
  return joinPainted([outlook, ...all].filter(Boolean).map(paint), plain` ${theme.glyphs.dot} `);
}
