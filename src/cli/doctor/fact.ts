/** `bad`: something does not work. `warn`: it works less well than it could, or a permission is missing. */
type FactState = 'ok' | 'warn' | 'bad';

/** One thing that was looked at: how it is, and what to do where it is not well. Texts may hold the service's words. */
export interface DoctorFact {
  /** Stays the same: scripts read it. */
  readonly id: string;
  readonly state: FactState;
  readonly title: string;
  readonly text: string;
  /** What to do, one step a line. */
  readonly advice?: readonly string[];
}

/** The worst of several states; `ok` of none. */
export const worstFact = (states: readonly FactState[]): FactState =>
  states.includes('bad') ? 'bad' : states.includes('warn') ? 'warn' : 'ok';

/** Makes what is said of one thing, by the state that it is in; `advice` is what to do, one step each. */
export function factAbout(id: string, title: string) {
  const inState =
    (state: FactState) =>
    (text: string, ...advice: readonly string[]): DoctorFact => ({
      ...{ id, title, state, text },
      ...(advice.length > 0 && { advice }),
    });
  return { ok: inState('ok'), warn: inState('warn'), bad: inState('bad') };
}
