import { type Problem, withAdvice } from '../../src/api/problem.ts';
import type { Source } from '../../src/describe/source.ts';

/** The list with advice appended to its problem: what to do instead, as in `. ]: go to API keys v1`. */
export const advised = <Row>(source: Source<Row>, advice: (problem: Problem) => string): Source<Row> => ({
  ...source,
  *plan(context) {
    const read = yield* source.plan(context);
    return read.ok ? read : withAdvice(read.problem, advice(read.problem));
  },
});
