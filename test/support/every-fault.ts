import type { FaultPlan, FaultRule } from '../../src/simulator/faults/read-fault-plan.ts';

/** Faults of every kind, so that about every third edit meets one. A body is what another operator sets. */
const edits: readonly FaultRule[] = [
  ...(['before', 'after'] as const).flatMap((when): FaultRule[] => [
    { fault: 'drop', when, of: 'edits', share: 0.03 },
    { fault: 'hang', when, of: 'edits', share: 0.006 },
    { fault: 'delay', ms: [20, 160], when, of: 'edits', share: 0.012 },
    { fault: 'page', when, of: 'edits', share: 0.02 },
    { fault: 'status', status: 500, when, of: 'edits', share: 0.01 },
    { fault: 'status', status: 504, when, of: 'edits', share: 0.02 },
    { fault: 'redirect', when, of: 'edits', share: 0.01 },
    { fault: 'huge', packed: true, when, of: 'edits', share: 0.002 },
    ...rivals(when),
    { fault: 'other-operator', when, of: 'edits', share: 0.01 },
  ]),
  { fault: 'page', status: 200, when: 'after', of: 'edits', share: 0.02 },
  { fault: 'empty', when: 'after', of: 'edits', share: 0.02 },
  { fault: 'envelope', when: 'after', of: 'edits', share: 0.02 },
  { fault: 'drip', ms: 2, of: 'edits', share: 0.01 },
  { fault: 'truncate', of: 'edits', share: 0.03 },
  { fault: 'lie', about: 'length', of: 'edits', share: 0.02 },
  { fault: 'lie', about: 'type', of: 'edits', share: 0.02 },
  { fault: 'lie', about: 'encoding', of: 'edits', share: 0.02 },
  ...(['right', 'none', 'lying'] as const).map(
    (headers): FaultRule => ({ fault: 'rate-limit', headers, requests: 2, of: 'edits', share: 0.01 }),
  ),
  { fault: 'unauthorized', of: 'edits', share: 0.004 },
];

function rivals(when: 'before' | 'after'): FaultRule[] {
  const rival = (id: string, body: unknown): FaultRule => ({
    fault: 'other-operator',
    when,
    of: [id],
    body,
    share: 0.05,
  });
  return [
    rival('issues.set-state', { data: { type: 'error_tracking_issue', attributes: { state: 'EXCLUDED' } } }),
    rival('monitors.mute', { scope: '*', end: 1_999_999_999 }),
    rival('monitors.update', { name: 'theirs' }),
  ];
}

const reads: readonly FaultRule[] = [
  { fault: 'reset-on-reuse', of: 'reads', share: 0.03 },
  { fault: 'drop', of: 'reads', share: 0.03 },
  { fault: 'truncate', of: 'reads', share: 0.02 },
  { fault: 'status', status: 503, of: 'reads', share: 0.03 },
  { fault: 'page', status: 200, of: 'reads', share: 0.01 },
  { fault: 'empty', of: 'reads', share: 0.01 },
  { fault: 'envelope', of: 'reads', share: 0.01 },
  { fault: 'lie', about: 'length', of: 'reads', share: 0.01 },
  { fault: 'rate-limit', headers: 'lying', of: 'reads', share: 0.02 },
  { fault: 'unauthorized', of: 'reads', share: 0.004 },
];

/** A plan under which about every third edit and every sixth read fails. */
export const everyFault = (seed: number): FaultPlan => ({ seed, faults: [...edits, ...reads] });
