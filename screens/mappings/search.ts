import { inside, type Plan, showing } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { choiceField, textField } from '../../src/describe/field.ts';
import type { List } from '../../src/describe/screen.ts';
import type { ListQuery, Rows, Source } from '../../src/describe/source.ts';
import { type MappingRow, mappingKind } from './edit.ts';

const kinds = ['role', 'team'] as const;

const kindsOf = (asked: ListQuery['search']) =>
  kinds.filter((one) => (asked.kind !== 'role' && asked.kind !== 'team') || asked.kind === one);

/** The search behind `s`; both kinds until a person asks otherwise. */
export const search: NonNullable<List<MappingRow>['search']> = {
  initial: { text: '', kind: 'all' },
  form: (asked) => ({
    text: textField('search', asked.text, { hint: 'key, value, or the name of the role or team' }),
    kind: choiceField('leads to', asked.kind, [
      { value: 'all', label: 'roles and teams' },
      { value: 'role', label: 'roles' },
      { value: 'team', label: 'teams' },
    ]),
  }),
  says(asked) {
    const [kind, ...others] = kindsOf(asked);
    const text = asked.text?.trim() ?? '';
    return [others.length === 0 ? `${kind}s` : '', text === '' ? '' : `"${text}"`].filter(Boolean).join(' ');
  },
};

/** Mappings to roles and mappings to teams: without asking for both, those to teams stay out of sight (contract 2). */
export function loadMappings({ search: asked, range }: ListQuery): Source<MappingRow> {
  const text = asked.text?.trim() ?? '';
  const wanted = kindsOf(asked);
  return {
    key: `mappings ${wanted.join('+')} ${text}`,
    of: mappingKind.of,
    plan: (context) => readAll(wanted.map((kind) => mappingKind.load({ search: { kind, text }, range }).plan(context))),
  };
}

type Reading = Plan<Result<Rows<MappingRow>>, Rows<MappingRow>>;

function* readAll(lists: readonly Reading[]): Reading {
  const known = new Map<string, MappingRow>();
  const notes = new Set<string>();
  // A deployment that does not know the parameter answers the same for both.
  const learn = ({ rows }: Rows<MappingRow>): Rows<MappingRow> => {
    for (const row of rows) known.set(row.id, row);
    return { rows: [...known.values()], notes: [...notes] };
  };
  for (const [at, list] of lists.entries()) {
    const read = yield* inside(list, learn);
    if (!read.ok && (at === 0 || read.problem.kind === 'cancelled')) return read;
    // A deployment from before teams: what leads to roles is there all the same.
    for (const note of read.ok ? (read.value.notes ?? []) : [`those to teams were not read: ${read.problem.text}`])
      notes.add(note);
    if (read.ok) yield* showing(learn(read.value));
  }
  return { ok: true, value: learn({ rows: [] }), status: 200, unread: [] };
}
