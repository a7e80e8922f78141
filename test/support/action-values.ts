import type { Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { Context, Single } from '../../src/describe/context.ts';
import type { Fields } from '../../src/describe/field.ts';
import type { AnyList } from '../../src/describe/screen.ts';

/** Stands in for the read of an action that has none. */
export const nothing: Pick<Single<unknown>, 'plan'> = {
  // biome-ignore lint/correctness/useYield: a plan without a call
  *plan(): Plan<Result<unknown>> {
    return { ok: true, value: undefined, status: 200, unread: [] };
  },
};

/** The context when an action starts, and possible values. */
interface Ready {
  readonly context: Context;
  readonly values: readonly unknown[];
}

/** How the values of forms are found. */
interface Filling {
  /** Is given every text of a form. */
  readonly see?: (text: string) => void;
  /** Texts to try in a field before its own. */
  readonly tries?: (name: string, field: Fields[string]) => readonly string[];
}

/** Collects possible values: none, each choice of a bar, the first item of a picker, the form as it opens. */
export function ready(
  list: AnyList,
  action: AnyAction,
  row: unknown,
  context: Context,
  need: Result<unknown>,
  how: Filling = {},
): Ready {
  if (!need.ok) return { context, values: [] };
  const known = { ...context, known: need.value };
  if (list.order?.save === action.id)
    return { context: known, values: [{ before: [list.idOf(row)], after: [list.idOf(row)] }] };
  const given = action.values?.([row], known);
  const bar = action.bar?.([row], known);
  const choices = [
    {},
    ...(bar?.choices ?? []).flatMap((choice, at, all) => (at % (all.length - 1) === 0 ? choice.values : [])),
  ];
  const bars = bar ? choices.map((choice) => ({ ...bar.values, ...choice })) : [];
  const withReason = bars.slice(0, 1).filter((choice) => 'reason' in choice);
  const picker = action.pick?.([row], known);
  const pick = picker?.first[0];
  const form = action.form ? formValues(action.form(row, known, need.value), how) : undefined;
  const asks = bar !== undefined || picker !== undefined || action.form !== undefined;
  const values = [
    ...(given === undefined ? [] : [given]),
    ...bars,
    ...withReason.map((choice) => ({ ...choice, reason: 'deploy' })),
    ...(picker && pick ? [picker.values(pick)] : []),
    ...(form ? [form] : []),
  ];
  return { context: known, values: values.length > 0 || asks ? values : [{}] };
}

/** The values of a form from the texts to try, its initial texts, or from the first option and sample text where a field is required. */
function formValues(fields: Fields, { see = () => {}, tries: first = () => [] }: Filling): unknown {
  const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    see(field.label);
    see(field.initial);
    for (const option of field.options ?? []) see(option.label);
    if (field.shown && !field.shown(texts)) continue;
    const tries = [
      ...first(name, field),
      field.initial,
      field.options?.[0]?.value ?? 'some text',
      '1',
      'a@example.test',
    ];
    const read = tries.map((text) => field.read(text)).find((reading) => reading.ok);
    if (!read?.ok) return undefined;
    values[name] = read.value;
  }
  return values;
}
