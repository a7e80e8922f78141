import type { Call, Plan } from '../../src/api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../../src/api/problem.ts';
import type { AnyAction, Navigation } from '../../src/describe/action.ts';
import type { Context, Rows } from '../../src/describe/context.ts';
import type { Fields } from '../../src/describe/field.ts';
import type { AnyList } from '../../src/describe/screen.ts';

/** Sends one call for real. */
export type Send = (call: Call) => Promise<Result<unknown>>;

/** Explores every branch of a plan: once with all operations, then once without each optional operation that it sent. */
async function explored<T>(
  plan: () => Plan<T, unknown>,
  send: Send,
  seen: Set<string>,
  without: readonly string[] = [],
): Promise<T> {
  const met = new Set<string>();
  const running = plan();
  let step = running.next();
  while (!step.done) {
    if (!('endpoint' in step.value)) step = running.next({ ok: true, value: undefined, status: 0, unread: [] });
    else {
      const { id } = step.value.endpoint;
      met.add(id);
      step = running.next(without.includes(id) ? notHere(id) : await send(step.value));
    }
  }
  const isNew = [...met].some((id) => !seen.has(id));
  for (const id of met) seen.add(id);
  if (isNew && without.length < 3)
    for (const id of met) if (!without.includes(id)) await explored(plan, send, seen, [...without, id]);
  return step.value;
}

const notHere = (operation: string): { ok: false; problem: Problem } =>
  problemResult('notOffered', 'not offered by this deployment', { operation, status: 404 });

/** The operations sent by a list and by its actions, with the lists to which rows lead. */
interface Course {
  readonly seen: Set<string>;
  readonly byAction: Map<string, Set<string>>;
  readonly goings: Navigation[];
}

const mostRows = 6;

/**
 * Reads a list with every search option, the details of its first rows, the reads of its actions and the pickers
 * of all forms, with and without each optional operation.
 */
async function course(
  list: AnyList,
  context: Context,
  send: Send,
  led: readonly Navigation['search'][],
): Promise<Course> {
  const found: Course = { seen: new Set(), byAction: new Map(), goings: [] };
  const initial = list.search?.initial ?? {};
  const form = list.search?.form(initial, context) ?? {};
  const range = list.ranges?.initial ?? '';
  const ways = [{}, ...waysOf(form)];
  for (const way of [...ways, ...led.flatMap((one) => ways.map((way) => ({ ...one, ...way })))]) {
    const source = list.load({ search: { ...initial, ...way }, range }, context);
    const result = (await explored(() => source.plan(context), send, found.seen)) as Result<Rows<unknown>>;
    const rows = result.ok ? result.value.rows.slice(0, mostRows) : [];
    for (const row of rows) {
      const single = list.detail?.load?.(row, context);
      if (single) await explored(() => single.plan(context), send, found.seen);
    }
    for (const action of list.actions) await acted(action, rows, context, send, found);
  }
  await picked(form, send, context, found.seen);
  return found;
}

/** Runs the reads of an action before its edit. */
async function acted(action: AnyAction, rows: readonly unknown[], context: Context, send: Send, found: Course) {
  const seen = found.byAction.get(action.id) ?? new Set<string>();
  found.byAction.set(action.id, seen);
  for (const row of action.on === 'list' ? [undefined] : rows) {
    if (action.on !== 'list' && (action.enabled?.(row, context) ?? true) !== true) continue;
    if (action.goes) {
      found.goings.push(action.goes(row, context));
      continue;
    }
    const needs = action.needs?.(row, context);
    const brought = needs && ((await explored(() => needs.plan(context), send, seen)) as Result<unknown>);
    if (brought && !brought.ok) continue;
    const known = brought?.ok ? brought.value : undefined;
    await picked(action.form?.(row, { ...context, known }, known) ?? {}, send, context, seen);
    const picks = action.pick?.([row], context).load('');
    if (picks) await explored(() => picks.plan(context), send, seen);
  }
}

async function picked(form: Fields, send: Send, context: Context, seen: Set<string>) {
  for (const field of Object.values(form)) {
    const picks = field.picks?.('');
    if (picks) await explored(() => picks.plan(context), send, seen);
  }
}

/** One search for each option of each field, and one with something typed. */
function waysOf(form: Fields): Record<string, string>[] {
  return Object.entries(form).flatMap(([name, field]) =>
    (field.options?.map((option) => option.value) ?? ['x']).map((text) => ({ [name]: text })),
  );
}

/**
 * Lists that send operations which they do not declare (`reads`, or `uses` of the action), or declare ones never sent.
 * The plans are run, and the operations that they send are compared with the declarations.
 */
export async function readFaults(lists: readonly AnyList[], context: Context, send: Send): Promise<string[]> {
  const faults: string[] = [];
  const goings: Navigation[] = [];
  // Lists to which rows of others lead come after those.
  const led = (anyList: AnyList) => goings.filter((one) => one.list === anyList.id).map((one) => one.search);
  const isLed = (anyList: AnyList) => lists.some((one) => one !== anyList && one.actions.some((action) => action.goes));
  for (const list of lists.toSorted((one, other) => Number(isLed(one)) - Number(isLed(other)))) {
    const found = await course(list, context, send, led(list).slice(0, mostRows));
    goings.push(...found.goings);
    const said = (list.reads ?? []).map((endpoint) => endpoint.id);
    const asked = new Set([...found.seen, ...[...found.byAction.values()].flatMap((set) => [...set])]);
    faults.push(
      ...[...found.seen]
        .filter((id) => !said.includes(id))
        .map((id) => `${list.id} reads with ${id} and does not say so`),
      ...list.actions.flatMap((action) => {
        const uses = [...said, ...action.uses.map((use) => use.id)];
        const secretly = [...(found.byAction.get(action.id) ?? [])].filter((id) => !uses.includes(id));
        return secretly.map((id) => `${action.id} asks with ${id} and does not say so`);
      }),
      ...said.filter((id) => !asked.has(id)).map((id) => `${list.id} says that it reads with ${id}, and never does`),
    );
  }
  return [...new Set(faults)];
}
