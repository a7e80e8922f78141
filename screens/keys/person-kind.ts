import { call } from '../../src/api/endpoint.ts';
import { getUser, listUsers } from '../../src/api/users.ts';
import type { Person } from '../../src/describe/context.ts';
import { toPerson } from '../../src/describe/people.ts';
import { searchReadsAll } from '../../src/describe/read-pages.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { commaWords } from '../../src/lib/text.ts';
import { toWord } from '../../src/lib/unchecked-values.ts';
import { includedFor, readRelationships } from './relationships.ts';

/** People and service accounts (docs/contract/users.md#user). Nobody is ever deleted, only disabled. */
export const people = kind({
  noun: 'user',
  of: ['users', 'roles'],
  pages({ search }) {
    const filter = search.text?.trim() ?? '';
    const status = commaWords(search.status);
    return call(listUsers, {
      query: {
        sort: 'name',
        ...(filter !== '' && { filter }),
        ...(status.length > 0 && { 'filter[status]': status }),
      },
    });
  },
  extra: ({ relationships }, included) => readRelationships(relationships, relationships?.roles?.data ?? [], included),
  // Pages. There are organizations of 57,000 people; larger lists are searched on the service.
  most: 10,
  beyond: searchReadsAll,
  // The service has no filter for service accounts.
  keeps: (row, { search: { kind: which = 'all' } }) => which === 'all' || isService(row) === (which === 'accounts'),
  get: (id) => call(getUser, { user_id: id }),
  // A new one has no id yet.
  name: (row) => toPerson(row)?.name ?? row.attributes.name ?? row.attributes.email,
});

/** A row of the list of people. */
export type PersonRow = RowOf<typeof people>;

/** Whether a user is a service account, which a program uses, and not a person. */
export const isService = (row: {
  readonly attributes: { readonly service_account?: boolean | null | undefined };
}): boolean => row.attributes.service_account === true;

/** Deployments answer the attribute, the status, or both. */
export const isDisabled = ({ attributes }: PersonRow): boolean =>
  attributes.disabled === true || attributes.status === 'Disabled';

/** `Active`, `Pending`, `Disabled` or another word of the service; empty where it tells none. */
export const userStatus = (row: PersonRow): string => row.attributes.status || (isDisabled(row) ? 'Disabled' : '');

/** The roles of a person; the id of a role whose name the response does not include. */
export const userRoles = (row: PersonRow): readonly Person[] =>
  (row.relationships?.roles?.data ?? []).map((role) => ({
    id: String(role.id),
    name: toWord(includedFor(row, role)?.attributes?.name) || String(role.id),
  }));
