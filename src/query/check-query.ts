import { isObject, type JsonObject } from '../lib/object-paths.ts';
import { field, items, toWord } from '../lib/unchecked-values.ts';
import { type Diagnostic, doubtful, ofOption, wrong } from './language.ts';
import { findLanguage } from './language-of-type.ts';
import { optionDiagnostics, windowDiagnostics } from './option-diagnostics.ts';
import { ruleDiagnostics } from './option-rules.ts';
import type { QuerySpan, Tree } from './query-tree.ts';
import { isSyntaxFault, isTooDeep, shortened } from './syntax.ts';
import { faultDiagnostic } from './syntax-diagnostic.ts';
import { variableShape } from './variable-diagnostics.ts';

/** Result of checking a query. */
export interface CheckResult {
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
    variableShape(variable, place, all.slice(0, index)).map((one) => ofOption('variables', one)),
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
