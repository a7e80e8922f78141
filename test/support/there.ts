/** The value; throws where there is none. */
export function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing is there');
  return value;
}
