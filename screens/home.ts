import { searchIssues } from '../src/api/error-tracking.ts';
import type { Context } from '../src/describe/context.ts';
import type { Feed, Material } from '../src/describe/derived.ts';
import type { Screen } from '../src/describe/screen.ts';
import { boardOf, saidOnce } from './home/board.ts';
import { logBlock } from './home/log.ts';
import { mutesBlock, mutesNow } from './home/mutes.ts';
import { concernFeeds, concernReads, needsBlock } from './home/needs.ts';
import { alertingSample, nowBlock } from './home/now.ts';
import { serviceSamples, servicesBlock } from './home/services.ts';
import { initialSearch } from './issues/issue-search.ts';
import { loadIssues } from './issues/load.ts';
import type { IssueRow } from './issues/row.ts';
import { muteFeeds, muteReads } from './monitors/ledger.ts';
import type { MonitorRow } from './monitors/row.ts';

/** Calls of one read of the issues: enough for 400, so that Home never spends what the screen of issues needs. */
const issueCalls = 5;

const issueFeed: Feed<IssueRow> = {
  of: 'issues',
  every: 30,
  source: (context) => ({
    ...loadIssues({ search: initialSearch, range: '24h' }, context, issueCalls),
    key: 'issues by service',
  }),
  samples: serviceSamples,
};

const spareFeeds = Object.fromEntries(
  Object.entries(concernFeeds).map(([name, feed]) => [name, { ...feed, spare: true }]),
);

const monitorFeed: Feed<MonitorRow> = { ...muteFeeds.monitors, samples: alertingSample };

const none: readonly never[] = [];

const blocks = ({ told: feeds, changes, edits }: Material, context: Context) => {
  const { monitors, downtimes, issues } = feeds;
  const mutes = mutesNow(monitors, downtimes, context.now);
  const spokenOnce = saidOnce(feeds);
  return [
    nowBlock(monitors, context, spokenOnce),
    servicesBlock(issues, monitors, context, spokenOnce),
    mutesBlock(mutes, monitors, downtimes, context, spokenOnce),
    needsBlock(feeds, mutes, context, spokenOnce),
    // A command has no journal, and lists the states of monitors elsewhere.
    logBlock({ changes, ...(edits && { edits }) }, (edits && monitors?.rows) ?? none, context),
  ];
};

const homeList = boardOf({
  id: 'home',
  title: 'Home',
  board: { blocks },
  feeds: { monitors: monitorFeed, issues: issueFeed, downtimes: muteFeeds.downtimes, ...spareFeeds },
  offers: ['monitors.mute', 'monitors.unmute', 'monitors.extend'],
  reads: [...muteReads, searchIssues, ...concernReads],
});

/** Screen 0: what alerts, which mutes end, which services fail, what waits for the person. */
export const home: Screen = { id: 'home', title: 'Home', key: '0', lists: [homeList] };
