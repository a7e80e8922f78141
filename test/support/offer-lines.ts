import type { Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { Column } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Fields } from '../../src/describe/field.ts';
import { stringifyExact } from '../../src/lib/json.ts';

/** What actions say of rows, as lines that are stored. */

type Values = Readonly<Record<string, unknown>>;

/** What a form gives where nothing is typed, and where each text has one more letter and each choice another option. */
export function valuesOf(fields: Fields): readonly Values[] {
  const read = (change: boolean) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const options = 'options' in field && Array.isArray(field.options) ? field.options : [];
        const other = options.find(({ value }: { value: string }) => value !== field.initial)?.value;
        const typed =
          field.kind === 'toggle' ? (field.initial === 'yes' ? 'no' : 'yes') : (other ?? `${field.initial}x`);
        const given = field.read(change ? typed : field.initial);
        return given.ok ? [[name, given.value]] : [];
      }),
    );
  return [read(false), read(true)];
}

export function unlessThrown<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string => stringifyExact(value);

/** The members of a row that an action shows otherwise until the service answers. */
export function changesOf(before: object, after: object): readonly string[] {
  const old: Values = { ...before };
  return Object.entries(after).flatMap(([name, value]) => {
    if (text(value) === text(old[name])) return [];
    return name === 'attributes' ? changesOf(old.attributes ?? {}, value) : [`${name} ${text(value)}`];
  });
}

/** Texts that fields of some kind refuse. */
const typed = ['', '0', '-1', '7', '1.5', '99999999', 'x y', '{', '2m', '"a"'];

/** Characters of a line: what a catalog has besides is told elsewhere. */
const longest = 700;

/** A field: what it is called, what it holds and offers, and what it says of some texts. */
export function fieldLine(name: string, field: Fields[string]): string {
  const { label, kind, initial, hint, placeholder, required, options } = field;
  const reads = Map.groupBy(typed, (given) => {
    const read = unlessThrown(() => field.read(given));
    return read?.ok ? (text(read.value) === text(given) ? 'as typed' : text(read.value)) : (read?.text ?? 'nothing');
  });
  const offers = options?.map(({ value, label: says }: { value: string; label?: string }) =>
    `${value} ${says ?? ''}`.trim(),
  );
  return [
    `${name}: ${label} (${kind}) ${text(initial)}`,
    hint,
    placeholder && `e.g. ${placeholder}`,
    required && 'required',
    offers && `of ${offers.join(', ')}`,
    options ? '' : [...reads].map(([says, same]) => `${same.map(text).join(' ')} is ${says}`).join('; '),
  ]
    .filter(Boolean)
    .join(' | ')
    .slice(0, longest);
}

/** Columns with the cells that they need at least: what leaves first where there is no room comes last. */
export const leaving = (columns: readonly Pick<Column<never>, 'id' | 'min' | 'max' | 'flex' | 'priority'>[]): string =>
  columns
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ id, min, max = '', flex, priority }) => `${priority} ${id} ${min}-${max}${flex ? ' and the rest' : ''}`)
    .join(', ');

/** What an action says of a row, with each of the values that it could have. */
export async function offerLines(
  action: AnyAction,
  row: object,
  given: Context,
  run: (plan: Plan<Result<unknown>, unknown>) => Result<unknown> | Promise<Result<unknown>>,
  ofField: (name: string, field: Fields[string]) => string = fieldLine,
): Promise<readonly string[]> {
  const need = action.needs?.(row, given);
  const known = need && (await run(need.plan(given)));
  const context: Context = { ...given, ...(known?.ok && { known: known.value }) };
  const enabled = action.enabled?.(row, context) ?? true;
  const already = action.already?.(row, context);
  if (enabled !== true || already !== undefined) return [`${enabled} ${already ?? ''}`.trim()];
  const form = unlessThrown(() => action.form?.(row, context, context.known));
  const bar = action.bar?.([row], context);
  const own = action.values?.([row], context);
  const all = [...(own ? [own] : []), ...(bar ? [bar.values] : []), ...(form ? valuesOf(form) : [])];
  const texts = Object.fromEntries(Object.entries(form ?? {}).map(([name, { initial }]) => [name, initial]));
  const fields = Object.entries(form ?? {}).map(
    ([name, field]) => `${(field.shown?.(texts) ?? true) ? '' : '(not shown) '}${ofField(name, field)}`,
  );
  const choices = bar?.choices.map(({ key, title }) => `${key} ${title}`.trim());
  const says = (all.length > 0 ? all : [{}]).flatMap((values) => {
    const shown = 'show' in action ? unlessThrown(() => action.show?.(row, values, context)) : undefined;
    const command = unlessThrown(() => action.command?.(row, values, context));
    return [
      text(unlessThrown(() => action.confirm?.([row], values, context))),
      typeof command === 'object'
        ? [command.endpoint.id, command.params, command.query, command.body].map(text).join(' ')
        : (command ?? ''),
      typeof shown === 'object' && shown !== null ? changesOf(row, shown).join('; ') : '',
      'job' in action ? text(unlessThrown(() => action.job?.(row as never, values as never, context))) : '',
    ]
      .filter((line) => line !== '')
      .map((line) => line.slice(0, longest));
  });
  return [...(bar ? [`${bar.title}: ${choices?.join(', ')}`] : []), ...fields, ...says];
}
