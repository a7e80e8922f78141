import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sources } from './sources.ts';
import { repeatedSentences, reviewedTexts, sentencesIn } from './texts.ts';

const stored = (room: string): string =>
  fileURLToPath(new URL(`../support/stored/texts/${room.replaceAll('/', '-')}.txt`, import.meta.url));

const files = sources();
const rooms = ['components', 'screens', 'src/api', 'src/cli', 'src/client', 'src/describe', 'src/journal', 'src/lib'];
const further = ['src/profiles', 'src/query', 'src/session', 'src/shell', 'src/terminal', 'src/upload'];

test.each([...rooms, ...further])('the reviewed texts of %s are those of the code', async (room) => {
  await expect(reviewedTexts(files, room)).toMatchFileSnapshot(stored(room));
});

test('a sentence stands in one file', () => {
  expect(repeatedSentences(files)).toEqual([]);
});

test('the law reads literals and templates, and finds a repeated sentence', () => {
  const text = `import a from 'not a text';\ntype A = 'no text either';\nconst b = \`Muted \${name} until \${end(now)}\` as A;`;
  expect(sentencesIn({ path: 'src/a.ts', text })).toEqual(['Muted {name} until {end(now)}']);
  const twice = ['src/a.ts', 'screens/b.ts'].map((path) => ({
    path,
    text: "f('this sentence of six words stands twice');",
  }));
  expect(repeatedSentences(twice)).toEqual(['this sentence of six words stands twice: src/a.ts, screens/b.ts']);
});
