import { listMappings } from '../../src/api/authn-mappings.ts';
import { listRoles } from '../../src/api/roles.ts';
import { plainColumn } from '../../src/describe/column.ts';
import { type Derivation, readAll } from '../../src/describe/derived.ts';
import type { RowOutput } from '../../src/describe/output.ts';
import { list, type RowState } from '../../src/describe/screen.ts';
import { ageColumn, textColumn } from '../../src/describe/standard-columns.ts';
import { plural } from '../../src/lib/text.ts';
import { concernFeeds, concernReads, feedOf } from '../home/needs.ts';
import { mappingList } from '../mappings.ts';
import { roleList } from '../roles.ts';
import { type Finding, type Level, organizationFindings } from './findings.ts';
import { muteFeeds, muteReads } from './ledger.ts';

const levels: readonly Level[] = ['error', 'warning', 'advice'];
const tones = { error: 'bad', warning: 'warn', advice: 'dim' } as const;

const counted = (level: Level): RowState<Finding> => ({
  label: level.toUpperCase(),
  tone: tones[level],
  isIn: (row) => row.level === level,
});

const derivation: Derivation<Finding> = {
  feeds: { ...muteFeeds, ...concernFeeds, roles: feedOf(roleList), mappings: feedOf(mappingList) },
  // A command has no journal, and time for the queries.
  rows: ({ told, edits }, _, context) => organizationFindings(told, context, { isThorough: edits === undefined }),
  notes: ({ told, edits }) => {
    const failed = Object.values(told).flatMap(({ problem }) => problem ?? []);
    const isPermitted = failed.filter(({ kind }) => kind !== 'forbidden' && kind !== 'notOffered');
    const unread = failed.length - isPermitted.length;
    return [
      ...isPermitted.map(({ text }) => text),
      ...(unread > 0 ? [`${plural(unread, 'list')} cannot be read with these keys`] : []),
      ...(edits === undefined ? [] : ['orgdeck hygiene also checks queries']),
    ];
  },
  subject: ({ list: of, row }) => ({ list: of, row: row.value }),
  place: ({ list: of, row }) => ({ list: of, row: row.id }),
};

const output = (): RowOutput<Finding> => ({
  fields: [
    { name: 'level', type: 'text', says: 'error, warning or advice', value: ({ level }) => level },
    { name: 'finding', type: 'text', says: 'what is wrong, such as `muted forever`', value: ({ what }) => what },
    {
      name: 'about',
      type: 'object',
      says: '`list`, `id` and `name` of what it is wrong with',
      value: ({ list: of, row: { id, name } }) => ({ list: of, id, name }),
    },
    { name: 'since', type: 'time', says: 'since when; null if it is unknown', value: ({ since }) => since },
    { name: 'why', type: 'text', says: 'details', value: ({ why }) => why },
    { name: 'mend', type: 'text', says: 'what to do about it', value: ({ mend }) => mend },
  ],
});

/** What is wrong with the organization although nothing of it alerts, each with what to do about it. */
export const hygieneList = list<Finding>({
  id: 'hygiene',
  title: 'Hygiene',
  load: (asked, context) => readAll('hygiene', derivation, asked, context),
  derived: derivation,
  reads: [...muteReads, ...concernReads, listRoles, listMappings],
  idOf: ({ id }) => id,
  nameOf: ({ row: { name } }) => name,
  noun: 'finding',
  output,
  columns: [
    plainColumn({
      id: 'level',
      firsts: ['worst first', 'mildest first'],
      min: 7,
      priority: 1,
      text: ({ level }) => level.toUpperCase(),
      tone: ({ level }) => tones[level],
      sort: ({ level }) => levels.indexOf(level),
    }),
    textColumn({ id: 'finding', min: 23, max: 23, priority: 1, text: ({ what }) => what }),
    ageColumn({ id: 'since', title: 'FOR', min: 5, priority: 2 }, ({ since }) => since),
    textColumn({
      id: 'name',
      min: 20,
      // The names of monitors are whole before a few long reasons are.
      max: 52,
      flex: true,
      priority: 1,
      text: ({ row: { name } }) => name,
    }),
    textColumn({ id: 'why', min: 16, max: 22, priority: 3, text: ({ why }) => why, tone: () => 'dim' }),
    textColumn({ id: 'mend', title: 'WHAT TO DO', min: 20, max: 52, priority: 4, text: ({ mend }) => mend }),
  ],
  sorted: { by: 'level', down: false },
  within: [
    { by: 'finding', down: false },
    { by: 'since', down: true },
  ],
  states: levels.map(counted),
  words: ({ list: of, why }) => `${of} ${why}`,
  actions: [],
  empty: 'Nothing is wrong here',
});
