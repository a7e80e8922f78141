import { gap, head, type Line, pair, type SubRow, subColumn, text } from '../../src/describe/column.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { stateTone } from './columns.ts';
import { type Whole, wholeArchive } from './load.ts';
import { underId } from './reader.ts';
import { type ArchiveRow, nameOf, scanLimit, targetOf } from './row.ts';

/** What Enter shows of an archive. */
export const detail: Detail<ArchiveRow> = {
  load: wholeArchive,
  inside: { get: (whole: Whole) => whole.row, set: (whole: Whole, row) => ({ ...whole, row }) },
  tabs(row, whole: Whole | undefined) {
    const it = { ...(whole?.row ?? row), place: row.place };
    return [
      { kind: 'lines', id: 'archive', title: 'archive', lines: overview(it, whole) },
      {
        kind: 'rows',
        id: 'readers',
        title: whole === undefined ? 'readers' : `readers ${whole.readers.length}`,
        empty:
          whole === undefined
            ? 'reading'
            : whole.notes.length > 0
              ? (whole.notes[0] ?? '')
              : 'no role is named: whoever may rehydrate at all may read it; + adds one',
        columns: [
          subColumn({ id: 'name', title: 'ROLE', min: 20, share: 2, priority: 1 }),
          subColumn({ id: 'id', title: 'ID', min: 12, share: 1, priority: 2 }),
        ],
        rows: (whole?.readers ?? []).map(
          (role): SubRow => ({ id: underId(role), cells: { name: role.name, id: role.id }, tones: { id: 'dim' } }),
        ),
      },
      {
        kind: 'lines',
        id: 'raw',
        title: 'raw',
        lines: stringifyExact({ id: it.id, attributes: it.attributes }, 2)
          .split('\n')
          .map((line) => text(line)),
      },
    ];
  },
  preview: (row) => [head(nameOf(row)), ...meaning(row), gap, text(row.attributes.query ?? '')],
};

/** Its health and where it writes, in words. */
function meaning(row: ArchiveRow): readonly Line[] {
  const { destination, state } = row.attributes;
  const legacy = state === 'WORKING_AUTH_LEGACY' ? ': it works, with an outdated way of authorising' : '';
  const fresh = state === 'UNKNOWN' ? ': nothing has been written since it was made or changed' : '';
  return [
    pair('state', `${state ?? 'not told'}${legacy}${fresh}`, stateTone(row)),
    pair(
      'writes to',
      destination == null ? 'the service tells no destination' : `${destination.type ?? ''} ${targetOf(row)}`,
    ),
  ];
}

function overview(row: ArchiveRow, whole: Whole | undefined): readonly Line[] {
  const { attributes } = row;
  const { destination } = attributes;
  const integration = Object.entries(destination?.integration ?? {}).filter(
    ([, value]) => value != null && value !== '',
  );
  const limit = scanLimit(row);
  return [
    ...meaning(row),
    ...(whole?.notes ?? []).map((it) => text(it, 'warn')),
    gap,
    head('query'),
    text(attributes.query ?? 'not told', attributes.query == null ? 'dim' : 'plain'),
    gap,
    pair('place', `${row.place}: a log goes to the first archive whose query matches`),
    ...integration.map(([name, value]) => pair(name.replaceAll('_', ' '), String(value))),
    pair('path', destination?.path),
    pair('region', destination?.region),
    pair('encryption', [destination?.encryption?.type, destination?.encryption?.key].filter(Boolean).join(' ')),
    pair('storage class', destination?.storage_class),
    pair('compression', attributes.compression_method),
    pair('tags written', attributes.include_tags == null ? undefined : attributes.include_tags ? 'yes' : 'no: dropped'),
    pair('rehydrated with', (attributes.rehydration_tags ?? []).join(' ')),
    pair('rehydration scan', limit === undefined ? undefined : limit === null ? 'no limit' : `${limit} GB at most`),
    pair('partitioned by', (attributes.partitioning_attributes ?? []).join(', ')),
    pair('looked up by', (attributes.lookup_attributes ?? []).join(', ')),
    pair('id', row.id),
    ...row.unread.slice(0, 3).map((it) => text(`could not be read: ${it}`, 'warn')),
  ];
}
