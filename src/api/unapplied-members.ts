import { isObject } from '../lib/object-paths.ts';

/**
 * Members of a sent monitor that a read monitor does not show: `name`, `options.timeout_h`. Equivalent spellings count
 * as applied: numbers as text, sets in another order, defaults left out or added, `query alert` for `metric alert`
 * (docs/contract/monitors.md#edit, #monitor, #oddities).
 */
export function unappliedMembers(sent: unknown, read: unknown): string[] {
  const [ours, theirs] = [objectOf(sent), objectOf(read)];
  const members = Object.keys(ours).filter((name) => name !== 'options' && !isTaken(name, ours[name], theirs[name]));
  if (ours.options === undefined) return members;
  const [wanted, now] = [objectOf(ours.options), objectOf(theirs.options)];
  // Options are replaced as a whole: what was not sent and is still there was not taken away.
  const names = new Set([...Object.keys(wanted), ...removable.filter((name) => name in now)]);
  names.delete('silenced');
  const options = [...names].filter((name) => !isTaken(name, wanted[name], now[name]));
  return [...members, ...options.map((name) => `options.${name}`)];
}

/** Options that no service adds on its own. */
const removable = [
  'escalation_message',
  'evaluation_delay',
  'group_retention_duration',
  'new_group_delay',
  'no_data_timeframe',
  'notify_by',
  'on_missing_data',
  'renotify_interval',
  'renotify_occurrences',
  'renotify_statuses',
  'scheduling_options',
  'threshold_windows',
  'thresholds',
  'timeout_h',
  'variables',
];

/** Lists whose order means nothing. */
const sets = ['tags', 'notify_by', 'renotify_statuses', 'restricted_roles'];

function isTaken(name: string, sent: unknown, read: unknown): boolean {
  if (name === 'type') return kind(sent) === kind(read);
  if (name === 'thresholds' && isNothing(sent)) return true;
  if (sets.includes(name) && Array.isArray(sent) && Array.isArray(read))
    return isSame([...sent].map(String).toSorted(), [...read].map(String).toSorted());
  if (typeof sent === 'string' && typeof read === 'string') return sent.trim() === read.trim();
  return isSame(sent, read);
}

const kind = (type: unknown): unknown => (type === 'metric alert' ? 'query alert' : type);

/** Whether a value says nothing, so that a service may leave it out of a response or add it. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 'default' || value === 0)
    return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

function isSame(sent: unknown, read: unknown): boolean {
  if (isNothing(sent) && isNothing(read)) return true;
  if (Array.isArray(sent) || Array.isArray(read))
    return (
      Array.isArray(sent) &&
      Array.isArray(read) &&
      sent.length === read.length &&
      sent.every((element, index) => isSame(element, read[index]))
    );
  if (isObject(sent) && isObject(read))
    return [...new Set([...Object.keys(sent), ...Object.keys(read)])].every((name) => isSame(sent[name], read[name]));
  if (isObject(sent) || isObject(read)) return false;
  return String(sent) === String(read) || (isNumber(sent) && isNumber(read) && Number(sent) === Number(read));
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
