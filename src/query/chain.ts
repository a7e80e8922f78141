import { comparisonFindings } from './comparison.ts';
import { doubtful, type Finding, wrong } from './language.ts';
import { parse } from './made/chain.js';
import { either } from './syntax.ts';
import type { Comparison, Placed, Quoted, Tree, Word } from './tree.ts';

/** What stands between the parentheses, with what was wrong with its quotes. */
export interface Argument extends Quoted {
  /** `unclosed`: a quote at one end only, and part of `text`. `unescaped`: quotes inside, without a backslash. */
  readonly flaw?: 'unclosed' | 'unescaped';
}

/** `.rollup("avg","@duration")`; the place of `name` is without the dot. */
export interface Step extends Placed {
  readonly name: Word;
  readonly list: readonly Argument[];
}

/** A source and the steps behind it: the event family, error tracking, processes, SLOs (contract/monitors.md 5.8 to 5.10). */
export interface Chain extends Tree {
  readonly source: Word;
  /** What the source is given: a search, the id of an SLO. */
  readonly list: readonly Argument[];
  readonly steps: readonly Step[];
  readonly comparison: Comparison;
}

/** Reads the structure; throws what `syntax.ts` can read. */
export const readChain = (text: string): Omit<Chain, 'kind'> => parse(text) as Omit<Chain, 'kind'>;

/** A chain as text, without spaces that mean nothing. */
export function printChain({ source, list, steps, comparison }: Chain): string {
  const calls = [
    `${source.text}(${printed(list)})`,
    ...steps.map(({ name, list: its }) => `.${name.text}(${printed(its)})`),
  ];
  return `${calls.join('')} ${comparison.operator.text} ${comparison.threshold.text}`;
}

const printed = (list: readonly Argument[]): string => list.map((it) => `${it.quote}${it.text}${it.quote}`).join(',');

/** The first step of one of these names. */
export const stepOf = (chain: Pick<Chain, 'steps'>, ...names: readonly string[]): Step | undefined =>
  chain.steps.find((it) => names.includes(it.name.text));

/** The keys of a grouping, of several arguments or several in one: `.by("a,b","c")`; empty ones are left out. */
export function keysOf(step: Step | undefined): Word[] {
  return (step?.list ?? []).flatMap((argument) => {
    const from = argument.start + argument.quote.length;
    return [...argument.text.matchAll(/[^,]+/g)].flatMap((it) => {
      const text = it[0].trim();
      const start = from + it.index + it[0].indexOf(text);
      return text === '' ? [] : [{ text, start, end: start + text.length }];
    });
  });
}

/** What a kind of chain is made of. */
export interface Shape {
  /** Whose query it is, as in `a logs query`. */
  readonly of: string;
  /** Names of the source that are right, the usual one first. */
  readonly sources: readonly string[];
  /** Steps in their order. */
  readonly steps: readonly string[];
  readonly operators?: readonly string[];
}

/** Every source that some kind reads. */
const everySource: readonly string[] = [
  'events',
  'logs',
  'trace-analytics',
  'rum',
  'audits',
  'ci-pipelines',
  'ci-tests',
  'database-monitoring',
  'network-performance',
  'network-path',
  'llm-observability',
  'error-tracking',
  'error-tracking-rum',
  'processes',
  'error_budget',
  'burn_rate',
];

/** What is true of every chain: its source, its quotes, steps that are known and in order, the comparison. */
export function chainFindings(chain: Chain, shape: Shape): Finding[] {
  return [
    ...sourceFindings(chain.source, shape),
    ...[chain.list, ...chain.steps.map((it) => it.list)].flat().flatMap(quoteFindings),
    ...stepFindings(chain.steps, shape),
    ...comparisonFindings(chain.comparison, {
      of: shape.of,
      ...(shape.operators ? { allowed: shape.operators } : {}),
    }),
  ];
}

function sourceFindings(source: Word, { of, sources }: Shape): Finding[] {
  if (sources.includes(source.text)) return [];
  const meant = sources.find((it) => bones(it) === bones(source.text));
  if (meant !== undefined) return [wrong(source, `${source.text} is no source`, `write ${meant}`)];
  const hint = `write ${either(sources)}`;
  return everySource.includes(source.text)
    ? [wrong(source, `${source.text} is no source of ${of}`, hint)]
    : [doubtful(source, `${source.text} is no source that ${of} is known to have`, hint)];
}

/** A name without what is easily mistaken in it: case, hyphens, a plural. */
const bones = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/e?s$/, '');

function quoteFindings(argument: Argument): Finding[] {
  if (argument.flaw === 'unclosed') {
    const text = argument.text.slice(1).trim();
    return [
      wrong(argument, `the quote before ${text === '' ? 'the parenthesis' : text} is not closed`, `write "${text}"`),
    ];
  }
  if (argument.flaw === 'unescaped')
    return [doubtful(argument, 'quotes inside a search need a backslash', String.raw`write \" for each of them`)];
  return [];
}

function stepFindings(steps: readonly Step[], { of, steps: known }: Shape): Finding[] {
  return steps.flatMap(({ name }, at) => {
    const place = known.indexOf(name.text);
    const before = steps.slice(0, at).map((it) => it.name.text);
    if (place < 0) {
      const meant = known.find((it) => bones(it) === bones(name.text));
      return [doubtful(name, `${name.text} is no step that ${of} is known to have`, `write ${meant ?? either(known)}`)];
    }
    if (before.includes(name.text)) return [doubtful(name, `${name.text} stands here twice`, 'leave one of them')];
    const late = before.find((it) => known.indexOf(it) > place);
    return late === undefined
      ? []
      : [doubtful(name, `${name.text} usually stands before ${late}`, `the order is ${known.join(', ')}`)];
  });
}
