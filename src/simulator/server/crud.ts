import * as v from 'valibot';
import type { Endpoint } from '../../api/endpoint.ts';
import { pathNames } from '../../api/endpoint.ts';
import { type Answer, asObject, asText, at, count, type Handler, numeric, ok, refused, type World } from './answer.ts';

/**
 * Kinds without rules of their own: list, get, create, update and delete from `verb` and `of`. v2 speaks in
 * envelopes, v1 in bare objects. What a kind does differently is a handler under the endpoint's id.
 */
export const crud: Handler = (ask, world) => {
  const { endpoint } = ask;
  const kind = kindOf(world, endpoint.of);
  const names = pathNames(endpoint.path);
  const id = names.length > 0 ? (ask.params[names.at(-1) as string] ?? '') : '';
  const enveloped = endpoint.path.startsWith('/api/v2');
  const wrap = (it: unknown): unknown => (enveloped ? { data: it } : it);
  const there = kind.get(id);
  if (names.length > 0 && endpoint.verb !== 'list' && endpoint.verb !== 'create' && !there)
    return refused(404, 'Not found');
  switch (endpoint.verb) {
    case 'list':
    case 'search':
      return listed(ask.query, [...kind.values()], enveloped);
    case 'get':
    case 'check':
      return ok(wrap(there ?? {}));
    case 'create': {
      const wrong = unfit(endpoint, ask.body);
      if (wrong) return wrong;
      return ok(wrap(keep(world, endpoint.of, (enveloped ? at(ask.body, 'data') : ask.body) ?? {})));
    }
    case 'update': {
      const wrong = unfit(endpoint, ask.body);
      if (wrong) return wrong;
      const sent = asObject(enveloped ? at(ask.body, 'data') : ask.body) ?? {};
      const before = there ?? {};
      const attributes = { ...asObject(before.attributes), ...asObject(sent.attributes) };
      const relationships = { ...asObject(before.relationships), ...asObject(sent.relationships) };
      const next = enveloped
        ? { ...before, ...sent, id: before.id ?? id, attributes, relationships }
        : { ...before, ...sent };
      kind.set(id, next);
      return ok(wrap(next));
    }
    case 'delete':
      kind.delete(id);
      return { status: 204, type: 'text/plain' };
    case 'act':
      return refused(404, 'Not found');
  }
};

/** The things of one kind; made when first asked for. */
function kindOf(world: World, of: string): Map<string, Record<string, unknown>> {
  const there = world.org.others.get(of);
  if (there) return there;
  const made = new Map<string, Record<string, unknown>>();
  world.org.others.set(of, made);
  return made;
}

/** Stores an object of a kind without rules; gives it an id when it has none. */
export function keep(world: World, of: string, object: unknown): Record<string, unknown> {
  const sent = asObject(object) ?? {};
  const id = asText(sent.id) ?? world.random.uuid();
  const it = { ...sent, id: typeof sent.id === 'number' ? sent.id : numericOrText(sent.id, id) };
  kindOf(world, of).set(id, it);
  return it;
}

const numericOrText = (sent: unknown, id: string): unknown => (typeof sent === 'bigint' ? numeric(id) : id);

function listed(query: URLSearchParams, rows: readonly unknown[], enveloped: boolean): Answer {
  if (!enveloped) return ok(rows);
  const size = count(query, 'page[size]', count(query, 'page[limit]', 100, 100), 100);
  const begin = query.has('page[offset]')
    ? count(query, 'page[offset]', 0, 1e9)
    : count(query, 'page[number]', 0, 1e9) * size;
  const page = { total_count: rows.length, total_filtered_count: rows.length };
  return ok({ data: rows.slice(begin, begin + size), meta: { page } });
}

/** The refusal when a body does not fit the operation's schema. */
export function unfit(endpoint: Endpoint, body: unknown): Answer | undefined {
  if (!endpoint.body) return undefined;
  const read = v.safeParse(endpoint.body, body ?? {});
  if (read.success) return undefined;
  return refused(
    400,
    ...read.issues.slice(0, 3).map((issue) => `Invalid ${v.getDotPath(issue) ?? 'body'}: ${issue.message}`),
  );
}
