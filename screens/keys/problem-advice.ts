import type { Problem } from '../../src/api/problem.ts';
import type { Source } from '../../src/describe/source.ts';

/** The list with advice appended to its problem: what to do instead, as in `: ] goes on to API keys v1`. */
export const withAdvice = <Row>(source: Source<Row>, advice: (problem: Problem) => string): Source<Row> => ({
  ...source,
  *plan(context) {
    const read = yield* source.plan(context);
    if (read.ok) return read;
    return { ok: false, problem: { ...read.problem, text: read.problem.text + advice(read.problem) } };
  },
});
