import { type Difference, reviewRows } from '../../components/formrows.ts';
import type { Span } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import type { Call } from '../api/endpoint.ts';
import { hideParams, hideSecrets } from '../api/secrets.ts';
import type { Context } from '../describe/context.ts';
import { isSecret } from '../describe/field.ts';
import { stringifyExact } from '../lib/json.ts';
import { paint, paintLines } from '../lib/paint.ts';
import { joined, type Painted, plain } from '../lib/painted.ts';
import { present } from '../lib/present.ts';
import { wrap } from '../lib/text.ts';
import { withContext } from '../session/edit/pending.ts';
import { namesOf, textsOf } from '../session/form/fields.ts';
import { readingsOf } from '../session/form/form.ts';
import type { Difference as Change, Form } from '../session/form/form-layer.ts';
import { differences } from '../session/form/review.ts';

/** From this width of the terminal on, the request is shown while a person types; else in the review alone. */
const requestFrom = 200;

/** The differences of a review as they are drawn. */
export const drawnDifferences = (changes: readonly Change[]): Difference[] =>
  changes.map(({ label, before, after, several }) => ({
    label: paint(label),
    before: joined(paintLines(before), plain`\n`),
    after: joined(paintLines(after), plain`\n`),
    ...present({ several }),
  }));

/** What the form would do now, for the pane beside it: what is wrong, what would change, and the request. */
export function outlookOf(form: Form, context: Context, width: number, columns: number, theme: Theme): Span[][] {
  const verdict = verdictLines(form, width, theme);
  if (form.review) return [...verdict, [], ...requestLines(form, context, width)];
  const changes = differences(form);
  // What is added or taken away has one side.
  const short = changes.map((change): Change => ({ ...change, several: true }));
  const told = reviewRows(drawnDifferences(short), width, theme).map(({ spans }) => [...spans]);
  const request = columns >= requestFrom ? [[], ...requestLines(form, context, width)] : [];
  return [...verdict, [], head(plain`Changes`), ...(changes.length > 0 ? told : [dim(plain`None yet`)]), ...request];
}

const head = (text: Painted): Span[] => [{ text, tone: 'strong' }];
const dim = (text: Painted): Span[] => [{ text, tone: 'dim' }];

/** What would be refused, and what may be; one line that says that nothing is known against it. */
function verdictLines(form: Form, width: number, { glyphs }: Theme): Span[][] {
  const { errors } = readingsOf(form);
  const texts = textsOf(form);
  const said = namesOf(form).flatMap((name): { text: string; mark: Painted; tone: Span['tone'] }[] => {
    const error = errors[name];
    const label = form.fields[name]?.label ?? name;
    const findings = (form.written[name]?.findings ?? []).map(({ verdict, message }) =>
      verdict === 'wrong'
        ? { text: `${label}: ${message}`, mark: glyphs.bad, tone: 'bad' as const }
        : { text: `${label}: ${message}`, mark: glyphs.warn, tone: 'warn' as const },
    );
    if (error === undefined) return findings;
    // What is still empty is to be done, not wrong.
    return texts[name] === ''
      ? [{ text: error, mark: glyphs.dot, tone: 'dim' }]
      : [{ text: error, mark: glyphs.bad, tone: 'bad' }, ...findings];
  });
  if (said.length === 0) return [[{ text: plain`${glyphs.ok} valid`, tone: 'good' }]];
  return said.flatMap(({ text, mark, tone }) =>
    wrap(paint(text), Math.max(1, width - 2)).map((line, at) => [
      { text: plain`${at === 0 ? mark : plain` `} ${line}`, tone },
    ]),
  );
}

/** Method, path and body, in the deployment's words and without secrets. Nothing where that is not known before it is sent. */
function requestLines(form: Form, context: Context, width: number): Span[][] {
  const call = callOf(form, context);
  if (!call) return [];
  const { endpoint, body } = call;
  const { vocabulary } = context;
  const params = hideParams(call.params, endpoint.secrets).value;
  const template = vocabulary ? vocabulary.path(endpoint) : endpoint.path;
  const path = template.replace(/\{([^}]+)\}/g, (place, name: string) => params[name] ?? place);
  const hidden = hideSecrets(withoutTyped(body, form), endpoint.secrets).value;
  const sent = body === undefined ? [] : bodyLines(vocabulary ? vocabulary.out.body(endpoint, hidden) : hidden);
  return [head(plain`Request`), ...[`${endpoint.method} ${path}`, ...sent].flatMap((line) => wrapped(line, width))];
}

function wrapped(line: string, width: number): Span[][] {
  const indent = line.length - line.trimStart().length;
  return wrap(paint(line.trimStart()), Math.max(8, width - indent)).map((part) => [
    { text: plain`${paint(' '.repeat(indent))}${part}` },
  ]);
}

const bodyLines = (body: unknown): string[] => JSON.stringify(JSON.parse(stringifyExact(body)), null, 2).split('\n');

/** The call that these values make, where the action can tell it before it is sent. */
function callOf(form: Form, context: Context): Call | undefined {
  if (form.for.kind !== 'action') return undefined;
  const { pending } = form.for;
  const { values, errors } = readingsOf(form);
  if (Object.keys(errors).length > 0 || !pending.action.command) return undefined;
  const command = pending.action.command(pending.rows[0], values, withContext(context, pending));
  return typeof command === 'string' ? undefined : command.sends;
}

/**
 * The body with dots for each text that holds a secret of the form, wherever it stands: the last letters of a secret, which
 * the journal keeps, would tell all of it while it is typed.
 */
function withoutTyped(body: unknown, form: Form): unknown {
  const texts = textsOf(form);
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
