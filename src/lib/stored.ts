import * as v from 'valibot';

/** A moment in a file, in milliseconds since the Unix epoch: one that a date can hold. */
export const storedTime = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

/** A whole number from 0 on in a file. */
export const storedCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
