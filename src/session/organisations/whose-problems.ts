import type { Problem } from '../../api/problem.ts';

interface Failed {
  /** Of the organisation; empty where there is one alone. */
  readonly name: string;
  readonly problem: Problem;
}

/** Why reads of some organisations have failed. Of several only the causes: what to do about each would push the others out of sight. */
export function whoseProblems(failed: readonly Failed[]): string {
  const why = ({ text }: Problem) => (failed.length > 1 ? text.replace(/(?<=\)): .+/, '') : text);
  return failed.map(({ name, problem }) => `${name === '' ? '' : `${name}: `}${why(problem)}`).join(' · ');
}
