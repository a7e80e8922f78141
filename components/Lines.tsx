import { Box } from 'ink';
import { use } from 'react';
import type { Spans } from '../src/scene/scene.ts';
import { cutSpans, resolveLook, type Span, spanCells } from '../src/scene/span.ts';
import type { Color, TextStyle, Theme } from '../src/scene/theme.ts';
import { CanvasContext, type DrawnLine } from './canvas.ts';

/** Lines of at most `width` cells, one below the other. All that is drawn is drawn by it, or is a text that another package draws. */
export function Lines({
  lines,
  width,
  theme,
}: {
  readonly lines: readonly Spans[];
  readonly width: number;
  readonly theme: Theme;
}) {
  const canvas = use(CanvasContext);
  const drawn = lines.map((spans) => drawnLine(spans, width, theme));
  return (
    <Box
      ref={(box) => (box === null ? undefined : canvas?.put(box, drawn))}
      width={width}
      height={lines.length}
      flexShrink={0}
    />
  );
}

/** One line of `width` cells at most. */
export function drawnLine(spans: Spans, width: number, theme: Theme): DrawnLine {
  const whole = spanCells(spans);
  const shown = whole <= width ? spans : cutSpans(spans, width, theme.glyphs.ellipsis);
  let text = '';
  for (const span of shown) text += styledSpan(theme.ascii ? plainly(span.text) : span.text, span, theme);
  return { text, cells: shown === spans ? whole : spanCells(shown) };
}

const foreground: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  redBright: 91,
  greenBright: 92,
  yellowBright: 93,
  cyanBright: 96,
};

/** A tone that is seen on blanks is for the words alone: it must not make bars of a column's padding. */
function styledSpan(text: string, span: Span, theme: Theme): string {
  const look = resolveLook(span, theme);
  const isToneSeen = look.inverse || (look.underline && !span.underline);
  if (!isToneSeen || span.inverse) return styled(text, look);
  return text
    .split(/(^ +| {2,}| +$)/)
    .map((part) => (part.trim() === '' ? part : styled(part, look)))
    .join('');
}

function styled(text: string, { color, bold, dimColor, underline, inverse }: TextStyle): string {
  let parameters = '';
  if (bold) parameters += ';1';
  if (dimColor) parameters += ';2';
  if (underline) parameters += ';4';
  if (inverse) parameters += ';7';
  if (color !== undefined) parameters += `;${foreground[color]}`;
  return parameters === '' || text === '' ? text : `\u001B[${parameters.slice(1)}m${text}\u001B[0m`;
}

const signs: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '…': '~',
  '·': '-',
  '→': '>',
  '’': "'",
  '“': '"',
  '”': '"',
};
/** For terminals that cannot be trusted with more than ASCII: the signs of our own sentences, each in one cell. */
const plainly = (text: string): string => text.replace(/[–—…·→’“”]/g, (sign) => signs[sign] ?? sign);
