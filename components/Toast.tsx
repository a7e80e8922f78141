import type { Tone } from '../src/describe/column.ts';
import { type Painted, plain } from '../src/lib/painted.ts';
import { cells, squeeze } from '../src/lib/text.ts';
import { OneLine } from './Lines.tsx';
import type { Span } from './span.ts';
import type { Glyphs, Theme } from './theme.ts';

export interface ToastProps {
  /** Undefined: a blank line. */
  readonly text?: Painted;
  readonly tone?: Tone | undefined;
  /** What can be pressed now: `u undo`. It stays when the text has to be cut. */
  readonly keys?: Painted;
  readonly width: number;
  readonly theme: Theme;
}

/** The flash line: the last receipt, with the undo key. */
export function Toast({ text = plain``, tone = 'plain', keys, width, theme }: ToastProps) {
  if (text === '') return <OneLine spans={[]} width={width} theme={theme} />;
  const { dot, ellipsis } = theme.glyphs;
  const tail = keys ? plain` ${dot} ${keys}` : plain``;
  const line: Span[] = [
    { text: plain` ${markOf(tone, theme.glyphs)} `, tone },
    { text: squeeze(text, Math.max(0, width - 3 - cells(tail)), ellipsis), tone: tone === 'good' ? 'plain' : tone },
    { text: tail, tone: 'strong' },
  ];
  return <OneLine spans={line} width={width} theme={theme} />;
}

function markOf(tone: Tone, glyphs: Glyphs): Painted {
  if (tone === 'good') return glyphs.ok;
  if (tone === 'bad') return glyphs.bad;
  return tone === 'warn' ? glyphs.warn : glyphs.info;
}
