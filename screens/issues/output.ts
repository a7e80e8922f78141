import { type RowOutput, timestamp } from '../../src/describe/output.ts';
import { toWord } from '../../src/lib/unchecked-values.ts';
import { caseAttributes, caseStatus, trackerLinks } from './issue-case.ts';
import type { IssueRow } from './row.ts';

const caseMembers =
  '`key`, `title`, `type`, `status`, `priority`, `project_id`, `assignee`, `attributes`, `tracker_links`; null if the service sent only the ID';

/** The case of an issue as JSON has one. */
function caseItem(row: IssueRow) {
  const { project, assignee } = row.case?.named ?? {};
  const about = row.case?.attributes;
  const word = (name: string) => toWord(about?.[name]) || null;
  return (
    about && {
      key: word('key'),
      title: word('title'),
      type: word('type') ?? word('type_id'),
      status: caseStatus(about) || null,
      priority: word('priority'),
      project_id: project?.id ?? null,
      assignee: assignee ? { id: assignee.id, name: assignee.name || null } : null,
      attributes: Object.fromEntries(caseAttributes(about)),
      tracker_links: trackerLinks(about),
    }
  );
}

/** Issues for a program. */
export const issueOutput = (): RowOutput<IssueRow> => ({
  fields: [
    {
      name: 'state',
      type: 'text',
      says: 'OPEN, ACKNOWLEDGED, RESOLVED, IGNORED, EXCLUDED or another word',
      value: ({ state }) => state || undefined,
    },
    {
      name: 'count',
      type: 'number',
      says: 'errors in the range; null outside a search',
      value: (row) => row.counts.total,
    },
    {
      name: 'count_at_least',
      type: 'flag',
      says: 'there may be more errors than `count`',
      value: (row) => row.counts.totalAtLeast === true,
    },
    { name: 'sessions', type: 'number', says: 'sessions with the error', value: (row) => row.counts.sessions },
    { name: 'users', type: 'number', says: 'users with the error', value: (row) => row.counts.users },
    { name: 'service', type: 'text', says: 'name of the service', value: (row) => row.service || undefined },
    { name: 'type', type: 'text', says: 'such as `TypeError`', value: (row) => row.type || undefined },
    { name: 'message', type: 'text', says: 'the whole message', value: (row) => row.message || undefined },
    { name: 'file', type: 'text', says: 'path of the source file', value: (row) => row.file || undefined },
    { name: 'function', type: 'text', says: 'name of the function', value: (row) => row.function || undefined },
    { name: 'platform', type: 'text', says: 'words of the service', value: (row) => row.platform || undefined },
    { name: 'languages', type: 'list of texts', says: 'words of the service', value: (row) => row.languages },
    { name: 'crash', type: 'flag', says: 'whether the error ended the program', value: (row) => row.crash },
    { name: 'first_seen', type: 'time', says: 'first error', value: (row) => row.firstSeen },
    { name: 'last_seen', type: 'time', says: 'last error', value: (row) => row.lastSeen },
    {
      name: 'first_version',
      type: 'text',
      says: 'version of the first error',
      value: (row) => row.firstVersion || undefined,
    },
    {
      name: 'last_version',
      type: 'text',
      says: 'version of the last error',
      value: (row) => row.lastVersion || undefined,
    },
    {
      name: 'regression',
      type: 'object',
      says: '`at`, `version`, `resolved_at` of an issue that came back',
      value: ({ regression }) =>
        regression && {
          at: timestamp(regression.at),
          version: regression.version,
          resolved_at: timestamp(regression.resolvedAt),
        },
    },
    {
      name: 'assignee',
      type: 'object',
      says: '`id` and `name`; null where unassigned',
      value: ({ assignee, who }) =>
        assignee === undefined ? undefined : { id: assignee, name: (who?.id === assignee && who.name) || null },
    },
    {
      name: 'teams',
      type: 'list of objects',
      says: '`id`, `name`, `handle` of each team that owns it',
      value: (row) => row.teams.map(({ id, name, handle }) => ({ id, name, handle })),
    },
    { name: 'case_id', type: 'id', says: 'id of its case', value: (row) => row.case?.id },
    {
      name: 'case',
      type: 'object',
      says: caseMembers,
      value: caseItem,
    },
  ],
});
