import { conditionsOf } from './filter.ts';

/** Numbers in one piece of memory; a text with more words gets a piece of its own. */
const pieceSize = 1 << 16;
/** Words of which a condition remembers whether they satisfy it, before it needs more room. */
const fewWords = 1 << 12;

/**
 * Texts of rows for filters. A text is kept as the numbers of its words, outside the heap: most words are in many rows, and no
 * word that a filter names has a space in it. Of 100,000 monitors that takes 20 MB, as strings 230 MB.
 */
export interface WordTexts {
  /** Keeps a text in lower case; answers where: a number above 0. */
  keep(text: string): number;
  /** How many have been kept. None is given up before all are. */
  kept(): number;
  /** Whether a filter leaves a kept text; undefined for a filter without words. */
  tester(filter: string): ((at: number) => boolean) | undefined;
}

export function createWordTexts(size = pieceSize): WordTexts {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const pieces: Uint32Array[] = [];
  // As if the first piece were full; so no text is kept at 0.
  const end = { at: size, count: 0 };

  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    const own = copied(word);
    numbers.set(own, words.length);
    return words.push(own) - 1;
  };

  /** Whether a text has a word that satisfies a condition; each word is asked once. */
  const someWord = (isSo: (word: string) => boolean) => {
    let answers = new Uint8Array(Math.max(fewWords, words.length));
    return (at: number): boolean => {
      const piece = pieces[Math.floor(at / size) - 1] as Uint32Array;
      const start = (at % size) + 1;
      const past = start + (piece[start - 1] as number);
      for (let place = start; place < past; place += 1) {
        const word = piece[place] as number;
        if (word >= answers.length) {
          const more = new Uint8Array(2 * words.length);
          more.set(answers);
          answers = more;
        }
        if (answers[word] === 0) answers[word] = isSo(words[word] as string) ? 2 : 1;
        if (answers[word] === 2) return true;
      }
      return false;
    };
  };

  const textAt = (at: number): string => {
    const piece = pieces[Math.floor(at / size) - 1] as Uint32Array;
    const start = (at % size) + 1;
    return Array.from(piece.subarray(start, start + (piece[start - 1] as number)), (word) => words[word]).join(' ');
  };

  return {
    keep(text) {
      const all = text.split(/\s+/);
      if (end.at + all.length >= size) {
        pieces.push(new Uint32Array(Math.max(size, all.length + 1)));
        end.at = 0;
      }
      const piece = pieces[pieces.length - 1] as Uint32Array;
      const at = pieces.length * size + end.at;
      piece[end.at] = all.length;
      for (const [place, word] of all.entries()) piece[end.at + 1 + place] = numberOf(word);
      end.at += all.length + 1;
      end.count += 1;
      return at;
    },
    kept: () => end.count,
    tester(filter) {
      const conditions = conditionsOf(filter).map(({ isIn, isWanted, isOfWord }) => {
        const isThere = isOfWord ? someWord(isIn) : (at: number) => isIn(textAt(at));
        return (at: number) => isThere(at) === isWanted;
      });
      const [only] = conditions;
      if (only === undefined) return undefined;
      return conditions.length === 1 ? only : (at) => conditions.every((holds) => holds(at));
    },
  };
}

/** Room for one word at a time: a buffer for each would be most of the garbage of a text. */
const room = Buffer.alloc(1024);

/** A word of its own: a part of a text keeps all of that text in memory. */
function copied(word: string): string {
  if (2 * word.length > room.length) return Buffer.from(word, 'utf16le').toString('utf16le');
  return room.toString('utf16le', 0, room.write(word, 'utf16le'));
}
