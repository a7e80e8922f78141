import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedParts, changedWords } from '../../src/lib/text-matches.ts';

const steps = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, at) => changed[at + 1] ?? `step ${at + 1}`).join('\n');

describe('the lines of two texts that differ', () => {
  const drawn = (before: string, after: string) =>
    changedParts(before, after).flatMap(({ sign, text }) => text.split('\n').map((line) => `${sign} ${line}`));

  test('two far changes have two lines around each, and a count of those between', () => {
    expect(drawn(steps(200), steps(200, { 10: 'ten', 12: '', 150: 'more\nof 150' }))).toEqual([
      ...['  … 7 lines …', '  step 8', '  step 9', '- step 10', '+ ten', '  step 11', '- step 12', '+ '],
      ...['  step 13', '  step 14', '  … 133 lines …', '  step 148', '  step 149', '- step 150', '+ more', '+ of 150'],
      ...['  step 151', '  step 152', '  … 48 lines …'],
    ]);
  });

  test('a line that is left out alone is shown, and a text that gets longer has no more than its new lines', () => {
    const [before, added, removed] = [steps(30), steps(31), steps(30).slice(0, -'\nstep 30'.length)];
    expect(drawn(before, steps(30, { 4: 'four' })).slice(0, 4)).toEqual([
      '  step 1',
      '  step 2',
      '  step 3',
      '- step 4',
    ]);
    expect(drawn(before, added)).toEqual(['  … 28 lines …', '  step 29', '  step 30', '+ step 31']);
    expect(drawn(before, removed)).toEqual(['  … 27 lines …', '  step 28', '  step 29', '- step 30']);
  });

  test('short texts, and texts that have nothing in common, are shown whole', () => {
    expect(drawn('one\ntwo', 'one\nthree')).toEqual(['- one', '- two', '+ one', '+ three']);
    const other = steps(400).replaceAll('step', 'other');
    expect(changedParts(steps(400), other)).toEqual([
      { sign: '-', text: steps(400) },
      { sign: '+', text: other },
    ]);
  });

  test('of a long line among others only the words around the change are shown', () => {
    const long = (word: string) => `${'look at it '.repeat(40)}${word}${' and call them'.repeat(40)}`;
    const [, before, after, ...rest] = changedParts(steps(9, { 5: long('now') }), steps(9, { 5: long('soon') }));
    expect(before?.text).toMatch(/^… (look at it )+now( and call them)+ …$/);
    expect(after?.text).toBe(before?.text.replace('now', 'soon'));
    expect(rest.map(({ text }) => text)).toEqual(['step 6\nstep 7\n… 2 lines …']);
  });
});

describe('the words of two long texts that differ', () => {
  const words = (from: number, count: number): string =>
    Array.from({ length: count }, (_, at) => ` word${from + at}`).join('');

  test('short texts, and one that is empty, stay as they are', () => {
    expect(changedWords('one', 'two')).toEqual({ before: 'one', after: 'two' });
    expect(changedWords('', words(0, 99))).toEqual({ before: '', after: words(0, 99) });
  });

  test('a word that is very long is cut between two characters', () => {
    const text = (end: string) => `${'👩‍🚒'.repeat(90)},${end}`;
    expect(changedWords(text('one'), text('two')).before).toMatch(/^… (👩‍🚒)+,one$/u);
  });

  test('nothing but what is the same is left out, between two far changes too', () => {
    const piece = fc.string({ unit: 'grapheme', maxLength: 60 });
    const pieces = (text: string) => text.replace(/^\0 | \0$/g, '\0').split(/(?: ?\0 ?)/);
    fc.assert(
      fc.property(piece, piece, piece, piece, (one, other, two, last) => {
        fc.pre(one !== other && two !== last);
        const [head, between, tail] = [words(0, 60), words(100, 60), words(200, 60)];
        const text = (first: string, second: string) => `${head} ${first}${between} ${second}${tail}`;
        const [before, after] = [text(one, two), text(other, last)];
        const sides = changedWords(before, after, '\0');
        const left: string[] = [];
        let end = 0;
        for (const shown of pieces(sides.before)) {
          const start = before.indexOf(shown, end);
          left.push(before.slice(end, start));
          end = start + shown.length;
        }
        expect(left.join('').length).toBeGreaterThan(600);
        expect(
          pieces(sides.after)
            .flatMap((shown, at) => [left[at], shown])
            .join('') + before.slice(end),
        ).toBe(after);
      }),
    );
  });
});
