import { readdirSync } from 'node:fs';
import type fc from 'fast-check';
import type { Example } from './examples.ts';

/** Every generator of queries that are fine, by the name of its file: one that is added is tested with no line elsewhere. */
export const generators: readonly (readonly [name: string, sentences: fc.Arbitrary<Example>])[] = await Promise.all(
  readdirSync(new URL('./sentences/', import.meta.url))
    .sort()
    .map(
      async (file) =>
        [
          file.replace(/\.ts$/, ''),
          (await import(new URL(`./sentences/${file}`, import.meta.url).href)).sentences,
        ] as const,
    ),
);
