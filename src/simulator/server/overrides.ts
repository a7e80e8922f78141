/** Members of a fixture that the store does not interpret; they override the computed response. */
export type Overrides = Readonly<Record<string, unknown>>;
