import { listApiKeys } from '../../src/api/api-keys.ts';
import { listOrgKeys, listOwnKeys } from '../../src/api/application-keys.ts';
import { getOrder, listArchives } from '../../src/api/archives.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { listProviderA, listProviderB } from '../../src/api/integrations.ts';
import { listTables } from '../../src/api/tables.ts';
import type { Tone } from '../../src/describe/column.ts';
import { type Context, labelText } from '../../src/describe/context.ts';
import type { BlockNow, BoardLine, Feed, Material, RowPlace, Told } from '../../src/describe/derived.ts';
import { type AnyList, initialQuery } from '../../src/describe/screen.ts';
import { plural } from '../../src/lib/text.ts';
import { isUuid } from '../../src/lib/values.ts';
import type { ArchiveRow } from '../archives/kind.ts';
import { archiveList } from '../archives.ts';
import { faults } from '../integrations/lines.ts';
import { accountsA } from '../integrations/provider-a.ts';
import { accountsB } from '../integrations/provider-b.ts';
import type { IssueRow } from '../issues/row.ts';
import { type AnyKey, findLeak } from '../keys/any-key.ts';
import { apiKeyList } from '../keys/api-keys.ts';
import { orgKeyList, ownKeyList } from '../keys/application-keys.ts';
import { isMine, type LedgerRow } from '../monitors/ledger-row.ts';
import type { ReferenceTable } from '../tables/kind.ts';
import { tableList } from '../tables.ts';
import { readTrouble, waiting } from './board.ts';

const hour = 3_600_000;

/** A list whose rows may need a person, with what is wrong with them. */
interface Concern {
  /** Name of the feed that reads the list. */
  readonly feed: string;
  readonly of: AnyList;
  /** What is wrong, such as `leaked API key`. */
  readonly what: string;
  /** What to do about it. */
  readonly mend: string;
  // biome-ignore lint/suspicious/noExplicitAny: one table for rows of several domains
  readonly isWrong: (row: any) => boolean;
  /** Words before the name of a row, in those of the contract: `provider_a`. */
  readonly namedBy?: string;
  /** A less urgent problem of other rows of the list. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly milder?: { readonly what: string; readonly isWrong: (row: any) => boolean };
}

const isLeaked = (row: AnyKey): boolean => findLeak(row) !== undefined;
const isInError = ({ attributes: { errors } }: { readonly attributes: { readonly errors?: unknown } }): boolean =>
  faults({ attributes: { errors } }).length > 0;

const leak = { isWrong: isLeaked, mend: 'create a new key, use it, and delete this one' };
const accountError = { what: 'integration in error', isWrong: isInError, mend: 'fix what the service reports' };

/** The lists that are looked through, the most urgent first. */
export const concerns: readonly Concern[] = [
  { feed: 'ownKeys', of: ownKeyList, what: 'leaked application key', ...leak },
  { feed: 'orgKeys', of: orgKeyList, what: 'leaked application key', ...leak },
  { feed: 'apiKeys', of: apiKeyList, what: 'leaked API key', ...leak },
  {
    ...{ feed: 'archives', of: archiveList, what: 'failing archive', mend: 'fix its bucket or its account' },
    isWrong: (row: ArchiveRow) => row.attributes.state === 'FAILING',
  },
  { feed: 'providerA', of: accountsA, ...accountError, namedBy: 'provider_a' },
  { feed: 'providerB', of: accountsB, ...accountError, namedBy: 'provider_b' },
  {
    feed: 'tables',
    of: tableList,
    what: 'failed table',
    mend: 'fix its source, then load it again',
    isWrong: (row: ReferenceTable) => row.attributes.status === 'ERROR',
    milder: {
      what: 'incomplete table',
      isWrong: (row: ReferenceTable) => row.attributes.status === 'DONE_WITH_ERRORS',
    },
  },
];

/** Seconds between two reads of a list that is only looked through for what is wrong. */
const slow = 300;

/** The read of a list that is looked through. */
export const feedOf = (of: AnyList): Feed => ({
  of: of.id,
  every: slow,
  source: (context) => of.load(initialQuery(of), context),
});

export const concernFeeds = Object.fromEntries(concerns.map(({ feed, of }) => [feed, feedOf(of)]));

/** The operations of those reads. */
export const concernReads: readonly Endpoint[] = [
  ...[listOwnKeys, listOrgKeys, listApiKeys, listArchives, getOrder],
  ...[listProviderA, listProviderB, listTables],
];

/** What waits for the person at the keyboard, one line each. */
export function needsBlock(
  feeds: Readonly<Record<string, Told>>,
  mutes: readonly LedgerRow[],
  context: Context,
  problemText?: string,
): BlockNow {
  const needs = [
    ...assignedIssues(feeds.issues, context),
    ...endingMutes(mutes, context),
    ...rowsInError(feeds, context),
    ...unfinishedUploads(context),
  ];
  const isUnread = Object.values(feeds).some((told) => !told.problem && waiting(told, '') !== '');
  const { me } = context;
  const count = needs.reduce((sum, need) => sum + need.count, 0);
  return {
    id: 'needs',
    title: 'Needs me',
    isHalf: true,
    head: count > 0 ? [{ text: String(count), tone: 'dim' }] : [],
    columns: [],
    lines: needs.map(({ line }) => line),
    empty: isUnread
      ? 'Loading…'
      : me === undefined && !context.asksMe
        ? 'Nothing. Your user is unknown, so your issues and mutes are not counted'
        : 'nothing',
    trouble: failedReads(feeds, context, problemText),
    least: 2,
  };
}

/** A line, and how many things it is about. */
interface Need {
  readonly line: BoardLine;
  readonly count: number;
}

const needOf = (id: string, count: number, text: string, tone: Tone, place: RowPlace): readonly Need[] =>
  count === 0 ? [] : [{ line: { id: `needs ${id}`, block: 'needs', name: text, cells: { text, tone }, place }, count }];

/** The issues that are assigned to the person, as one line. */
function assignedIssues(issues: Told<IssueRow> | undefined, { me }: Context): readonly Need[] {
  const { length } = me === undefined ? [] : (issues?.rows ?? []).filter((row) => row.assignee === me.id);
  const place = { list: 'issues', range: '24h', search: { assignee: 'me' } };
  return needOf('issues', length, `${plural(length, 'issue')} assigned to you`, 'plain', place);
}

/** The person's mutes that end within an hour, as one line. */
function endingMutes(mutes: readonly LedgerRow[], context: Context): readonly Need[] {
  const { length } = mutes.filter(
    (row) => isMine(row, context) && row.mute.end !== null && row.mute.end - context.now < hour,
  );
  const text = `${plural(length, 'mute')} of yours ${length === 1 ? 'ends' : 'end'} within 1h`;
  return needOf('mutes', length, text, 'warn', { list: 'mutes', range: '1h', filter: 'mine' });
}

/** One line for each list with rows that are in error, and one for its milder problem. */
function rowsInError(feeds: Readonly<Record<string, Told>>, context: Context): readonly Need[] {
  const seen = new Set<string>();
  const all = concerns.flatMap((concern) => [
    concern,
    ...(concern.milder ? [{ ...concern, ...concern.milder, isMild: true }] : []),
  ]);
  return all.flatMap(
    ({ feed, of: noun, what: subject, isWrong, namedBy, isMild }: Concern & { readonly isMild?: boolean }) => {
      const kind = namedBy === undefined ? '' : `${labelText(namedBy, context)} `;
      // My keys are also among those of the organization: each is counted once.
      const keyOf = (row: unknown) => `${subject} ${kind}${noun.idOf(row)}`;
      const rows = (feeds[feed]?.rows ?? []).filter((row) => isWrong(row) && !seen.has(keyOf(row)));
      for (const row of rows) seen.add(keyOf(row));
      const names = rows
        .slice(0, 3)
        .map((row) => `${kind}${shortId(noun.nameOf(row))}`)
        .join(', ');
      const text = `${countOf(rows.length, subject)}: ${names}${rows.length > 3 ? '…' : ''}`;
      const id = isMild ? `${feed} milder` : feed;
      const place = { list: noun.id, ...(rows.length === 1 && { row: noun.idOf(rows[0]) }) };
      return needOf(id, rows.length, text, 'plain', place);
    },
  );
}

/** A name; of a UUID, which only tells accounts apart, its first part. */
const shortId = (name: string): string => (isUuid(name) ? `${name.slice(0, 8)}…` : name);

/** `1 integration in error`, `2 integrations in error`. */
function countOf(count: number, subject: string): string {
  const [, noun = subject, rest = ''] = /^(.*?)( in error)?$/.exec(subject) ?? [];
  return `${plural(count, noun)}${rest}`;
}

/** Uploads that an earlier run began and did not end. */
const unfinishedUploads = ({ unfinished = [] }: Context): readonly Need[] =>
  unfinished.flatMap(({ says }, at) => needOf(`upload ${at}`, 1, `interrupted: ${says}`, 'warn', { list: 'tables' }));

/** What is said of lists whose reads failed; lists that these keys may not read are left out. */
function failedReads(feeds: Material['told'], context: Context, problemText: string | undefined): string | undefined {
  const failed = Object.entries(feeds).flatMap(([name, feed]) => {
    const list = concerns.find((concern) => concern.feed === name)?.of;
    const isLeftOut = feed.problem?.kind === 'forbidden' || feed.problem?.kind === 'notOffered';
    // A feed with a block of its own says there how old it is.
    return !feed.problem || isLeftOut || (!list && feed.rows)
      ? []
      : [{ feed, title: list?.title.toLowerCase() ?? name }];
  });
  // Those that have no rows, and those that are old, each with what its own reads have met.
  const alike = Map.groupBy(failed, ({ feed }) => `${feed.rows === undefined} ${feed.problem?.text}`);
  const sentences = [...alike.values()].map((some) => {
    const others = some.length > 1 ? ` and ${some.length - 1} more` : '';
    const oldest = some.map(({ feed }) => feed).toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))[0];
    return readTrouble(oldest, `${some[0]?.title}${others}`, context, problemText);
  });
  return sentences.length > 0 ? sentences.join('; ') : undefined;
}
