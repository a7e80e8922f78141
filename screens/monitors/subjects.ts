import type { Context } from '../../src/describe/context.ts';
import type { NamedLink } from '../../src/describe/named-link.ts';
import { webLink } from '../../src/describe/web-link.ts';
import { groupUnder } from './mutes.ts';
import type { MonitorRow } from './row.ts';

type About = Pick<MonitorRow, 'tags' | 'query' | 'groups' | 'worst' | 'message' | 'runbooks'>;

/** The words of a scope, a query or the name of a group. */
const wordsIn = (text: string): readonly string[] => text.split(/[\s,{}()"']+/);

const groupNames = ({ groups, worst }: About): readonly string[] => [...groups.red, ...worst.map(({ name }) => name)];

/** Whether a monitor is about a tag: it has it, its query is narrowed to it, or one of its groups is it. */
export const isAbout = (row: About, tag: string): boolean =>
  row.tags.includes(tag) ||
  (row.query.includes(tag) && wordsIn(row.query).includes(tag)) ||
  groupNames(row).some((name) => name.includes(tag) && wordsIn(name).includes(tag));

const prefix = 'service:';

/** The services of a monitor: of the group under the cursor, else of its tags, else of the scope of its query, else of its groups. */
export function servicesOf(row: About, context: Pick<Context, 'subRowId'>): readonly string[] {
  const group = groupUnder(context) ?? '';
  const sources = [
    () => wordsIn(group),
    () => row.tags,
    () => wordsIn(row.query),
    () => groupNames(row).flatMap(wordsIn),
  ];
  for (const source of sources) {
    const named = source().filter((word) => word.startsWith(prefix) && word.length > prefix.length);
    const names = [...new Set(named.map((word) => word.slice(prefix.length)))].filter((name) => !name.includes('*'));
    if (names.length > 0) return names;
  }
  return [];
}

/** Its runbooks: those that it has, then the first address in its message, which has no name. */
export function runbooksOf({ message, runbooks = [] }: Pick<About, 'message' | 'runbooks'>): readonly NamedLink[] {
  const url = /https?:\/\/[^\s)>\]]+/.exec(message)?.[0];
  return url === undefined || runbooks.some((one) => one.url === url) ? runbooks : [...runbooks, { name: '', url }];
}

/** Its runbooks to be opened: a path is one of the service's web pages. A name does not say again that it is one. */
export const runbookLinks = (
  row: Pick<About, 'message' | 'runbooks'>,
  context: Pick<Context, 'web'>,
): readonly NamedLink[] =>
  runbooksOf(row).map(({ name, url }) => ({
    name: name.replace(/^runbooks?\b[\s:–-]*/i, ''),
    url: (url.startsWith('/') && webLink(context, url)) || url,
  }));

/** Who is told, as its message names them: `@oncall-checkout`. */
export const namedIn = ({ message }: Pick<About, 'message'>): readonly string[] => [
  ...new Set(message.match(/(?<!\S)@[\w.:@/-]+/g) ?? []),
];
