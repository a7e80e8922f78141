import {
  type Call,
  type Endpoint,
  entriesOf,
  findReadBack,
  isRead,
  pathNames,
  type QueryValue,
  rawCall,
} from '../api/endpoint.ts';
import { findItems, findTotal, isWholeItem } from '../api/paging.ts';
import type { Result } from '../api/problem.ts';
import { at, isObject } from '../lib/values.ts';

/**
 * What a fresh read shows after an edit without a clear response: `ours`, the edit; `before`, the values from before it;
 * `other`, values that somebody else set; `unclear`, none of these for certain.
 */
type ReadComparison = 'ours' | 'before' | 'other' | 'unclear';

/**
 * Compares the fields that were sent with a fresh read and with the row before. Fields are those of
 * `data.attributes` and `data.relationships`, or of a plain body. They are looked up at the same place in the read,
 * and in the row as an envelope, a resource or bare attributes. Where the endpoint has `isApplied`, only that decides
 * between `ours` and the rest; where it has `isUnchanged`, `before` may follow from it.
 */
export function compareWithRead(call: Call, read: unknown, before: unknown): ReadComparison {
  const sent = fieldsOf(call.body);
  const { isApplied, isUnchanged } = call.endpoint;
  const ours =
    holdsSomething(read) &&
    (isApplied
      ? falseIfThrown(() => isApplied(call, read))
      : sent.length > 0 && sent.every(([path, value]) => isSame(value, find(read, path))));
  if (ours) return 'ours';
  // Rows keep the resource as it was read in `raw`.
  const resource = isObject(before) && 'raw' in before ? before.raw : before;
  if (isUnchanged && falseIfThrown(() => isUnchanged(call, read, resource))) return 'before';
  const then = sent.map(([path]) => {
    const own = find(resource, path);
    return own === absent ? find(before, path) : own;
  });
  // A read without any of the fields proves nothing, and nor does a row of which they are not known.
  const now = sent.map(([path]) => find(read, path));
  if (then.includes(absent) || now.every((value) => value === absent)) return 'unclear';
  return sent.every((_, index) => isSame(then[index], now[index])) ? 'before' : 'other';
}

/** The fields of a body, each with its value at the same place of what was read; undefined where there is none. */
export function sentFields(body: unknown, read: unknown): { name: string; sent: unknown; seen: unknown }[] {
  return fieldsOf(body).map(([path, sent]) => {
    const seen = find(read, path);
    return { name: path.at(-1) ?? '', sent, seen: seen === absent ? undefined : seen };
  });
}

type Path = readonly string[];
const absent = Symbol('absent');

/** Whether a read holds a thing at all. One that does not proves nothing: what it lacks looks like what was taken away. */
export function holdsSomething(read: unknown): boolean {
  if (!isObject(read)) return Array.isArray(read);
  const { data, ...others } = read;
  const isFilled = (value: unknown) => value != null && (!isObject(value) || Object.keys(value).length > 0);
  return isObject(data) || Array.isArray(data) ? isFilled(data) : Object.values(others).some(isFilled);
}

/** The endpoint's check; one that throws, because a deployment omits a member, proves nothing. */
function falseIfThrown(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** The fields of a body with their paths, without `id` and `type`, which only identify the object. */
function fieldsOf(body: unknown): [Path, unknown][] {
  if (!isObject(body)) return [];
  if (!isObject(body.data)) return Object.entries(body).map(([name, value]) => [[name], value]);
  return ['attributes', 'relationships'].flatMap((part) => {
    const inside = (body.data as Record<string, unknown>)[part];
    return isObject(inside)
      ? Object.entries(inside).map(([name, value]): [Path, unknown] => [[part, name], value])
      : [];
  });
}

function find(root: unknown, path: Path): unknown {
  const [part = '', name = ''] = path;
  const inner = isObject(root) ? root.data : undefined;
  const rest = path.length > 1 ? [[part, name], [name]] : [[part]];
  for (const box of [inner, root]) {
    for (const way of rest) {
      const value = way.reduce<unknown>(
        (one, key) => (isObject(one) && Object.hasOwn(one, key) ? one[key] : absent),
        box,
      );
      if (value !== absent) return value;
    }
  }
  return absent;
}

/** Equal as far as sent: compares only the sent members of objects; `null` equals absent, and 5 equals "5". */
function isSame(sent: unknown, seen: unknown): boolean {
  if (isObject(sent)) return isObject(seen) && Object.entries(sent).every(([name, inner]) => isSame(inner, seen[name]));
  if (Array.isArray(sent))
    return (
      Array.isArray(seen) && sent.length === seen.length && sent.every((element, index) => isSame(element, seen[index]))
    );
  const isNothing = (value: unknown) => value === null || value === undefined || value === absent;
  if (isNothing(sent) || isNothing(seen)) return isNothing(sent) && isNothing(seen);
  return sent === seen || (typeof sent !== 'boolean' && typeof seen !== 'object' && String(sent) === String(seen));
}

/** What a read shows of an edit; of what was created, how many like it are listed. */
type Finding = ReadComparison | 'missing' | { readonly alike: number };

/** The read that shows what became of an edit whose outcome is unknown, and what its answer means. */
interface EditCheck {
  readonly look: Call;
  /** `undefined`: the read failed. `before` is the row before the edit. */
  find(seen: Result<unknown>, before: unknown): Finding | undefined;
}

/** Rows asked for, where a list is read in pages. */
const pageSize = 100;
const pageSizes = ['page[size]', 'page[limit]', 'page_size'];
const nameFilters = ['filter', 'name', 'filter[table_name][exact]'];

/**
 * How an edit can be checked: by its own read-back, else by the read at its path, else by the list that it belongs to.
 * Undefined where the API has no such read.
 */
export function checkEdit(call: Call, endpoints: readonly Endpoint[]): EditCheck | undefined {
  const { endpoint, params } = call;
  const readBack = findReadBack(call, (id) => endpoints.find((one) => one.id === id));
  if (readBack && !isList(readBack.endpoint, call))
    return { look: readBack, find: (seen, before) => seenOf(seen, (value) => compareWithRead(call, value, before)) };
  const reads = endpoints.filter((one) => isRead(one) && one.method === 'GET');
  const item = endpoint.repeat !== 'once' && reads.find((one) => one.path === endpoint.path && one.verb === 'get');
  if (item) {
    const look = rawCall(item, params);
    if (endpoint.repeat !== 'delete')
      return { look, find: (seen, before) => seenOf(seen, (value) => compareWithRead(call, value, before)) };
    return {
      look,
      find: (seen) =>
        isMissing(seen)
          ? 'ours'
          : seenOf(seen, (value) => (!holdsSomething(value) ? 'unclear' : isOver(value) ? 'ours' : 'before')),
    };
  }
  const list = readBack?.endpoint ?? reads.find((one) => isListOf(one, endpoint));
  if (!list) return undefined;
  return {
    look: rawCall(list, params, queryOf(list, call)),
    find: (seen) => seenOf(seen, (value, unread) => within(call, value, unread)),
  };
}

/** A create is looked for in a list, whatever it is read back by. */
const isList = (read: Endpoint, { endpoint }: Call): boolean => endpoint.repeat === 'once' && read.verb === 'list';

/** The list at the path of an edit, or at the path before the id of its row. */
function isListOf(list: Endpoint, { path, repeat }: Endpoint): boolean {
  if (list.path === path) return true;
  return repeat !== 'once' && path.endsWith('}') && list.path === path.slice(0, path.lastIndexOf('/'));
}

const isMissing = (seen: Result<unknown>): boolean => !seen.ok && seen.problem.kind === 'notFound';

const seenOf = (
  seen: Result<unknown>,
  find: (value: unknown, unread: readonly string[]) => Finding,
): Finding | undefined => (seen.ok ? find(seen.value, seen.unread) : isMissing(seen) ? 'missing' : undefined);

/** Of what is not removed when it is deleted: a disabled person, a canceled downtime. */
function isOver(value: unknown): boolean {
  const data = isObject(value) && isObject(value.data) ? value.data.attributes : value;
  return isObject(data) && (data.disabled === true || data.canceled != null || data.status === 'canceled');
}

/** What a list shows of an edit: of a delete whether the rows are left, else how many are like what was sent. One that is not whole does not show that a row is not there. */
function within(call: Call, value: unknown, unread: readonly string[]): Finding {
  const rows = findItems(value);
  if (!rows) return 'unclear';
  const { repeat } = call.endpoint;
  const ids = idsOf(call);
  const isMeant = (row: unknown) =>
    ids.length === 0 ? isAlike(call, row) : isObject(row) && ids.includes(String(row.id));
  const found = rows.filter(isMeant);
  const isWhole = rows.length < pageSize && rows.length >= (findTotal(value) ?? 0) && !unread.some(isWholeItem);
  if (found.length === 0 && !isWhole) return 'unclear';
  if (repeat === 'once') return { alike: found.length };
  if (repeat === 'delete') return found.length === 0 ? 'ours' : found.length < ids.length ? 'unclear' : 'before';
  if (isObject(call.body) && Array.isArray(call.body.data)) return compareWithRead(call, { data: found }, undefined);
  return found.length === 1 ? compareWithRead(call, { data: found[0] }, undefined) : 'unclear';
}

/** Ids of the rows that an edit is about; none where it says which by other members. */
function idsOf({ endpoint, params, body }: Call): readonly string[] {
  if (endpoint.repeat === 'once') return [];
  const last = pathNames(endpoint.path).at(-1);
  if (last !== undefined && endpoint.path.endsWith('}')) return [params[last] ?? ''];
  const data = isObject(body) ? [body.data].flat() : [];
  return data.flatMap((one) => (isObject(one) && one.id != null ? [String(one.id)] : []));
}

/** Whether every name, text and id that was sent and is listed is the same; other values may come back otherwise. */
function isAlike(call: Call, row: unknown): boolean {
  const hidden = (call.endpoint.secrets ?? []).map((place) => place.split('.').at(-1));
  const pairs = sentFields(call.body, { data: row }).filter(({ name, sent, seen }) => {
    if (seen === undefined || seen === null || hidden.includes(name)) return false;
    return typeof sent === 'string' || /(^|_)id(entifier)?$/.test(name);
  });
  const isEqual = (sent: unknown, seen: unknown): boolean =>
    isObject(sent) ? isSame(sent, seen) : String(sent).toLowerCase() === String(seen).toLowerCase();
  return pairs.length > 0 && pairs.every(({ sent, seen }) => isEqual(sent, seen));
}

/** A query for the rows that were sent, by id or name, in one large page. */
function queryOf(list: Endpoint, call: Call): Record<string, QueryValue> {
  const { body, endpoint } = call;
  const names = Object.keys(entriesOf(list.query));
  const size = names.find((name) => pageSizes.includes(name));
  const filter = endpoint.repeat === 'once' ? names.find((name) => nameFilters.includes(name)) : undefined;
  const name = sentFields(body, undefined).find(({ name: one }) => one === 'name' || one === 'table_name')?.sent;
  return {
    // Without it, mappings to teams are left out.
    ...(names.includes('resource_type') &&
      at(body, 'data.relationships.team') !== undefined && { resource_type: 'team' }),
    ...(names.includes('row_id') && { row_id: idsOf(call) }),
    ...(size !== undefined && { [size]: pageSize }),
    ...(filter !== undefined && typeof name === 'string' && { [filter]: name }),
  };
}
