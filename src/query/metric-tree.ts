import { oncePer } from '../lib/function-results.ts';
import {
  type Comparison,
  type JoinedParts,
  type Numeral,
  type QuerySpan,
  type Quoted,
  type Tree,
  toMinutes,
  type Word,
} from './language.ts';

/** A query of the metric family (docs/contract/monitor-queries.md#metric). */
export interface Metric extends Tree {
  readonly kind: 'metric';
  /** `change(…,5m_ago)` around the time aggregator. */
  readonly change?: { readonly kind: Word; readonly shift?: Word } & QuerySpan;
  readonly aggregator: Word;
  readonly window: Word;
  /** A timeshift where none belongs: `avg(last_5m,5m_ago)`. */
  readonly shift?: Word;
  readonly body: Expression;
  readonly comparison?: Comparison;
}

/** What is measured: arithmetic over metrics and functions of them. */
type Expression =
  | JoinedParts<Expression>
  | ({ readonly kind: 'minus' | 'group'; readonly body: Expression } & QuerySpan)
  | ({ readonly kind: 'stepped'; readonly body: Expression; readonly steps: readonly MetricStep[] } & QuerySpan)
  | ({ readonly kind: 'amount' } & Numeral)
  | Call
  | Series;

/** `abs(…)`, `anomalies(…, 'basic', 2)`. */
interface Call extends QuerySpan {
  readonly kind: 'call';
  readonly name: Word;
  readonly args: readonly MetricArgument[];
}

/** `avg:cpu{host:a}`; a word without a scope, such as the `sum` of `.rollup(sum)`, is one, too. */
export interface Series extends QuerySpan {
  readonly kind: 'metric';
  readonly aggregator?: Word;
  readonly name: Word;
  readonly scope?: Scope;
}

/** The parts of a scope as they stand: tags, `,`, brackets, AND, OR, NOT, IN. */
export interface Scope extends QuerySpan {
  readonly parts: readonly Word[];
}

/** What follows a metric, a bracket or a function. */
export type MetricStep =
  | ({ readonly kind: 'by'; readonly keys: readonly Word[] } & QuerySpan)
  | ({ readonly kind: 'method'; readonly name: Word; readonly args: readonly MetricArgument[] } & QuerySpan);

/** What a function is called with; keys stand in braces: `sum(…, {host})`. */
type Value =
  | Expression
  | ({ readonly kind: 'text' } & Quoted)
  | ({ readonly kind: 'keys'; readonly keys: readonly Word[] } & QuerySpan);
/** An argument of a function or a method. */
export type MetricArgument =
  | Value
  | ({ readonly kind: 'named'; readonly name: Word; readonly value: Value } & QuerySpan);

/** A metric query inside of a query, with the keys by which it is grouped. */
export interface MetricQuery {
  readonly series: Series;
  readonly groups: readonly Word[];
}

/** A word that joins tags, whatever its case. */
export const isJoint = ({ text }: Pick<Word, 'text'>): boolean => /^(?:AND|OR|NOT|IN)$/i.test(text);
/** A comma or a parenthesis between tags. */
export const isMark = ({ text }: Word): boolean => text === ',' || text === '(' || text === ')';

/** Direct children of a part. */
function insideOf(part: MetricArgument): readonly MetricArgument[] {
  switch (part.kind) {
    case 'joined':
      return [part.head, ...part.tail.map((joined) => joined.right)];
    case 'call':
      return part.args;
    case 'minus':
    case 'group':
    case 'stepped':
      return [part.body];
    case 'named':
      return [part.value];
    default:
      return [];
  }
}

/** A part and everything inside of it, in the order of the text. Arguments of methods are not parts. */
export const everyPart = oncePer((part: MetricArgument): readonly MetricArgument[] => {
  const all: MetricArgument[] = [];
  const add = (inner: MetricArgument): void => {
    all.push(inner);
    for (const one of insideOf(inner)) add(one);
  };
  add(part);
  return all;
});

/** Every metric query: a metric with an aggregator or a scope, or one that a value is computed from. */
export const metricQueries = oncePer(({ body }: Metric): readonly MetricQuery[] => {
  return inner(body, []);

  function inner(part: MetricArgument, groups: readonly Word[]): MetricQuery[] {
    if (part.kind === 'metric') return [{ series: part, groups }];
    if (part.kind === 'stepped') {
      const own = part.steps.flatMap((step) => (step.kind === 'by' ? step.keys : []));
      return inner(part.body, own.length > 0 ? own : groups);
    }
    if (part.kind === 'call')
      return part.args.flatMap((arg, at) => (at === 0 || !isWord(arg) ? inner(arg, groups) : []));
    return insideOf(part).flatMap((child) => inner(child, groups));
  }
});

/** A word that may as well be a setting: the `mean` of `top(…, 5, mean)`. */
const isWord = (part: MetricArgument): boolean => part.kind === 'metric' && !part.aggregator && !part.scope;

/** The keys by which anything in the query is grouped, each once. */
export const groupingKeys = oncePer((tree: Metric): readonly Word[] => {
  const given = everyPart(tree.body).flatMap((part) => (part.kind === 'keys' ? part.keys : []));
  const all = [...metricQueries(tree).flatMap((query) => query.groups), ...given];
  return all.filter((key, at) => all.findIndex((one) => one.text === key.text) === at);
});

/** The window of a query: `last_4h` is `{ tense: 'last', length: '4h', minutes: 240 }`. */
export interface QueryWindow extends Word {
  /** `last`, `next` or `current`; empty where the word has no such beginning. */
  readonly tense: 'last' | 'next' | 'current' | '';
  readonly length: string;
  /** Undefined where the length cannot be read. */
  readonly minutes: number | undefined;
}

/** The window over which the query looks. */
export const findWindow = (tree: Metric): QueryWindow => readWindow(tree.window);

/** A word read as a window. */
export function readWindow(word: Word): QueryWindow {
  const [, tense = '', length = word.text] = /^(last|next|current)_(.*)$/.exec(word.text) ?? [];
  return { ...word, tense: tense as QueryWindow['tense'], length, minutes: toMinutes(length) };
}

/** `anomalies(…)`, `outliers(…)` or `forecast(…)`, with what it is called with. */
export interface Wrapping {
  readonly call: Call;
  readonly kind: 'anomalies' | 'outliers' | 'forecast';
  /** Nothing stands around it: the threshold is about its result. */
  readonly isWhole: boolean;
  /** Arguments without a name, the metric query first. */
  readonly plain: readonly MetricArgument[];
  readonly named: ReadonlyMap<string, Value>;
}

/** The first function of the query that wraps what is measured. */
export const findWrapping = oncePer(({ body }: Metric): Wrapping | undefined => {
  for (const part of everyPart(body)) {
    if (part.kind !== 'call' || !/^(?:anomalies|outliers|forecast)$/.test(part.name.text)) continue;
    const named = part.args.flatMap((arg) => (arg.kind === 'named' ? [[arg.name.text, arg.value] as const] : []));
    return {
      call: part,
      kind: part.name.text as Wrapping['kind'],
      isWhole: bared(body) === part,
      plain: part.args.filter((arg) => arg.kind !== 'named'),
      named: new Map(named),
    };
  }
  return undefined;
});

/** The inner expression without brackets, methods and groupings. */
function bared(part: Expression): Expression {
  return part.kind === 'group' || part.kind === 'stepped' ? bared(part.body) : part;
}

/** The alert window of `anomalies(…)`, as written: `last_15m` (docs/contract/monitor-queries.md#anomaly). */
export function findAlertWindow(tree: Metric): Word | undefined {
  const value = findWrapping(tree)?.named.get('alert_window');
  return value?.kind === 'text' ? value : undefined;
}
