import { whileAlike } from '../lib/function-results.ts';
import { shortened } from '../lib/text.ts';
import { field, isObject, items, type JsonObject, toWord } from '../lib/values.ts';
import { formula as plainFormula } from './formula.ts';
import { shapeDiagnostics } from './formula-tree.ts';
import {
  type Diagnostic,
  doubtful,
  expectedAt,
  isSyntaxFault,
  isTooDeep,
  type Language,
  noComparison,
  type Outline,
  ofOption,
  orList,
  type QuerySpan,
  queryEndMark,
  type SyntaxFault,
  type Tree,
  wrong,
} from './language.ts';
import { metricLanguage as plainMetric } from './metric.ts';
import { optionDiagnostics, windowDiagnostics } from './option-diagnostics.ts';
import { ruleDiagnostics } from './option-rules.ts';
import { errorShape, eventShapes, typeOfSource } from './query-shapes.ts';
import { errorTracking, events as plainEvents, processes } from './search-queries.ts';
import { compositeLanguage, objective, serviceCheck } from './state-queries.ts';

/**
 * The language in which a monitor of a `type` is written. Undefined: nothing is known of the type, or its query is made
 * elsewhere (`synthetics alert`).
 */
export function findLanguage(type: string, text: string): Language | undefined {
  if (isMetric(type) && /^\s*events\s*\(/.test(text)) return events;
  if (!Object.hasOwn(byType, type)) return undefined;
  return /^\s*formula\s*\(/.test(text) && !withoutFormulas.has(type) ? formula : byType[type];
}

/** The types of monitors whose queries can be checked. */
export const knownTypes = (): readonly string[] => Object.keys(byType);

/** Metric monitors, which may also watch events in the form from before those had a type of their own. */
const isMetric = (type: string): boolean => type === 'query alert' || type === 'metric alert';

/** Kinds whose query is never a formula over variables (docs/contract/monitor-queries.md#formula). */
const withoutFormulas = new Set(['composite', 'service check', 'slo alert', 'process alert']);

/** How many parsed texts are remembered: the current one, and the one before its last letter, to which a backspace returns. */
const mostTexts = 2;
/** How many beginnings that completion parses are remembered: they stay while the letters of a word are typed. */
const mostBeginnings = 12;

/**
 * The language with the last texts that were parsed: a letter in a query asks what it means, what is wrong with it and what may
 * follow, each of the same text. Beginnings that completions ask for take none of their places.
 */
function remembering(language: Language): Language {
  const texts = remembered(language.parse, mostTexts);
  const beginnings = remembered(language.parse, mostBeginnings);
  return { ...language, parse: (text) => (text.endsWith(queryEndMark) ? beginnings(text) : texts(text)) };
}

/** Remembers the last results and errors of a parser, by text. */
function remembered(parse: (text: string) => Tree, most: number): (text: string) => Tree {
  const read = (text: string): { readonly tree?: Tree; readonly error?: unknown } => {
    try {
      return { tree: parse(text) };
    } catch (error) {
      return { error };
    }
  };
  const readOnce = whileAlike(read, (one, other) => one === other, most);
  return (text) => {
    const { tree, error } = readOnce(text);
    if (tree) return tree;
    throw error;
  };
}

const [events, formula, metric] = [plainEvents, plainFormula, plainMetric].map(remembering) as [
  Language,
  Language,
  Language,
];

const byType: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(Object.keys(eventShapes).map((type) => [type, events])),
  'query alert': metric,
  'metric alert': metric,
  composite: compositeLanguage,
  'error-tracking alert': errorTracking,
  'process alert': processes,
  'service check': serviceCheck,
  'slo alert': objective,
  'cost alert': formula,
  'data-quality alert': formula,
  'data-jobs alert': formula,
};

/** Tokens that a person fills in, most likely first: when one is expected, that one is reported as missing. */
const values: readonly string[] = [
  'a metric',
  'a variable',
  'the id of a monitor',
  'a window',
  'a timeshift',
  'a time aggregator',
  'a key',
  'a number',
];

/** The names that grammars give to what ends a text or a bracket. */
const closers: readonly string[] = ['"}"', '")"', 'a closing quote', 'a double quote', 'a single quote'];

const closerIn = (expected: readonly string[]): string | undefined =>
  closers.find((closer) => expected.includes(closer));

/** Diagnostic for a syntax error; its location is always inside the text. */
function faultDiagnostic(
  text: string,
  fault: SyntaxFault,
  { languageNoun: noun, beginning: begin, example: such }: Outline,
): Diagnostic {
  const stop = text.trimEnd().length;
  const example = `such as ${such}`;
  if (stop === 0) return wrong({ start: 0, end: text.length }, 'the query is empty', example);
  const offset = Math.min(fault.location.start.offset, text.length);
  const head = text.slice(0, offset).trim();
  const isAtEnd = offset >= stop;
  const expected = allOf(fault);
  if (head === '' || (expected.includes('"("') && isStranger(head, such, isAtEnd)))
    return wrong(firstWord(text), `${noun} begins with ${begin}`, example);
  return isAtEnd
    ? endDiagnostic(head, { start: stop - 1, end: stop }, expected, example)
    : strangeDiagnostic(text, offset, expected);
}

function allOf(fault: SyntaxFault): string[] {
  const { names, literals, end } = expectedAt(fault);
  return [...names, ...literals.map((literal) => `"${literal}"`), ...(end ? ['the end'] : [])];
}

/** Whether only one word was parsed that is not the start of this kind of query. */
const isStranger = (head: string, such: string, isAtEnd: boolean): boolean =>
  /^[\w.-]+$/.test(head) && (isAtEnd || !such.startsWith(`${head}(`));

function firstWord(text: string): QuerySpan {
  const start = text.search(/\S/);
  return { start, end: start + wordAt(text, start).length };
}

/** A word, or one sign. */
const wordAt = (text: string, at: number): string => /^(?:[\w.@-]+|\s*.)/su.exec(text.slice(at))?.[0] ?? '';

function endDiagnostic(head: string, place: QuerySpan, expected: readonly string[], example: string): Diagnostic {
  if (/[<>=!~]$/.test(head) && expected.includes('a number'))
    return wrong(place, 'the threshold is missing', 'write a number at the end, such as > 90');
  if (expected.includes('an operator')) return noComparison(place, example);
  // A call that has only begun may go on in many ways.
  const isOpen = /[(,]$/.test(head) && /argument/.test(expected.join());
  const lacking = isOpen
    ? undefined
    : (values.find((name) => expected.includes(name)) ??
      closerIn(expected) ??
      (expected.length === 1 ? expected[0] : undefined));
  return wrong(place, lacking === undefined ? 'the query ends too early' : `${lacking} is missing at the end`, example);
}

function strangeDiagnostic(text: string, offset: number, expected: readonly string[]): Diagnostic {
  const word = wordAt(text, offset);
  const place = { start: offset, end: offset + word.length };
  const named = word.trim() === '' ? 'a space' : shortened(word.trim());
  if (expected.includes('an operator') && /^\.?\d/.test(named))
    return wrong(place, `an operator is missing before ${named}`, `such as > ${named}`);
  if (named === '.' && expected.includes('a step'))
    return wrong(place, 'no step follows the dot', 'write its name and parentheses');
  if (/^["']$/.test(named)) {
    if (expected.includes(`text in ${named === '"' ? 'double' : 'single'} quotes`))
      return wrong(place, 'this quote is not closed', `write ${named} where the text ends`);
    if (expected.includes('text')) return behindQuote(text, place);
  }
  if (!/^[)}"'<>=]/.test(named)) return wrong(place, `${named} is not expected here`, remedy(expected));
  const lacking = closerIn(expected) ?? values.find((name) => expected.includes(name));
  if (lacking !== undefined) return wrong(place, `${lacking} is missing before ${named}`, listed(expected));
  return /^[)}]/.test(named)
    ? wrong(place, `${named} was never opened`, 'remove it, or open it before')
    : wrong(place, `${named} is not expected here`, remedy(expected));
}

/** A text in quotes was read, and then something that ends no argument. */
function behindQuote(text: string, { end }: QuerySpan): Diagnostic {
  const start = end + text.slice(end).search(/\S/);
  const word = wordAt(text, start);
  return wrong(
    { start, end: start + word.length },
    `${shortened(word)} is not expected here`,
    'write ")" or "," before it',
  );
}

function remedy(expected: readonly string[]): string | undefined {
  const [only, more] = expected;
  if (only === undefined || more !== undefined) return listed(expected);
  return only === 'the end' ? 'end the query before it' : `write ${only} before it`;
}

const listed = (expected: readonly string[]): string | undefined =>
  expected.length === 0 ? undefined : `expected ${orList(expected.slice(0, 5))}${expected.length > 5 ? ' …' : ''}`;

/** Result of checking a query. */
interface CheckResult {
  readonly verdict: 'fine' | 'doubtful' | 'wrong';
  /** Most severe first; then by position. */
  readonly diagnostics: readonly Diagnostic[];
  /** The query as a tree, where it could be read. */
  readonly tree?: Tree;
}

/**
 * Checks a query of a monitor of a wire `type`; with `options`, also against them. Never throws for anything that a
 * query can hold. The service has the last word: `POST /api/v1/monitor/validate` (docs/contract/monitor-queries.md#common-rules).
 */
export function check(type: string, query: string, options?: unknown): CheckResult {
  const language = findLanguage(type, query);
  const place = { start: 0, end: query.length };
  const ruled = isObject(options) ? [...ruleDiagnostics(type, options, place), ...variables(options, place)] : [];
  if (!language) {
    if (type === 'synthetics alert') return judged(ruled);
    return judged([...ruled, doubtful(place, `nothing is known of the type ${type}, so its query was not checked`)]);
  }
  try {
    const tree = language.parse(query);
    const found = [...language.rules(tree, { type, options }), ...optionDiagnostics(type, tree, options)];
    return { ...judged([...found, ...onceOfWindow(windowDiagnostics(type, tree, options), ruled)]), tree };
  } catch (error) {
    if (isSyntaxFault(error))
      return {
        verdict: 'wrong',
        diagnostics: [faultDiagnostic(query, error, language.outline({ type })), ...judged(ruled).diagnostics],
      };
    if (isTooDeep(error)) return judged([doubtful(place, 'the query is nested too deeply to be checked'), ...ruled]);
    throw error;
  }
}

/** Checks a whole definition: its query against its options, and what else has limits. */
export function checkMonitor(monitor: JsonObject): readonly Diagnostic[] {
  const [type, query] = [toWord(monitor.type), toWord(monitor.query)];
  const priority = monitor.priority ?? 1;
  const isPriority = [1, 2, 3, 4, 5].includes(Number(priority));
  const place = { start: 0, end: query.length };
  return [
    ...check(type, query, monitor.options).diagnostics,
    ...(isPriority ? [] : [ofOption('priority', wrong(place, 'priority must be 1 to 5', 'or null'))]),
  ];
}

/** What every variable needs; what a formula needs of those that it names is a rule of its language. */
const variables = (options: object, place: QuerySpan): Diagnostic[] =>
  items(field(options, 'variables')).flatMap((variable, index, all) =>
    [...shapeDiagnostics(variable, place, all.slice(0, index))].map((one) => ofOption('variables', one)),
  );

/** A member of `evaluation_window` that the window of the query does not go with often lacks others, too: the graver finding is said alone. */
function onceOfWindow([ofWindow]: readonly Diagnostic[], ruled: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!ofWindow) return ruled;
  const isOfStart = ({ option = '' }: Diagnostic): boolean => /evaluation_window\..*_starts$/.test(option);
  const [gravest] = [ofWindow, ...ruled.filter(isOfStart)].toSorted((one, other) => gravity(one) - gravity(other));
  return [...(gravest ? [gravest] : []), ...ruled.filter((one) => !isOfStart(one))];
}

function judged(diagnostics: readonly Diagnostic[]): CheckResult {
  const sorted = diagnostics
    .map(brief)
    .toSorted((one, other) => gravity(one) - gravity(other) || one.start - other.start || one.end - other.end);
  return { verdict: sorted[0]?.verdict ?? 'fine', diagnostics: sorted };
}

const gravity = (diagnostic: Diagnostic): number => (diagnostic.verdict === 'wrong' ? 0 : 1);

/** Shortens long words of the query in a message. */
function brief(diagnostic: Diagnostic): Diagnostic {
  const { message, hint = '' } = diagnostic;
  if (message.length + hint.length < 2 * longestWord) return diagnostic;
  const cut = (text: string) => text.replace(/\S+/g, (word) => shortened(word, longestWord));
  return { ...diagnostic, message: cut(message), ...(hint === '' ? {} : { hint: cut(hint) }) };
}

const longestWord = 60;

/** The type that a query is most likely of, by how it begins; `query alert` where nothing tells. */
export function guessType(query: string): string {
  const text = query.trimStart();
  if (/^["']/.test(text)) return 'service check';
  if (/^[(!\s]*\d/.test(text)) return 'composite';
  if (/^formula\b/.test(text))
    return /\.(?:current|change|anomaly|forecast)\s*\(|\.last\(\s*["']?\d+d/.test(text) ? 'cost alert' : 'query alert';
  const word = /^([a-z_-]+)\s*\(/.exec(text)?.[1] ?? '';
  if (errorShape.sources.includes(word)) return 'error-tracking alert';
  return typeOfSource.get(word) ?? 'query alert';
}
