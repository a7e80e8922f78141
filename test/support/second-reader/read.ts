import type { Query, ReadQuery } from '../../../src/simulator/query/monitor-query.ts';

/** The service's sentence about a query; a reason may follow. */
export const invalidQuery = "The value provided for parameter 'query' is invalid";

/** Refused without a reason. */
export const wrong: ReadQuery = { ok: false, text: invalidQuery };

/** A query that says nothing; the base of every other. */
export const empty: Query = {
  classification: 'metric',
  operator: null,
  threshold: null,
  groups: [],
  scope: [],
  metrics: [],
  members: [],
};

/** What a query ends with. */
export type End = { readonly operator: string; readonly threshold: number };

/** A query of which only this is known. */
export const found = (query: Partial<Query>): ReadQuery => ({ ok: true, query: { ...empty, ...query } });
