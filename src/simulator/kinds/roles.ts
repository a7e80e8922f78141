import { managedRoles } from '../../api/envelope.ts';
import {
  type Answer,
  type Ask,
  asList,
  asObject,
  asText,
  at,
  gone,
  type Handler,
  isAnswer,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { pageOf, plainly, sortedBy, wordsOf } from '../server/paging.ts';
import type { Org, Role, User } from '../server/store.ts';
import { implied, permissionById, permissionsOf, showPermissions, showRole, usersOf } from './permissions.ts';
import { showUser } from './users.ts';

/** Roles, their permissions and their users (contract/roles.md). */
const badRequest = refused(400, '400 BAD REQUEST');
const badInput = refused(400, 'Invalid input ');
const taken = 'A role with the same name already exists';

function found(ask: Ask, { org }: World): Role | Answer {
  const id = ask.params.role_id ?? '';
  return org.roles.get(id.toLowerCase()) ?? refused(404, `${id} not found`);
}

/** A role that may be changed: a built-in one may not. */
function changeable(ask: Ask, world: World): Role | Answer {
  const it = found(ask, world);
  return isAnswer(it) || !it.managed ? it : refused(403, 'Forbidden');
}

const catalogue: Handler = (_, { org }) => ok({ data: showPermissions(org, [...org.permissions.keys()]) });

const list: Handler = (ask, { org }) => {
  const { query } = ask;
  const text = query.get('filter')?.toLowerCase() ?? '';
  const ids = query.has('filter[id]') ? new Set(wordsOf(query, 'filter[id]')) : null;
  const matching = [...org.roles.values()].filter(
    (it) => it.name.toLowerCase().includes(text) && (ids === null || ids.has(it.id)),
  );
  const sorted = sortedBy(matching, query.get('sort') || 'name', {
    name: (it) => plainly(it.name),
    modified_at: (it) => it.modified,
    user_count: (it) => usersOf(org, it.id).length,
  });
  if (isAnswer(sorted)) return sorted;
  const page = pageOf(query, sorted.rows);
  if (isAnswer(page)) return page;
  return ok({
    data: page.rows.map((it) => showRole(org, it, true)),
    meta: { page: { total_count: org.roles.size, total_filtered_count: matching.length } },
  });
};

const get: Handler = (ask, world) => {
  const it = found(ask, world);
  return isAnswer(it) ? it : ok({ data: showRole(world.org, it, true) });
};

/** What a body says about a role, checked; fields that it does not say are absent. */
interface Wanted {
  readonly name?: string;
  readonly permissions?: Set<string>;
  readonly inherits?: Role['inherits'];
  readonly optedOut?: boolean;
}

function wanted(ask: Ask, org: Org): Wanted | Answer {
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const name = asText(sent.name);
  if (name !== undefined && name.trim() === '') return refused(400, 'Role names cannot be only whitespace');
  const inherits = inheritsIn(sent, org);
  if (inherits !== null && inherits !== undefined && isAnswer(inherits)) return inherits;
  const relation = at(ask.body, 'data', 'relationships', 'permissions');
  const granted = relation === undefined ? undefined : permissionsIn(relation, org);
  if (relation !== undefined && granted === undefined) return badInput;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(granted ? { permissions: granted } : {}),
    ...(inherits === undefined ? {} : { inherits }),
    ...(typeof sent.default_permissions_opt_out === 'boolean' ? { optedOut: sent.default_permissions_opt_out } : {}),
  };
}

/** At most one of the three managed roles; none clears it. What that role holds now is not copied. */
function inheritsIn(sent: Readonly<Record<string, unknown>>, org: Org): Role['inherits'] | Answer | undefined {
  if (sent.receives_permissions_from === undefined) return undefined;
  const names = asList(sent.receives_permissions_from ?? []);
  if (!names || names.length > 1 || !names.every((name) => managedRoles.some((known) => known === name)))
    return badInput;
  const source = [...org.roles.values()].find((it) => it.managed && it.name === names[0]);
  return source ? { name: source.name, had: new Set(source.permissions) } : null;
}

/** Names of the permissions that a relationship lists by id, implied ones added; undefined when one is unknown. */
function permissionsIn(relation: unknown, org: Org): Set<string> | undefined {
  const listed = asList(at(relation, 'data'));
  const names = listed?.map((it) =>
    at(it, 'type') === 'permissions' ? permissionById(org, asText(at(it, 'id')) ?? '')?.name : undefined,
  );
  if (!names || names.includes(undefined)) return undefined;
  return new Set(names.flatMap((name) => (name === undefined ? [] : [name, ...(implied[name] ?? [])])));
}

const isTaken = (org: Org, name: string, id?: string): boolean =>
  [...org.roles.values()].some((it) => it.name === name && it.id !== id);

/** Stores a new role. */
export function keepRole(world: World, now: number, known: Partial<Role> & Pick<Role, 'name'>): Role {
  const it: Role = {
    id: world.random.uuid(),
    permissions: new Set(),
    managed: false,
    optedOut: false,
    inherits: null,
    created: now,
    modified: now,
    overrides: {},
    ...known,
  };
  world.org.roles.set(it.id, it);
  return it;
}

const create: Handler = (ask, world) => {
  const { org } = world;
  const type = at(ask.body, 'data', 'type');
  if (type !== undefined && type !== 'roles') return badRequest;
  const want = wanted(ask, org);
  if (isAnswer(want)) return want;
  if (want.name === undefined) return badRequest;
  if (isTaken(org, want.name)) return refused(409, taken);
  return ok({ data: showRole(org, keepRole(world, ask.now, { ...want, name: want.name })) });
};

const update: Handler = (ask, world) => {
  const { org } = world;
  const it = changeable(ask, world);
  if (isAnswer(it)) return it;
  if (asText(at(ask.body, 'data', 'id')) !== it.id)
    return refused(422, 'The id attribute in the request body does not match the role_id in the URL');
  if (at(ask.body, 'data', 'type') !== 'roles' || !asObject(at(ask.body, 'data', 'attributes'))) return badRequest;
  const want = wanted(ask, org);
  if (isAnswer(want)) return want;
  if (want.name !== undefined && isTaken(org, want.name, it.id)) return refused(409, taken);
  Object.assign(it, want, { modified: ask.now });
  return ok({ data: showRole(org, it) });
};

/** Takes a role from everybody and everything that refers to it. */
const remove: Handler = (ask, world) => {
  const { org } = world;
  const it = changeable(ask, world);
  if (isAnswer(it)) return it;
  org.roles.delete(it.id);
  for (const user of org.users.values()) user.roles = user.roles.filter((id) => id !== it.id);
  for (const [id, mapping] of org.mappings)
    if (mapping.target.type === 'roles' && mapping.target.id === it.id) org.mappings.delete(id);
  for (const archive of org.archives.values()) archive.readers.delete(it.id);
  return gone;
};

const clone: Handler = (ask, world) => {
  const { org } = world;
  const source = found(ask, world);
  if (isAnswer(source)) return source;
  if (at(ask.body, 'data', 'type') !== 'roles') return badRequest;
  const want = wanted(ask, org);
  if (isAnswer(want)) return want;
  if (want.name === undefined) return badRequest;
  if (isTaken(org, want.name)) return refused(409, taken);
  const permissions = new Set(permissionsOf(org, source));
  const { inherits = source.inherits } = want;
  const it = keepRole(world, ask.now, { name: want.name, permissions, inherits, optedOut: source.optedOut });
  return ok({ data: showRole(org, it) });
};

const whole = (org: Org, it: Role): Answer => ok({ data: showPermissions(org, permissionsOf(org, it)) });

const granted: Handler = (ask, world) => {
  const it = found(ask, world);
  return isAnswer(it) ? it : whole(world.org, it);
};

/** Grants or revokes one permission. A default one stays as it is, and so the answer is 200 all the same. */
const turn =
  (to: 'granted' | 'revoked'): Handler =>
  (ask, world) => {
    const { org } = world;
    const it = changeable(ask, world);
    if (isAnswer(it)) return it;
    if (at(ask.body, 'data', 'type') !== 'permissions') return badRequest;
    const id = asText(at(ask.body, 'data', 'id')) ?? '';
    const permission = permissionById(org, id);
    if (!permission) return refused(404, `${id} not found`);
    const { name } = permission;
    if (to === 'revoked') it.permissions.delete(name);
    else for (const each of [name, ...(implied[name] ?? [])]) it.permissions.add(each);
    it.modified = ask.now;
    return whole(org, it);
  };

const membersSorted = {
  name: (it: User) => plainly(it.name || it.email),
  email: (it: User) => it.email,
};

const members: Handler = (ask, world) => {
  const { org } = world;
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const all = usersOf(org, it.id);
  const text = ask.query.get('filter')?.toLowerCase() ?? '';
  const matching = all.filter((user) =>
    [user.name ?? '', user.email, user.handle].some((words) => words.toLowerCase().includes(text)),
  );
  const sorted = sortedBy(matching, ask.query.get('sort') || 'name', membersSorted);
  if (isAnswer(sorted)) return sorted;
  const page = pageOf(ask.query, sorted.rows);
  if (isAnswer(page)) return page;
  const roles = [...new Set(page.rows.flatMap((user) => user.roles))].flatMap((id) => org.roles.get(id) ?? []);
  return ok({
    data: page.rows.map((user) => showUser(org, user)),
    included: roles.map((role) => showRole(org, role)),
    meta: { page: { total_count: all.length, total_filtered_count: matching.length } },
  });
};

/** Gives the role to one person, or takes it from them; answers everybody who has it then. */
const enlist =
  (to: 'added' | 'removed'): Handler =>
  (ask, world) => {
    const { org } = world;
    const it = found(ask, world);
    if (isAnswer(it)) return it;
    if (at(ask.body, 'data', 'type') !== 'users') return badRequest;
    const id = asText(at(ask.body, 'data', 'id')) ?? '';
    const user = org.users.get(id.toLowerCase());
    if (!user) return refused(404, `${id} not found`);
    const others = user.roles.filter((role) => role !== it.id);
    if (to === 'removed') user.roles = others;
    else if (others.length === user.roles.length) user.roles = [...user.roles, it.id];
    const all = usersOf(org, it.id);
    return ok({ data: all.map((each) => showUser(org, each)), meta: { page: { total_count: all.length } } });
  };

const template = (id: string, name: string, description: string): unknown => ({
  type: 'roles',
  id,
  attributes: { name, description },
});

const templates: Handler = () =>
  ok({
    data: [
      template('tpl-on-call', 'On-call engineer', 'Answers pages: incidents, monitors and their downtimes, cases.'),
      template('tpl-observer', 'Observer', 'Reads everything that is not about people, keys or money.'),
      template('tpl-security', 'Security analyst', 'Signals, rules and findings, and the audit trail.'),
      template('tpl-billing', 'Billing administrator', 'Usage, cost and invoices.'),
      { type: 'roles', id: 'tpl-unnamed' },
    ],
  });

/** Roles and permissions, by the id of the endpoint. */
export const roleHandlers: Readonly<Record<string, Handler>> = {
  'roles.permissions': catalogue,
  'roles.list': list,
  'roles.create': create,
  'roles.get': get,
  'roles.update': update,
  'roles.delete': remove,
  'roles.granted': granted,
  'roles.grant': turn('granted'),
  'roles.revoke': turn('revoked'),
  'roles.users': members,
  'roles.add-user': enlist('added'),
  'roles.remove-user': enlist('removed'),
  'roles.clone': clone,
  'roles.templates': templates,
};
