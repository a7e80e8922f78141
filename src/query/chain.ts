import { closestName } from './closest-name.ts';
import { comparisonDiagnostics } from './comparison.ts';
import { type Diagnostic, doubtful, type Outline, wrong } from './language.ts';
import { parse } from './made/chain.js';
import { type QueryShape, typeOfSource } from './query-shapes.ts';
import type { Comparison, QuerySpan, Quoted, Tree, Word } from './query-tree.ts';
import { orList, shortened } from './syntax.ts';

/** An argument, and what is wrong with its quotes. */
export interface ChainArgument extends Quoted {
  /** `unclosed`: a quote at one end only, and part of `text`. `unescaped`: quotes inside, without a backslash. */
  readonly flaw?: 'unclosed' | 'unescaped';
}

/** `.rollup("avg","@duration")`; the place of `name` is without the dot. */
export interface ChainStep extends QuerySpan {
  readonly name: Word;
  readonly list: readonly ChainArgument[];
}

/** A source and the steps after it: the event family, error tracking, processes, SLOs (docs/contract/monitor-queries.md#events). */
export interface Chain extends Tree {
  readonly source: Word;
  /** What the source is given: a search, the id of an SLO. */
  readonly list: readonly ChainArgument[];
  readonly steps: readonly ChainStep[];
  readonly comparison: Comparison;
}

/** A chain whose source is given a search, with a window and maybe groups. */
export interface SearchChain extends Chain {
  readonly search: ChainArgument | undefined;
  /** Keys to group by. */
  readonly groups: readonly Word[];
  readonly window: ChainArgument | undefined;
}

/** Reads the structure; throws a syntax error, which `syntax.ts` makes a diagnostic of. */
export const readChain = (text: string): Omit<Chain, 'kind'> => parse(text) as Omit<Chain, 'kind'>;

/** Reads a chain that searches; throws a syntax error, which `syntax.ts` makes a diagnostic of. */
export function readSearched(text: string): Omit<SearchChain, 'kind'> {
  const chain = readChain(text);
  return {
    ...chain,
    search: chain.list[0],
    groups: groupingStepKeys(findStep(chain, 'by')),
    window: findStep(chain, 'last', 'current')?.list[0],
  };
}

/** A chain as text, without spaces that mean nothing. */
export function printChain({ source, list, steps, comparison }: Chain): string {
  const calls = steps.map(printStep).join('');
  return `${source.text}(${printed(list)})${calls} ${comparison.operator.text} ${comparison.threshold.text}`;
}

/** A step as text. */
export const printStep = ({ name, list }: ChainStep): string => `.${name.text}(${printed(list)})`;

const printed = (list: readonly ChainArgument[]): string =>
  list.map((argument) => `${argument.quote}${argument.text}${argument.quote}`).join(',');

/** Outline of a kind of chain; `rest` follows the source in the example. */
export const chainOutline = (
  { monitorNoun, sources: [source = ''] }: Pick<QueryShape, 'monitorNoun' | 'sources'>,
  rest: string,
): Outline => ({
  languageNoun: monitorNoun,
  beginning: `${source}("…")`,
  example: source + rest,
});

/** The first step of one of these names. */
export const findStep = (chain: Pick<Chain, 'steps'>, ...names: readonly string[]): ChainStep | undefined =>
  chain.steps.find((step) => names.includes(step.name.text));

/** The keys of a grouping, of several arguments or several in one: `.by("a,b","c")`; empty ones are left out. */
export function groupingStepKeys(step: ChainStep | undefined): Word[] {
  return (step?.list ?? []).flatMap((argument) => {
    const from = argument.start + argument.quote.length;
    return [...argument.text.matchAll(/[^,]+/g)].flatMap((match) => {
      const text = match[0].trim();
      const start = from + match.index + match[0].indexOf(text);
      return text === '' ? [] : [{ text, start, end: start + text.length }];
    });
  });
}

/**
 * Diagnostics of a chain: source, quotes, unknown or misordered steps, comparison, and `own` for this kind. Only the
 * source is reported when it belongs to another kind.
 */
export function chainDiagnostics(
  chain: Chain,
  shape: QueryShape,
  furtherRules: () => readonly Diagnostic[],
): Diagnostic[] {
  const { text } = chain.source;
  const type = shape.sources.includes(text) ? undefined : typeOfSource.get(text);
  if (type !== undefined) {
    const hint = `write ${shape.sources[0]}, or choose the type ${type}`;
    return [wrong(chain.source, `${text} is not a source of ${shape.monitorNoun}`, hint)];
  }
  const steps = stepDiagnostics(chain.steps, shape);
  return [
    ...sourceDiagnostics(chain.source, shape),
    ...quoteDiagnostics(chain, shape),
    ...steps,
    // A misspelled required step would also be reported as missing.
    ...(steps.some((diagnostic) => diagnostic.verdict === 'wrong') ? [] : furtherRules()),
    ...comparisonDiagnostics(chain.comparison, shape.operators && { allowed: shape.operators, of: shape.monitorNoun }),
  ];
}

const usualOf = ({ sources }: QueryShape): string => orList(sources.slice(0, 2));

function sourceDiagnostics(source: Word, shape: QueryShape): Diagnostic[] {
  if (shape.sources.includes(source.text)) return [];
  const name = closestName(source.text, shape.sources);
  return name === undefined
    ? [doubtful(source, `${source.text} is not a known source of ${shape.monitorNoun}`, `write ${usualOf(shape)}`)]
    : [wrong(source, `${source.text} is not a source`, `write ${name}`)];
}

function quoteDiagnostics({ list, steps }: Chain, { singleQuotes }: QueryShape): Diagnostic[] {
  const all = [...list, ...steps.flatMap((step) => step.list)];
  const single = singleQuotes === 'fine' ? undefined : all.find((argument) => argument.quote === "'");
  const refused = singleQuotes === 'wrong' && single !== undefined && list.includes(single);
  const sentence = refused ? 'a search in single quotes is refused' : 'single quotes may be refused';
  return [
    ...all.flatMap(flawDiagnostics),
    ...(single ? [(refused ? wrong : doubtful)(single, sentence, 'write double quotes')] : []),
  ];
}

/** Diagnostics of the quotes of one argument. */
export function flawDiagnostics(argument: ChainArgument): Diagnostic[] {
  const inside = argument.text.replace(/^["']/, '').trim();
  if (argument.flaw === 'unclosed') {
    const message = `the quote before ${shortened(inside) || 'the parenthesis'} is not closed`;
    return [wrong(argument, message, `write ${shortened(`"${inside}"`)}`)];
  }
  if (argument.flaw === 'unescaped')
    return [
      doubtful(argument, 'quotes inside a search need a backslash', `write \\${argument.quote} for each of them`),
    ];
  return argument.quote === ''
    ? [doubtful(argument, `${shortened(argument.text)} is not in quotes`, `write ${shortened(`"${argument.text}"`)}`)]
    : [];
}

function stepDiagnostics(
  steps: readonly ChainStep[],
  { monitorNoun: noun, steps: allowedSteps, needed, isUnordered }: QueryShape,
): Diagnostic[] {
  return steps.flatMap(({ name }, at) => {
    const place = allowedSteps.indexOf(name.text);
    const before = steps.slice(0, at).map((step) => step.name.text);
    if (place < 0) {
      const right = closestName(name.text, allowedSteps);
      if (right === undefined)
        return [doubtful(name, `${name.text} is not a known step of ${noun}`, `write ${orList(allowedSteps)}`)];
      return [(needed.includes(right) ? wrong : doubtful)(name, `${name.text} is not a step`, `write ${right}`)];
    }
    if (before.includes(name.text)) return [doubtful(name, `${name.text} is repeated`, 'remove one of them')];
    const late = isUnordered ? undefined : before.find((name) => allowedSteps.indexOf(name) > place);
    return late === undefined
      ? []
      : [doubtful(name, `${name.text} usually comes before ${late}`, `the order is ${allowedSteps.join(', ')}`)];
  });
}
