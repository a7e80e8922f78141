import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { ask, type Call, type Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Action, AnyAction } from '../../src/describe/action.ts';
import type { DetailLine, Section } from '../../src/describe/column.ts';
import type { Fields } from '../../src/describe/field.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { field, idIn, items } from '../../src/lib/values.ts';
import { textFaults } from '../laws/receipts.ts';
import { changesOf, fieldLine, leaving, offerLines, unlessThrown, valuesOf } from '../support/offer-lines.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { digests, firstOf, storedAs } from '../support/sweeps.ts';
import { there } from '../support/there.ts';

/** Answers of a service by operation, or by operation and id; `unread`: places that could not be read. */
interface OddAnswers {
  readonly search?: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly unread?: Readonly<Record<string, readonly string[]>>;
}

const folder = new URL('../support/fixtures/odd-rows/', import.meta.url);
const context = contextOf({
  me: { id: 'u-me', name: 'Kay Reed' },
  recent: [{ id: 'u-two', name: 'Bo Lind' }],
  ends: { apiKey: 'aaaa', appKey: '9f3c' },
  trend: (id) =>
    id.endsWith('1')
      ? Array.from({ length: 20 }, (_, at) => at % 5)
      : ([[], [3, 3], [3, 4]][Number(id.at(-1)) % 4] ?? []),
  web: 'https://web.test',
  unfinished: [
    {
      says: 'routes.csv',
      goesOn: true,
      resume: { kind: 'upload', title: 'Go on', values: {} },
      abandon: { kind: 'abandon-upload', title: 'Abandon', values: {} },
    },
  ],
});

/** What a service answers: of an object that is asked for by its id, the one of the list. */
const answering =
  ({ answers, unread = {} }: OddAnswers) =>
  ({ endpoint, params }: Call): Result<unknown> => {
    const ids = Object.values(params).map(String);
    const keys = [...ids.map((id) => `${endpoint.id} ${id}`), endpoint.id];
    const key = keys.find((one) => one in answers);
    if (key) return answered(answers[key], unread[key]);
    const listed = Object.values(answers).flatMap((answer) => items(field(answer, 'data')));
    const one = endpoint.verb === 'get' && listed.find((object) => ids.includes(idIn(object) ?? ''));
    return one ? answered({ data: one }) : refused('forbidden', `no ${endpoint.id}`);
  };

const fieldText = (name: string, { initial, required, hint = '' }: Fields[string]): string =>
  `${name}: ${stringifyExact(initial)} ${required ? 'required ' : ''}${hint}`;

const lineText = (line: DetailLine): string => {
  const tone = 'tone' in line && line.tone ? ` {${line.tone}}` : '';
  if (line.kind === 'pair') return `${line.label}: ${line.value}${tone}`;
  if (line.kind === 'facts')
    return line.facts
      .map(({ label, text, tone }) => [label, text, tone && `{${tone}}`].filter(Boolean).join(' '))
      .join(' · ');
  return line.kind === 'gap' ? '' : `${line.kind === 'head' ? '## ' : ''}${line.text}${tone}`;
};
const sectionLines = ({ title, lines }: Section): readonly string[] => [`[${title}]`, ...lines.map(lineText)];

/** Everything that a list says of a row, before and after its detail is read. */
function rowParts(list: AnyList, row: object, answer: (call: Call) => Result<unknown>) {
  const { detail } = list;
  const cells = list.columns.map((column) => {
    const [text, says, tone, sort] = [column.text, column.says, column.tone, column.sort].map((make) =>
      make?.(row, context),
    );
    return `${column.id}: ${[text, column.short?.text(row, context), says, tone, sort].map((one) => String(one ?? '').replaceAll('\u0000', '␀')).join(' | ')}`;
  });
  const output = list
    .output?.()
    .fields.map(({ name, value }) => `${name} ${stringifyExact(value(row, context) ?? null)}`);
  const loaded = detail?.load && walk(detail.load(row, context).plan(context), answer).value;
  const page = (whole: unknown) =>
    detail === undefined
      ? []
      : detailTabs(detail, row, whole, context).flatMap((tab) => {
          if (tab.id === 'raw') return [];
          if (tab.kind === 'page') return tab.sections.flatMap(sectionLines);
          const rows = tab.rows.map(({ id, cells: own, tones }) => `${id}: ${stringifyExact([own, tones])}`);
          return [`<${tab.title}> ${tab.empty ?? '…'}`, ...rows];
        });
  const before = page(undefined);
  const previewed = detail?.preview?.(row, context) ?? [];
  const after = loaded?.ok ? page(loaded.value) : [`not read: ${loaded?.problem.text}`];
  return {
    cells: [
      ...cells,
      `states: ${(list.states ?? [])
        .filter(({ isIn }) => isIn(row, context))
        .map(({ label }) => label)
        .join()}`,
      `words: ${list.words?.(row, context).trim() ?? ''}`,
      `now: ${list.now?.(row, context) ?? ''}`,
      `services: ${list.services?.(row, context) ?? ''} ${list.link?.(row, context) ?? ''}`,
      `trend: ${list.trend?.(row) ?? ''} ${list.notifies?.isSo(row, context) ?? ''}`,
      `output: ${output?.join(', ') ?? ''}`,
    ],
    preview: [
      `-- preview of ${previewed.length} lines, where it differs from the page`,
      ...previewed.map(lineText).filter((line) => !before.includes(line)),
    ],
    page: ['-- page', ...before],
    read: ['-- page once it is read, where it differs', ...after.filter((line) => !before.includes(line))],
  };
}

/** What an action says and takes back where its edits are answered with nothing, with what they sent, and with a list of it. */
function deedLines(
  given: AnyAction,
  row: object,
  id: string,
  answer: (call: Call) => Result<unknown>,
): readonly string[] {
  if (!('send' in given)) return [];
  const action = given as Action<object, unknown, unknown>;
  const need = action.needs?.(row, context);
  const read = need && walk(need.plan(context), answer).value;
  const now = { ...context, ...(read?.ok && { known: read.value }) };
  if ((action.enabled?.(row, now) ?? true) !== true) return [];
  const form = unlessThrown(() => action.form?.(row, now, now.known));
  const own = action.values?.([row], now) ?? (form && valuesOf(form)[1]);
  const picker = action.pick?.([row], now);
  const values = picker?.values({ id: 'u-9', label: 'Nine' }) ?? own ?? {};
  const picks = picker && walk(picker.load('').plan(now), answer).value;
  const offered = picks?.ok
    ? picks.value.rows.map(({ label, hint }) => `${label} (${hint})`).join()
    : picks?.problem.text;
  const edits = ['create', 'update', 'delete', 'act'];
  const deed = (body: (sent: unknown) => unknown) =>
    unlessThrown(() => {
      const sent = action.send(row, values, now);
      const plan = () => ('endpoint' in sent ? ask(sent) : sent);
      const served = (call: Call) => (edits.includes(call.endpoint.verb) ? answered(body(call.body)) : answer(call));
      const done = acted({ ...action, send: plan }, row, values, served, now);
      const back = done.back().map((call) => `${call.endpoint.id} ${stringifyExact(call.body ?? call.params)}`);
      const after = changesOf(row, done.truth() ?? row);
      const said = `${done.warns() ? '! ' : ''}${done.says()}`;
      return [done.operations.join(' '), said, back.join(' '), after.join(' ')].join(' | ');
    });
  const answers = [
    () => ({}),
    (sent: unknown) => ({ data: { id, ...(field(sent, 'data') as object) } }),
    (sent: unknown) => ({ data: [field(sent, 'data')], meta: { page: { total_count: 4 } } }),
  ];
  const deeds = new Set(answers.map((body) => `= ${deed(body) ?? ''}`));
  return picker ? [`${picker.title}: ${offered}`, ...deeds] : [...deeds];
}

/** Lines of a part of the first row that are stored to be read: of the rest, and of other rows, there are digests. */
const most = 16;

const lists: readonly AnyList[] = screens.flatMap((screen) => screen.lists);

test.each(readdirSync(folder))(
  'rows with odd and missing members are shown as they were reviewed: %s',
  async (file) => {
    const [id = ''] = file.split('.json');
    const given: OddAnswers = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const list = there(lists.find((one) => one.id === id));
    const search = { ...list.search?.initial, ...given.search };
    const answer = answering(given);
    const reading = (asked: Readonly<Record<string, string>>) =>
      walk(list.load({ search: asked, range: '24h' }, context).plan(context), answer);
    const { value, calls } = reading(search);
    const asks = [...reading(list.search?.initial ?? {}).calls, ...calls].map(
      ({ endpoint, query, body }) => `asks: ${endpoint.id} ${stringifyExact([query, body])}`,
    );
    if (!value.ok) throw new Error(value.problem.text);
    const { rows, notes, missing } = value.value as { rows: object[]; notes?: string[]; missing?: string[] };
    const closed = walk(list.load({ search, range: '24h' }, context).plan(context), () =>
      refused('notOffered', 'no', 404),
    );
    const told = closed.value.ok ? '' : closed.value.problem.text;
    // A command says these as well.
    expect(
      textFaults([...(notes ?? []), told].join('\n')).filter((fault) => fault.includes('key of the dashboard')),
    ).toEqual([]);
    const lines = [`notes: ${notes?.join(' | ')}`, `missing: ${missing?.join(' | ')}`, `empty: ${list.empty}`];
    lines.push(`not offered: ${told}`);
    lines.push(
      ...new Set(asks),
      `columns: ${leaving(list.columns)}`,
      `search: ${list.search?.says(search) ?? ''}`,
      ...Object.entries(list.search?.form(search, context) ?? {}).map(([name, field]) => fieldLine(name, field)),
      `open ends: ${stringifyExact(list.openEnds?.(rows as never, context) ?? [])}`,
    );
    for (const row of rows) {
      const title = `# ${list.idOf(row as never)} ${list.nameOf(row as never)}`;
      const said = rowParts(list, row, answer);
      const acts: Record<string, readonly string[]> = {};
      for (const action of list.actions.filter(({ on }) => on !== 'list' || row === rows[0])) {
        const { typed } = (action.removes && action.confirm?.([row], {}, context)) || {};
        // The question before a delete names what has no name by its id alone.
        if (typed && list.nameOf(row as never).endsWith(` ${list.idOf(row as never)}`))
          expect(typed).toBe(list.idOf(row as never));
        const run = (plan: Plan<Result<unknown>, unknown>) => walk(plan, answer).value;
        acts[action.id] = [
          `-- ${action.id} ${action.ready?.(context) ?? ''}`.trimEnd(),
          ...(await offerLines(action, row, context, run, fieldText)),
          ...deedLines(action, row, list.idOf(row as never), answer),
        ];
      }
      if (row !== rows[0]) lines.push(...digests(title, { ...said, actions: Object.values(acts).flat() }));
      else
        lines.push(
          '',
          title,
          ...Object.values(said).flatMap((part) => firstOf(part, most)),
          ...digests('-- actions', acts),
        );
    }
    await storedAs(`offers/odd-${id}`, lines);
  },
);
