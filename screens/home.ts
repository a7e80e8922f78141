import { listApiKeys } from '../src/api/api-keys.ts';
import { listOrgKeys, listOwnKeys } from '../src/api/application-keys.ts';
import { getOrder, listArchives } from '../src/api/archives.ts';
import { searchIssues } from '../src/api/error-tracking.ts';
import { listProviderA } from '../src/api/provider-a.ts';
import { listProviderB } from '../src/api/provider-b.ts';
import { listTables } from '../src/api/tables.ts';
import { type BlockNow, type BoardLine, isPiece } from '../src/describe/board.ts';
import type { Context } from '../src/describe/context.ts';
import { type Derivation, type Feed, type Material, readAll } from '../src/describe/derived.ts';
import { type AnyList, initialQuery, list, type Screen } from '../src/describe/screen.ts';
import { saidOnce } from './home/block.ts';
import { logBlock } from './home/log.ts';
import { mutesBlock, mutesNow } from './home/mutes.ts';
import { concerns, needsBlock } from './home/needs.ts';
import { alertingSample, nowBlock, stateChanges } from './home/now.ts';
import { serviceSamples, servicesBlock } from './home/services.ts';
import { initialSearch } from './issues/issue-search.ts';
import { loadIssues } from './issues/load.ts';
import type { IssueRow } from './issues/row.ts';
import { muteFeeds, muteReads } from './monitors/ledger.ts';
import type { MonitorRow } from './monitors/row.ts';

/** Calls of one read of the issues: enough for 400, so that Home never spends what the screen of issues needs. */
const issueCalls = 5;

/** Seconds between two reads of a list that is only looked through for what is wrong. */
const slow = 300;

const issueFeed: Feed<IssueRow> = {
  of: 'issues',
  every: 30,
  source: (context) => ({
    ...loadIssues({ search: initialSearch, range: '24h' }, context, issueCalls),
    key: 'issues by service',
  }),
  samples: serviceSamples,
};

const spare = (of: AnyList): Feed => ({
  of: of.id,
  every: slow,
  spare: true,
  source: (context) => of.load(initialQuery(of), context),
});

const spareFeeds = Object.fromEntries(concerns.map(({ feed, of }) => [feed, spare(of)]));

const monitorFeed: Feed<MonitorRow> = { ...muteFeeds.monitors, samples: alertingSample, changes: stateChanges };

const blocks = ({ told: feeds, changes, edits }: Material, context: Context) => {
  const { monitors, downtimes, issues } = feeds;
  const mutes = mutesNow(monitors, downtimes, context.now);
  const spokenOnce = saidOnce(feeds);
  return [
    nowBlock(monitors, context, spokenOnce),
    mutesBlock(mutes, monitors, downtimes, context, spokenOnce),
    servicesBlock(issues, context, spokenOnce),
    needsBlock(feeds, mutes, context, spokenOnce),
    logBlock({ changes, edits }, context),
  ];
};

/** A line with the number of lines of its block, shown or not. */
type CountedLine = BoardLine & { readonly total?: number | null };

const counted = ({ lines, total = lines.length }: BlockNow): readonly CountedLine[] =>
  lines.map((line) => ({ ...line, total }));

const derivation: Derivation<CountedLine> = {
  feeds: { monitors: monitorFeed, issues: issueFeed, downtimes: muteFeeds.downtimes, ...spareFeeds },
  rows: (material, _, context) => blocks(material, context).flatMap(counted),
  subject: (line) => line.subject,
  offers: ['monitors.mute', 'monitors.unmute', 'monitors.extend'],
  place: (line) => line.place,
};

/** The cells of a line, one after the other. */
const textOf = ({ cells }: BoardLine): string =>
  (isPiece(cells) ? [cells] : Object.values(cells))
    .map(({ text }) => text)
    .filter(Boolean)
    .join(' ');

const homeList = list<CountedLine>({
  id: 'home',
  title: 'Home',
  load: (asked, context) => readAll('home', derivation, asked, context),
  derived: derivation,
  board: { blocks },
  reads: [
    ...muteReads,
    searchIssues,
    listOwnKeys,
    listOrgKeys,
    listApiKeys,
    listArchives,
    getOrder,
    listProviderA,
    listProviderB,
    listTables,
  ],
  idOf: (line) => line.id,
  nameOf: (line) => line.name,
  output: () => ({
    fields: [
      { name: 'block', type: 'text', says: 'the block that it stands in', value: ({ block }) => block },
      {
        name: 'total',
        type: 'number',
        says: 'how many lines its block would have if it showed all; null where it is unknown',
        value: ({ total }) => total,
      },
      { name: 'text', type: 'text', says: 'the line as it is drawn', value: textOf },
      { name: 'since', type: 'time', says: 'when what it says began', value: ({ since }) => since },
      { name: 'list', type: 'text', says: 'id of the list that it opens', value: ({ place }) => place.list },
      { name: 'row', type: 'id', says: 'id of the row that it opens', value: ({ place }) => place.row },
    ],
  }),
  columns: [{ id: 'line', title: 'LINE', min: 20, flex: true, priority: 1, text: (line) => line.name }],
  actions: [],
  empty: 'Nothing',
});

/** Screen 0: what alerts, which mutes end, which services fail, what waits for the person. */
export const home: Screen = { id: 'home', title: 'Home', key: '0', lists: [homeList] };
