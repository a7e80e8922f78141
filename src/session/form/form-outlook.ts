import type { Context } from '../../describe/context.ts';
import { paint, paintLines } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import { present } from '../../lib/present-members.ts';
import { commaWords, wrap } from '../../lib/text.ts';
import { thrownText } from '../../lib/thrown-text.ts';
import { type Difference, reviewRows } from '../../scene/form-rows.ts';
import type { Span } from '../../scene/span.ts';
import type { Theme } from '../../scene/theme.ts';
import { fieldNames, fieldTexts, formLayout } from '../state/fields.ts';
import type { ValueDifference as Change, OpenForm } from '../state/form-layer.ts';
import { pathFault } from './paths.ts';
import { readFields } from './read-fields.ts';
import { previewRequest } from './request.ts';
import { differences, isNew } from './review.ts';

/** From this width of the terminal on, the request is shown while a person types; else in the review alone. */
const requestFrom = 200;

/** The differences of a review as they are drawn. */
export const drawnDifferences = (changes: readonly Change[]): Difference[] =>
  changes.map(({ label, parts, several }) => ({
    label: paint(label),
    parts: parts.map(({ sign, text }) => ({ sign: paint(sign), text: joinPainted(paintLines(text), plain`\n`) })),
    ...present({ several }),
  }));

/** What the form would do now, for the pane beside it: what is wrong, what would change, and the request. */
export function formOutlook(form: OpenForm, context: Context, width: number, columns: number, theme: Theme): Span[][] {
  try {
    return outlook(form, context, width, columns, theme);
  } catch (error) {
    // The form beside it stays, so that nothing typed is lost.
    return wrap(paint(`this cannot be shown: ${thrownText(error)}`), width).map((line) => [
      { text: line, tone: 'bad' },
    ]);
  }
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
  const diagnostics = fieldNames(form).flatMap(
    (name): { text: string; mark: Painted; tone: Span['tone']; isDiagnostic?: boolean }[] => {
      const error = errors[name];
      const label = form.fields[name]?.label ?? name;
      const diagnostics = (form.written[name]?.diagnostics ?? []).map(({ verdict, message }) =>
        verdict === 'wrong'
          ? { text: `${label}: ${message}`, mark: glyphs.bad, tone: 'bad' as const, isDiagnostic: true }
          : { text: `${label}: ${message}`, mark: glyphs.warn, tone: 'warn' as const, isDiagnostic: true },
      );
      const fault = pathFault(form, name);
      if (fault !== undefined)
        return [{ text: `${label}: ${fault}`, mark: glyphs.bad, tone: 'bad', isDiagnostic: true }, ...diagnostics];
      if (error === undefined) return [...diagnostics, ...notLookedUp(form, name, glyphs.warn)];
      // What is still empty is to be done, not wrong.
      return texts[name] === ''
        ? [{ text: error, mark: glyphs.dot, tone: 'dim' }]
        : [{ text: error, mark: glyphs.bad, tone: 'bad' }, ...diagnostics];
    },
  );
  if (diagnostics.length === 0) return [[{ text: plain`${glyphs.ok} valid`, tone: 'good' }]];
  // Diagnostics stand at the fields above, and in a review at its end.
  return diagnostics
    .filter(({ isDiagnostic }) => !(isShort && isDiagnostic))
    .flatMap(({ text, mark, tone }) =>
      wrap(paint(text), Math.max(1, width - 2)).map((line, at) => [
        { text: plain`${at === 0 ? mark : plain` `} ${line}`, tone },
      ]),
    );
}

/** Ids out of an editor, which no list has offered: saving looks them up. */
function notLookedUp(form: OpenForm, name: string, mark: Painted) {
  const field = form.fields[name];
  if (!field?.picks || field.free) return [];
  const strange = commaWords(fieldTexts(form)[name]).filter((id) => form.labels[name]?.[id] === undefined);
  const text = `${field.label}: ${strange.join(', ')} was not looked up`;
  return strange.length === 0 ? [] : [{ text, mark, tone: 'warn' as const, isDiagnostic: true }];
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
