import { listTeams } from '../api/authn-mappings.ts';
import { ask, type Call, call, type Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import { listPermissions, listRoles } from '../api/roles.ts';
import { plural } from '../lib/text.ts';
import { field, idIn, isUuid, items, toWord } from '../lib/unchecked-values.ts';
import { cappedNotes, type Pick } from './pick.ts';
import type { Rows, Source } from './source.ts';

/** Things that forms of several domains pick: roles, teams, permissions. */

const pageSize = 20;

/** Roles as the service finds them by name, or by a whole id. */
export function rolePicks(typed: string): Source<Pick> {
  const filter = typed.trim();
  const query = { 'page[size]': pageSize, sort: 'name' };
  const narrowed = filter === '' ? query : { ...query, [isUuid(filter) ? 'filter[id]' : 'filter']: filter };
  return found('roles', filter, call(listRoles, { query: narrowed }), (attributes) => {
    const count = toWord(field(attributes, 'user_count'));
    return {
      label: toWord(field(attributes, 'name')),
      hint: /^\d+$/.test(count) ? plural(BigInt(count), 'user') : '',
    };
  });
}

/** Teams as the service finds them by name or handle. */
export function teamPicks(typed: string): Source<Pick> {
  const filter = typed.trim();
  const asked = { 'page[size]': pageSize };
  const query = filter === '' ? asked : { ...asked, 'filter[keyword]': filter };
  return found('team', filter, call(listTeams, { query }), (attributes) => ({
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
      const group = toWord(field(about, 'group_name'));
      return name === '' ? [] : [{ id: name, label: name, ...(group === '' ? {} : { hint: group }) }];
    });
    return { ...answer, value: { rows: rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)) } };
  },
});

function found(
  noun: string,
  filter: string,
  page: Call,
  describe: (attributes: unknown) => { readonly label: string; readonly hint: string },
): Source<Pick> {
  return {
    key: `picks ${noun} ${filter}`,
    of: [noun],
    *plan(): Plan<Result<Rows<Pick>>> {
      const answer = yield* ask(page);
      if (!answer.ok) return answer;
      const all = items(field(answer.value, 'data'));
      const rows = all.flatMap((resource): Pick[] => {
        const id = idIn(resource);
        const { label, hint } = describe(field(resource, 'attributes'));
        return id === undefined ? [] : [{ id, label: label || id, ...(hint === '' ? {} : { hint }) }];
      });
      const notes = cappedNotes(answer.value, all.length, pageSize);
      return { ...answer, value: { rows, notes } };
    },
  };
}
