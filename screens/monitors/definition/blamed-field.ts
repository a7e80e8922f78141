import type { Problem } from '../../../src/api/problem.ts';

/**
 * Error messages of the service and the form field of each (docs/contract/monitors.md#edit,
 * docs/contract/monitor-queries.md, docs/contract/monitors.md#errors).
 */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/warning recovery/i, 'warning_recovery'],
  [/alert recovery|critical_recovery/i, 'critical_recovery'],
  [/alert and warning|warning threshold/i, 'warning'],
  [/last field should be larger/i, 'query'],
  [/a grouping must be specified/i, 'query'],
  [/evaluation_window/i, 'query'],
  [/alert window query arg/i, 'trigger_window'],
  [/some monitor ids are invalid/i, 'query'],
  [/invalid monitor option: (\w+)/i, '$1'],
  [/parameter 'options\.(\w+)/i, '$1'],
  [/parameter '(\w+)'/i, '$1'],
  [/alert threshold|non-numeric threshold|alert status is required/i, 'query'],
  [/duplicate of an existing monitor/i, 'name'],
  [/\bquery\b/i, 'query'],
];

/** The field of the form that a refusal is about; undefined where it names none. */
export function blamed(problem: Problem): string | undefined {
  if (problem.kind !== 'invalid' && problem.kind !== 'conflict') return undefined;
  const [ours] = problem.fields ?? [];
  // The path of a setting, which ends in the name of its field.
  if (ours !== undefined) return ours.split('.').at(-1);
  const said = problem.messages.length > 0 ? problem.messages : [problem.text];
  for (const words of said)
    for (const [pattern, field] of sentences) {
      const found = pattern.exec(words);
      if (found) return field === '$1' ? found[1] : field;
    }
  return undefined;
}
