import type { Context } from '../../describe/context.ts';
import { dayAndTime } from '../../lib/end-time.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { present } from '../../lib/present-members.ts';
import { age, clockTime } from '../../lib/time-text.ts';
import { offsetName } from '../../lib/zone.ts';
import {
  type FormProps,
  fieldsSeen,
  formLines,
  type LaidForm,
  layoutForm,
  linesSeen,
  scrolled,
} from '../../scene/form-lines.ts';
import { asLines, type Pane, type Spans } from '../../scene/scene.ts';
import type { Span } from '../../scene/span.ts';
import type { SavedDraft } from '../outside/saved-session.ts';
import type { LayerPane, Room } from '../stack/kind.ts';
import { fieldNames, formLayout } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import { draftKey, keptLabels, unkept } from './drafts.ts';
import { drawnField } from './drawn-fields.ts';
import { drawnDifferences, formOutlook } from './form-outlook.ts';
import { formSpeech } from './form-speech.ts';
import { listWarnings } from './query-view.ts';
import { isNew } from './review.ts';

/** A form with its texts, its errors, and the service's message when it was refused; beside it, what it would do. */
export function formPane(layer: OpenForm, now: Moment, room: Room): LayerPane {
  const { theme, height } = room;
  const names = fieldNames(layer);
  const columns = room.width + 2;
  const { form: width, pane } = formLayout(layer, columns);
  const aheadTitle = layer.review ? plain`What will be sent` : plain`What it would do now`;
  const ahead = (wide: number) => formOutlook(layer, now.context, wide, columns, theme);
  const isBelow = pane === 0 && layer.for.kind === 'action';
  const form = {
    ...formOf(layer, now, { ...room, width: width - 2 }),
    outlook: isBelow ? { title: aheadTitle, lines: ahead(width - 4) } : undefined,
  };
  const laid = layoutForm(form);
  const isMarked = names.some((name) => layer.fields[name]?.required);
  const review = isNew(layer) ? plain` ${theme.glyphs.dot} Review` : plain` ${theme.glyphs.dot} Review changes`;
  return {
    width,
    title: [
      { text: paint(layer.title), bold: true },
      ...(layer.review ? [{ text: review, tone: 'warn' as const, keep: true }] : []),
    ],
    titleRight: isMarked && !layer.review ? [{ text: plain`* required`, tone: 'dim' }] : [],
    foot: footOf(layer, now),
    footRight: layer.leaving || layer.draft ? [] : footPlace(placeOf(laid, names.length)),
    lines: formLines(form, laid),
    speech: () => formSpeech(layer, now),
    ...(layer.for.kind === 'search' ? { needs: linesNeeded(layer, now, { ...room, width: width - 2 }) } : {}),
    ...(pane > 0 ? { beside: aheadPane(aheadTitle, ahead(pane - 4), layer, height, room) } : {}),
  };
}

/** The pane beside a form: in a review scrolled with it, else cut with a sign, since the review shows all. */
function aheadPane(
  title: Painted,
  lines: readonly Spans[],
  layer: OpenForm,
  height: number,
  { theme }: Room,
): Pane<Message> {
  const { shown, ...seen } = scrolled(lines, layer.review ? layer.reviewTop : 0, height);
  const isCut = !layer.review && lines.length > height;
  const drawn: readonly Spans[] = isCut
    ? [...shown.slice(0, -1), [{ text: theme.glyphs.ellipsis, tone: 'dim' }]]
    : shown;
  return {
    title: [{ text: title, bold: true }],
    footRight: layer.review ? footPlace(linesSeen(seen)) : [],
    lines: asLines(drawn.map((line) => [{ text: plain` ` }, ...line])),
  };
}

/** A form as it is drawn in so many lines. */
function formOf(layer: OpenForm, now: Moment, { width, height, theme }: Room): FormProps {
  return {
    fields: fieldNames(layer).map((name) => drawnField(layer, name, now.state.size.columns, theme)),
    // Nothing can be typed before the draft is continued or dropped.
    focus: layer.draft ? -1 : layer.focus,
    ...present({
      review: layer.review && drawnDifferences(layer.review),
      reviewTop: layer.reviewTop,
      busy: layer.isChecking ? plain`checking` : layer.busy ? plain`sending` : undefined,
      problem: layer.problem === undefined ? undefined : paint(layer.problem),
      title: layer.draft && draftSays(layer, layer.draft, now.context),
    }),
    doubts: layer.review ? listWarnings(layer) : [],
    width,
    height,
    theme,
  };
}

/** Lines that a form needs inside its border whichever field has the focus: nothing moves with the focus. */
function linesNeeded(layer: OpenForm, now: Moment, room: Room): number {
  const form = formOf(layer, now, { ...room, height: now.view.room.bodyRows });
  const rows = form.fields.map((_, focus) => {
    const { shown, said } = layoutForm({ ...form, focus });
    return shown.length + said.length;
  });
  return (form.title === undefined ? 0 : 1) + Math.max(0, ...rows);
}

/** A place at the foot; an empty text would leave a gap in the border. */
const footPlace = (text: Painted): Span[] => (text === '' ? [] : [{ text, tone: 'dim' }]);

/** `1-9/12`: the fields that are seen, of all; the lines of a review where not all have room. */
function placeOf(laid: LaidForm, count: number): Painted {
  if (laid.seen) return linesSeen(laid.seen);
  const [first, last] = fieldsSeen(laid);
  return plain`${first + 1}-${last + 1}/${count}`;
}

/** The draft that is offered: of when, the keys that take it or not, and what was typed in it. */
function draftSays({ fields }: OpenForm, { at, texts }: SavedDraft, { now, zone }: Context): Painted {
  const labels = Object.keys(texts).flatMap((name) => fields[name]?.label ?? []);
  const when = plain`${paint(dayAndTime(at, now, zone))} ${paint(offsetName(at, zone))}, ${paint(age(at, now))} old`;
  return plain` Draft of ${when}: Enter continues it, n starts over · ${paint(labels.join(', '))}`;
}

/** What leaving would lose, or that what was typed is kept. */
function footOf(layer: OpenForm, { context, state }: Moment): Span[] {
  const time = (at: number) => paint(`${clockTime(at, context.zone)} ${offsetName(at, context.zone)}`);
  if (layer.draft) return [];
  if (layer.leaving) {
    const lost = unkept(layer);
    const kept = keptLabels(layer);
    const words = [
      ...(lost.length > 0 ? [`loses ${lost.join(', ')}`] : []),
      ...(kept.length > 0 ? [lost.length > 0 ? 'the rest is kept as a draft' : 'the draft is kept'] : []),
    ];
    return [{ text: paint(`Esc again closes${words.length > 0 ? `, ${words.join('; ')}` : ''}`), tone: 'warn' }];
  }
  const key = draftKey(layer);
  const draft = key === undefined ? undefined : state.drafts[key];
  if (!draft) return [];
  if (state.keepTrouble !== undefined) return [{ text: plain`draft not on the disk`, tone: 'warn' }];
  return [{ text: plain`draft saved ${time(draft.at)}`, tone: 'dim' }];
}
