import { at } from '../../lib/object-paths.ts';
import { type Collection, collection } from './collection.ts';
import { type Handler, refused, type ServiceWorld } from './handler.ts';
import { slicePage } from './paging.ts';
import { asObject, asText, numeric } from './wire-values.ts';

type Fields = Record<string, unknown>;

/** The records of a generic kind; creates the map on first use. */
function rowsOf({ org }: ServiceWorld, of: string): Map<string, Fields> {
  const rows = org.others.get(of) ?? new Map<string, Fields>();
  org.others.set(of, rows);
  return rows;
}

/** Stores an object of a generic kind; assigns an id when it has none. */
export function storeRecord(world: ServiceWorld, kind: string, object: unknown): Fields {
  const sent = asObject(object) ?? {};
  const id = asText(sent.id) ?? world.random.uuid();
  const kept = typeof sent.id === 'number' ? sent.id : typeof sent.id === 'bigint' ? numeric(id) : id;
  const row = { ...sent, id: kept };
  rowsOf(world, kind).set(id, row);
  return row;
}

/** A generic collection of the kind `of`: returns what was sent. */
const recordsOf = (kind: string): Collection<Fields> =>
  collection<Fields>({
    rows: (world) => rowsOf(world, kind),
    missing: () => refused(404, 'Not found'),
    show: (row) => row,
    list: { page: slicePage },
    read: ({ endpoint, body }) => asObject(endpoint.path.startsWith('/api/v2') ? at(body, 'data') : body) ?? {},
    make: (sent, _, world) => storeRecord(world, kind, sent),
    change: (row, sent) => {
      for (const part of ['attributes', 'relationships'])
        if (asObject(row[part])) sent[part] = { ...asObject(row[part]), ...asObject(sent[part]) };
      Object.assign(row, sent, { id: row.id });
      return undefined;
    },
  });

/** Serves operations without a handler, by verb and kind. */
export const records: Handler = (request, world) => {
  const { verb, of } = request.endpoint;
  const rows = recordsOf(of);
  if (verb === 'act') return refused(404, 'Not found');
  if (verb === 'search') return rows.list(request, world);
  return rows[verb === 'check' ? 'get' : verb](request, world);
};
