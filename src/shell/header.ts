import { pollBase } from '../cache/entries.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { cut } from '../lib/text.ts';
import { span, timeToSecond } from '../lib/time.ts';
import { headerLine, type StripEntry } from '../scene/edge-lines.ts';
import { type Line, lineSpots } from '../scene/scene.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import type { Session } from '../session/session.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { isBulk, pollMsOf } from '../session/state/state.ts';

/** A read older than this many polls is stale. */
const stalePolls = 3;

type Problem = NonNullable<Moment['view']['read']['problem']>;

/** What the header tells besides the session's moment. */
export interface Standing extends Pick<Session, 'profile' | 'screens'> {
  /** Where the service runs. */
  readonly origin: string;
  readonly budgets: ReturnType<Session['client']['budgets']>;
  /** How many requests were refused because there were too many. */
  readonly refusals: number;
  readonly hasKeysRefused: boolean;
  /** How many times longer polls are apart because nobody presses a key. */
  readonly idle: number;
  /** How many times longer they are because many share the rate limit. */
  readonly slowdown: number;
  /** The terminal is still busy with earlier output. */
  readonly isBehind: boolean;
}

/** The standing of a session now. */
export const readStanding = ({ profile, screens, client, idle }: Session, isBehind: boolean): Standing => ({
  ...{ profile, screens, isBehind },
  origin: client.origin,
  budgets: client.budgets(),
  refusals: client.refusals(),
  hasKeysRefused: client.keysRefused(),
  idle: idle(),
  slowdown: client.slowdown(),
});

/** The first line of the frame. Choosing a screen goes there. */
export function frameHeader(now: Moment, standing: Standing, width: number, theme: Theme): Line<Message> {
  const spans = headerLine({
    profile: profileSpans(standing, theme),
    screens: tabStrip(standing, now),
    host: hostOf(standing),
    right: freshSpans(standing, now, theme),
    width,
    theme,
  });
  const to = (key: string) => standing.screens.find((screen) => screen.key !== undefined && screen.key === key);
  return {
    spans,
    role: 'title',
    spots: lineSpots(spans, (key) => {
      const screen = to(key);
      return screen && { type: 'openScreen', id: screen.id };
    }),
  };
}

/** The profile with its badge: a word, not only a color. */
export function profileSpans({ profile }: Pick<Standing, 'profile'>, theme: Theme): Span[] {
  const { badgeLeft, badgeRight } = theme.glyphs;
  const words = [profile.environment.toUpperCase(), profile.readOnly ? 'RO' : ''].filter((word) => word !== '');
  const badge = words.length > 0 ? plain`${badgeLeft}${paint(words.join(' '))}${badgeRight}` : plain``;
  return [
    { text: plain` ${cut(paint(profile.name), widestName)} `, bold: true, keep: true },
    ...(badge === ''
      ? []
      : [{ text: badge, tone: profile.production ? ('bad' as const) : ('info' as const), inverse: true, keep: true }]),
    ...(profile.production && profile.environment.toLowerCase() !== 'prod'
      ? [{ text: plain` PRODUCTION`, tone: 'bad' as const, keep: true }]
      : []),
    { text: plain` ` },
  ];
}

/** Cells of a name: the badge and the strip of screens need the others of 60. */
const widestName = 24;

/** Where the service runs; empty where the profile is called so. */
function hostOf({ profile, origin }: Standing): Painted {
  const host = URL.parse(origin)?.host ?? origin;
  return host === profile.name ? plain`` : paint(host);
}

/** The screens that have a key, and the one in front, with what is known of their rows. */
export function tabStrip({ screens }: Pick<Standing, 'screens'>, now: Moment): StripEntry[] {
  return screens
    .filter((screen) => screen.key !== undefined || screen === now.view.screen)
    .map((screen) => {
      const counts = now.counts(screen);
      const { isPartial = false } = counts ?? {};
      const needsPerson = (counts?.needPerson ?? 0) > 0;
      const count = needsPerson ? counts?.needPerson : screen.showsTotal ? counts?.total : undefined;
      return {
        key: paint(screen.key ?? ''),
        name: paint(screen.title.toLowerCase()),
        // More may need a person in a tab that is not read yet.
        count:
          count === undefined
            ? plain``
            : plain`${count}${isPartial || (needsPerson && counts?.isLeast) ? plain`+` : plain``}`,
        isPartial,
        needsPerson,
        // What can be muted is what somebody is told of.
        notifies: screen.lists.some(({ states = [] }) =>
          states.some((state) => state.needsPerson !== undefined && state.aside !== undefined),
        ),
        isCurrent: screen === now.view.screen,
      };
    });
}

/**
 * Freshness of the rows in front, and the rate limit where it matters; rows of an earlier run are stale however young. `live 15s` means that no row is older than that, one
 * poll: a running age would write something to the terminal every second. `rest 4m`: only what alerts is so young, the oldest other row is so old.
 */
export function freshSpans(standing: Standing, now: Moment, theme: Theme): Span[] {
  const { state, context } = now;
  const { refusals } = standing;
  const tight = standing.budgets.find(
    (budget) => budget.limit > 0 && budget.remaining / budget.limit < 0.3 && budget.resetAt > context.now,
  );
  const isThrottled = now.view.read.problem?.kind === 'tooMany' && !state.paused;
  const warn = (text: Painted): Span[] => [{ text, tone: 'warn' }];
  const parts: (readonly Span[])[] = [
    ...(state.underWay.length > 0 ? [warn(sendingText(state))] : []),
    ...(standing.isBehind ? [warn(plain`slow terminal`)] : []),
    freshness(standing, now, theme),
    ...(tight ? [warn(plain`quota left ${Math.round((tight.remaining / tight.limit) * 100)}%`)] : []),
    ...(refusals > 0 && !isThrottled ? [warn(plain`throttled ${refusals}x`)] : []),
  ];
  const spans = [...parts.flatMap((part) => [{ text: plain` ` }, ...part]), { text: plain` ` }];
  // A cause gives way to the screen in front: the line above the hints says it in full.
  return spans.some(isCause) ? spans.map((span) => (isCause(span) ? span : { ...span, keep: true })) : spans;
}

/** How many edits are being sent; of the last one of several rows, how many have ended. */
function sendingText({ underWay }: Moment['state']): Painted {
  const bulk = underWay.findLast(isBulk);
  if (!bulk) return plain`sending ${underWay.length}`;
  return plain`${bulk.isStopping ? plain`stopping` : plain`sending`} ${bulk.ended}/${bulk.rows}`;
}

const isCause = ({ text }: Span): boolean => text.startsWith(': ');

function freshness(standing: Standing, { state, view, context }: Moment, theme: Theme): readonly Span[] {
  const { live, stale, paused, offline } = theme.glyphs;
  const { read: entry, list } = view;
  const old = entry.at === undefined ? undefined : context.now - entry.at;
  const age = old === undefined ? plain`` : plain` ${paint(span(old, Math.floor))}`;
  if (state.paused) return [{ text: plain`${paused} paused${age}`, tone: 'warn' }];
  if (standing.hasKeysRefused) return [{ text: plain`${offline} keys refused: P`, tone: 'bad' }];
  const problem = entry.problem ?? unreachableSince(state, entry.at);
  if (problem) {
    const [word, cause] = problemWords(problem, standing.refusals);
    return [
      { text: plain`${offline} ${paint(word)}`, tone: 'bad' },
      ...(cause === undefined ? [] : [{ text: plain`: ${paint(cause)}`, tone: 'bad' as const }]),
      { text: age, tone: 'bad' },
      ...(entry.nextAt === undefined || problem.kind !== 'tooMany'
        ? []
        : [{ text: plain`, next ${paint(timeToSecond(entry.nextAt, context.zone))}`, tone: 'bad' as const }]),
    ];
  }
  if (old === undefined) return [{ text: plain`${stale} loading`, tone: 'dim' }];
  if (entry.isFromSnapshot) return [{ text: plain`${stale} stale${age}`, tone: 'warn' }];
  if (entry.partial) return [{ text: plain`${stale} loading more`, tone: 'info' }];
  const every = pollMsOf({ state, profile: standing.profile }, list.every);
  const poll = pollBase(Math.max(every, entry.value?.everyMs ?? 0), standing.idle, standing.slowdown);
  if (old > poll * stalePolls) return [{ text: plain`${stale} stale${age}`, tone: 'warn' }];
  const restMs = context.now - (entry.value?.oldestAt ?? context.now);
  const rest = restMs > poll * stalePolls ? plain`, rest ${paint(span(restMs, Math.floor))}` : plain``;
  return [{ text: plain`${live} live ${paint(span(poll))}${rest}`, tone: 'good' }];
}

/** Why an edit could not be sent, where nothing has been read since. */
function unreachableSince({ messages }: Moment['state'], readAt = 0): Problem | undefined {
  const failed = messages.find(({ problem }) => problem?.kind === 'unreachable');
  return failed && failed.at > readAt ? failed.problem : undefined;
}

/** In a few words what is wrong, and why where that is another thing. A system's code is left to the sentence. */
function problemWords(problem: Problem, refusals: number): readonly [word: string, cause?: string] {
  const { kind, text, status } = problem;
  if (kind === 'tooMany' && refusals > 0) return [`throttled ${refusals}x`];
  if (kind !== 'unreachable') return [kindWords.get(kind) ?? kind];
  // The service answered, so it is not offline.
  if (status !== undefined) return [status < 400 ? `redirected ${status}` : `server error ${status}`];
  const cause = /\(([^()]{1,24})\)/.exec(text)?.[1] ?? 'no connection';
  return ['offline', /^[A-Z][A-Z0-9_]+$/.test(cause) ? 'connection broke' : cause];
}

const kindWords: ReadonlyMap<Problem['kind'], string> = new Map([
  ['forbidden', 'refused: keys or role'],
  ['tooMany', 'throttled'],
  ['invalid', 'request refused'],
  ['notFound', 'not found'],
  ['unreadable', 'unreadable response'],
  ['notOffered', 'not offered here'],
]);
