import { thrownText } from './thrown-text.ts';

/** What a function gives; where it throws, what takes its place is made of the fault as the end of a sentence. */
export function attempt<T>(work: () => T, fallback: (fault: string) => T): T {
  try {
    return work();
  } catch (error) {
    return fallback(thrownText(error));
  }
}
