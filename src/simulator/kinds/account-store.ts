/** A configured account with the fields of a list response. Times are epoch milliseconds. */
export interface Account {
  fields: Record<string, unknown>;
  readonly created: number;
}

/** The accounts of both providers. provider_a and the deprecated form of provider_b are keyed by their pair of identifiers. */
export interface Accounts {
  readonly a: Map<string, Account>;
  readonly bV1: Map<string, Account>;
  /** Federated service accounts by id; `projects` is what the list shows in `meta`. */
  readonly b: Map<string, Account & { readonly id: string; readonly projects: readonly string[] }>;
  /** The delegate principal of provider_b; null until created. */
  delegate: string | null;
}

/** Stores without accounts. */
export const createAccounts = (): Accounts => ({ a: new Map(), bV1: new Map(), b: new Map(), delegate: null });
