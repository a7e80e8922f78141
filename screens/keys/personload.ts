import { call } from '../../src/api/endpoint.ts';
import { listAccountKeys, listOrgKeys } from '../../src/api/keys.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { getUser, listUsers, userPermissions } from '../../src/api/users.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { everyPage, pageSize } from '../../src/describe/pages.ts';
import type { ListQuery, Single, Source } from '../../src/describe/screen.ts';
import { field, items, word } from '../../src/lib/loose.ts';
import { type AppKeyRow, readAppKey } from './appkey.ts';
import { type PersonRow, readPerson } from './person.ts';

/** Organisations of 57,000 people were seen: a list of more than this is searched on the service. */
const mostPages = 10;

const kinds = [
  { value: 'all', label: 'people and service accounts' },
  { value: 'people', label: 'people' },
  { value: 'accounts', label: 'service accounts' },
] as const;

/** What is asked until a person asks otherwise: everybody who may sign in or will. */
export const initialSearch: Readonly<Record<string, string>> = { text: '', kind: 'all', status: 'Active,Pending' };

/** The form behind `s`. */
export function searchForm(asked: Readonly<Record<string, string>>): Fields {
  return {
    text: textField('search', asked.text, { hint: 'in name, e-mail and handle; empty lists everybody' }),
    kind: choiceField('which', asked.kind, kinds),
    status: choiceField('status', asked.status, [
      { value: 'Active,Pending', label: 'active and pending' },
      { value: 'Active', label: 'active' },
      { value: 'Pending', label: 'pending' },
      { value: 'Disabled', label: 'disabled' },
      { value: '', label: 'any' },
    ]),
  };
}

/** What is asked, for the title bar. */
export function searchSays(asked: Readonly<Record<string, string>>): string {
  const text = asked.text?.trim() ?? '';
  const status = asked.status === initialSearch.status ? '' : (asked.status ?? '');
  return [asked.kind === 'all' ? '' : (asked.kind ?? ''), status.toLowerCase(), text === '' ? '' : `"${text}"`]
    .filter(Boolean)
    .join(' ');
}

/** People page by page; service accounts are told apart here, because the service has no filter for them. */
export function loadPeople({ search }: ListQuery): Source<PersonRow> {
  const filter = search.text?.trim() ?? '';
  const status = (search.status ?? '').split(',').filter(Boolean);
  const kind = search.kind ?? 'all';
  const asked = {
    'page[size]': pageSize,
    sort: 'name',
    ...(filter === '' ? {} : { filter }),
    ...(status.length === 0 ? {} : { 'filter[status]': status }),
  };
  return {
    key: `people ${kind} ${status.join('+')} ${filter}`,
    of: ['users', 'roles'],
    plan: () =>
      everyPage({
        page: (number) => call(listUsers, { query: { ...asked, 'page[number]': number } }),
        rows: ({ items: all, included }) =>
          all
            .map((it) => readPerson(it, included))
            .filter((it) => it !== undefined)
            .filter((it) => kind === 'all' || it.service === (kind === 'accounts')),
        most: mostPages,
        beyond: 's searches all of them',
      }),
  };
}

/** A person with what they may do and the application keys they own. */
export interface WholePerson {
  readonly row: PersonRow;
  readonly permissions: readonly { readonly name: string; readonly group: string }[];
  readonly keys: readonly AppKeyRow[];
  /** Why a part of it could not be read. */
  readonly missing: { readonly permissions?: string; readonly keys?: string };
  readonly raw: unknown;
}

/** Three reads; only the first must succeed. */
export function wholePerson(row: PersonRow): Single<WholePerson> {
  return {
    key: `person whole ${row.id}`,
    of: ['users', 'roles', 'application_keys'],
    *plan(): Plan<Result<WholePerson>, WholePerson> {
      const answer = yield* ask(call(getUser, { user_id: row.id }));
      if (!answer.ok) return answer;
      const now = readPerson(field(answer.value, 'data'), items(field(answer.value, 'included'))) ?? row;
      const may = yield* ask(call(userPermissions, { user_id: row.id }));
      if (!may.ok && may.problem.kind === 'cancelled') return may;
      const permissions = may.ok
        ? items(field(may.value, 'data'))
            .map(permission)
            .filter((it) => it.name !== '')
        : [];
      const whole = (rows: readonly AppKeyRow[], trouble?: string): WholePerson => ({
        row: now,
        permissions,
        keys: rows,
        missing: { permissions: may.ok ? undefined : may.problem.text, keys: trouble },
        raw: field(answer.value, 'data'),
      });
      const keys = yield* inside(keyPages(now), ({ rows }) => whole(rows));
      if (!keys.ok && keys.problem.kind === 'cancelled') return keys;
      return { ...answer, value: keys.ok ? whole(keys.value.rows) : whole([], keys.problem.text) };
    },
  };
}

/** The application keys of a person, page by page. */
const keyPages = (person: PersonRow) =>
  everyPage<AppKeyRow>({
    page: (number) => keysPage(person, number),
    // A deployment without the filter answers the keys of everybody.
    rows: (read) =>
      read.items
        .map((it) => readAppKey(it, read.included))
        .filter((it) => it !== undefined)
        .filter((it) => it.owner === undefined || it.owner.id === person.id),
  });

/** Service accounts have a path of their own; of people only the organisation's list tells. */
function keysPage(row: PersonRow, number: number) {
  const asked = { 'page[size]': pageSize, 'page[number]': number, sort: 'name' as const };
  return row.service
    ? call(listAccountKeys, { service_account_id: row.id, query: asked })
    : call(listOrgKeys, { query: { ...asked, 'filter[owned_by]': row.id } });
}

function permission(it: unknown): { readonly name: string; readonly group: string } {
  const about = field(it, 'attributes');
  return { name: word(field(about, 'name')), group: word(field(about, 'group_name')) };
}
