import type { FilterRow } from '../../screens/retention/edit.ts';
import { filterList } from '../../screens/retention.ts';
import { ask, call, type Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { createFilter, listFilters, updateFilter } from '../../src/api/retention-filters.ts';
import { action } from '../../src/describe/action.ts';
import type { Single } from '../../src/describe/context.ts';
import {
  choiceField,
  type FieldDiagnostic,
  type FieldLanguage,
  following,
  queryField,
  textField,
} from '../../src/describe/field.ts';
import type { Picker } from '../../src/describe/picks.ts';
import { list, type Screen } from '../../src/describe/screen.ts';
import type { Completion } from '../../src/lib/text-matches.ts';

/** A test screen: a list of filters whose actions use every kind of form, picker, bar and question. */

const words = ['count', 'counted_twice', 'sum', 'maybe', 'by {service}', 'last_5m', 'last_1h'];

/** A small query language, `count(last_5m) > 3`; records the texts that it checked. */
export function smallLanguage(): FieldLanguage & { readonly asked: string[] } {
  const asked: string[] = [];
  const at = (text: string, part: RegExp, say: Omit<FieldDiagnostic, 'start' | 'end'>): FieldDiagnostic[] =>
    Array.from(text.matchAll(new RegExp(part, 'g')), (match) => ({
      ...say,
      start: match.index,
      end: match.index + match[0].length,
    }));
  const check = (text: string): FieldDiagnostic[] => {
    asked.push(text);
    const wrong = [
      ...at(text, /last_8d/, {
        verdict: 'wrong',
        message: 'window last_8d is over the 1w limit',
        hint: 'last_1w at most',
      }),
      ...at(text, /zap/, { verdict: 'wrong', message: 'zap is no function', hint: 'count or sum' }),
    ];
    const doubtful = at(text, /maybe/, { verdict: 'doubtful', message: 'maybe is not documented' });
    const end = text.trimEnd().length;
    const isFinished = /> *\d+\s*$/.test(text);
    const rest: FieldDiagnostic = {
      verdict: 'wrong',
      message: 'an operator and a number are missing',
      start: end,
      end,
    };
    return [...wrong, ...(isFinished ? [] : [rest]), ...doubtful];
  };
  const complete = (text: string, place: number): Completion | undefined => {
    const start = text.slice(0, place).search(/\w*$/);
    const typed = text.slice(start, place);
    const items = words.filter((word) => word.startsWith(typed)).map((text) => ({ text, hint: `the word ${text}` }));
    return items.length > 0 ? { start, end: place, items } : undefined;
  };
  return { asked, check, complete };
}

interface Values {
  readonly name: string;
  readonly query: string;
}

const kinds: Picker<string> = {
  title: 'Kind',
  first: ['errors', 'latency'].map((id) => ({ id, label: id })),
  load: () => ({
    key: 'sketch kinds',
    of: [],
    // biome-ignore lint/correctness/useYield: nothing has to be asked
    *plan() {
      return { ok: true, value: { rows: [] }, status: 200, unread: [] };
    },
  }),
  things: true,
  values: (pick) => pick.id,
};

const count = (): Single<number> => ({
  key: 'sketch count',
  of: ['apm_retention_filter'],
  *plan(): Plan<Result<number>> {
    const answer = yield* ask(call(listFilters));
    return answer.ok ? { ...answer, value: answer.value?.data?.length ?? 0 } : answer;
  },
});

const attributesOf = ({ name, query }: Values) => ({
  name,
  enabled: true,
  filter: { query },
  filter_type: 'spans-sampling-processor' as const,
  rate: 1,
});
const blames = (problem: { readonly text: string }) => (/name/.test(problem.text) ? 'name' : 'query');

/** Actions: `n` picks a kind, reads a count, then asks; `e` asks and reviews; `c` reads its values and asks nothing. */
export function sketch(language: () => Promise<FieldLanguage>): Screen {
  const makes = action({
    id: 'sketch.make',
    key: 'n',
    title: 'new',
    help: 'a new one of a kind',
    on: 'list',
    uses: [createFilter],
    first: () => kinds,
    needs: count,
    form: (_: undefined, context, known: number) => ({
      team: textField('Team', '', { hint: `${context.loaded?.('sketch').length} in the list, ${known} read` }),
      name: following((texts) => `${texts.team} ${String(context.picked)}`.trim(), textField('Name', '')),
      query: queryField('Query', '', language, { hint: 'what it counts', required: true }),
      enabled: choiceField('State', 'on', ['on', 'off']),
    }),
    blames,
    send: (_, values) =>
      call(createFilter, { body: { data: { type: 'apm_retention_filter', attributes: attributesOf(values) } } }),
    done: (_, values, __, context) => `made ${values.name} of kind ${String(context.picked)}`,
    undo: () => [],
    confirm: () => undefined,
  });
  const put = (row: FilterRow, values: Values) =>
    call(updateFilter, {
      filter_id: row.id,
      body: { data: { id: row.id, type: 'apm_retention_filter', attributes: attributesOf(values) } },
    });
  const edits = action({
    id: 'sketch.edit',
    key: 'e',
    title: 'edit',
    help: 'name and query',
    uses: [updateFilter],
    reviews: true,
    form: (row: FilterRow) => ({
      name: textField('Name', row.attributes.name),
      query: queryField('Query', row.attributes.filter?.query, language),
    }),
    blames,
    send: put,
    done: (_, values) => `saved ${values.name}`,
  });
  const counts = action<FilterRow, Values>({
    id: 'sketch.count',
    key: 'c',
    title: 'count',
    help: 'name it after how many there are',
    uses: [updateFilter],
    needs: count,
    values: (_, context) => ({ name: `one of ${String(context.known)}`, query: '*' }),
    send: put,
    done: (_, values) => `is now ${values.name}`,
  });
  const own = list<FilterRow>({
    ...filterList,
    id: 'sketch',
    title: 'Sketch',
    order: undefined as never,
    actions: [makes, edits, counts],
  });
  return { id: 'sketch', title: 'Sketch', key: '1', lists: [own] };
}
