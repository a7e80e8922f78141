import type { Tone } from '../describe/column.ts';
import { type Painted, spaces, trimmed } from '../lib/painted.ts';
import { cells, wrap } from '../lib/text.ts';
import { asLines, type SceneBlock } from './scene.ts';
import type { Span } from './span.ts';

/** One text in the middle of a space: `needs 60x16, has 40x10`. */
export function noticeBlock({
  text,
  tone = 'plain',
  ...place
}: Pick<SceneBlock<never>, 'x' | 'y' | 'width' | 'height'> & {
  readonly text: Painted;
  readonly tone?: Tone | undefined;
}): SceneBlock<never> {
  const { width, height } = place;
  const said = wrap(text, Math.max(1, width)).map(trimmed);
  const above = Math.max(0, Math.floor((height - said.length) / 2));
  const lines: Span[][] = [
    ...Array.from({ length: above }, (): Span[] => []),
    ...said.map((sentence): Span[] => [
      { text: spaces(Math.floor((width - cells(sentence)) / 2)) },
      { text: sentence, tone },
    ]),
  ];
  return { ...place, title: [], lines: asLines(lines, 'problem'), active: false, border: 'none' };
}
