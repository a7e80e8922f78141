import type { Context } from '../../describe/context.ts';
import { type Field, isSecret } from '../../describe/field.ts';
import { attempt, keptPer } from '../../lib/function-results.ts';
import { paint, paintLines } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import { capitalized, commaWords, wrap } from '../../lib/text.ts';
import { clockTime, offsetName } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import {
  type FormProps,
  fieldsSeen,
  formLines,
  type LaidForm,
  layoutForm,
  linesSeen,
  scrolled,
} from '../../scene/form-lines.ts';
import { type Difference, type FormField, reviewRows } from '../../scene/form-rows.ts';
import { asLines, type Pane, type Spans } from '../../scene/scene.ts';
import type { Room, Span } from '../../scene/span.ts';
import { createTheme, type Theme } from '../../scene/theme.ts';
import type { SavedDraft } from '../outside/saved-session.ts';
import { geometry } from '../rows/geometry.ts';
import type { LayerPane } from '../stack/kind.ts';
import {
  type ValueDifference as Change,
  fieldHelpText,
  fieldNames,
  fieldTexts,
  focused,
  formLayout,
  furtherFields,
  isFurther,
  type OpenForm,
  textWidth,
} from '../state/form-layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import { draftKey, keptLabels, unkeptLabels } from './drafts.ts';
import { draftTime, formSpeech } from './form-speech.ts';
import { diagnosticRemark, listWarnings, queryView } from './query.ts';
import { differences, isNew, previewRequest, readFields } from './request.ts';
import { isPath, pathError, pathFault, pathHint } from './typing.ts';

/** A field of the session as it is drawn. */
function drawnField(layer: OpenForm, name: string, width: number, theme: Theme): FormField {
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
      further: field && isFurther(field) ? furtherFields(layer, name) : undefined,
    }),
    ...diagnosticRemark(layer, name),
    ...(error === undefined ? {} : { error: paint(error) }),
    secret: field !== undefined && isSecret(field, fieldTexts(layer)),
    placeholder: fieldExample(field) || (focused(layer)?.name === name ? plain`` : emptyMeans(field)),
  };
}

/** What an empty field shows: of a text an example, which must not look like a value where nothing is dim. */
export function fieldExample(field: Pick<Field, 'kind' | 'placeholder'> | undefined): Painted {
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
function hintOf(layer: OpenForm, name: string): Painted | undefined {
  const field = layer.fields[name];
  const hint = (isPath(field) ? pathHint(layer, name) : undefined) ?? field?.hint;
  return hint === undefined ? undefined : paint(asSentence(hint));
}

/** Picked values by label; more than three with their number first, since not all labels may fit. */
function picked(layer: OpenForm, name: string, text: string): string {
  const said = paint(fieldHelpText(layer, name, text));
  const count = commaWords(text).length;
  return count > 3 ? `${count}: ${said}` : said;
}

/** Fields whose text is ids; their labels are drawn instead. */
type Picked = 'pick' | 'checks';
const isPicked = (kind: Field['kind'] | undefined): kind is Picked => kind === 'pick' || kind === 'checks';

/** From this width of the terminal on, the request is shown while a person types; else in the review alone. */
const requestFrom = 200;

/** The differences of a review as they are drawn. */
const drawnDifferences = (changes: readonly Change[]): Difference[] =>
  changes.map(({ label, parts, several }) => ({
    label: paint(label),
    parts: parts.map(({ sign, text }) => ({ sign: paint(sign), text: joinPainted(paintLines(text), plain`\n`) })),
    ...present({ several }),
  }));

/** What the form would do now, for the pane beside it: what is wrong, what would change, and the request. */
function formOutlook(form: OpenForm, context: Context, width: number, columns: number, theme: Theme): Span[][] {
  return attempt(
    () => outlook(form, context, width, columns, theme),
    // The form beside it stays, so that nothing typed is lost.
    (fault) => wrap(paint(`this cannot be shown: ${fault}`), width).map((line) => [{ text: line, tone: 'bad' }]),
  );
}

function outlook(form: OpenForm, context: Context, width: number, columns: number, theme: Theme): Span[][] {
  const isBelow = formLayout(form, columns).pane === 0;
  const verdict = [
    ...verdictLines(form, width, isBelow || form.review !== undefined, theme),
    ...meantLines(form, context, width),
  ];
  if (form.review) return [...verdict, [], ...requestLines(form.request, width)];
  const changes = differences(form);
  // What is added or taken away has one side.
  const short = changes.map(
    (change): Change =>
      change.several ? change : { ...change, parts: change.parts.filter(({ text }) => text !== '') },
  );
  const reviewLines = reviewRows(drawnDifferences(short), width).map(({ spans }) => [...spans]);
  // An edit sends nothing while nothing is changed; a new thing is sent as it is.
  const isWhole = isNew(form);
  const isShown = columns >= requestFrom && (changes.length > 0 || isWhole);
  const request = isShown ? requestLines(previewRequest(form, context), width) : [];
  // Below the fields there is little room.
  const isShort = isWhole || isBelow;
  const changed = changes.length > 0 ? reviewLines : isShort ? [] : [dim(plain`None yet`)];
  return [
    ...verdict,
    ...(changed.length > 0 ? [[], head(plain`Changes`), ...changed] : []),
    ...(request.length > 0 ? [[], ...request] : []),
  ];
}

const head = (text: Painted): Span[] => [{ text, tone: 'strong' }];
const dim = (text: Painted): Span[] => [{ text, tone: 'dim' }];

/** What would be refused, and what may be; one line that says that nothing is known against it. `isShort`: without diagnostics. */
function verdictLines(form: OpenForm, width: number, isShort: boolean, { glyphs }: Theme): Span[][] {
  const { errors } = readFields(form);
  const texts = fieldTexts(form);
  const remark = (text: string, isWrong: boolean, isDiagnostic = true) => {
    const tone = (isWrong ? 'bad' : 'warn') as Span['tone'];
    return { text, mark: isWrong ? glyphs.bad : glyphs.warn, tone, isDiagnostic };
  };
  const all = fieldNames(form).flatMap((name): ReturnType<typeof remark>[] => {
    const error = errors[name];
    const label = form.fields[name]?.label ?? name;
    const diagnostics = (form.written[name]?.diagnostics ?? []).map(({ verdict, message }) =>
      remark(`${label}: ${message}`, verdict === 'wrong'),
    );
    const fault = pathFault(form, name);
    if (fault !== undefined) return [remark(`${label}: ${fault}`, true), ...diagnostics];
    if (error !== undefined && texts[name] !== '') return [remark(error, true, false), ...diagnostics];
    // What is still empty is to be done, not wrong.
    if (error !== undefined) return [{ text: error, mark: glyphs.dot, tone: 'dim', isDiagnostic: false }];
    const strange = notLookedUp(form, name);
    return strange === '' ? diagnostics : [...diagnostics, remark(`${label}: ${strange} was not looked up`, false)];
  });
  if (all.length === 0) return [[{ text: plain`${glyphs.ok} valid`, tone: 'good' }]];
  // Diagnostics stand at the fields above, and in a review at its end.
  return all
    .filter(({ isDiagnostic }) => !(isShort && isDiagnostic))
    .flatMap(({ text, mark, tone }) =>
      wrap(paint(text), Math.max(1, width - 2)).map((line, at) => [
        { text: plain`${at === 0 ? mark : plain` `} ${line}`, tone },
      ]),
    );
}

/** Ids out of an editor, which no list has offered: saving looks them up. */
function notLookedUp(form: OpenForm, name: string): string {
  const field = form.fields[name];
  if (!field?.picks || field.free) return '';
  const ids = commaWords(fieldTexts(form)[name]);
  return ids.filter((id) => form.labels[name]?.[id] === undefined).join(', ');
}

/** What its texts mean, where their languages or their fields say it. */
function meantLines(form: OpenForm, { now }: Context, width: number): Span[][] {
  const texts = fieldTexts(form);
  return fieldNames(form)
    .flatMap((name) => form.written[name]?.says ?? form.fields[name]?.means?.(texts[name] ?? '', now) ?? [])
    .flatMap((text) => wrap(paint(text), Math.max(1, width - 2)))
    .map((line) => [{ text: plain`  ${line}` }]);
}

/** Method, path and body; nothing where they are not known before it is sent. */
const requestLines = (request: OpenForm['request'], width: number): Span[][] =>
  request ? [head(plain`Request`), ...request.flatMap((line) => wrapped(line, width))] : [];

function wrapped(line: string, width: number): Span[][] {
  const indent = line.length - line.trimStart().length;
  return wrap(paint(line.trimStart()), Math.max(8, width - indent)).map((part) => [
    { text: plain`${paint(' '.repeat(indent))}${part}` },
  ]);
}

/** What of a moment a form is made of. */
type Now = Pick<Moment, 'state' | 'context'>;

/** A form laid out in this room, with the title and the lines of what is ahead: below it or, in `beside`, in a pane of their own. */
function laidIn(layer: OpenForm, now: Now, room: Room) {
  const columns = room.width + 2;
  const { form: width, pane } = formLayout(layer, columns);
  const title = layer.review ? plain`What will be sent` : plain`What it would do now`;
  const ahead = (wide: number) => formOutlook(layer, now.context, wide, columns, room.theme);
  const isBelow = pane === 0 && layer.for.kind === 'action';
  const form = {
    ...formOf(layer, now, { ...room, width: width - 2 }),
    outlook: isBelow ? { title, lines: ahead(width - 4) } : undefined,
  };
  return { width, title, form, laid: layoutForm(form), beside: pane > 0 ? ahead(pane - 4) : undefined };
}

const hidden = keptPer<OpenForm, number>();
/** One line has as many cells in each theme. */
const anyTheme = createTheme({ name: 'default', noColor: false, ascii: false });

/**
 * How many lines of a review have no room below a message of one line: of its changes, with what will be sent below them, or
 * of the longer one where they stand beside each other.
 */
export const hiddenLines = (layer: OpenForm, now: Now): number => {
  const { size } = now.state;
  return hidden(layer, [size.columns, size.rows], () => {
    const height = geometry(size, { lines: 0 }).bodyRows - 2;
    const { laid, beside = [] } = laidIn(layer, now, { width: size.columns - 2, height, theme: anyTheme });
    return Math.max(0, (laid.seen?.count ?? 0) - laid.room, beside.length - height);
  });
};

/** A form with its texts, its errors, and the service's message when it was refused; beside it, what it would do. */
export function formPane(layer: OpenForm, now: Moment, room: Room): LayerPane {
  const { theme, height } = room;
  const names = fieldNames(layer);
  const { width, title, form, laid, beside } = laidIn(layer, now, room);
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
    ...(beside ? { beside: aheadPane(title, beside, layer, height, room) } : {}),
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
function formOf(layer: OpenForm, now: Now, { width, height, theme }: Room): FormProps {
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
function draftSays({ fields }: OpenForm, { at, texts }: SavedDraft, context: Context): Painted {
  const labels = Object.keys(texts).flatMap((name) => fields[name]?.label ?? []);
  return plain` Draft of ${draftTime(at, context)}: Enter continues it, n starts over · ${paint(labels.join(', '))}`;
}

/** What leaving would lose, or that what was typed is kept. */
function footOf(layer: OpenForm, { context, state }: Moment): Span[] {
  const time = (at: number) => paint(`${clockTime(at, context.zone)} ${offsetName(at, context.zone)}`);
  if (layer.draft) return [];
  if (layer.leaving) {
    const lost = unkeptLabels(layer);
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
