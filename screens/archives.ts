import {
  archive,
  destination as destinationSchema,
  getArchive,
  getOrder,
  listArchives,
  listReaders,
} from '../src/api/archives.ts';
import {
  type Column,
  type DetailLine,
  orderColumn,
  pair,
  plainColumn,
  positionLine,
  type Section,
  type SubRow,
  section,
  subColumn,
  type Tone,
  textColumn,
  textLine,
} from '../src/describe/column.ts';
import { type Context, inWords, type VocabularyContext } from '../src/describe/context.ts';
import { detailOf, listOf, unreadLines } from '../src/describe/list-detail.ts';
import { keptResource } from '../src/describe/resource-spec.ts';
import type { Screen } from '../src/describe/screen.ts';
import { nameTitle, yesNo } from '../src/lib/text.ts';
import { comparable, deleteAction, editAction, newAction, orderAction } from './archives/edit.ts';
import { type ArchiveRow, archiveKind, destinationText } from './archives/kind.ts';
import { addReaderAction, type Readers, readersTold, removeReaderAction } from './archives/readers.ts';
import { detailRowId } from './roles/kind.ts';

const { nameOf } = archiveKind;

/** The service's states of an archive. */
const tones = new Map<string, Tone>([
  ['WORKING', 'good'],
  ['FAILING', 'bad'],
  ['WORKING_AUTH_LEGACY', 'warn'],
]);

const stateTone = (row: ArchiveRow): Tone => tones.get(row.attributes.state ?? '') ?? 'dim';

/** The state of an archive as a cell; an unknown state as it is. */
function stateText(state: string | null | undefined): string {
  if (state === 'WORKING_AUTH_LEGACY') return 'legacy auth';
  return (state ?? 'unknown').toLowerCase().replaceAll('_', ' ');
}

/** The kind of its destination as a person reads it; empty when it was not told. */
const kindOf = (row: ArchiveRow, context: VocabularyContext): string =>
  inWords(destinationSchema.entries.type, row.attributes.destination?.type, context) ?? '';

/** Columns of archives; the first one of the order whose query matches takes a log. */
const columns: readonly Column<ArchiveRow>[] = [
  orderColumn(3),
  plainColumn({
    id: 'state',
    min: 11,
    widest: 'legacy auth',
    priority: 2,
    text: (row) => stateText(row.attributes.state),
    tone: stateTone,
    sort: (row) => row.attributes.state ?? '',
  }),
  textColumn({
    id: 'name',
    min: 16,
    max: 48,
    priority: 1,
    text: nameOf,
  }),
  textColumn({
    id: 'kind',
    min: 10,
    priority: 5,
    text: kindOf,
  }),
  {
    id: 'target',
    title: 'WRITES TO',
    min: 14,
    max: 48,
    priority: 3,
    text: (row) => (row.attributes.destination == null ? '(unknown)' : destinationText(row)),
    tone: (row) => (row.attributes.destination == null ? 'warn' : 'plain'),
    sort: destinationText,
  },
  textColumn({
    id: 'query',
    min: 12,
    max: 30,
    flex: true,
    priority: 4,
    text: (row) => row.attributes.query ?? '',
    tone: () => 'dim',
  }),
];

/** The health of an archive and where it writes, in words. */
function meaning(row: ArchiveRow, context: VocabularyContext): readonly DetailLine[] {
  const { destination, state } = row.attributes;
  const legacy = state === 'WORKING_AUTH_LEGACY' ? ': works with outdated authorization' : '';
  const fresh = state === 'UNKNOWN' ? ': no write since it was created or updated' : '';
  return [
    pair('State', `${stateText(state)}${legacy}${fresh}`, stateTone(row)),
    pair('Writes to', destination == null ? 'unknown destination' : `${kindOf(row, context)} ${destinationText(row)}`),
  ];
}

function sectionsOf(row: ArchiveRow, more: Readers | undefined, context: Context): readonly Section[] {
  const { attributes } = row;
  const destination = inWords(destinationSchema, attributes.destination, context);
  const integration = Object.entries(destination?.integration ?? {}).filter(
    ([, value]) => value != null && value !== '',
  );
  const limit = attributes.rehydration_max_scan_size_in_gb;
  const archive = [
    positionLine(row, 'a log goes to the first archive whose query matches', context),
    ...integration.map(([name, value]) => pair(nameTitle(name), String(value))),
    pair('Path', destination?.path),
    pair('Region', destination?.region),
    pair('Encryption', [destination?.encryption?.type, destination?.encryption?.key].filter(Boolean).join(' ')),
    pair('Storage class', destination?.storage_class),
    pair('Compression', attributes.compression_method),
    pair('Include tags', yesNo(attributes.include_tags)),
    pair('Rehydration tags', (attributes.rehydration_tags ?? []).join(' ')),
    pair('Max. scan size', limit === undefined ? undefined : limit === null ? 'no limit' : `${limit} GB`),
    pair('Partition by', (attributes.partitioning_attributes ?? []).join(', ')),
    pair('Lookup attributes', (attributes.lookup_attributes ?? []).join(', ')),
    pair('ID', row.id),
    ...unreadLines(row),
  ];
  const { query } = attributes;
  const readers = more && more.readers.length > 0 ? more.readers.map(({ name }) => name).join(', ') : undefined;
  return [
    section('meaning', '', [
      ...meaning(row, context),
      ...(readers === undefined ? [] : [pair('Readers', readers)]),
      ...(more?.notes ?? []).map((note) => textLine(note, 'warn')),
    ]),
    section('query', 'Query', [textLine(query ?? 'Unknown', query == null ? 'dim' : 'plain')]),
    section('archive', 'Archive', archive),
  ];
}

/** What Enter shows of an archive. */
const detail = detailOf(archiveKind, {
  more: { of: ['roles'], read: readersTold },
  sections: sectionsOf,
  tabs: (_, more) => [
    {
      kind: 'rows',
      id: 'readers',
      title: more?.readers.length ? `Readers ${more.readers.length}` : 'Readers',
      empty: more && (more.notes[0] ?? 'Everyone who can rehydrate. a: restrict to a role'),
      columns: [
        subColumn({ id: 'name', title: 'ROLE', min: 20, flex: true, priority: 1 }),
        subColumn({ id: 'id', min: 12, max: 40, priority: 2 }),
      ],
      rows: (more?.readers ?? []).map(
        ({ id, name }): SubRow => ({
          id: detailRowId({ kind: 'role', id, name }),
          cells: { name, id },
          tones: { id: 'dim' },
        }),
      ),
    },
  ],
});

/** Where logs are kept for good, and in which order that is decided (docs/contract/logs-archives.md). */
export const archiveList = listOf(archiveKind, {
  id: 'archives',
  title: 'Log archives',
  columns,
  sorted: { by: 'order', down: false },
  states: [
    {
      label: 'FAILING',
      tone: 'bad',
      needsPerson: 'failing archive',
      isIn: (row) => row.attributes.state === 'FAILING',
    },
    { label: 'LEGACY AUTH', tone: 'warn', isIn: (row) => row.attributes.state === 'WORKING_AUTH_LEGACY' },
  ],
  words: (row) => (row.attributes.rehydration_tags ?? []).join(' '),
  reads: [listArchives, getOrder, getArchive, listReaders],
  detail,
  schema: archive,
  comparable,
  order: { column: 'order', save: orderAction.id },
  actions: [editAction, newAction, deleteAction, addReaderAction, removeReaderAction, orderAction],
  kept: keptResource(archive),
  empty: 'No archives. n: new archive',
});

/** Screen 9. */
export const archives: Screen = { id: 'archives', title: 'Archives', key: '9', lists: [archiveList] };
