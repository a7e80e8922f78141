import { call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Problem, type Result, refusal } from '../../src/api/problem.ts';
import { listTables, tableStatus } from '../../src/api/tables.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { pageSize } from '../../src/describe/read-pages.ts';
import type { ListQuery, Rows, Source } from '../../src/describe/source.ts';
import { type TableRow, tableKind } from './kind.ts';

type Search = Readonly<Record<string, string>>;

const stateWord = (status: string): string => status.toLowerCase().replaceAll('_', ' ');

/** What is asked of the tables until a person asks otherwise. */
export const tableSearch: Search = { name: '', status: '', id: '' };

/** The form behind `s` of the tables. */
export function tableForm(asked: Search): Fields {
  return {
    name: textField('name holds', asked.name),
    status: choiceField('state', asked.status, [
      { value: '', label: 'any' },
      ...knownWords(tableStatus).map((status) => ({ value: status, label: stateWord(status) })),
    ]),
    id: textField('only the id', asked.id, { hint: 'one table by its id, for a service that does not list them' }),
  };
}

/** What is asked, for the title bar. */
export function tableSays({ name = '', status = '', id = '' }: Search): string {
  if (id.trim() !== '') return id.trim();
  return [name.trim() && `"${name.trim()}"`, stateWord(status)].filter(Boolean).join(' ');
}

/** A problem with what a person can do instead. */
export const withAdvice = (problem: Problem, advice: string): Result<never> => ({
  ok: false,
  problem: { ...problem, text: `${problem.text}${advice}` },
});

/** The tables that match, newest change first; one by its id where that was typed. */
export function loadTables(asked: ListQuery): Source<TableRow> {
  const id = asked.search.id?.trim() ?? '';
  const all = tableKind.load(asked);
  return {
    ...all,
    *plan(context): Plan<Result<Rows<TableRow>>, Rows<TableRow>> {
      if (id !== '') {
        const one = yield* tableById(id);
        return one.ok ? { ...one, value: { rows: [one.value] } } : one;
      }
      const found = yield* all.plan(context);
      if (found.ok || !notOffered(found.problem)) return found;
      return withAdvice(found.problem, ': s shows one table by its id, U makes one');
    },
  };
}

/** The table of this id. */
export const tableById = (id: string): Plan<Result<TableRow>> =>
  tableKind.fresh({ id, place: 0, attributes: {}, unread: [] });

/** The table of exactly this name; its problem is `notFound` when there is none. */
export function* tableNamed(name: string): Plan<Result<TableRow>> {
  const query = { 'filter[table_name][exact]': name, 'page[limit]': pageSize };
  const answer = yield* ask(call(listTables, { query }));
  if (!answer.ok) return answer;
  const told = (answer.value?.data ?? []).find(({ attributes }) => attributes?.table_name === name);
  const row = tableKind.row(told);
  return row ? { ...answer, value: row } : refusal('notFound', `there is no table ${name}`);
}
