import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { use } from 'react';
import { cells } from '../src/lib/text.ts';
import type { Span } from '../src/scene/span.ts';
import type { Theme } from '../src/scene/theme.ts';
import { CanvasContext } from './canvas.ts';

/**
 * A text field at rest, drawn by ink-text-input. Of a secret it gets as many characters as are to be seen, and draws the mask. It hears
 * no key: the session owns text and cursor.
 */
export function FieldInput({ span, theme }: { readonly span: Span; readonly theme: Theme }) {
  const canvas = use(CanvasContext);
  const { mask } = theme.glyphs;
  const shown = span.field?.secret ? span.text.trimEnd() : span.text;
  return (
    <Box
      ref={(box) => (box === null ? undefined : canvas?.putText(box))}
      width={cells(span.text)}
      height={1}
      flexShrink={0}
    >
      <TextInput
        value={shown}
        focus={false}
        showCursor={false}
        {...(span.field?.secret && { mask })}
        onChange={() => {}}
      />
    </Box>
  );
}
