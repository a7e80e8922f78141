import { expect, test } from 'vitest';
import { paint } from '../../src/lib/paint.ts';
import { markedSpans, type Span, underCursor } from '../../src/scene/span.ts';
import { createTheme } from '../../src/scene/theme.ts';

test.each(['dim', 'quiet', 'label'] as const)(
  'what a search has found is never %s: inverse, it could not be read',
  (tone) => {
    expect(markedSpans({ text: paint('Errors'), tone }, [{ start: 0, end: 5 }])).toEqual([
      { text: 'Error', tone: 'plain', bold: true, underline: true },
      { text: 's', tone },
    ]);
    expect(markedSpans({ text: paint('no'), tone: 'bad' }, [{ start: 0, end: 2 }])[0]?.tone).toBe('bad');
  },
);

test('the line under the cursor keeps the color of its state, but not while an edit of it is pending', () => {
  const theme = createTheme({ name: 'default', noColor: false, ascii: false });
  const spans: Span[] = [
    { text: paint('>'), tone: 'info' },
    { text: paint('ALERT '), tone: 'bad' },
    { text: paint('name'), tone: 'strong' },
    { text: paint('2/2'), tone: 'bad' },
  ];
  const look = { inverse: true, bold: false };
  expect(underCursor(spans, theme, false)).toEqual([
    { text: '>', ...look },
    { text: 'ALERT', tone: 'bad', ...look },
    { text: ' name2/2', ...look },
  ]);
  expect(underCursor(spans, theme, true)).toEqual([{ text: '>ALERT name2/2', ...look }]);
});
