import { ask, call, type Plan } from '../api/endpoint.ts';
import { problemResult, type Result, toResult } from '../api/problem.ts';
import { currentUser, getUser, listUsers } from '../api/users.ts';
import { idIn, isUuid } from '../lib/unchecked-values.ts';
import type { Context, Person } from './context.ts';
import { cappedNotes, type Pick, type Picker } from './pick.ts';
import type { Rows, Single, Source } from './source.ts';

/** People as every screen names and picks them (docs/contract/users.md). */

/** A `users` object, or the `user` of an `included` array. */
export interface PersonSource {
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
      const answer = yield* ask(call(listUsers, { query: { 'page[size]': 20, filter: handle.trim() } }));
      if (!answer.ok) return answer;
      const found = (answer.value?.data ?? [])
        .map(toPerson)
        .find((person) => person?.handle?.toLowerCase() === wanted || person?.email?.toLowerCase() === wanted);
      if (found) return { ...answer, value: found };
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

const pageSize = 20;

/** People to choose from, searched on the service for each text: active ones, service accounts last. */
export function peopleSource(typed: string): Source<Pick> {
  const filter = typed.trim();
  return {
    key: `people ${filter}`,
    of: ['users'],
    *plan(): Plan<Result<Rows<Pick>>> {
      // Ids of people are UUIDs, which the search does not find (docs/contract/users.md#user).
      if (isUuid(filter)) {
        const named = yield* ask(call(getUser, { user_id: filter }));
        if (!named.ok && named.problem.kind === 'canceled') return named;
        const person = named.ok ? toPerson(named.value?.data) : undefined;
        return toResult({ rows: [pickOf(person ?? { id: filter, name: shortPersonName(filter) }, 'by id')] });
      }
      const asked = { 'page[size]': pageSize, 'filter[status]': ['Active'] };
      const answer = yield* ask(call(listUsers, { query: filter === '' ? asked : { ...asked, filter } }));
      if (!answer.ok) {
        const { problem } = answer;
        return { ok: false, problem: { ...problem, text: `${problem.text}; the id of a user works too` } };
      }
      const all = answer.value?.data ?? [];
      const may = all.filter((user) => user.attributes?.disabled !== true);
      const picksOf = (isAccount: boolean, hint?: string) =>
        may.flatMap((user) => {
          const person = toPerson(user);
          return person && (user.attributes?.service_account === true) === isAccount ? [pickOf(person, hint)] : [];
        });
      // Each person once: an answer may name one twice.
      const named = [...picksOf(false), ...picksOf(true, 'service account')];
      const rows = [...new Map(named.toReversed().map((pick) => [pick.id, pick])).values()].toReversed();
      const notes = cappedNotes(answer.value, all.length, pageSize);
      return { ...answer, value: { rows, notes } };
    },
  };
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

function pickOf(person: Person, more?: string): Pick {
  const contact = [person.email, person.handle].find((text) => text !== undefined && text !== person.name);
  return { id: person.id, label: person.name, hint: more ?? contact };
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
