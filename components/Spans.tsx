import { Text } from 'ink';
import { lookOf, type Span } from './span.ts';
import type { Theme } from './theme.ts';

/** One line. The spans are expected to fit: `wrap="truncate"` only makes sure that a mistake stays on its line. */
export function Spans({ spans, theme }: { readonly spans: readonly Span[]; readonly theme: Theme }) {
  // A text node without a character has no height, and everything below would move up.
  const said = theme.ascii ? plainly : asIs;
  if (spans.every((span) => span.text === '')) return <Text> </Text>;
  return (
    <Text wrap="truncate">
      {spans.map((span, at) =>
        isPlain(span) ? (
          said(span.text)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have no other name
          <Text key={at} {...lookOf(span, theme)}>
            {said(span.text)}
          </Text>
        ),
      )}
    </Text>
  );
}

const isPlain = ({ tone = 'plain', inverse, bold, underline }: Span): boolean =>
  tone === 'plain' && !inverse && !bold && !underline;

const asIs = (text: string): string => text;
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
