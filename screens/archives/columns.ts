import type { Column, Tone } from '../../src/describe/column.ts';
import { type ArchiveRow, nameOf, targetOf } from './row.ts';

/** What the service says of its health: an unknown word is shown as it is. */
export function stateTone(row: ArchiveRow): Tone {
  switch (row.attributes.state) {
    case 'WORKING':
      return 'good';
    case 'FAILING':
      return 'bad';
    case 'WORKING_AUTH_LEGACY':
      return 'warn';
    default:
      return 'dim';
  }
}

/** Its state in a cell; a word that is not known here as it is. */
function stateText(state: string | null | undefined): string {
  if (state === 'WORKING_AUTH_LEGACY') return 'legacy auth';
  return (state ?? 'unknown').toLowerCase().replaceAll('_', ' ');
}

/** Columns of archives; the first one of the order whose query matches takes a log. */
export const columns: readonly Column<ArchiveRow>[] = [
  {
    id: 'order',
    title: '#',
    min: 3,
    align: 'right',
    priority: 1,
    text: (row) => String(row.place),
    tone: () => 'dim',
    sort: (row) => row.place,
  },
  {
    id: 'state',
    title: 'STATE',
    min: 11,
    priority: 2,
    text: (row) => stateText(row.attributes.state),
    tone: stateTone,
    sort: (row) => row.attributes.state ?? '',
  },
  {
    id: 'name',
    title: 'NAME',
    min: 16,
    share: 2,
    max: 48,
    priority: 1,
    text: nameOf,
    sort: (row) => nameOf(row).toLowerCase(),
  },
  {
    id: 'kind',
    title: 'KIND',
    min: 10,
    priority: 4,
    text: (row) => row.attributes.destination?.type ?? '',
    tone: () => 'info',
    sort: (row) => row.attributes.destination?.type ?? '',
  },
  {
    id: 'target',
    title: 'WRITES TO',
    min: 14,
    share: 2,
    priority: 3,
    text: (row) => (row.attributes.destination == null ? '(not told)' : targetOf(row)),
    tone: (row) => (row.attributes.destination == null ? 'warn' : 'plain'),
    sort: targetOf,
  },
  {
    id: 'query',
    title: 'QUERY',
    min: 12,
    share: 3,
    priority: 5,
    text: (row) => row.attributes.query ?? '',
    tone: () => 'dim',
    sort: (row) => row.attributes.query ?? '',
  },
];
