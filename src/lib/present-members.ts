/** The members of T, those that may be undefined as optional ones. */
type Present<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the members whose value is undefined: optional members are left out, never set to undefined. */
export function present<const T extends object>(members: T): Present<T> {
  const there: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name as keyof T];
    if (value !== undefined) there[name] = value;
  }
  return there as Present<T>;
}
