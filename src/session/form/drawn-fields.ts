import { type Field, isSecret } from '../../describe/field.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { present } from '../../lib/present-members.ts';
import { capitalized, commaWords } from '../../lib/text.ts';
import type { FormField } from '../../scene/form-rows.ts';
import type { Theme } from '../../scene/theme.ts';
import { fieldHelpText, fieldTexts, focused, furtherFields, isFurther, textWidth } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import { isPath, pathError, pathHint } from './paths.ts';
import { diagnosticRemark, queryView } from './query-view.ts';

/** A field of the session as it is drawn. */
export function drawnField(layer: OpenForm, name: string, width: number, theme: Theme): FormField {
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
