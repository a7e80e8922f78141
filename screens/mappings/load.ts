import { call } from '../../src/api/endpoint.ts';
import { getMapping, listMappings } from '../../src/api/mappings.ts';
import { ask, type Plan, showing } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { everyPage, pageSize } from '../../src/describe/pages.ts';
import type { ListQuery, Rows, Single, Source } from '../../src/describe/screen.ts';
import { field, items } from '../../src/lib/loose.ts';
import { type MappingRow, readMapping } from './row.ts';

const kinds = ['role', 'team'] as const;

/** What is asked until a person asks otherwise: both kinds, which the service gives one at a time. */
export const initialSearch: Readonly<Record<string, string>> = { text: '', kind: 'all' };

/** The form behind `s`. */
export function searchForm(asked: Readonly<Record<string, string>>): Fields {
  return {
    text: textField('search', asked.text, { hint: 'key, value, or the name of the role or team' }),
    kind: choiceField('leads to', asked.kind, [
      { value: 'all', label: 'roles and teams' },
      { value: 'role', label: 'roles' },
      { value: 'team', label: 'teams' },
    ]),
  };
}

/** What is asked, for the title bar. */
export function searchSays(asked: Readonly<Record<string, string>>): string {
  const text = asked.text?.trim() ?? '';
  return [asked.kind === 'role' || asked.kind === 'team' ? `${asked.kind}s` : '', text === '' ? '' : `"${text}"`]
    .filter(Boolean)
    .join(' ');
}

/** Mappings to roles and mappings to teams: without asking for both, those to teams stay out of sight (contract 2). */
export function loadMappings({ search }: ListQuery): Source<MappingRow> {
  const filter = search.text?.trim() ?? '';
  const wanted = kinds.filter((it) => (search.kind !== 'role' && search.kind !== 'team' ? true : it === search.kind));
  return {
    key: `mappings ${wanted.join('+')} ${filter}`,
    of: ['authn_mappings', 'roles', 'team'],
    plan: () => readBoth(wanted, filter),
  };
}

function* readBoth(
  wanted: readonly (typeof kinds)[number][],
  filter: string,
): Plan<Result<Rows<MappingRow>>, Rows<MappingRow>> {
  const known = new Map<string, MappingRow>();
  const notes: string[] = [];
  const shown = (): Rows<MappingRow> => ({ rows: [...known.values()], notes });
  let last: Result<Rows<MappingRow>> | undefined;
  for (const [at, kind] of wanted.entries()) {
    const asked = { resource_type: kind, ...(filter === '' ? {} : { filter }) };
    last = yield* everyPage<MappingRow>({
      page: (number) => call(listMappings, { query: { ...asked, 'page[size]': pageSize, 'page[number]': number } }),
      rows: (read) => [
        ...known.values(),
        ...read.items.map((it) => readMapping(it, read.included)).filter((it) => it !== undefined),
      ],
    });
    if (!last.ok) {
      if (at === 0 || last.problem.kind === 'cancelled') return last;
      // A deployment from before teams: what leads to roles is there all the same.
      notes.push(`those to teams were not read: ${last.problem.text}`);
      break;
    }
    // A deployment that does not know the parameter answers the same for both.
    for (const row of last.value.rows) known.set(row.id, row);
    for (const note of last.value.notes ?? []) if (!notes.includes(note)) notes.push(note);
    if (at < wanted.length - 1) yield* showing(shown());
  }
  return { ok: true, value: shown(), status: last?.ok ? last.status : 200, unread: [] };
}

/** One mapping read again, with everything that came along. */
export interface WholeMapping {
  readonly row: MappingRow;
  readonly raw: unknown;
}

/** The mapping with what it leads to. */
export function wholeMapping(row: MappingRow): Single<WholeMapping> {
  return {
    key: `mapping ${row.id}`,
    of: ['authn_mappings', 'roles', 'team'],
    *plan(): Plan<Result<WholeMapping>> {
      const answer = yield* ask(call(getMapping, { authn_mapping_id: row.id }));
      if (!answer.ok) return answer;
      const read = readMapping(field(answer.value, 'data'), items(field(answer.value, 'included')));
      return { ...answer, value: { row: read ?? row, raw: field(answer.value, 'data') } };
    },
  };
}
