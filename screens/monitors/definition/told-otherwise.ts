import { unappliedMembers } from '../../../src/api/unapplied-members.ts';
import { noResult } from '../../../src/describe/edit-receipt.ts';
import { isSameJson } from '../../../src/lib/merge.ts';
import { at } from '../../../src/lib/object-paths.ts';
import { firstThree } from '../../../src/lib/text.ts';
import { toId } from '../row.ts';
import type { Definition } from './definition.ts';

/**
 * What a receipt adds: which of the members that were sent the answer shows otherwise. Empty when all is as it was sent.
 * Options go as a whole: one that is in `base` as it was sent was not changed by this edit, and may have been changed by another one.
 */
export function otherwise(sent: Definition, answer: Definition | undefined, base: Definition = {}): string {
  if (!answer || toId(answer.id) === undefined) return noResult;
  // What an answer leaves out is neither taken nor refused.
  const names = unappliedMembers(sent, answer).filter((name) => (name.split('.')[0] ?? '') in answer);
  const isKept = (name: string) => name.includes('.') && isSameJson(at(sent, name), at(base, name));
  return (
    listed(
      'not as sent',
      names.filter((name) => !isKept(name)),
    ) + listed('not as it was', names.filter(isKept))
  );
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  return `; ${what}: ${firstThree(names.map((name) => name.replace('options.', '').replaceAll('_', ' ')))}`;
}
