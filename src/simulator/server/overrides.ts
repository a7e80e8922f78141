/** Members of a fixture that the store does not interpret; they override the computed response. */
export type Overrides = Readonly<Record<string, unknown>>;

/** What is kept of everything that people change. Times are epoch milliseconds. */
export interface Changeable {
  readonly created: number;
  modified: number;
  overrides: Overrides;
}
