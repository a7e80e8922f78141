import { listTeams } from '../api/authn-mappings.ts';
import { ask, type Call, call, inside, type Plan, rawCall } from '../api/endpoint.ts';
import { findTotal } from '../api/paging.ts';
import { problemResult, type Result, toResult } from '../api/problem.ts';
import { listPermissions, listRoles } from '../api/roles.ts';
import { currentUser, getUser, listUsers } from '../api/users.ts';
import { plural } from '../lib/text.ts';
import { eachOnce, field, idIn, isUuid, items, toWord } from '../lib/values.ts';
import type { Context, Offers, Person, Rows, Single, Source } from './context.ts';
import { everyPage, type Many, rowsOfPages } from './resource-spec.ts';

/** One thing to pick from a list that may be searched on the service. */
export interface Pick {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** Picking one of many: people, roles. */
export interface Picker<V> {
  readonly title: string;
  /** Offered first, before anything is typed. */
  readonly first: readonly Pick[];
  /** Who you are is still being read: the first row stands for you, and a pick of it waits for the answer. */
  readonly asksMe?: boolean | undefined;
  /** The service's answer to what is typed; asked 250 ms after the last letter. */
  readonly load: Offers<Pick>;
  /** The picks are no people: they are not stored among the recent people. */
  readonly things?: boolean;
  /** The values of a pick. */
  values(pick: Pick): V;
}

/** What a picker says of an answer with as many picks as one page holds: there may be more, found by typing. */
function cappedNotes(answer: unknown, found: number, pageSize: number): readonly string[] {
  const total = findTotal(answer);
  if (total === undefined ? found < pageSize : total <= found) return [];
  return [total === undefined ? `first ${found}: type to search the rest` : `${total - found} more: type to search`];
}

/** People as every screen names and picks them (docs/contract/users.md). */

/** A `users` object, or the `user` of an `included` array. */
interface PersonSource {
  readonly id?: string | number | bigint | null | undefined;
  readonly attributes?: { readonly [name: string]: unknown } | null | undefined;
}

/** Name for a person known only by id, where there is room for all of it. */
const personById = (id: string): string => `user ${id}`;

/** The same in a cell or a sentence: `user 87cb…`. */
export const shortPersonName = (id: string): string => personById(`${id.slice(0, 4)}${id.length > 4 ? '…' : ''}`);

/** The name of a person in a detail: their whole id where the name is unknown, empty without one. */
export const personInDetail = (id: string | null | undefined, context: Context): string =>
  id ? (knownPerson(id, context)?.name ?? personById(id)) : '';

/** A person out of an answer: name, else email, else handle, else a short id; undefined without an id. */
export function toPerson(source: PersonSource | null | undefined): Person | undefined {
  const id = String(source?.id ?? '').trim();
  if (id === '') return undefined;
  const handle = filled(source?.attributes?.handle);
  const email = filled(source?.attributes?.email);
  return { id, name: filled(source?.attributes?.name) ?? email ?? handle ?? shortPersonName(id), handle, email };
}

/** Someone already known here: me, or a person chosen lately. */
export function knownPerson(id: string, context: Context): Person | undefined {
  return context.me?.id === id ? context.me : context.recent.find((person) => person.id === id);
}

/** The owner of the application key; `notOffered` or `forbidden` where the deployment does not return it. */
export const whoAmI: Single<Person> = {
  key: 'who am i',
  of: ['current_user'],
  *plan(): Plan<Result<Person>> {
    const answer = yield* ask(call(currentUser));
    if (!answer.ok) return answer;
    const person = toPerson(answer.value?.data);
    const organization = idIn(answer.value?.data?.relationships?.org?.data);
    if (person) return { ...answer, value: { ...person, organization } };
    return problemResult('unreadable', 'the response about the current user has no id', {
      operation: currentUser.id,
      fields: ['data.id'],
    });
  },
};

/** The person with this handle or email, for deployments that do not answer `whoAmI` (docs/contract/users.md#operations). */
export function personByHandle(handle: string): Single<Person> {
  const wanted = handle.trim().toLowerCase();
  return {
    key: `person ${wanted}`,
    of: ['users'],
    *plan(): Plan<Result<Person>> {
      const alike = call(listUsers, { query: { filter: handle.trim() } });
      const pages = yield* inside(everyPage<PersonSource>(alike));
      if (!pages.ok) return pages;
      const found = pages.value.items
        .map(toPerson)
        .find((person) => person?.handle?.toLowerCase() === wanted || person?.email?.toLowerCase() === wanted);
      if (found) return { ...pages, value: found };
      if (pages.value.end?.problem) return { ok: false, problem: pages.value.end.problem };
      return problemResult('notFound', `no user has the handle or email ${handle.trim()}`, { operation: listUsers.id });
    },
  };
}

/** Who I am, else the person with the profile's handle. The problem is the deployment's own where neither tells. */
export function whoAmIBy(handle: string | undefined): Single<Person> {
  const wanted = handle?.trim() ?? '';
  if (wanted === '') return whoAmI;
  return {
    key: `${whoAmI.key} ${wanted}`,
    of: [...whoAmI.of, 'users'],
    *plan(context): Plan<Result<Person>, Person> {
      const current = yield* whoAmI.plan(context);
      if (current.ok || !['notOffered', 'notFound', 'forbidden', 'unreadable'].includes(current.problem.kind))
        return current;
      return yield* personByHandle(wanted).plan(context);
    },
  };
}

/** Picks of one page. */
const pageSize = 20;

/** People to choose from, searched on the service for each text: active ones, service accounts last. */
export function peopleSource(typed: string, extent?: 'all'): Source<Pick> {
  const filter = typed.trim();
  return {
    key: `people ${filter} ${extent ?? ''}`,
    of: ['users'],
    *plan(): Plan<Result<Rows<Pick>>> {
      // Ids of people are UUIDs, which the search does not find (docs/contract/users.md#user).
      if (isUuid(filter)) {
        const named = yield* ask(call(getUser, { user_id: filter }));
        if (!named.ok && named.problem.kind === 'canceled') return named;
        const person = named.ok ? toPerson(named.value?.data) : undefined;
        return toResult({ rows: [personPick(person ?? { id: filter, name: shortPersonName(filter) }, 'by id')] });
      }
      const asked = { 'filter[status]': ['Active'] };
      const answer = yield* picksIn(
        call(listUsers, { query: filter === '' ? asked : { ...asked, filter } }),
        extent,
        rowsOfPeople,
      );
      if (answer.ok) return answer;
      const { problem } = answer;
      return { ok: false, problem: { ...problem, text: `${problem.text}; the id of a user works too` } };
    },
  };
}

/** Active people, then service accounts, each once: an answer may name one twice. */
function rowsOfPeople(users: readonly PersonSource[]): readonly Pick[] {
  const may = users.filter((user) => user.attributes?.disabled !== true);
  const picksOf = (isAccount: boolean, hint?: string) =>
    may.flatMap((user) => {
      const person = toPerson(user);
      return person && (user.attributes?.service_account === true) === isAccount ? [personPick(person, hint)] : [];
    });
  return eachOnce([...picksOf(false), ...picksOf(true, 'service account')]);
}

/** What a page of a list offers, or all its pages where a name decides. */
export function* picksIn<T>(
  list: Call<Many<T>>,
  extent: 'all' | undefined,
  rows: (all: readonly T[]) => readonly Pick[],
): Plan<Result<Rows<Pick>>> {
  if (extent === 'all') return yield* inside(rowsOfPages<Pick, T>(list, { rows: ({ items }) => rows(items) }));
  const answer = yield* ask(rawCall(list.endpoint, list.params, { 'page[size]': pageSize, ...list.query }));
  if (!answer.ok) return answer;
  const all = items(field(answer.value, 'data')) as readonly T[];
  return { ...answer, value: { rows: rows(all), notes: cappedNotes(answer.value, all.length, pageSize) } };
}

/** Picks one person: me first, then the recent ones, then a search on the service. */
export function usersPicker<V>(spec: {
  readonly title: string;
  readonly context: Context;
  values(person: Person): V;
}): Picker<V> {
  const { me, recent } = spec.context;
  const others = recent.filter((person) => person.id !== me?.id);
  const mine = me && { id: me.id, label: me.name, hint: 'you' };
  const mayCome = mine !== undefined || spec.context.asksMe === true;
  return {
    title: mayCome ? spec.title : `${spec.title} (your user is unknown: set your handle in the profile, P)`,
    first: [
      ...(mine ? [mine] : []),
      ...others.map((person) => ({ id: person.id, label: person.name, hint: 'recent' })),
    ],
    asksMe: mine === undefined && mayCome,
    load: peopleSource,
    values: (pick) => spec.values(knownPerson(pick.id, spec.context) ?? { id: pick.id, name: pick.label }),
  };
}

/** A person as pickers list one: behind the name an email or handle that differs from it, or `more`. */
export function personPick(person: Person, more?: string): Pick {
  const contact = [person.email, person.handle].find((text) => text !== undefined && text !== person.name);
  return { id: person.id, label: person.name, hint: more ?? contact };
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Roles as the service finds them by name, or by a whole id. */
export function rolePicks(typed: string, extent?: 'all'): Source<Pick> {
  const filter = typed.trim();
  const query = filter === '' ? {} : { [isUuid(filter) ? 'filter[id]' : 'filter']: filter };
  return found('roles', filter, extent, call(listRoles, { query: { sort: 'name', ...query } }), (attributes) => {
    const count = toWord(field(attributes, 'user_count'));
    return {
      label: toWord(field(attributes, 'name')),
      hint: /^\d+$/.test(count) ? plural(BigInt(count), 'user') : '',
    };
  });
}

/** Teams as the service finds them by name or handle. */
export function teamPicks(typed: string, extent?: 'all'): Source<Pick> {
  const filter = typed.trim();
  const query = filter === '' ? {} : { 'filter[keyword]': filter };
  return found('team', filter, extent, call(listTeams, { query }), (attributes) => ({
    label: toWord(field(attributes, 'name')),
    hint: toWord(field(attributes, 'handle')),
  }));
}

/** Every permission by its name, which is also what a scope of a key is called; its group as a hint. */
export const permissionPicks = (): Source<Pick> => ({
  key: 'permissions by name',
  of: ['permissions'],
  whole: true,
  *plan(): Plan<Result<Rows<Pick>>> {
    const answer = yield* ask(call(listPermissions));
    if (!answer.ok) return answer;
    const rows = items(answer.value?.data).flatMap((permission): Pick[] => {
      const about = field(permission, 'attributes');
      const name = toWord(field(about, 'name'));
      return name === '' ? [] : [{ id: name, label: name, hint: toWord(field(about, 'group_name')) }];
    });
    return { ...answer, value: { rows: rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)) } };
  },
});

function found(
  noun: string,
  filter: string,
  extent: 'all' | undefined,
  list: Call<Many<unknown>>,
  describe: (attributes: unknown) => { readonly label: string; readonly hint: string },
): Source<Pick> {
  return {
    key: `picks ${noun} ${filter} ${extent ?? ''}`,
    of: [noun],
    plan: () =>
      picksIn(list, extent, (all) =>
        all.flatMap((resource): Pick[] => {
          const id = idIn(resource);
          const { label, hint } = describe(field(resource, 'attributes'));
          return id === undefined ? [] : [{ id, label: label || id, hint }];
        }),
      ),
  };
}
