import { layoutText } from '../src/lib/detail-lines.ts';
import { type Painted, plain } from '../src/lib/painted.ts';
import { Lines } from './Lines.tsx';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

export interface RevealProps {
  readonly title: Painted;
  /** One text a line. */
  readonly lines: readonly Painted[];
  /** First line shown, counted in what `layoutText` gives. */
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** A text without border or margin over the whole width, so that the terminal's own selection copies it clean. */
export function Reveal({ title, lines, top = 0, width, height, theme }: RevealProps) {
  const room = Math.max(0, height - 1);
  const laid = layoutText(lines, width);
  const from = Math.max(0, Math.min(top, laid.length - room));
  const shown = laid.slice(from, from + room);
  const place = laid.length > room ? plain` ${from + 1}-${from + shown.length}/${laid.length}` : plain``;
  return (
    <Lines
      lines={[
        [
          { text: title, tone: 'strong' },
          { text: place, tone: 'dim' },
        ],
        ...shown.map((line): Span[] => [{ text: line }]),
      ]}
      width={width}
      height={height}
      theme={theme}
    />
  );
}
