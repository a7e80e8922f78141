import { field } from '../lib/unchecked-values.ts';
import { type Diagnostic, doubtful, notNumber, ofOption, wrong } from './language.ts';
import type { Comparison, QuerySpan } from './query-tree.ts';
import { shortened } from './syntax.ts';

/** A threshold of the options: a number, or what cannot be one. Absent, null and empty are none at all. */
interface Limit {
  readonly name: string;
  readonly value: number;
  readonly written: string;
}

/** `options.thresholds` as numbers; formulas of dynamic thresholds are left out (docs/contract/monitor-queries.md#options). */
export function readLimits(options: unknown): Limit[] {
  const given = field(options, 'thresholds');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  return Object.entries(given)
    .filter(([name, value]) => value !== null && value !== undefined && value !== '' && !name.endsWith('_query'))
    .map(([name, value]) => ({ name, value: numberOf(value), written: shown(value) }));
}

function numberOf(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

const shown = (value: unknown): string => (typeof value === 'object' ? 'an object' : shortened(String(value)));

/** Thresholds that are no numbers, and thresholds without the one that alerts. */
export function limitDiagnostics(limits: readonly Limit[], place: QuerySpan): Diagnostic[] {
  const odd = limits.filter((limit) => Number.isNaN(limit.value));
  const hasCritical = limits.some((limit) => limit.name === 'critical');
  return [
    ...odd.map((limit) => notNumber(place, `thresholds.${limit.name} is ${limit.written}, which`)),
    ...(limits.length > 0 && !hasCritical
      ? [
          doubtful(
            place,
            'the options have thresholds, but no thresholds.critical',
            'add thresholds.critical, the value that alerts',
          ),
        ]
      : []),
  ];
}

/** The thresholds of the options against the comparison of the query (docs/contract/monitor-queries.md#common-rules). */
export function thresholdDiagnostics(
  limits: readonly Limit[],
  comparison: Comparison,
  isDynamic: boolean,
): Diagnostic[] {
  const { threshold } = comparison;
  const critical = limits.find((limit) => limit.name === 'critical');
  if (critical && critical.value !== threshold.value && !Number.isNaN(critical.value + threshold.value)) {
    const say = isDynamic ? doubtful : wrong;
    const message = `the query says ${threshold.text}, thresholds.critical says ${critical.written}`;
    return [say(threshold, message, 'make them the same number')];
  }
  return sideDiagnostics(limits, comparison);
}

/** Pairs of which the first must be nearer to health than the second. */
const pairs = [
  ['warning', 'critical'],
  ['critical_recovery', 'critical'],
  ['warning_recovery', 'warning'],
] as const;

/**
 * Warning and recovery on the wrong side. Where they are equal, deployments differ: with `>` a value cannot alert and
 * recover at once.
 */
function sideDiagnostics(limits: readonly Limit[], comparison: Comparison): Diagnostic[] {
  const { operator } = comparison;
  if (!/^[<>]=?$/.test(operator.text)) return [];
  const isUp = operator.text.startsWith('>');
  return pairs.flatMap(([name, counterpart]) => {
    const namedLimit = limits.find((limit) => limit.name === name);
    const limit = limits.find((limit) => limit.name === counterpart);
    if (!namedLimit || !limit || Number.isNaN(namedLimit.value + limit.value)) return [];
    if (isUp ? namedLimit.value < limit.value : namedLimit.value > limit.value) return [];
    const say = namedLimit.value === limit.value ? doubtful : wrong;
    const side = isUp ? 'below' : 'above';
    const message = `${name} ${namedLimit.written} is not ${side} ${counterpart} ${limit.written}`;
    return [ofOption(`thresholds.${name}`, say(comparison, message, `write one ${side} ${limit.written}`))];
  });
}
