import { Box } from 'ink';
import {
  Form,
  type FormField,
  type FormProps,
  fieldsSeen,
  type LaidForm,
  layoutForm,
  linesSeen,
  scrolled,
} from '../../components/Form.tsx';
import { Frame } from '../../components/Frame.tsx';
import { keptLines, type Span } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import type { Context } from '../describe/context.ts';
import { type Field, isSecret } from '../describe/field.ts';
import { dayAndTime } from '../lib/end-time.ts';
import { age, clockTime } from '../lib/moment.ts';
import { keptPer } from '../lib/once.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { present } from '../lib/present.ts';
import { capitalized, commaWords } from '../lib/text.ts';
import { offsetName } from '../lib/zone.ts';
import { draftKey, keptLabels, unkept } from '../session/form/drafts.ts';
import { focused, furtherOf, isFurther, namesOf, partsOf, saysOf, textsOf, textWidth } from '../session/form/fields.ts';
import { isPath, pathError, pathHint } from '../session/form/paths.ts';
import { isNew } from '../session/form/review.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import type { Draft } from '../session/saved-session.ts';
import { drawnDifferences, outlookOf } from './form-outlook.ts';
import type { LayerProps } from './layerprops.ts';
import { doubtsOf, queryView, remarkOf } from './queryview.ts';

type FormLayerProps = LayerProps<LayerOf<'form'>>;

/** A form with its texts, its errors, and the service's message when it was refused; beside it, what it would do. */
export function FormLayer({ layer, now, width, height, theme }: FormLayerProps) {
  const names = namesOf(layer);
  const { form: formWidth, pane } = partsOf(layer, width);
  const aheadTitle = layer.review ? plain`What will be sent` : plain`What it would do now`;
  const ahead = (room: number) => outlookOf(layer, now.context, room, width, theme);
  const outlook =
    pane === 0 && layer.for.kind === 'action' ? { title: aheadTitle, lines: ahead(formWidth - 4) } : undefined;
  const form = { ...formOf({ layer, now, width, theme }, height - 2), outlook };
  const laid = layoutForm(form);
  const isMarked = names.some((name) => layer.fields[name]?.required);
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Frame
        title={[
          { text: paint(layer.title), bold: true },
          ...(layer.review
            ? [
                {
                  text: isNew(layer) ? plain` ${theme.glyphs.dot} Review` : plain` ${theme.glyphs.dot} Review changes`,
                  tone: 'warn' as const,
                  keep: true,
                },
              ]
            : []),
        ]}
        titleRight={isMarked && !layer.review ? [{ text: plain`* required`, tone: 'dim' }] : []}
        foot={footOf(layer, now)}
        footRight={layer.leaving || layer.draft ? [] : footPlace(placeOf(laid, names.length))}
        width={formWidth}
        height={height}
        theme={theme}
        active
      >
        <Form {...form} laid={laid} />
      </Frame>
      {pane > 0 && (
        <Ahead title={aheadTitle} lines={ahead(pane - 4)} layer={layer} width={pane} height={height} theme={theme} />
      )}
    </Box>
  );
}

interface AheadProps extends Pick<FormLayerProps, 'layer' | 'width' | 'height' | 'theme'> {
  readonly title: Painted;
  readonly lines: readonly (readonly Span[])[];
}

/** The pane beside a form: in a review scrolled with it, else cut with a sign, since the review shows all. */
function Ahead({ title, lines, layer, width, height, theme }: AheadProps) {
  const room = height - 2;
  const { shown, ...seen } = scrolled(lines, layer.review ? layer.reviewTop : 0, room);
  const isCut = !layer.review && lines.length > room;
  const drawn = isCut ? [...shown.slice(0, -1), [{ text: theme.glyphs.ellipsis, tone: 'dim' as const }]] : shown;
  return (
    <Frame
      title={[{ text: title, bold: true }]}
      footRight={layer.review ? footPlace(linesSeen(seen)) : []}
      width={width}
      height={height}
      theme={theme}
      active={false}
      lines={keptLines(
        layer.for,
        drawn.map((line) => [{ text: plain` ` }, ...line]),
      )}
    />
  );
}

/** A form as it is drawn in so many lines. */
function formOf({ layer, now, width, theme }: Omit<FormLayerProps, 'height'>, height: number): FormProps {
  return {
    fields: namesOf(layer).map((name) => drawn(layer, name, width, theme)),
    // Nothing can be typed before the draft is continued or dropped.
    focus: layer.draft ? -1 : layer.focus,
    ...present({
      review: layer.review && drawnDifferences(layer.review),
      reviewTop: layer.reviewTop,
      busy: layer.isChecking ? plain`checking` : layer.busy ? plain`sending` : undefined,
      problem: layer.problem === undefined ? undefined : paint(layer.problem),
      title: layer.draft && draftSays(layer, layer.draft, now.context),
    }),
    doubts: layer.review ? doubtsOf(layer) : [],
    width: partsOf(layer, width).form - 2,
    height,
    theme,
  };
}

/** Lines that a form needs whichever field has the focus, frame included: nothing moves with the focus. */
export function formRows(props: Omit<FormLayerProps, 'height'>): number {
  const form = formOf(props, props.now.view.room.bodyRows);
  const rows = form.fields.map((_, focus) => {
    const { shown, said } = layoutForm({ ...form, focus });
    return shown.length + said.length;
  });
  return 2 + (form.title === undefined ? 0 : 1) + Math.max(0, ...rows);
}

/** A place at the foot; an empty text would leave a gap in the border. */
const footPlace = (text: Painted): Span[] => (text === '' ? [] : [{ text, tone: 'dim' }]);

/** `1-9/12`: the fields that are seen, of all; the lines of a review where not all have room. */
function placeOf(laid: LaidForm, count: number): Painted {
  if (laid.seen) return linesSeen(laid.seen);
  const [first, last] = fieldsSeen(laid);
  return plain`${first + 1}-${last + 1}/${count}`;
}

const keptFields = keptPer<Field, FormField>();

/** A field of the session as it is drawn: while a letter is typed into one, the others are drawn from the same. */
function drawn(layer: LayerOf<'form'>, name: string, width: number, theme: Theme): FormField {
  const field = layer.fields[name];
  const written = layer.written[name];
  const isFocused = focused(layer)?.name === name;
  if (!field || isFocused || (written && written.findings.length > 0)) return drawnAnew(layer, name, width, theme);
  const { error, doubt } = remarkOf(layer, name);
  const on = [
    layer.lines[name],
    layer.labels[name],
    layer.errors[name],
    layer.paths?.[name],
    written?.trouble,
    error,
    doubt,
  ];
  const sizes = [isFurther(field) && furtherOf(layer, name), isSecret(field, textsOf(layer)), width, theme];
  const rows = field.kind === 'query' && textWidth(layer, width);
  return keptFields(field, [...on, ...sizes, rows], () => drawnAnew(layer, name, width, theme));
}

function drawnAnew(layer: LayerOf<'form'>, name: string, width: number, theme: Theme): FormField {
  const field = layer.fields[name];
  const line = layer.lines[name];
  const fault = pathError(layer, name);
  const error = layer.errors[name] ?? (fault && asSentence(fault));
  return {
    name,
    label: paint(field?.label ?? name),
    text: isPicked(field?.kind) ? picked(layer, name, line?.text ?? '') : (line?.text ?? ''),
    cursor: line?.cursor ?? 0,
    kind: isPicked(field?.kind) ? 'choice' : field?.kind === 'file' ? 'text' : (field?.kind ?? 'text'),
    ...present({
      query: field?.kind === 'query' ? queryView(layer, name, textWidth(layer, width), theme) : undefined,
      options: field?.options?.map((option) => ({ value: option.value, label: paint(option.label) })),
      hint: hintOf(layer, name),
      required: field?.required,
      cells: field?.cells,
      further: field && isFurther(field) ? furtherOf(layer, name) : undefined,
    }),
    ...remarkOf(layer, name),
    ...(error === undefined ? {} : { error: paint(error) }),
    secret: field !== undefined && isSecret(field, textsOf(layer)),
    placeholder: exampleOf(field) || (focused(layer)?.name === name ? plain`` : emptyMeans(field)),
  };
}

/** What an empty field shows: of a text an example, which must not look like a value where nothing is dim. */
export function exampleOf(field: Pick<Field, 'kind' | 'placeholder'> | undefined): Painted {
  const shown = paint(field?.placeholder);
  return shown === '' || isPicked(field?.kind) ? shown : plain`e.g. ${shown}`;
}

/** What leaving a text empty means, where its hint says so and a field without a width of its own has room for it. */
function emptyMeans(field: Field | undefined): Painted {
  if (field?.kind !== 'text' || field.cells !== undefined) return plain``;
  return paint(/\bempty = [^;]+/i.exec(field.hint ?? '')?.[0].replace(/^E/, 'e'));
}

/** With a capital, unless it begins with a term of a query: `status:Alert`. */
const asSentence = (hint: string): string => (/^[a-z]+[,;:]?(\s|$)/.test(hint) ? capitalized(hint) : hint);

/** What is known of the path in a field, else the field's own hint. */
function hintOf(layer: LayerOf<'form'>, name: string): Painted | undefined {
  const field = layer.fields[name];
  const hint = (isPath(field) ? pathHint(layer, name) : undefined) ?? field?.hint;
  return hint === undefined ? undefined : paint(asSentence(hint));
}

/** The draft that is offered: of when, the keys that take it or not, and what was typed in it. */
function draftSays({ fields }: LayerOf<'form'>, { at, texts }: Draft, { now, zone }: Context): Painted {
  const labels = Object.keys(texts).flatMap((name) => fields[name]?.label ?? []);
  const when = plain`${paint(dayAndTime(at, now, zone))} ${paint(offsetName(at, zone))}, ${paint(age(at, now))} old`;
  return plain` Draft of ${when}: Enter continues it, n starts over · ${paint(labels.join(', '))}`;
}

/** What leaving would lose, or that what was typed is kept. */
function footOf(layer: LayerOf<'form'>, { context, state }: LayerProps<LayerOf<'form'>>['now']): Span[] {
  const time = (at: number) => paint(`${clockTime(at, context.zone)} ${offsetName(at, context.zone)}`);
  if (layer.draft) return [];
  if (layer.leaving) {
    const lost = unkept(layer);
    const kept = keptLabels(layer);
    const words = [
      ...(lost.length > 0 ? [`loses ${lost.join(', ')}`] : []),
      ...(kept.length > 0 ? [`keeps ${lost.length > 0 ? 'the rest' : kept.join(', ')} as a draft`] : []),
    ];
    return [{ text: paint(`Esc again closes it${words.length > 0 ? `, ${words.join('; ')}` : ''}`), tone: 'warn' }];
  }
  const key = draftKey(layer);
  const draft = key === undefined ? undefined : state.drafts[key];
  if (!draft) return [];
  if (state.draftTrouble !== undefined) return [{ text: plain`draft not on the disk`, tone: 'warn' }];
  return [{ text: plain`draft saved ${time(draft.at)}`, tone: 'dim' }];
}

/** Picked values by label; more than three with their number first, since not all labels may fit. */
function picked(layer: LayerProps<LayerOf<'form'>>['layer'], name: string, text: string): string {
  const said = paint(saysOf(layer, name, text));
  const count = commaWords(text).length;
  return count > 3 ? `${count}: ${said}` : said;
}

/** Fields whose text is ids; their labels are drawn instead. */
type Picked = 'pick' | 'checks';
const isPicked = (kind: Field['kind'] | undefined): kind is Picked => kind === 'pick' || kind === 'checks';
