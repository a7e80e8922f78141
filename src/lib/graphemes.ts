import { once } from './once.ts';

/** Loading the rules of ICU takes 13 ms, which most starts do not need. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** What a person sees as single characters. */
export const segments = (text: string): Intl.Segments => segmenter().segment(text);
