import { Box, Text } from 'ink';
import TextInput from 'ink-text-input';
import { paint } from '../src/lib/paint.ts';
import { plain } from '../src/lib/painted.ts';
import { fit, graphemes } from '../src/lib/text.ts';
import { Spans } from './Spans.tsx';
import type { Theme } from './theme.ts';
import { type Typing, typing } from './typing.ts';

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
export function TextField({ text, cursor, width, focused, secret, placeholder = plain``, theme }: TextFieldProps) {
  const { mask, ellipsis } = theme.glyphs;
  if (width <= 0) return null;
  if (focused) return <Spans spans={typing({ text, cursor, secret, placeholder }, width, theme)} theme={theme} />;
  if (text === '') {
    // Its own placeholder is always coloured, whatever the theme.
    return <Spans spans={[{ text: fit(placeholder, width, 'left', ellipsis), tone: 'dim' }]} theme={theme} />;
  }
  // A secret is not handed on at all: only as many characters as it has.
  const shown = secret
    ? 'x'.repeat(Math.min(width, graphemes(text).length))
    : fit(paint(text), width, 'left', ellipsis);
  return (
    <Box width={width} height={1} flexShrink={0}>
      <TextInput value={shown} focus={false} showCursor={false} {...(secret && { mask })} onChange={ignore} />
      {secret ? <Text>{' '.repeat(width - shown.length)}</Text> : null}
    </Box>
  );
}

const ignore = () => {};
