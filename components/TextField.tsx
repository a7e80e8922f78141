import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { use } from 'react';
import { paint } from '../src/lib/paint.ts';
import { fit, graphemes } from '../src/lib/text.ts';
import { CanvasContext } from './canvas.ts';
import { OneLine } from './Lines.tsx';
import type { Theme } from './theme.ts';
import { fieldSpans, type Typing } from './typing.ts';

export interface TextFieldProps extends Typing {
  readonly width: number;
  readonly focused: boolean;
  readonly theme: Theme;
}

/**
 * One line of text, exactly `width` cells. Keys are not handled here: the session owns text and cursor, because
 * ink-text-input types letters for Ctrl keys, breaks an emoji on Backspace and takes a pasted line break as it
 * is. So the field with the focus is drawn here, and those without by ink-text-input.
 */
export function TextField({ width, focused, theme, ...line }: TextFieldProps) {
  const canvas = use(CanvasContext);
  const { mask, ellipsis } = theme.glyphs;
  const { text, secret } = line;
  if (width <= 0) return null;
  // Its own placeholder is always coloured, whatever the theme.
  if (focused || text === '')
    return <OneLine spans={fieldSpans(line, width, focused, theme)} width={width} theme={theme} />;
  // A secret is not handed on at all: only as many characters as it has.
  const shown = secret
    ? 'x'.repeat(Math.min(width, graphemes(text).length))
    : fit(paint(text), width, 'left', ellipsis);
  return (
    <Box ref={(box) => (box === null ? undefined : canvas?.putText(box))} width={width} height={1} flexShrink={0}>
      <TextInput value={shown} focus={false} showCursor={false} {...(secret && { mask })} onChange={ignore} />
    </Box>
  );
}

const ignore = () => {};
