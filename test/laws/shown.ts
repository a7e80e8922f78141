import type { AnySchema, Call, Plan } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { DetailLine } from '../../src/describe/column.ts';
import type { Context, Rows } from '../../src/describe/context.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { type AnyList, initialQuery } from '../../src/describe/screen.ts';
import { isObject } from '../../src/lib/values.ts';
import { kept, walk } from '../support/plans.ts';
import type { Send } from './reads.ts';

/** The parts of a valibot schema that are needed to go into a value with it. */
interface Inside {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly wrapped?: AnySchema;
  readonly item?: AnySchema;
  readonly value?: AnySchema;
  readonly options?: readonly unknown[];
  readonly getter?: (value: unknown) => AnySchema;
}

/** The schema that a value is read by: wrappers are unwrapped, lazy ones asked; of a union of objects the first that has a member of it. */
function schemaOf(schema: AnySchema, value: unknown): Inside {
  const { wrapped, getter, options } = schema as Inside;
  if (wrapped) return schemaOf(wrapped, value);
  if (getter) return schemaOf(getter(value), value);
  const inner = (options ?? []).filter((one): one is AnySchema => typeof one === 'object' && one !== null);
  if (inner.length === 0) return schema as Inside;
  const members = isObject(value) ? Object.keys(value) : [];
  const all = inner.map((one) => schemaOf(one, value));
  return all.find(({ entries }) => entries && members.some((name) => name in entries)) ?? all[0] ?? {};
}

/** A member of an object of an answer: the object's table of fields and the name. */
interface Field {
  readonly entries: object;
  readonly name: string;
}

/** What a resource names others by is one field: who it is that is named. */
const isRelationship = (entries: object): boolean => Object.keys(entries).join() === 'data';

/** Whether a member is not made of members with names of their own. */
function isLeaf({ entries, item, value }: Inside): boolean {
  if (entries) return isRelationship(entries);
  const inner = item ?? value;
  return inner === undefined || isLeaf(schemaOf(inner, undefined));
}

const isMoment = (name: string, value: unknown): boolean =>
  /(_at|_ts|_seen|date|^created|^modified|^start|^end)$/.test(name) || !Number.isNaN(momentOf(value));
const momentOf = (value: unknown): number =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;

/** A value for a member that the service left out. */
function sample(schema: AnySchema, name: string): unknown {
  const { type, entries, item, value } = schemaOf(schema, undefined);
  if (entries) return isRelationship(entries) ? { data: sample(entries.data ?? schema, name) } : {};
  if (item) return [sample(item, name)];
  if (value) return { sample: sample(value, name) };
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'bigint') return 7;
  if (isMoment(name, '')) return '2026-03-04T05:06:07Z';
  return knownWords(schema)[0] ?? `sample ${name}`;
}

/** A reference to another resource than before, or to one more. */
function namingOthers(data: unknown): readonly unknown[] {
  const other = { id: 'other-id', type: 'other' };
  return Array.isArray(data)
    ? [[...data, other], [other], []]
    : [{ ...(isObject(data) ? data : other), id: other.id }, null];
}

/** Other values for a member, each as the service may tell one. */
function otherValues(value: unknown, name: string, schema: AnySchema): readonly unknown[] {
  if (isMissing(value)) return [sample(schema, name)];
  const { item, value: inner } = schemaOf(schema, value);
  if (Array.isArray(value)) return [[...value, ...otherValues(value[0], name, item ?? schema).slice(0, 1)], []];
  if (isObject(value) && 'data' in value) return namingOthers(value.data).map((data) => ({ ...value, data }));
  if (isObject(value)) return [{ ...value, other: inner ? sample(inner, 'other') : 'other' }, {}];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number' || typeof value === 'bigint') return [Number(value) + 3 * 86_400, Number(value) + 1, 2];
  const moment = momentOf(value);
  if (!Number.isNaN(moment)) return [new Date(moment + 3 * 86_400_000).toISOString()];
  return [...knownWords(schema).filter((word) => word !== value), `other ${name}`, null];
}

const isMissing = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);

/** What is done with each member on the way through an answer. */
interface Visit {
  /** Whether members that are not there get a value. */
  readonly isFilling: boolean;
  see?(field: Field, path: string, schema: AnySchema): void;
  change?(field: Field, value: unknown, schema: AnySchema): unknown;
}

/** The answer with the members that its schema has, each as the visit wants it. */
function through(schema: AnySchema, value: unknown, visit: Visit, path: string): unknown {
  const { entries, item, value: inner } = schemaOf(schema, value);
  if (entries && isObject(value)) {
    const members = Object.entries(entries).map(([name, member]): [string, unknown] => {
      const field = { entries, name };
      const at = path === '' ? name : `${path}.${name}`;
      const before = visit.isFilling && isMissing(value[name]) ? sample(member, name) : value[name];
      visit.see?.(field, at, member);
      const after = isLeaf(schemaOf(member, before)) ? before : through(member, before, visit, at);
      return [name, visit.change ? visit.change(field, after, member) : after];
    });
    return {
      ...value,
      ...Object.fromEntries(members.filter(([name, member]) => member !== undefined || name in value)),
    };
  }
  if (item && Array.isArray(value)) return value.map((one) => through(item, one, visit, `${path}[]`));
  if (inner && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, through(inner, one, visit, `${path}.*`)]),
    );
  return value;
}

const lineText = (line: DetailLine): string =>
  line.kind === 'pair'
    ? `${line.label} ${line.value}`
    : line.kind === 'facts'
      ? line.facts.map(({ label, text }) => `${label} ${text}`).join()
      : line.kind === 'gap'
        ? ''
        : line.text;

/** Everything that the pages and tabs of the details of a list say, but the object as it was read. */
function pages(list: AnyList, context: Context, answer: (call: Call) => Result<unknown>): string | undefined {
  const read = walk(list.load(initialQuery(list), context).plan(context), answer).value as Result<Rows<unknown>>;
  const { detail } = list;
  if (!read.ok || !detail) return undefined;
  return someRows(read.value.rows)
    .map((row) => {
      const single = detail.load?.(row, context);
      const whole = single && (walk(single.plan(context), answer).value as Result<unknown>);
      const tabs = detailTabs(detail, row, whole?.ok ? whole.value : undefined, context);
      const shownTabs = tabs
        .filter(({ id }) => id !== 'raw')
        .flatMap((tab) =>
          tab.kind === 'rows'
            ? [tab.title, ...tab.rows.map(({ cells }) => JSON.stringify(cells))]
            : tab.sections.flatMap(({ title, lines }) => [title, ...lines.map(lineText)]),
        );
      return [list.nameOf(row), ...shownTabs].join('\n');
    })
    .join('\n\n');
}

/** Rows of a list whose details are looked at: the first and the last. */
const mostRows = 6;
const someRows = (rows: readonly unknown[]): readonly unknown[] => [
  ...rows.slice(0, mostRows),
  ...rows.slice(mostRows).slice(-mostRows),
];

/** Runs a plan against the service, and keeps what it answers; `isFilling`: with a value for each member that is missing. */
async function recorded<T>(plan: Plan<T, unknown>, send: Send, answers: Answers, isFilling: boolean): Promise<T> {
  let step = plan.next();
  while (!step.done) {
    if (!('endpoint' in step.value)) step = plan.next({ ok: true, value: undefined, status: 0, unread: [] });
    else {
      const { reduce: _, ...whole } = step.value;
      const { call, result } = answers.get(whole.key) ?? {
        call: whole,
        result: filled(whole, await send(whole), isFilling),
      };
      answers.set(whole.key, { call, result });
      step = plan.next(kept(step.value, result));
    }
  }
  return step.value;
}

type Answers = Map<string, { readonly call: Call; readonly result: Result<unknown> }>;

const filled = ({ endpoint }: Call, result: Result<unknown>, isFilling: boolean): Result<unknown> =>
  result.ok ? { ...result, value: through(endpoint.response, result.value, { isFilling }, '') } : result;

/** `id` and `type` of a resource, and what one names another by. */
const isEnvelope = ({ entries, name }: Field): boolean =>
  ['id', 'type'].includes(name) &&
  'type' in entries &&
  ('attributes' in entries || Object.keys(entries).every((one) => ['id', 'type'].includes(one)));

/** A field with the path of the first answer that has one, and the keys of all answers that do. */
interface Found extends Field {
  readonly path: string;
  readonly keys: Set<string>;
}

/** The fields of the objects that the details of a list are made of. */
function fieldsIn(answers: Answers): readonly Found[] {
  const found = new Map<object, Map<string, Found>>();
  for (const [key, { call, result }] of answers) {
    if (!result.ok) continue;
    const see = (field: Field, path: string, member: AnySchema) => {
      const { entries, name } = field;
      const named = found.get(entries) ?? new Map<string, Found>();
      found.set(entries, named);
      const known = named.get(name);
      if (known) known.keys.add(key);
      else if (isLeaf(schemaOf(member, undefined)) && !isEnvelope(field))
        named.set(name, { ...field, path: `${call.endpoint.id} ${path}`, keys: new Set([key]) });
    };
    through(call.endpoint.response, result.value, { isFilling: false, see }, '');
  }
  return [...found.values()].flatMap((named) => [...named.values()]);
}

/** The answers with another value for a field; `nth` of those that it may have. Undefined where it has no more. */
function changed(answers: Answers, { entries, name, keys }: Found, nth: number): Answers | undefined {
  let isChanged = false;
  const change: Visit['change'] = (field, value, schema) => {
    if (field.entries !== entries || field.name !== name) return value;
    const all = otherValues(value, name, schema);
    isChanged ||= nth < all.length;
    return nth < all.length ? all[nth] : value;
  };
  const after = new Map(
    [...answers].map(([key, { call, result }]) => [
      key,
      {
        call,
        result:
          result.ok && keys.has(key)
            ? { ...result, value: through(call.endpoint.response, result.value, { isFilling: false, change }, '') }
            : result,
      },
    ]),
  );
  return isChanged ? after : undefined;
}

/** What the service answers to the reads of a list and of the details of its first rows. */
async function answersOf(list: AnyList, context: Context, send: Send, isFilling: boolean): Promise<Answers> {
  const answers: Answers = new Map();
  const keep = async <T>(plan: Plan<T, unknown>) => recorded(plan, send, answers, isFilling);
  const read = await keep(list.load(initialQuery(list), context).plan(context));
  for (const row of read.ok ? someRows(read.value.rows) : []) {
    const single = list.detail?.load?.(row, context);
    if (single) await keep(single.plan(context));
  }
  return answers;
}

/**
 * Paths of fields that the service may tell of what a list has a detail of, and that no page of any detail says: with another value in
 * the answers every page is the same. What stands in the raw object alone is not shown.
 */
export async function hiddenFields(lists: readonly AnyList[], context: Context, send: Send): Promise<string[]> {
  const shown: Field[] = [];
  const hidden = new Map<string, Field>();
  const isShown = (field: Field) => shown.some(({ entries, name }) => entries === field.entries && name === field.name);
  // What is told beside what is filled in may hide it, as the role of a mapping hides its team.
  for (const [list, isFilling] of lists.flatMap((one) => [[one, true] as const, [one, false] as const])) {
    if (!list.detail) continue;
    const answers = await answersOf(list, context, send, isFilling);
    const said = (some: Answers) =>
      pages(list, context, (call) => some.get(call.key)?.result ?? problemResult('notFound', 'not recorded'));
    const before = said(answers);
    for (const field of fieldsIn(answers)) {
      if (isShown(field)) continue;
      if (isSeen(field, answers, before, said)) shown.push(field);
      else hidden.set(field.path, field);
    }
  }
  return [...hidden].flatMap(([path, field]) => (isShown(field) ? [] : [path])).toSorted();
}

/** Whether the pages are other ones with another value of the field. */
function isSeen(
  field: Found,
  answers: Answers,
  before: string | undefined,
  said: (some: Answers) => string | undefined,
) {
  for (let nth = 0; ; nth += 1) {
    const after = changed(answers, field, nth);
    if (after === undefined) return false;
    const now = said(after);
    if (now !== undefined && now !== before) return true;
  }
}

/** Hidden fields without a reason, and needless reasons. */
export const hiddenFaults = (hidden: readonly string[], reasons: Readonly<Record<string, string>>): string[] => [
  ...hidden
    .filter((path) => !Object.keys(reasons).some((start) => path.startsWith(start)))
    .map((path) => `${path} is on no page of a detail: give it a line in the sections`),
  ...Object.keys(reasons)
    .filter((start) => !hidden.some((path) => path.startsWith(start)))
    .map((start) => `${start} needs no reason`),
];
