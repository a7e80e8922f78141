import { oncePer } from '../lib/once.ts';
import type { Language } from './language.ts';
import { parse } from './made/metric.js';
import { metricOffers } from './metric-offers.ts';
import { metricRules } from './metric-rules.ts';
import type { Metric, MetricArgument, MetricStep, Scope } from './metric-tree.ts';

/** The metric family: metric, change, anomaly, outlier and forecast queries (docs/contract/monitor-queries.md#metric). */
export const metricLanguage: Language<Metric> = {
  parse: (text) => parse(text) as Metric,
  print: ({ comparison, body, ...head }) =>
    `${printedHead(head)}:${printed(body)}${comparison ? ` ${comparison.operator.text} ${comparison.threshold.text}` : ''}`,
  // A letter that is taken back leaves a tree whose rules have been read.
  rules: oncePer(metricRules),
  outline: () => ({
    languageNoun: 'a metric monitor',
    beginning: 'a time aggregator over a window',
    example: 'avg(last_5m):avg:system.load{*} > 5',
  }),
  offers: () => metricOffers,
};

function printedHead({
  change,
  aggregator,
  window,
  shift,
}: Pick<Metric, 'change' | 'aggregator' | 'window' | 'shift'>) {
  const inner = `${aggregator.text}(${window.text}${shift ? `,${shift.text}` : ''})`;
  return change ? `${change.kind.text}(${inner}${change.shift ? `,${change.shift.text}` : ''})` : inner;
}

function printed(part: MetricArgument): string {
  switch (part.kind) {
    case 'joined':
      return [printed(part.head), ...part.tail.map((joined) => `${joined.joint.text} ${printed(joined.right)}`)].join(
        ' ',
      );
    case 'minus':
      return `-${printed(part.body)}`;
    case 'group':
      return `(${printed(part.body)})`;
    case 'stepped':
      // `.5.fill()` would be read as a name.
      return `${printed(part.body)}${part.body.kind === 'amount' ? ' ' : ''}${part.steps.map(printedStep).join('')}`;
    case 'amount':
      return part.text;
    case 'text':
      return `${part.quote}${part.text}${part.quote}`;
    case 'keys':
      return `{${part.keys.map((key) => key.text).join(',')}}`;
    case 'named':
      return `${part.name.text}=${printed(part.value)}`;
    case 'call':
      return `${part.name.text}(${part.args.map(printed).join(', ')})`;
    case 'metric':
      return `${part.aggregator ? `${part.aggregator.text}:` : ''}${part.name.text}${part.scope ? printedScope(part.scope) : ''}`;
  }
}

const printedStep = (step: MetricStep): string =>
  step.kind === 'by'
    ? ` by {${step.keys.map((key) => key.text).join(',')}}`
    : `.${step.name.text}(${step.args.map(printed).join(', ')})`;

/** Tags and words with one blank between them, none around commas and inside of brackets. */
function printedScope({ parts }: Scope): string {
  const tight = (at: number): boolean =>
    at === 0 || /^[,)]$/.test(parts[at]?.text ?? '') || /^[,(]$/.test(parts[at - 1]?.text ?? '');
  return `{${parts.map((part, at) => `${tight(at) ? '' : ' '}${part.text}`).join('')}}`;
}
