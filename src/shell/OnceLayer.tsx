import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import type { Span } from '../../components/span.ts';
import { paint } from '../lib/paint.ts';
import { plain, repeated } from '../lib/painted.ts';
import { capitalized, graphemes, wrap } from '../lib/text.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import type { LayerProps } from './layerprops.ts';

/** A secret that is shown once: masked until it is revealed. */
export function SecretLayer({ layer, width, height, theme }: LayerProps<LayerOf<'secret'>>) {
  const { secret, shown, copied, leaving } = layer;
  const value = shown ? paint(secret.value) : repeated(theme.glyphs.mask, Math.min(40, graphemes(secret.value).length));
  const lines: Span[][] = [
    [],
    [{ text: plain`  ` }, { text: value, tone: 'strong' }],
    [],
    ...secret.notes.flatMap((note) =>
      wrap(paint(note), Math.max(10, width - 6)).map((text): Span[] => [{ text: plain`  ${text}` }]),
    ),
    [],
    [
      {
        text: copied ? plain`  Copied` : plain`  Shown only once`,
        tone: copied ? 'good' : 'warn',
      },
    ],
    ...(leaving && !copied
      ? [[{ text: plain`  Not copied yet: Esc again closes it for good`, tone: 'bad' as const }]]
      : []),
  ];
  return (
    <Frame title={[{ text: paint(secret.title), bold: true }]} width={width} height={height} theme={theme} active>
      <Lines lines={lines} width={width - 2} height={height - 2} theme={theme} />
    </Frame>
  );
}

/** A long job: its step and how far it is; once it has ended, its outcome alone. */
export function JobLayer({ layer, width, height, theme }: LayerProps<LayerOf<'job'>>) {
  const { title, progress, ended, stopping } = layer;
  const cells = Math.max(10, width - 14);
  const part = progress?.part;
  const filled = Math.round((part ?? 0) * cells);
  const bar: Span[] =
    part === undefined
      ? []
      : [
          { text: plain`  ` },
          { text: repeated(theme.ascii ? plain`#` : plain`█`, filled), tone: 'good' },
          { text: repeated(theme.ascii ? plain`.` : plain`░`, cells - filled), tone: 'dim' },
          { text: plain` ${Math.floor(part * 100)}%` },
        ];
  const said = (text: string, tone: NonNullable<Span['tone']>): Span[][] =>
    wrap(paint(text), Math.max(10, width - 6)).map((row) => [{ text: plain`  ${row}`, tone }]);
  const mark = ended?.ok ? theme.glyphs.ok : theme.glyphs.bad;
  const lines: Span[][] = ended
    ? [[], ...said(`${mark} ${ended.text}`, ended.ok ? 'good' : 'bad')]
    : [
        [],
        ...said(capitalized(progress?.step ?? 'starting'), 'strong'),
        [],
        ...(part === undefined ? [] : [bar, []]),
        ...(progress?.notes ?? []).flatMap((note) => said(note, 'plain')),
        ...(stopping ? said('Stopping', 'warn') : []),
      ];
  return (
    <Frame title={[{ text: paint(title), bold: true }]} width={width} height={height} theme={theme} active>
      <Lines lines={lines} width={width - 2} height={height - 2} theme={theme} />
    </Frame>
  );
}
