import { shortened } from '../lib/text.ts';
import { closestName } from './closest-name.ts';
import {
  type Comparison,
  comparisonDiagnostics,
  type Diagnostic,
  day,
  doubtful,
  type Outline,
  orList,
  type QuerySpan,
  type Quoted,
  type Tree,
  toMinutes,
  type Word,
  wrong,
} from './language.ts';
import { parse } from './made/chain.js';
import { type EventShape, type QueryShape, typeOfSource } from './query-shapes.ts';

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

/** Reads the structure; throws a syntax error, which `language.ts` makes a diagnostic of. */
export const readChain = (text: string): Omit<Chain, 'kind'> => parse(text) as Omit<Chain, 'kind'>;

/** Reads a chain that searches; throws a syntax error, which `language.ts` makes a diagnostic of. */
export function readSearched(text: string): Omit<SearchChain, 'kind'> {
  const chain = readChain(text);
  return {
    ...chain,
    search: chain.list[0],
    groups: groupingStepKeys(findStep(chain, 'by')),
    window: findStep(chain, 'last', 'current')?.list[0],
  };
}

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
export function* chainDiagnostics(
  chain: Chain,
  shape: QueryShape,
  furtherRules: () => readonly Diagnostic[],
): Iterable<Diagnostic> {
  const { text } = chain.source;
  const type = shape.sources.includes(text) ? undefined : typeOfSource.get(text);
  if (type !== undefined) {
    const hint = `write ${shape.sources[0]}, or choose the type ${type}`;
    yield wrong(chain.source, `${text} is not a source of ${shape.monitorNoun}`, hint);
    return;
  }
  const steps = [...stepDiagnostics(chain.steps, shape)];
  yield* sourceDiagnostics(chain.source, shape);
  yield* quoteDiagnostics(chain, shape);
  yield* steps;
  // A misspelled required step would also be reported as missing.
  if (!steps.some((diagnostic) => diagnostic.verdict === 'wrong')) yield* furtherRules();
  yield* comparisonDiagnostics(
    chain.comparison,
    shape.operators && { allowed: shape.operators, of: shape.monitorNoun },
  );
}

const usualOf = ({ sources }: QueryShape): string => orList(sources.slice(0, 2));

function sourceDiagnostics(source: Word, shape: QueryShape): Diagnostic[] {
  if (shape.sources.includes(source.text)) return [];
  const name = closestName(source.text, shape.sources);
  return name === undefined
    ? [doubtful(source, `${source.text} is not a known source of ${shape.monitorNoun}`, `write ${usualOf(shape)}`)]
    : [wrong(source, `${source.text} is not a source`, `write ${name}`)];
}

function* quoteDiagnostics({ list, steps }: Chain, { singleQuotes }: QueryShape): Iterable<Diagnostic> {
  const all = [...list, ...steps.flatMap((step) => step.list)];
  yield* all.flatMap(flawDiagnostics);
  const single = all.find((argument) => argument.quote === "'");
  if (!single || singleQuotes === 'fine') return;
  if (singleQuotes === 'wrong' && list.includes(single))
    yield wrong(single, 'a search in single quotes is refused', 'write double quotes');
  else yield doubtful(single, 'single quotes may be refused', 'write double quotes');
}

/** Diagnostics of the quotes of one argument. */
export function flawDiagnostics(argument: ChainArgument): Diagnostic[] {
  const inside = argument.text.replace(/^["']/, '').trim();
  const message = `the quote before ${shortened(inside) || 'the parenthesis'} is not closed`;
  if (argument.flaw === 'unclosed') return [wrong(argument, message, `write ${shortened(`"${inside}"`)}`)];
  if (argument.flaw === 'unescaped')
    return [
      doubtful(argument, 'quotes inside a search need a backslash', `write \\${argument.quote} for each of them`),
    ];
  return argument.quote === ''
    ? [doubtful(argument, `${shortened(argument.text)} is not in quotes`, `write ${shortened(`"${argument.text}"`)}`)]
    : [];
}

function* stepDiagnostics(
  steps: readonly ChainStep[],
  { monitorNoun: noun, steps: allowedSteps, needed, isUnordered }: QueryShape,
): Iterable<Diagnostic> {
  for (const [at, { name }] of steps.entries()) {
    const place = allowedSteps.indexOf(name.text);
    const before = steps.slice(0, at).map((step) => step.name.text);
    const right = place < 0 ? closestName(name.text, allowedSteps) : undefined;
    const late = isUnordered ? undefined : before.find((name) => allowedSteps.indexOf(name) > place);
    if (right !== undefined)
      yield (needed.includes(right) ? wrong : doubtful)(name, `${name.text} is not a step`, `write ${right}`);
    else if (place < 0)
      yield doubtful(name, `${name.text} is not a known step of ${noun}`, `write ${orList(allowedSteps)}`);
    else if (before.includes(name.text)) yield doubtful(name, `${name.text} is repeated`, 'remove one of them');
    else if (late !== undefined)
      yield doubtful(name, `${name.text} usually comes before ${late}`, `the order is ${allowedSteps.join(', ')}`);
  }
}

// What the event family and error tracking have in common: rollup, grouping, window (docs/contract/monitor-queries.md#events).

/** Rollups of the specification, with what they give; the last two need something to look at. */
export const eventRollups = { count: 'how many', avg: 'the average of a measure', cardinality: 'how many different' };

/** Undocumented rollups that services were seen to accept. */
const further = ['sum', 'min', 'max', 'median', 'pc75', 'pc90', 'pc95', 'pc98', 'pc99'];

const longest = 2 * day;

/** Diagnostics of `.rollup(…)`; a missing one is wrong only when `needed`. */
export function* rollupDiagnostics(chain: Chain, shape: EventShape, needed: boolean): Iterable<Diagnostic> {
  const step = findStep(chain, 'rollup');
  const [method, measure] = step?.list ?? [];
  const bare = !measure || measure.text.trim() === '';
  if (!step) {
    if (needed) yield wrong(chain.source, `${shape.monitorNoun} needs a rollup`, 'write .rollup("count")');
  } else if (!method || method.text.trim() === '')
    yield wrong(method ?? step, 'the rollup has no method', `write ${orList(Object.keys(eventRollups))}`);
  else if (method.flaw) return;
  else if (method.text === 'count') {
    if (!bare) yield doubtful(measure, 'count takes no measure', 'leave it out, or count different ones: cardinality');
  } else if (method.text === 'avg' || method.text === 'cardinality') {
    const [what, such] = method.text === 'avg' ? ['a measure', '@duration'] : ['a facet', '@usr.id'];
    if (bare) yield wrong(method, `${method.text} needs ${what}`, `write .rollup("${method.text}","${such}")`);
  } else yield* undocumentedRollupDiagnostics(method, shape);
}

function undocumentedRollupDiagnostics(method: Word, { monitorNoun, refusedRollups }: EventShape): Diagnostic[] {
  const write = `write ${orList(Object.keys(eventRollups))}`;
  if (refusedRollups?.includes(method.text))
    return [wrong(method, `${method.text} is not a rollup of ${monitorNoun}`, write)];
  if (further.includes(method.text))
    return [doubtful(method, `${method.text} is outside the documented rollups, but may be taken`)];
  const percentile = further.find((name) => name === method.text.replace(/^p(?=\d)/, 'pc'));
  return [doubtful(method, `${method.text} is not a known rollup`, percentile ? `write ${percentile}` : write)];
}

/** Diagnostics of `.by(…)`; none when it is absent. */
export function* groupDiagnostics(step: ChainStep | undefined, shape: EventShape): Iterable<Diagnostic> {
  if (!step) return;
  const keys = groupingStepKeys(step);
  const empty = step.list.find((argument) => argument.text.trim() === '');
  if (keys.length === 0) {
    yield (empty ? wrong : doubtful)(empty ?? step, 'the grouping is empty', 'name a facet, or remove .by');
    return;
  }
  const gap = step.list.find((argument) => argument.text.split(',').some((key) => key.trim() === ''));
  const second = shape.isOneGroupText ? step.list[1] : undefined;
  const joined = `write .by("${keys.map((key) => key.text).join(',')}")`;
  const twice = keys.find((key, at) => keys.findIndex((one) => one.text === key.text) < at);
  if (gap) yield doubtful(gap, 'a group between the commas has no name', 'remove the comma');
  if (second) yield doubtful(second, 'groups in more than one text may be refused', joined);
  if (twice) yield doubtful(twice, `the groups name ${twice.text} twice`, 'remove one of them');
}

/** Diagnostics of the window: 1m to 48h (docs/contract/monitor-queries.md#events). */
export function* eventWindowDiagnostics(chain: Chain, shape: EventShape): Iterable<Diagnostic> {
  const step = findStep(chain, 'last', 'current');
  const window = step?.list[0];
  const minutes = toMinutes(window?.text ?? '');
  const whose = `for ${plural(shape.monitorNoun)}`;
  if (!step) yield missingWindow(chain, shape.monitorNoun);
  else if (!window || window.text.trim() === '') yield emptyWindow(window ?? step);
  else if (window.flaw) return;
  else if (step.name.text === 'current') {
    if (!['1h', '1d', '1mo'].includes(window.text))
      yield doubtful(window, `${window.text} is not a known current window`, 'write 1h, 1d or 1mo');
  } else if (minutes === undefined) yield strangeWindow(window, 'm, h or d: 5m, 1h, 1d');
  else if (minutes < 1)
    yield (minutes === 0 ? wrong : doubtful)(window, `window ${window.text} is under the 1m limit ${whose}`, limits);
  else if (minutes > longest)
    yield (shape.overLong === 'wrong' ? wrong : doubtful)(
      window,
      `window ${window.text} is over the 48h limit ${whose}`,
      limits,
    );
}

const limits = 'write 1m to 2880m, or 1h to 48h';

/** No step names a window. */
export const missingWindow = (chain: Chain, of: string): Diagnostic =>
  wrong(chain.steps.at(-1) ?? chain.source, `${of} needs a window`, 'add .last("5m") after it');

/** A step names a window, and it is empty. */
export const emptyWindow = (place: QuerySpan): Diagnostic => wrong(place, 'the window is empty', 'write .last("5m")');

/** Diagnostic for text that is not a window; fractions of a unit are undocumented but may be accepted. */
export const strangeWindow = (window: Word, units: string): Diagnostic =>
  (/^\d*\.\d+[a-z]+$/.test(window.text) ? doubtful : wrong)(
    window,
    `${window.text} is not a window`,
    `write a number and ${units}`,
  );

const plural = (of: string): string => `${of.replace(/^an? /, '')}s`;

/** Search text is the service's own language: only unbalanced quotes and parentheses are reported, as doubtful. */
export function searchDiagnostics({ text, quote, start, end, flaw }: ChainArgument): Diagnostic[] {
  if (flaw !== undefined) return [];
  const from = start + quote.length;
  const open: number[] = [];
  let quoted: number | undefined;
  let alone: number | undefined;
  for (const { 0: sign, index } of text.matchAll(/\\.|["()]/gs)) {
    if (sign === '"' || sign === '\\"') quoted = quoted === undefined ? index + sign.length - 1 : undefined;
    else if (quoted !== undefined) continue;
    else if (sign === '(') open.push(index);
    else if (sign === ')' && open.pop() === undefined) alone ??= index;
  }
  if (quoted !== undefined)
    return [doubtful({ start: from + quoted, end: end - quote.length }, 'a quote inside the search is not closed')];
  const lone = alone ?? open[0];
  if (lone === undefined) return [];
  const place = { start: from + lone, end: from + lone + 1 };
  return [doubtful(place, `this parenthesis ${alone === undefined ? 'is not closed' : 'was never opened'}`)];
}
