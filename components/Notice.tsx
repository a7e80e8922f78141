import type { Tone } from '../src/describe/column.ts';
import { type Painted, spaces, trimmed } from '../src/lib/painted.ts';
import { cells, wrap } from '../src/lib/text.ts';
import { Lines, type LinesProps } from './Lines.tsx';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

interface NoticeProps {
  readonly text: Painted;
  readonly tone?: Tone | undefined;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** One text in the middle of a space: `needs 60x16, has 40x10`. */
export const Notice = (props: NoticeProps) => <Lines {...noticeBlock(props)} />;

export function noticeBlock({ text, tone = 'plain', width, height, theme }: NoticeProps): LinesProps {
  const said = wrap(text, Math.max(1, width)).map(trimmed);
  const above = Math.max(0, Math.floor((height - said.length) / 2));
  const lines: Span[][] = [
    ...Array.from({ length: above }, (): Span[] => []),
    ...said.map((sentence): Span[] => [
      { text: spaces(Math.floor((width - cells(sentence)) / 2)) },
      { text: sentence, tone },
    ]),
  ];
  return { lines, width, height, theme };
}
