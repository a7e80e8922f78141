import { type Diagnostic, doubtful } from './language.ts';
import { findLanguage } from './language-of-type.ts';
import { optionDiagnostics } from './option-diagnostics.ts';
import type { Tree } from './query-tree.ts';
import { isSyntaxFault, isTooDeep, shortened } from './syntax.ts';
import { faultDiagnostic } from './syntax-diagnostic.ts';

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
  if (!language) {
    if (type === 'synthetics alert') return { verdict: 'fine', diagnostics: [] };
    return judged([
      doubtful({ start: 0, end: query.length }, `nothing is known of the type ${type}, so nothing was checked`),
    ]);
  }
  try {
    const tree = language.parse(query);
    return { ...judged([...language.rules(tree, { type, options }), ...optionDiagnostics(type, tree, options)]), tree };
  } catch (error) {
    if (isSyntaxFault(error))
      return { verdict: 'wrong', diagnostics: [faultDiagnostic(query, error, language.outline({ type }))] };
    if (isTooDeep(error))
      return judged([doubtful({ start: 0, end: query.length }, 'the query is nested too deeply to be checked')]);
    throw error;
  }
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
