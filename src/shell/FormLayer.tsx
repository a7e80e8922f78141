import { Form } from '../../components/Form.tsx';
import { Frame } from '../../components/Frame.tsx';
import type { Span } from '../../components/span.ts';
import { type Field, isSecret } from '../describe/field.ts';
import { clockTime } from '../lib/moment.ts';
import { paint, paintLines } from '../lib/paint.ts';
import { joined, plain } from '../lib/painted.ts';
import { present } from '../lib/present.ts';
import { offsetName } from '../lib/zone.ts';
import { draftKey, keptLabels, unkept } from '../session/form/drafts.ts';
import { namesOf, saysOf, textsOf } from '../session/form/fields.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { queryWidth } from '../session/list/geometry.ts';
import type { LayerProps } from './layerprops.ts';
import { doubtsOf, queryView, remarkOf } from './queryview.ts';

/** A form with its texts, its errors, and the service's message when it was refused. */
export function FormLayer({ layer, now, width, height, theme }: LayerProps<LayerOf<'form'>>) {
  const names = namesOf(layer);
  const texts = textsOf(layer);
  return (
    <Frame
      title={[
        { text: paint(layer.title), bold: true },
        { text: layer.review ? plain` what would change` : plain``, tone: 'warn' },
      ]}
      foot={footOf(layer, now)}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Form
        fields={names.map((name) => {
          const field = layer.fields[name];
          const line = layer.lines[name];
          return {
            name,
            label: paint(field?.label ?? name),
            text: isPicked(field?.kind) ? picked(layer, name, line?.text ?? '') : (line?.text ?? ''),
            cursor: line?.cursor ?? 0,
            kind: isPicked(field?.kind) ? 'choice' : field?.kind === 'file' ? 'text' : (field?.kind ?? 'text'),
            ...present({
              query: field?.kind === 'query' ? queryView(layer, name, queryWidth(width), theme) : undefined,
              options: field?.options?.map((option) => ({ value: option.value, label: paint(option.label) })),
              hint: field?.hint === undefined ? undefined : paint(field.hint),
            }),
            ...remarkOf(layer, name),
            ...(layer.errors[name] === undefined ? {} : { error: paint(layer.errors[name]) }),
            secret: field !== undefined && isSecret(field, texts),
            placeholder: paint(field?.placeholder),
          };
        })}
        focus={layer.focus}
        {...present({
          review: layer.review?.map(({ label, before, after, several }) => ({
            label: paint(label),
            before: joined(paintLines(before), plain`\n`),
            after: joined(paintLines(after), plain`\n`),
            ...present({ several }),
          })),
          reviewTop: layer.reviewTop,
          busy: layer.isChecking ? plain`checking` : layer.busy ? plain`sending` : undefined,
          problem: layer.problem === undefined ? undefined : paint(layer.problem),
        })}
        doubts={layer.review ? doubtsOf(layer) : []}
        width={width - 2}
        height={height - 2}
        theme={theme}
      />
    </Frame>
  );
}

/** The draft that is offered, what leaving would lose, or that what was typed is kept. */
function footOf(layer: LayerOf<'form'>, { context, state }: LayerProps<LayerOf<'form'>>['now']): Span[] {
  const time = (at: number) => paint(`${clockTime(at, context.zone)} ${offsetName(at, context.zone)}`);
  if (layer.draft)
    return [{ text: plain`Draft of ${time(layer.draft.at)}: Return continues with it, n starts anew`, tone: 'warn' }];
  if (layer.leaving) {
    const lost = unkept(layer);
    const kept = keptLabels(layer);
    const words = [
      ...(lost.length > 0 ? [`loses ${lost.join(', ')}`] : []),
      ...(kept.length > 0 ? [`keeps ${kept.join(', ')} as a draft`] : []),
    ];
    return [{ text: paint(`Esc again closes it${words.length > 0 ? `, ${words.join('; ')}` : ''}`), tone: 'warn' }];
  }
  const key = draftKey(layer);
  const draft = key === undefined ? undefined : state.drafts[key];
  return draft ? [{ text: plain`draft saved ${time(draft.at)}`, tone: 'dim' }] : [];
}

/** Picked values by label; more than three with their number first, since not all labels may fit. */
function picked(layer: LayerProps<LayerOf<'form'>>['layer'], name: string, text: string): string {
  const said = paint(saysOf(layer, name, text));
  const count = text.split(',').filter(Boolean).length;
  return count > 3 ? `${count}: ${said}` : said;
}

/** Fields whose text is ids; their labels are drawn instead. */
type Picked = 'pick' | 'checks';
const isPicked = (kind: Field['kind'] | undefined): kind is Picked => kind === 'pick' || kind === 'checks';
