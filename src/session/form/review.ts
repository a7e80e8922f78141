import type { Field } from '../../describe/field.ts';
import { bothSides, changedParts } from '../../lib/changed-parts.ts';
import { commaWords } from '../../lib/text.ts';
import { fieldHelpText, fieldNames } from '../state/fields.ts';
import type { OpenForm, ValueDifference } from '../state/form-layer.ts';

/** The changes by field: for several values those added and removed, for a long text the parts that differ. */
export function differences(form: OpenForm): ValueDifference[] {
  return fieldNames(form).flatMap((name): ValueDifference[] => {
    const field = form.fields[name] as Field;
    const now = form.lines[name]?.text ?? '';
    if (now === field.initial || field.aside) return [];
    if (field.kind !== 'checks' && field.kind !== 'many') {
      const parts = changedParts(fieldHelpText(form, name, field.initial), fieldHelpText(form, name, now));
      return [{ label: field.label, parts, several: parts.some(({ sign }) => sign === ' ') }];
    }
    const before = commaWords(field.initial);
    const after = commaWords(now);
    const only = (some: readonly string[], others: readonly string[]) =>
      fieldHelpText(form, name, some.filter((part) => !others.includes(part)).join(','));
    const sides = bothSides(only(before, after), only(after, before));
    return [{ label: field.label, parts: sides.filter(({ text }) => text !== ''), several: true }];
  });
}

/** What a new thing would have, by field: also what its form began with. */
export function contents(form: OpenForm): ValueDifference[] {
  return fieldNames(form).flatMap((name): ValueDifference[] => {
    const { label, aside, kind, placeholder } = form.fields[name] as Field;
    const text = form.lines[name]?.text ?? '';
    const none = kind === 'checks' ? placeholder : undefined;
    if (aside || (text === '' && none === undefined)) return [];
    const shown = text === '' ? (none ?? '') : fieldHelpText(form, name, text);
    return [{ label, parts: [{ sign: '+', text: shown }], several: true }];
  });
}

/** Whether the form makes a new thing, of which every value is reviewed. */
export const isNew = ({ for: to }: Pick<OpenForm, 'for'>): boolean =>
  to.kind === 'action' && to.pending.action.reviews === 'all';

/** Whether the form is reviewed before it is sent: a new thing of one field shows all that it will have already. */
export function isReviewed(form: Pick<OpenForm, 'for' | 'fields'>): boolean {
  if (isNew(form)) return Object.keys(form.fields).length > 1;
  return form.for.kind === 'action' && form.for.pending.action.reviews === true;
}
