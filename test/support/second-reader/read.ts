import type { Query, ReadQuery } from '../../../src/simulator/query/monitor-query.ts';

/** The service's sentence about a query; a reason may follow. */
export const invalidQuery = "The value provided for parameter 'query' is invalid";

/** Refused without a reason. */
export const wrong: ReadQuery = { ok: false, text: invalidQuery };

/** An empty query; the base of every other. */
export const empty: Query = {
  classification: 'metric',
  operator: null,
  threshold: null,
  groups: [],
  scope: [],
  metrics: [],
  members: [],
};

/** The comparison at the end of a query. */
export type End = { readonly operator: string; readonly threshold: number };

/** A query with only these parts. */
export const found = (query: Partial<Query>): ReadQuery => ({ ok: true, query: { ...empty, ...query } });
