import { readdirSync } from 'node:fs';
import type fc from 'fast-check';
import type { Example } from './queries.ts';

/** Every generator of valid queries, by file name; a new file is tested automatically. */
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
