import type { Call } from '../../api/endpoint.ts';
import { hideParams, hideSecrets } from '../../api/secrets.ts';
import type { Context } from '../../describe/context.ts';
import { type Field, isSecret } from '../../describe/field.ts';
import { oncePer } from '../../lib/function-results.ts';
import { stringifyExact } from '../../lib/json.ts';
import { commaWords } from '../../lib/text.ts';
import { bothSides, changedParts } from '../../lib/text-matches.ts';
import { withContext } from '../send/pending-edit.ts';
import { fieldHelpText, fieldNames, fieldTexts, type OpenForm, type ValueDifference } from '../state/form-layer.ts';

interface Readings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** The values of the fields that are there, and what is said of those that reject their text: a form and the pane beside it both ask. */
export const readFields = oncePer((form: OpenForm): Readings => {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const name of fieldNames(form)) {
    const verdict = (form.fields[name] as Field).read(contentOf(form, name));
    if (verdict.ok) values[name] = verdict.value;
    else errors[name] = verdict.text;
  }
  return { values, errors };
});

/** What a field reads: its text, or the content of its file. */
const contentOf = (form: OpenForm, name: string): string =>
  form.fields[name]?.kind === 'file' ? (form.files[name]?.content ?? '') : (form.lines[name]?.text ?? '');

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

/**
 * What a form would send as lines of text: method and path, and below them the body. In the deployment's words and without
 * secrets. Undefined where that is not known before it is sent.
 */
export function previewRequest(form: OpenForm, context: Context): readonly string[] | undefined {
  const call = callOf(form, context);
  if (!call) return undefined;
  const { endpoint, body } = call;
  const { vocabulary } = context;
  const params = hideParams(call.params, endpoint.secrets).value;
  const template = vocabulary ? vocabulary.path(endpoint) : endpoint.path;
  const path = template.replace(/\{([^}]+)\}/g, (place, name: string) => params[name] ?? place);
  const hidden = hideSecrets(withoutTyped(body, form), endpoint.secrets).value;
  const sent = body === undefined ? [] : bodyLines(vocabulary ? vocabulary.out.body(endpoint, hidden) : hidden);
  return [`${endpoint.method} ${path}`, ...sent];
}

const bodyLines = (body: unknown): string[] => stringifyExact(body, 2).split('\n');

/** The call that these values make, where the action can tell it before it is sent. */
function callOf(form: OpenForm, context: Context): Call | undefined {
  if (form.for.kind !== 'action') return undefined;
  const { pending } = form.for;
  const { values, errors } = readFields(form);
  if (Object.keys(errors).length > 0 || !pending.action.command) return undefined;
  const command = pending.action.command(pending.rows[0], values, withContext(context, pending));
  return typeof command === 'string' ? undefined : command;
}

/**
 * The body with dots for each text that holds a secret of the form, wherever it stands: the last letters of a secret, which
 * the journal keeps, would tell all of it while it is typed.
 */
function withoutTyped(body: unknown, form: OpenForm): unknown {
  const texts = fieldTexts(form);
  const secrets = Object.entries(form.fields)
    .filter(([, field]) => isSecret(field, texts))
    .map(([name]) => form.files[name]?.content ?? texts[name] ?? '')
    .filter((text) => text !== '');
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return secrets.some((secret) => value.includes(secret)) ? '••••' : value;
    if (Array.isArray(value)) return value.map(masked);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item)]));
  };
  return masked(body);
}
