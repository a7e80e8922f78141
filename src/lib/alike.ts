/** Whether two lists have the same values, by identity and in the same order. */
export const areAlike = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((value, at) => value === others[at]);
