import { call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result, withAdvice } from '../../src/api/problem.ts';
import { listTables, tableStatus } from '../../src/api/tables.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { pageSize } from '../../src/describe/read-pages.ts';
import type { ListQuery, Rows, Source } from '../../src/describe/source.ts';
import { type ReferenceTable, tableKind } from './kind.ts';

type Search = Readonly<Record<string, string>>;

const stateWord = (status: string): string => status.toLowerCase().replaceAll('_', ' ');

/** The search of the tables at the start: all of them. */
export const tableSearch: Search = { name: '', status: '', id: '' };

/** The form of `s` in the list of tables. */
export function tableSearchForm(search: Search): Fields {
  return {
    name: textField('Name contains', search.name),
    status: choiceField('State', search.status, [
      { value: '', label: 'any' },
      ...knownWords(tableStatus).map((status) => ({ value: status, label: stateWord(status) })),
    ]),
    id: textField('ID', search.id, { hint: 'Shows one table, where the service does not list tables' }),
  };
}

/** The search as the title bar shows it. */
export function tableSearchText({ name = '', status = '', id = '' }: Search): string {
  if (id.trim() !== '') return id.trim();
  return [name.trim() && `"${name.trim()}"`, stateWord(status)].filter(Boolean).join(' ');
}

/** The tables that match, newest change first; a single table where its id was typed. */
export function loadTables(query: ListQuery): Source<ReferenceTable> {
  const id = query.search.id?.trim() ?? '';
  const all = tableKind.load(query);
  return {
    ...all,
    *plan(context): Plan<Result<Rows<ReferenceTable>>, Rows<ReferenceTable>> {
      if (id !== '') {
        const table = yield* tableById(id);
        return table.ok ? { ...table, value: { rows: [table.value] } } : table;
      }
      const found = yield* all.plan(context);
      if (found.ok || !notOffered(found.problem)) return found;
      return withAdvice(found.problem, '. s: show one table by its ID, n: create one');
    },
  };
}

/** Reads the table with this id. */
export const tableById = (id: string): Plan<Result<ReferenceTable>> =>
  tableKind.fresh({ id, place: 0, attributes: {}, unread: [] });

/** Reads the table with exactly this name; the problem is `notFound` where there is none. */
export function* tableNamed(name: string): Plan<Result<ReferenceTable>> {
  const query = { 'filter[table_name][exact]': name, 'page[limit]': pageSize };
  const answer = yield* ask(call(listTables, { query }));
  if (!answer.ok) return answer;
  const table = (answer.value?.data ?? []).find(({ attributes }) => attributes?.table_name === name);
  const row = tableKind.row(table);
  return row ? { ...answer, value: row } : problemResult('notFound', `no table ${name}`);
}
