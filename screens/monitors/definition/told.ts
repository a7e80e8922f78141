import { untaken } from '../../../src/api/untaken.ts';
import { idOf, objectOf } from '../row.ts';

/** What a receipt adds: which of the members that were sent the answer shows otherwise. Empty when all is as it was sent. */
export function otherwise(sent: unknown, answer: unknown): string {
  const it = objectOf(answer);
  if (idOf(it.id) === undefined) return '; the service did not say what it is now';
  // What an answer leaves out is neither taken nor refused.
  const names = untaken(sent, answer).filter((name) => (name.split('.')[0] ?? '') in it);
  if (names.length === 0) return '';
  const words = names.slice(0, 3).map((name) => name.replace('options.', '').replaceAll('_', ' '));
  return `; otherwise than sent: ${words.join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
}
