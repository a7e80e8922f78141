import { ask, type Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { type Action, commandLine } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { receiptText, toReceipt } from '../../src/describe/receipt.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { changesOf } from './offer-lines.ts';
import { contextOf, refused, walk } from './plans.ts';
import { storedAs } from './sweeps.ts';
import { there } from './there.ts';

type Answer = Result<unknown> | ((call: Call, nth: number) => Result<unknown>);
/** What a service answers to each operation; of several answers the first comes first, the last from then on. */
export type OddAnswers = Readonly<Record<string, Answer | readonly Answer[]>>;

const missing = refused('notOffered', 'not offered by this deployment', 404);

/** A service with these answers; it offers nothing else. */
export function answeredBy(answers: OddAnswers) {
  const times = new Map<string, number>();
  return (call: Call, all: number): Result<unknown> => {
    const given = [answers[call.endpoint.id] ?? missing].flat();
    const nth = times.get(call.endpoint.id) ?? 0;
    times.set(call.endpoint.id, nth + 1);
    const answer = there(given[Math.min(nth, given.length - 1)]);
    return typeof answer === 'function' ? answer(call, all) : answer;
  };
}

const text = (value: unknown): string => stringifyExact(value);

/** A call in a line. */
export const callLine = ({ endpoint, params, query, body }: Call): string =>
  [endpoint.id, ...[{ ...params, ...query }, body ?? {}].map(text)].filter((part) => part !== '{}').join(' ');

/** An edit of a row with these answers: what it asks before, sends and says, how the row is then, and what undoes it. */
export function told<Row extends object, V, A>(
  title: string,
  action: Action<Row, V, A>,
  row: Row,
  values: V,
  answers: OddAnswers,
  context: Context = contextOf(),
): readonly string[] {
  const able = action.enabled?.(row, context) ?? true;
  const asks = action.confirm?.([row], values, context);
  const shown = 'show' in action ? action.show?.(row, values, context) : undefined;
  const command = action.command?.(row, values, context);
  const sent = action.send(row, values, context);
  const { value, calls, pauses } = walk('endpoint' in sent ? ask(sent) : sent, answeredBy(answers));
  const after = value.ok ? action.truth?.(row, value.value, values) : undefined;
  const receipt = value.ok && toReceipt(action.done(row, values, value.value, context));
  const both = value.ok && action.doneAll?.([value.value, value.value], values, context);
  const back = value.ok ? action.undo?.(row, values, value.value, context) : undefined;
  return [
    `# ${title}`,
    ...(able === true ? [] : [`disabled: ${able}`]),
    ...(asks ? [`asks ${text(asks)}`] : []),
    ...(command ? [`$ ${commandLine(command, context)}`] : []),
    ...(shown ? [`shows ${changesOf(row, shown).join('; ')}`.trimEnd()] : []),
    ...calls.map((call) => callLine(call)),
    ...pauses.map((ms) => `waits ${ms}`),
    receipt ? `${receipt.isWarning ? 'warns' : 'says'} ${receiptText(receipt)}` : '',
    both ? `of two: ${receiptText(toReceipt(both))}` : '',
    value.ok ? '' : `refuses, ${value.problem.kind}: ${value.problem.text}`,
    ...(after ? [`is then ${changesOf(row, after).join('; ')}`.trimEnd()] : []),
    ...(back ?? []).map((call) => `back: ${callLine(call)}`),
  ]
    .filter((line) => line !== '')
    .map((line, at) => (at === 0 ? line : `  ${line}`));
}

/** Compares edits with those that were reviewed. */
export const expectReviewed = (all: readonly (readonly string[])[]): Promise<void> =>
  storedAs('acted/mutes', all.flat());
