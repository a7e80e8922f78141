/** @module-tag long */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { Call, Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { safeJson } from '../../src/cli/io.ts';
import { type AnyAction, commandLine } from '../../src/describe/action.ts';
import type { Column, DetailLine } from '../../src/describe/column.ts';
import type { Context, ListQuery, Person, Rows } from '../../src/describe/context.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { peopleSource, personByHandle, whoAmI } from '../../src/describe/picks.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { parseExact } from '../../src/lib/json.ts';
import { paint } from '../../src/lib/paint.ts';
import { movedOn } from '../../src/session/send/pending-edit.ts';
import { tableRow } from '../../src/shell/list-block.ts';
import { nothing, ready } from '../support/action-values.ts';
import { type Mutation, mutated, mutations } from '../support/mutate.ts';
import { contextOf } from '../support/plans.ts';
import { bodyOf, type Recording, read, record } from '../support/recorded.ts';
import { createSimulator } from '../support/simulator.ts';

/** Two thousand runs over issues and monitors, fewer over the other lists. */
const seed = 20_261_121;
const isMain = (list: AnyList) => ['issues', 'monitors'].includes(list.id);
const runs = (list: AnyList) => (isMain(list) ? 500 : 60);
const lists = screens.flatMap((screen) => screen.lists);
const shared: { recording?: Recording; context: Context } = { context: contextOf() };

// The organization is small, so that a mutation hits a relevant field, but has every kind of object.
beforeAll(async () => {
  const service = createSimulator({ seed: 5, monitors: 5, issues: 4, lively: false, rate: 0 });
  const at = await service.start();
  const recording = record(at);
  const me = await recording.run(whoAmI.plan(contextOf()));
  const context = contextOf({ now: service.now(), origin: at.url, ...(me.ok && { me: me.value }) });
  await recording.run(peopleSource('').plan(context));
  for (const list of lists)
    for (const [, search] of searches) {
      const read = (await recording.run(list.load(asking(list, search), context).plan(context))) as Result<
        Rows<unknown>
      >;
      const rows = read.ok ? read.value.rows.slice(0, 2) : [];
      if (rows.length === 0 && isMain(list)) throw new Error(`nothing to record in ${list.id}`);
      for (const row of rows)
        for (const action of list.actions) {
          if (!action.send || action.removes) continue;
          const need = await recording.run((action.needs?.(row, context) ?? nothing).plan(context));
          const { context: known, values } = ready(list, action, row, context, need, { see: isDrawn });
          for (const value of values) {
            const work = action.send(row, value, known);
            await ('endpoint' in work ? recording.send(work) : recording.run(work));
          }
          const single = list.detail?.load?.(row, context);
          if (single) await recording.run(single.plan(context));
        }
    }
  for (const list of lists) await recording.run(list.load(asking(list, { states: '' }), context).plan(context));
  await service.stop();
  Object.assign(shared, { recording, context });
});

/** Searches that the lists accept and that match every row. */
const searches: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['listed', {}],
  ['searched', { query: '*', states: '' }],
];

function asking(list: AnyList, search: Readonly<Record<string, string>>): ListQuery {
  return { search: { ...list.search?.initial, ...search }, range: list.ranges?.initial ?? '' };
}

/** Runs plans against the recorded responses with mutations; every call, read or edit, is answered from them. */
function changed(changes: readonly Mutation[]) {
  const count = { answers: 0 };
  const calls: Call[] = [];
  const answer = (call: Call): Result<unknown> => {
    calls.push(call);
    const body = (shared.recording as Recording).of(call.endpoint.id);
    if (body.status >= 300 || body.text === '') return read(call, body);
    const nth = count.answers++;
    return read(call, bodyOf(mutated(parseExact(body.text), changes, nth), body.status));
  };
  const run = <T>(plan: Plan<T, unknown>): T => {
    let step = plan.next();
    for (let steps = 0; !step.done; steps += 1) {
      if (steps > 300) throw new Error('the plan does not come to an end');
      step = plan.next('endpoint' in step.value ? answer(step.value) : { ok: true, value: 0, status: 0, unread: [] });
    }
    return step.value;
  };
  const again = () => {
    count.answers = 0;
  };
  return { run, answer, again, calls };
}

/** Characters that act on a terminal; paint() must remove them. */
const acting = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\u{E0000}-\u{E007F}]/u;
function isDrawn(text: unknown): void {
  if (typeof text !== 'string' || text === '[object Object]') expect.fail(`drawn: ${String(text)}`);
  if (acting.test(paint(text))) expect(paint(text)).not.toMatch(acting);
}

function drawColumns<R>(rows: readonly R[], columns: readonly Column<R>[], idOf: (row: R) => string, context: Context) {
  const marks = { cursor: false, marked: false, fresh: false, pending: false };
  for (const row of rows) {
    for (const column of columns) isDrawn(column.text(row, context));
    for (const column of columns)
      if (!['string', 'number', 'undefined'].includes(typeof column.sort?.(row, context)))
        expect.fail(`sorted by ${column.id}`);
    for (const cell of tableRow(row, idOf(row), columns, context, marks).cells) isDrawn(cell);
  }
}

function drawLines(lines: readonly DetailLine[]) {
  for (const line of lines) {
    if (line.kind === 'pair') isDrawn(line.label);
    if (line.kind === 'pair') isDrawn(line.value);
    if (line.kind === 'facts') for (const { text } of line.facts) isDrawn(text);
    if (line.kind === 'text' || line.kind === 'head') isDrawn(line.text);
  }
}

function ids(all: readonly string[]) {
  if (all.some((text) => typeof text !== 'string' || text === '')) expect.fail(`an empty id among ${all.join(' ')}`);
  if (new Set(all).size !== all.length) expect.fail(`an id twice in ${all.join(' ')}`);
}

/** Opens one row's detail and runs an action on it, against mutated responses; `chance` picks the action. */
function tryRow(list: AnyList, row: unknown, context: Context, odd: ReturnType<typeof changed>, chance: number) {
  isDrawn(list.nameOf(row));
  isDrawn(list.words?.(row, context) ?? '');
  isDrawn(list.link?.(row, context) ?? '');
  isDrawn(commandLine(list.command?.(row) ?? '', context));
  drawLines(list.detail?.preview?.(row, context) ?? []);
  odd.again();
  const single = list.detail?.load?.(row, context);
  const whole = single && (odd.run(single.plan(context)) as Result<unknown>);
  if (whole && !whole.ok) isDrawn(whole.problem.text);
  const unders: (string | undefined)[] = [undefined];
  for (const known of [undefined, whole?.ok ? whole.value : undefined])
    for (const tab of list.detail ? detailTabs(list.detail, row, known, context) : []) {
      isDrawn(tab.title);
      if (tab.kind === 'page')
        for (const { title, lines } of tab.sections) {
          isDrawn(title);
          drawLines(lines);
        }
      else {
        // As in a list, the session keeps one of each id.
        const own = tab.rows.map((row) => row.id);
        ids(isMain(list) ? own : [...new Set(own)]);
        drawColumns(tab.rows, tab.columns, (row) => row.id, context);
        unders.push(...tab.rows.slice(0, 2).map((row) => row.id));
      }
    }
  const action: AnyAction | undefined = list.actions[chance % list.actions.length];
  if (!action) return;
  const subRowId = unders[Math.floor(chance / 7) % unders.length];
  act(list, action, row, subRowId === undefined ? context : { ...context, subRowId }, odd, Math.floor(chance / 49));
}

function act(
  list: AnyList,
  action: AnyAction,
  row: unknown,
  context: Context,
  odd: ReturnType<typeof changed>,
  chance: number,
) {
  const enabled = action.enabled?.(row, context) ?? true;
  // A session sends nothing then: some actions have no request for such a row, as for a mute that is no downtime.
  if (enabled !== true) return isDrawn(enabled);
  const bar = action.bar?.([row], context);
  for (const choice of [...(bar?.choices ?? []), ...(bar?.cycles ?? [])]) isDrawn(choice.title);
  isDrawn(bar?.title ?? action.pick?.([row], context).title ?? '');
  odd.again();
  const { context: known, values: all } = ready(
    list,
    action,
    row,
    context,
    odd.run((action.needs?.(row, context) ?? nothing).plan(context)),
    { see: isDrawn },
  );
  if (!action.send) return;
  for (const values of all.length > 0 ? [all[chance % all.length]] : []) {
    const confirm = action.confirm?.([row], values, known);
    for (const text of [confirm?.question ?? '', ...(confirm?.details ?? [])]) isDrawn(text);
    isDrawn(commandLine(action.command?.(row, values) ?? '', context));
    const shown = action.show?.(row, values, known) ?? row;
    drawColumns([shown], list.columns, list.idOf, context);
    odd.again();
    const work = action.send(row, values, known);
    const result = 'endpoint' in work ? odd.answer(work) : odd.run(work);
    if (!result.ok) {
      isDrawn(result.problem.text);
      expect(result.problem.text).not.toBe('');
      continue;
    }
    isDrawn(receiptText(action.done(row, values, result.value, known)));
    isDrawn(action.secret?.(result.value, row)?.title ?? '');
    isDrawn(Object.values(action.made?.(result.value) ?? {}).join(' '));
    if (action.on === 'list') continue;
    const truth = action.truth?.(row, result.value, values) ?? shown;
    // The recorded response may be about another row; the session applies an overlay only to the row with the same id.
    if (list.idOf(truth) !== list.idOf(row)) continue;
    drawColumns([truth], list.columns, list.idOf, context);
    movedOn(row, truth, shown);
    for (const call of action.undo?.(row, values, result.value, known) ?? [])
      expect(Object.values(call.params)).not.toContain('');
  }
}

describe.each(lists.map((list) => [list.id, list] as const))('%s over randomly mutated responses', (_, list) => {
  test.each(searches)('%s: nothing throws, row ids are unique, every text can be drawn', (_, search) => {
    const asked = asking(list, search);
    fc.assert(
      fc.property(mutations, (changes) => {
        const odd = changed(changes);
        const { context } = shared;
        const result = odd.run(list.load(asked, context).plan(context)) as Result<Rows<unknown>>;
        if (!result.ok) {
          isDrawn(result.problem.text);
          return;
        }
        const { rows, notes = [] } = result.value;
        // The session keeps one row per id; the loaders of issues and monitors already return each once.
        const own = new Map(rows.map((row) => [list.idOf(row), row]));
        ids(isMain(list) ? rows.map(list.idOf) : [...own.keys()]);
        for (const note of notes) isDrawn(note);
        drawColumns(rows, list.columns, list.idOf, context);
        for (const row of rows) expect(typeof (list.trend?.(row) ?? 0)).toBe('number');
        for (const alarm of list.alarms?.(rows, context) ?? []) expect(Number.isFinite(alarm.at)).toBe(true);
        expect(() => JSON.parse(safeJson(rows))).not.toThrow();
        const chance = changes.reduce((sum, mutation) => sum + mutation.place, 0);
        const row = rows[chance % rows.length];
        if (row !== undefined) tryRow(list, row, context, odd, chance);
      }),
      { seed, numRuns: runs(list) },
    );
  });
});

test('people and the current user over mutated responses', () => {
  fc.assert(
    fc.property(mutations, (changes) => {
      const { run, again } = changed(changes);
      const people = run(peopleSource('a').plan(shared.context));
      if (people.ok) ids(people.value.rows.map((row) => row.id));
      for (const pick of people.ok ? people.value.rows : [])
        for (const text of [pick.label, pick.hint ?? '']) isDrawn(text);
      for (const single of [whoAmI, personByHandle('ada@example.test')]) {
        again();
        const who: Result<Person> = run(single.plan(shared.context));
        isDrawn(who.ok ? who.value.name : who.problem.text);
      }
    }),
    { seed, numRuns: 200 },
  );
});
