import { at } from '../../../src/lib/object-paths.ts';
import type { ReadQuery } from '../../../src/simulator/query/monitor-query.ts';
import { asList, asText } from '../../../src/simulator/server/wire-values.ts';
import { groupsOf, type Link, minutesOf, named, one, readChain } from './chain.ts';
import { readExpression } from './expression.ts';
import { type End, found, wrong } from './read.ts';

/** `formula("a / b").last("5m")` with its variables in the options (docs/contract/monitor-queries.md#formula). */
export function readFormula(body: string, end: End, classification: string, options: unknown): ReadQuery {
  const links = readChain(body.trim());
  const loose = classification.startsWith('data-');
  if (!links || !named(links, ['by', 'rollup', 'last', 'current', 'change', 'anomaly', 'forecast'])) return wrong;
  const expression = links[0]?.args[0];
  if (!expression || (!loose && expression.quote === '') || !(one(links, 'last') || one(links, 'current')))
    return wrong;
  const variables = asList(at(options, 'variables')) ?? [];
  const names = new Set(variables.map((variable) => asText(at(variable, 'name')) ?? ''));
  const used = readExpression(expression.text, 'variable');
  if (!used?.length || !used.every((term) => names.has(term.name))) return wrong;
  if (classification === 'cost') return readCost(links, end, expression.text);
  const minutes = minutesOf((one(links, 'last') ?? one(links, 'current'))?.args[0]?.text ?? '');
  if (!(minutes > 0 && (loose || minutes <= 10_080))) return wrong;
  return found({ classification, groups: groupsOf(links), ...end });
}

function readCost(links: Link[], end: End, expression: string): ReadQuery {
  const window = (one(links, 'last') ?? one(links, 'current'))?.args[0]?.text ?? '';
  const method = ['change', 'anomaly', 'forecast'].find((name) => one(links, name));
  const args = one(links, method ?? '')?.args.map((arg) => arg.text) ?? [];
  if (!/^0*[1-9]\d{0,2}d$/.test(window) || expression.trim() === '') return wrong;
  if (method === 'change' && !(['relative', 'absolute'].includes(args[0] ?? '') && ['>', '<'].includes(end.operator)))
    return wrong;
  if (method === 'anomaly') {
    const direction = /^direction\s*=\s*["'](both|above|below)["']$/.test(args[0] ?? '');
    const threshold = /^threshold\s*=\s*(.*)$/.exec(args[1] ?? 'threshold=0')?.[1];
    const isNumber = /^["']?-?(\d+\.?\d*|\.\d+)["']?$/.test(threshold ?? '');
    if (!direction || !isNumber || !['>=', '>'].includes(end.operator)) return wrong;
  }
  if (method === 'forecast' && (end.operator !== '>' || !one(links, 'current'))) return wrong;
  return found({ classification: 'cost', ...end });
}
