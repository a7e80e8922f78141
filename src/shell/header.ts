import type { Span } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { age } from '../lib/moment.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { Session } from '../session/session.ts';

/** A read older than this many polls is stale. */
const stalePolls = 3;

type Now = ReturnType<Session['now']>;

/** The header's left side: profile with its badge (a word, not only a colour), host, screen, open row. */
export function whereSpans(session: Session, now: Now, theme: Theme): Span[] {
  const { profile, client } = session;
  const { view } = now;
  const { separator, badgeLeft, badgeRight } = theme.glyphs;
  const words = [profile.environment.toUpperCase(), profile.readOnly ? 'RO' : ''].filter((word) => word !== '');
  const badge = words.length > 0 ? plain`${badgeLeft}${paint(words.join(' '))}${badgeRight}` : plain``;
  const crumbs = [view.screen.title, ...(view.screen.lists.length > 1 ? [view.list.title] : [])];
  return [
    { text: plain` ${paint(profile.name)} `, bold: true, keep: true },
    ...(badge === ''
      ? []
      : [{ text: badge, tone: profile.production ? ('bad' as const) : ('info' as const), inverse: true, keep: true }]),
    ...(profile.production && profile.environment.toLowerCase() !== 'prod'
      ? [{ text: plain` PRODUCTION`, tone: 'bad' as const, keep: true }]
      : []),
    ...(hostOf(client.origin) === profile.name
      ? [{ text: plain` ` }]
      : [{ text: plain` ${paint(hostOf(client.origin))} `, tone: 'dim' as const }]),
    { text: plain`${separator} ${paint(crumbs.join(' / '))}` },
    ...(view.detail ? [{ text: plain` / ${paint(view.list.nameOf(view.detail.row))}`, tone: 'dim' as const }] : []),
  ];
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return origin;
  }
}

/** The header's right side: age of the rows and rate limit. Constant while nothing happens. */
export function freshSpans(session: Session, now: Now, theme: Theme, behind: boolean): Span[] {
  const { state, view, context } = now;
  const { live, stale, paused, offline } = theme.glyphs;
  const spans: Span[] = [];
  if (state.editsUnderWay > 0) spans.push({ text: plain`sending ${state.editsUnderWay}  `, tone: 'warn' });
  if (behind) spans.push({ text: plain`slow terminal  `, tone: 'warn' });
  const { known } = view;
  const old = known.at === undefined ? undefined : context.now - known.at;
  const since = (ms: number) => paint(age(context.now - ms, context.now));
  if (state.paused)
    spans.push({
      text: plain`${paused} paused${old === undefined ? plain`` : plain` ${since(old)}`}`,
      tone: 'warn',
    });
  else if (session.client.keysRefused()) spans.push({ text: plain`${offline} keys refused: P`, tone: 'bad' });
  else if (known.problem)
    spans.push({
      text: plain`${offline} ${paint(problemWord(known.problem.kind))}${old === undefined ? plain`` : plain` ${since(old)} old`}`,
      tone: 'bad',
    });
  else if (old === undefined) spans.push({ text: plain`${stale} reading`, tone: 'dim' });
  else if (known.partial) spans.push({ text: plain`${stale} reading more`, tone: 'info' });
  else if (old > session.profile.pollMs * stalePolls)
    spans.push({ text: plain`${stale} stale ${since(old)}`, tone: 'warn' });
  else spans.push({ text: plain`${live} live`, tone: 'good' });
  const tight = session.client
    .budgets()
    .filter((budget) => budget.limit > 0 && budget.remaining / budget.limit < 0.3 && budget.resetAt > context.now);
  if (tight[0])
    spans.push({ text: plain`  rate ${Math.round((tight[0].remaining / tight[0].limit) * 100)}%`, tone: 'warn' });
  const refusals = session.client.refusals();
  spans.push({ text: plain`  429:${refusals} `, tone: refusals > 0 ? 'warn' : 'dim' });
  return spans;
}

function problemWord(kind: string): string {
  switch (kind) {
    case 'unreachable':
      return 'offline';
    case 'forbidden':
      return 'refused: keys or role';
    case 'tooMany':
      return 'waiting: too many calls';
    case 'unreadable':
      return 'answer not understood';
    case 'notOffered':
      return 'not offered here';
    default:
      return kind;
  }
}
