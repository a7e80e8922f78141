import { eventWindowDiagnostics, groupDiagnostics, rollupDiagnostics } from './aggregate-diagnostics.ts';
import {
  type Chain,
  chainDiagnostics,
  chainOutline,
  findStep,
  printChain,
  readSearched,
  type SearchChain,
} from './chain.ts';
import { searchedDiagnostics } from './events.ts';
import { type Diagnostic, doubtful, type Language, wrong } from './language.ts';
import { eventOffers } from './offer-table.ts';
import { errorShape, errorSources } from './query-shapes.ts';
import { orList } from './syntax.ts';

/**
 * `error-tracking("a").source("backend").new().rollup("count").by("@issue.id").last("1d") > 0`
 * (docs/contract/monitor-queries.md#error-tracking).
 */
export interface ErrorTrackingQuery extends SearchChain {
  readonly kind: 'error tracking';
}

/** The source that the specification knows; those with more in their names are older, and go without `new` and `impact`. */
const current = 'error-tracking';

function fromDiagnostics(chain: Chain): Diagnostic[] {
  const step = findStep(chain, 'source');
  if (!step) return [];
  const [from, more] = step.list;
  const write = `write ${orList(errorSources)}`;
  if (!from || from.text === '') return [wrong(from ?? step, 'the source of the errors is empty', write)];
  if (from.flaw) return [];
  if (!errorSources.includes(from.text)) return [wrong(from, `${from.text} is not a source of errors`, write)];
  return more ? [doubtful(more, 'errors come from one source at a time', write)] : [];
}

function watchedDiagnostics(chain: Chain): Diagnostic[] {
  if (chain.source.text !== current) return [];
  const [fresh, impact] = [findStep(chain, 'new'), findStep(chain, 'impact')];
  const hint = 'write .new() for new issues, .impact() for those that affect many users';
  if (fresh && impact) return [doubtful(impact, 'a query has .new() or .impact(), not both', hint)];
  const given = (fresh ?? impact)?.list[0];
  if (given) return [doubtful(given, `${fresh ? 'new' : 'impact'} takes nothing`, 'leave the parentheses empty')];
  if (fresh || impact) return [];
  const from = findStep(chain, 'source');
  // Without either, some deployments read the query as they did before there was a source.
  return [(from ? wrong : doubtful)(from ?? chain.source, 'neither .new() nor .impact() follows', hint)];
}

function issueDiagnostics({ source, groups, steps }: ErrorTrackingQuery): Diagnostic[] {
  if (groups.some((group) => /^@?issue\.id$/.test(group.text))) return [];
  const by = findStep({ steps }, 'by');
  const hint = 'write .by("@issue.id"), and other keys after it';
  if (!by) return [doubtful(source, 'errors are grouped by their issue', hint)];
  if (groups.length === 0) return [];
  return [(source.text === current ? wrong : doubtful)(by, 'the groups lack the issue', hint)];
}

/** Error tracking: its own source, `new` or `impact`, groups with the issue; the rest as in the event family. */
export const errorTracking: Language<ErrorTrackingQuery> = {
  parse: (text) => ({ ...readSearched(text), kind: 'error tracking' }),
  print: printChain,
  rules: (tree) =>
    chainDiagnostics(tree, errorShape, () => [
      ...searchedDiagnostics(tree, errorShape.monitorNoun),
      ...fromDiagnostics(tree),
      ...watchedDiagnostics(tree),
      ...rollupDiagnostics(tree, errorShape, false),
      ...groupDiagnostics(findStep(tree, 'by'), errorShape),
      ...issueDiagnostics(tree),
      ...eventWindowDiagnostics(tree, errorShape),
    ]),
  outline: () => chainOutline(errorShape, '("*").new().by("@issue.id").last("1d") > 0'),
  offers: () => eventOffers(errorShape),
};
