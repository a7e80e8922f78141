import { inside, type Plan, showing } from '../../src/api/plan.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { choiceField, textField } from '../../src/describe/field.ts';
import type { List } from '../../src/describe/screen.ts';
import { type ListQuery, type Rows, type Source, withMissing } from '../../src/describe/source.ts';
import { type MappingRow, mappingKind } from './kind.ts';

const kinds = ['role', 'team'] as const;

/** The kinds of targets that a search asks for. */
const kindsOf = (search: ListQuery['search']) =>
  kinds.filter((kind) => (search.kind !== 'role' && search.kind !== 'team') || search.kind === kind);

/** The search of `s`; both kinds of targets at the start. */
export const mappingSearch: NonNullable<List<MappingRow>['search']> = {
  initial: { text: '', kind: 'all' },
  form: (search) => ({
    text: textField('Search', search.text, { hint: 'In key, value, or the name of the role or team' }),
    kind: choiceField('Grants', search.kind, [
      { value: 'all', label: 'roles and teams' },
      { value: 'role', label: 'roles' },
      { value: 'team', label: 'teams' },
    ]),
  }),
  says(search) {
    const [kind, ...others] = kindsOf(search);
    const text = search.text?.trim() ?? '';
    return [others.length === 0 ? `${kind}s` : '', text === '' ? '' : `"${text}"`].filter(Boolean).join(' ');
  },
};

/**
 * Mappings to roles, then mappings to teams: a request without a kind answers only those to roles
 * (docs/contract/authn-mappings.md#list).
 */
export function loadMappings({ search, range }: ListQuery): Source<MappingRow> {
  const text = search.text?.trim() ?? '';
  const wanted = kindsOf(search);
  return {
    key: `mappings ${wanted.join('+')} ${text}`,
    of: mappingKind.of,
    plan: (context) => readAll(wanted.map((kind) => mappingKind.load({ search: { kind, text }, range }).plan(context))),
  };
}

type Reading = Plan<Result<Rows<MappingRow>>, Rows<MappingRow>>;

function* readAll(lists: readonly Reading[]): Reading {
  const rowsById = new Map<string, MappingRow>();
  const notes = new Set<string>();
  const missing = new Set<string>();
  // By id, since a deployment that ignores the parameter answers the same rows for both kinds.
  const add = ({ rows }: Rows<MappingRow>): Rows<MappingRow> => {
    for (const row of rows) rowsById.set(row.id, row);
    return { rows: [...rowsById.values()], notes: [...notes], ...withMissing([...missing]) };
  };
  for (const [at, list] of lists.entries()) {
    const read = yield* inside(list, add);
    if (!read.ok && (at === 0 || read.problem.kind === 'canceled')) return read;
    // Where mappings to teams cannot be read, those to roles are shown with a note.
    const lost = read.ok ? (read.value.missing ?? []) : [`mappings to teams could not be read: ${read.problem.text}`];
    for (const note of [...((read.ok && read.value.notes) || []), ...lost]) notes.add(note);
    for (const note of lost) missing.add(note);
    if (read.ok) yield* showing(add(read.value));
  }
  return toResult(add({ rows: [] }));
}
