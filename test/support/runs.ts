/**
 * How many generated inputs a property tries: `whole` of them, and the first third of the same ones in `npm test`, where
 * vitest.config.ts sets TEST_QUICK.
 */
export const runs = (whole: number): number => (process.env.TEST_QUICK === '1' ? Math.ceil(whole / 3) : whole);
