import type { ListPage } from './list-page.ts';

const whole = /^\d+$/;

/** Whether an id is a whole number, which lists are ordered by. */
export const isWholeId = (id: string): boolean => whole.test(id);

/** Whether one id comes after another in a list. Of two ids without a leading zero the longer one is above. */
export function isAbove(one: string, other: string): boolean {
  if (!whole.test(one) || !whole.test(other)) return false;
  if (one.startsWith('0') || other.startsWith('0')) return BigInt(one) > BigInt(other);
  return one.length === other.length ? one > other : one.length > other.length;
}

/** The id of a page after which the next one begins. */
export function highest(page: ListPage): string | undefined {
  return page.reduce<string | undefined>(
    (top, row) => (typeof row === 'object' && isAbove(row.id, top ?? '0') ? row.id : top),
    undefined,
  );
}
