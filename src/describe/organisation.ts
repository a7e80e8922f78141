import type { Context } from './context.ts';

/** One of several organisations that are shown together. */
export interface Organisation {
  /** Name of its profile. */
  readonly name: string;
  /** What descriptions of its rows may know: its own person, permissions, words and addresses. */
  context(base: Context): Context;
  /** The same read, of this organisation alone: under a key of its own. */
  read<R extends Reading>(read: R): R;
  /** The id of one of its rows among those of all organisations. */
  id(rowId: string): string;
  /** The row with its organisation; the same object for the same row. */
  tag<Row>(row: Row): Tagged<Row>;
}

interface Reading {
  readonly key: string;
  plan(context: Context): unknown;
}

/** A row with the organisation that it is of. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every list are tagged
export interface Tagged<Row = any> {
  readonly organisation: Organisation;
  readonly row: Row;
}

/** In no name of a profile, and in no key. */
const afterName = '\u0000';
const betweenKeys = '\u0001';

/** A key, or an id, of one organisation. */
export const keyOf = (name: string, key: string): string => `${name}${afterName}${key}`;

/** The key of a read that is the reads of several organisations together. */
export const joinedKey = (keys: readonly string[]): string => keys.join(betweenKeys);

/** The reads that a key stands for, each with the name of its organisation where it has one. */
export function readKeys(key: string): readonly { readonly name?: string; readonly key: string }[] {
  return key.split(betweenKeys).map((one) => {
    const at = one.indexOf(afterName);
    return at < 0 ? { key: one } : { name: one.slice(0, at), key: one.slice(at + 1) };
  });
}

/** An organisation with this context for its rows. */
export function createOrganisation(name: string, contextOf: (base: Context) => Context): Organisation {
  const contexts = new WeakMap<Context, Context>();
  const tagged = new WeakMap<object, Tagged>();
  const context = (base: Context): Context => {
    const known = contexts.get(base) ?? contextOf(base);
    contexts.set(base, known);
    // What is made of it already is of this organisation.
    contexts.set(known, known);
    return known;
  };
  const organisation: Organisation = {
    name,
    context,
    read: <R extends Reading>(read: R) =>
      ({ ...read, key: keyOf(name, read.key), plan: (base: Context) => read.plan(context(base)) }) as R,
    id: (rowId) => `${name}/${rowId}`,
    tag(row) {
      if (typeof row !== 'object' || row === null) return { organisation, row };
      const known = tagged.get(row) ?? { organisation, row };
      tagged.set(row, known);
      return known;
    },
  };
  return organisation;
}

/** The context for rows of a list: that of its organisation, where several are shown together. */
export const contextFor = (of: { readonly organisation?: Organisation | undefined }, base: Context): Context =>
  of.organisation?.context(base) ?? base;
