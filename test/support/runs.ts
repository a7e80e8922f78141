/** Whether this is `npm test`, where vitest.config.ts sets TEST_QUICK. */
export const isQuick = process.env.TEST_QUICK === '1';

/** How many generated inputs a property tries: `whole` of them, and in `npm test` the first of the same ones, a third or `quick`. */
export const runs = (whole: number, quick = Math.ceil(whole / 3)): number => (isQuick ? quick : whole);
