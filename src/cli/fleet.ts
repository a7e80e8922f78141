import { call } from '../api/endpoint.ts';
import { searchIssues } from '../api/error-tracking.ts';
import { searchMonitors } from '../api/monitors.ts';
import { type Result, toResult } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { sleep } from '../client/hold-back.ts';
import type { ParseResult } from '../lib/function-results.ts';
import type { FleetStanding } from '../session/outside/outside.ts';
import type { OpenConnection, Start } from './start.ts';

/** Least milliseconds between two reads of one organization. */
const gapMs = 60_000;
const aDay = 86_400_000;
/** The most issues that a search tells. */
const mostIssues = 100;
const keysRefused = 401;

/**
 * Reads how the organizations of the profiles stand that are marked for it, again every minute or somewhat more, with two
 * requests each; one whose keys are refused or would ask a person is read no more. Until it is ended, which drops their keys.
 */
export function watchFleet(
  { profiles, clock, random }: Pick<Start, 'profiles' | 'clock' | 'random'>,
  open: (name: string) => Promise<ParseResult<OpenConnection>>,
  show: (name: string, standing: FleetStanding) => void,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const watch = async (name: string): Promise<void> => {
    const opened = await open(name);
    if (!opened.ok) return show(name, { problem: opened.text });
    const { client, close } = opened.value;
    try {
      do {
        const read = await readStanding(client, clock.now(), signal);
        if (signal.aborted) return;
        show(name, read.ok ? read.value : { problem: read.problem.text });
        if (!read.ok && read.problem.status === keysRefused) return;
      } while (await sleep(clock, gapMs * (1 + random() / 2), signal));
    } finally {
      await close();
    }
  };
  void profiles.list().then((listing) => {
    const marked = listing.ok ? listing.value.profiles.filter(({ fleet }) => fleet) : [];
    for (const { name } of marked) if (!signal.aborted) void watch(name);
  });
  return () => stop.abort();
}

/** One search of monitors and one of issues. */
async function readStanding(client: Client, now: number, signal: AbortSignal): Promise<Result<FleetStanding>> {
  const query = { query: 'status:alert', page: 0, per_page: 100, sort: 'status,asc' };
  const found = await client.send(call(searchMonitors, { query }), { signal });
  if (!found.ok) return found;
  const attributes = { query: '*', from: now - aDay, to: now, persona: 'ALL', order_by: 'TOTAL_COUNT' } as const;
  const body = { data: { type: 'search_request', attributes } } as const;
  const errors = await client.send(call(searchIssues, { query: { include: [] }, body }), { signal });
  if (!errors.ok) return errors;
  const { monitors, metadata } = found.value ?? {};
  const ends = (monitors ?? []).map((monitor) => Number(monitor?.muted_until_ts ?? 0) * 1000).filter((at) => at > now);
  const issues = errors.value?.data?.length ?? 0;
  const shares = client.budgets().map(({ limit, remaining }) => (limit > 0 ? remaining / limit : 1));
  return toResult({
    alerting: Number(metadata?.total_count ?? monitors?.length ?? 0),
    issues: issues >= mostIssues ? `${mostIssues}+` : String(issues),
    muteEnds: ends.length > 0 ? Math.min(...ends) : undefined,
    quota: shares.length > 0 ? Math.min(...shares) : undefined,
  });
}
