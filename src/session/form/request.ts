import type { Call } from '../../api/endpoint.ts';
import { hideParams, hideSecrets } from '../../api/secrets.ts';
import type { Context } from '../../describe/context.ts';
import { isSecret } from '../../describe/field.ts';
import { stringifyExact } from '../../lib/json.ts';
import { withContext } from '../send/pending-edit.ts';
import { fieldTexts } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import { readFields } from './read-fields.ts';

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
