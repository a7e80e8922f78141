import { emptyWindow, missingWindow, strangeWindow } from './aggregate-diagnostics.ts';
import {
  type Chain,
  chainDiagnostics,
  chainOutline,
  findStep,
  printChain,
  readSearched,
  type SearchChain,
} from './chain.ts';
import { type Diagnostic, doubtful, type Language, wrong } from './language.ts';
import { processOffers } from './offer-table.ts';
import { processShape } from './query-shapes.ts';
import { searchDiagnostics } from './search-diagnostics.ts';
import { splitLength } from './window-lengths.ts';

/** `processes("a").over("b").rollup("count").last("10m") < 1` (docs/contract/monitor-queries.md#processes). */
export interface Processes extends SearchChain {
  readonly kind: 'processes';
}

function rollupDiagnostics(chain: Chain): Diagnostic[] {
  const step = findStep(chain, 'rollup');
  const hint = 'write .rollup("count")';
  if (!step) return [doubtful(chain.source, `${processShape.monitorNoun} needs a rollup`, hint)];
  const [method, more] = step.list;
  if (!method || method.text === '') return [wrong(method ?? step, 'the rollup has no method', hint)];
  if (method.flaw) return [];
  if (method.text !== 'count')
    return [wrong(method, `processes are only counted: ${method.text} is not a rollup`, hint)];
  return more ? [doubtful(more, 'count takes no measure', hint)] : [];
}

function windowDiagnostics(chain: Chain): Diagnostic[] {
  const step = findStep(chain, 'last');
  if (!step) return [missingWindow(chain, processShape.monitorNoun)];
  const [window] = step.list;
  if (!window || window.text.trim() === '') return [emptyWindow(window ?? step)];
  if (window.flaw) return [];
  const parts = splitLength(window.text);
  const units = 's, m, h or d: 30s, 10m, 4h, 1d';
  if (!parts) return [strangeWindow(window, units)];
  if (!['s', 'm', 'h', 'd'].includes(parts.unit))
    return [wrong(window, `${parts.unit} is not a unit of a process window`, `write a number and ${units}`)];
  return parts.count === 0 ? [doubtful(window, 'the window is empty', 'write .last("10m")')] : [];
}

/** Live processes: a search, `over` tags, counted in a window of seconds to days. */
export const processes: Language<Processes> = {
  parse: (text) => ({ ...readSearched(text), kind: 'processes' }),
  print: printChain,
  rules: (tree) =>
    chainDiagnostics(tree, processShape, () => [
      ...(tree.search
        ? searchDiagnostics(tree.search)
        : [doubtful(tree.source, 'there is no search', 'write processes("") for every process')]),
      ...rollupDiagnostics(tree),
      ...windowDiagnostics(tree),
    ]),
  outline: () => chainOutline(processShape, '("java").rollup("count").last("10m") < 1'),
  offers: () => processOffers,
};
