import { thrownText } from './thrown-text.ts';

/** What a function gives; where it throws, what takes its place is made of the fault as the end of a sentence. */
export function attempt<T>(work: () => T, fallback: (fault: string) => T): T {
  try {
    return work();
  } catch (error) {
    return fallback(thrownText(error));
  }
}

/** What a function gives; nothing where it throws: what is drawn of the thing says why. */
export const attemptOrNone = <T>(work: () => T): T | readonly [] => attempt<T | readonly []>(work, () => []);
