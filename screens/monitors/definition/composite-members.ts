import { commaWords } from '../../../src/lib/text.ts';
/** The members of a composite and how they are joined, where its query is no more than that. */
export interface Members {
  readonly ids: readonly string[];
  readonly join: 'all' | 'any';
  /** The query of the form's texts; the stored query while neither text has changed. */
  expression(texts: Readonly<Record<string, string>>): string;
}

const signs = { all: ' && ', any: ' || ' } as const;

/** The members of a query; undefined for one with negations or brackets, which is edited as text. */
export function membersIn(query: string): Members | undefined {
  const words = query.match(/\d+|&&|\|\||\S/g) ?? [];
  const ids = words.filter((_, index) => index % 2 === 0);
  const joins = new Set(words.filter((_, index) => index % 2 === 1));
  const isPlain =
    ids.every((id) => /^\d+$/.test(id)) && joins.size <= 1 && (words.length === 0 || words.length % 2 === 1);
  if (!isPlain || ![...joins].every((join) => join === '&&' || join === '||')) return undefined;
  const join = joins.has('||') ? 'any' : 'all';
  return {
    ids,
    join,
    expression(texts) {
      const now = commaWords(texts.members);
      const by = texts.join === 'any' ? 'any' : 'all';
      return now.join() === ids.join() && by === join ? query : now.join(signs[by]);
    },
  };
}
