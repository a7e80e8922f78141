import {
  type Field,
  type FieldDiagnostic,
  type FieldLanguage,
  queryField,
  readAs,
} from '../../../src/describe/field.ts';
import type { ParseResult } from '../../../src/lib/function-results.ts';
import { parseExact, stringifyExact } from '../../../src/lib/json.ts';
import { readJsonLines } from '../../../src/lib/json-lines.ts';
import type { Diagnostic as Checked, Diagnostic } from '../../../src/query/language.ts';
import { namedIn } from '../columns.ts';
import { toObject, toText } from '../row.ts';
import { type About, type Definition, readOptions, settingAt } from './setting.ts';

/** Where JSON is broken, and what is missing there; undefined for valid JSON. */
function brokenJson(text: string): FieldDiagnostic | undefined {
  const read = readJsonLines(text);
  if (read.ok) return undefined;
  const start = Math.max(0, Math.min(read.index, text.length - 1));
  return {
    verdict: 'wrong',
    message: `this is not JSON: ${read.missing}`,
    start,
    end: Math.min(text.length, start + 1),
  };
}

/** Template variables of a message, which the service fills in. */
const blanks = [
  ['{{value}}', 'the value that alerted'],
  ['{{threshold}}', 'the threshold of the query'],
  ['{{warn_threshold}}', 'the warning threshold'],
  ['{{#is_alert}}{{/is_alert}}', 'only in an alert'],
  ['{{#is_warning}}{{/is_warning}}', 'only in a warning'],
  ['{{#is_recovery}}{{/is_recovery}}', 'only on recovery'],
  ['{{#is_no_data}}{{/is_no_data}}', 'only when there is no data'],
] as const;

/** The language of messages: completes handles after `@` and template variables after `{{`. */
export function messageLanguage(handles: () => readonly string[]): FieldLanguage {
  return {
    check: () => [],
    complete(text, place) {
      const word = /(@[\w.:@/-]*|\{\{[#/]?\w*)$/.exec(text.slice(0, place))?.[0];
      if (word === undefined) return undefined;
      const items = word.startsWith('@')
        ? handles().map((handle) => ({ text: handle }))
        : blanks.map(([blank, hint]) => ({ text: blank, hint, ...inside(blank) }));
      const fitting = items.filter((item) => item.text.toLowerCase().startsWith(word.toLowerCase()));
      return fitting.length === 0 ? undefined : { start: place - word.length, end: place, items: fitting };
    },
  };
}

/** Puts the cursor between the opening and the closing tag of a block. */
function inside(text: string): { readonly cursor?: number } {
  const at = text.indexOf('}}{{');
  return at < 0 ? {} : { cursor: at + 2 };
}

/**
 * The language of a kind's queries: checked against what the other fields of the form say, completed with the words of
 * the organization's own monitors. The grammars are read when a form first needs them: the way to the first frame is
 * short without them.
 */
export function queryLanguage({ kind, known: usedValues, meant }: About): () => Promise<FieldLanguage> {
  return async () => {
    const [{ check }, { completeQuery, describeQuery }] = await Promise.all([
      import('../../../src/query/check-query.ts'),
      import('../../../src/query/query-help.ts'),
    ]);
    // Computed now, so that no key press waits for it.
    usedValues();
    const stored = meant({});
    const before =
      stored.id === undefined ? [] : check(kind.type, toText(stored.query) ?? '', readOptions(stored)).diagnostics;
    /** What is stored already may be right all the same: the service decides (docs/contract/monitors.md#oddities). */
    const judged = (found: Checked, text: string): Checked => {
      const isStored = before.some(({ message, option }) => message === found.message && option === found.option);
      return isStored && (found.option !== undefined || text === stored.query)
        ? { ...found, verdict: 'doubtful' }
        : found;
    };
    return {
      check(text, texts) {
        const definition = meant(withQuery(texts, text));
        if (text.trim() === '') return [];
        const { diagnostics } = check(kind.type, text, readOptions(definition));
        // The field of the variables says itself what they lack.
        return diagnostics.filter(({ option }) => option !== 'variables').map((found) => atField(judged(found, text)));
      },
      complete(text, place, texts, begun) {
        const { variables } = readOptions(meant(withQuery(texts, text)));
        return completeQuery(kind.type, text, place, { ...usedValues(), variables: namesOf(variables) }, begun);
      },
      says(text, texts) {
        const definition = meant(withQuery(texts, text));
        return [describeQuery(kind.type, text) ?? '', ...consequences(definition)].filter(Boolean);
      },
    };
  };
}

type Texts = Readonly<Record<string, string>>;
const withQuery = (texts: Texts, query: string): Texts => (texts.query === query ? texts : { ...texts, query });

/** When it warns and recovers, and who hears of it. */
function consequences(definition: Definition): string[] {
  const thresholds = toObject(readOptions(definition).thresholds);
  const at = (words: string, name: string) => (thresholds[name] == null ? '' : `${words} at ${thresholds[name]}`);
  const handles = namedIn({ message: toText(definition.message) ?? '' });
  return [
    [at('warns', 'warning'), at('recovers', 'critical_recovery')]
      .filter(Boolean)
      .join(', ')
      .replace(/^./, (first) => first.toUpperCase()),
    handles.length > 0 ? `Notifies ${handles.join(' ')}` : 'No notifications: the message has no @name',
  ];
}

/** A diagnostic about an option is shown at the field of that name (see `MonitorSetting`). */
const atField = ({ option, ...diagnostic }: Checked): FieldDiagnostic =>
  option === undefined ? diagnostic : { ...diagnostic, field: settingName(option) };

/** The setting of an option: that of its last name, or of a recurrence. */
const settingName = (option: string): string => {
  const [container, name = ''] = option.split('.').slice(-2);
  return container === 'recurrences' ? `schedule_${name}` : name || option;
};

/** What the variables of a formula are called. */
function namesOf(variables: unknown): string[] {
  if (!Array.isArray(variables)) return [];
  return variables.flatMap((variable: { readonly name?: unknown } | null) =>
    typeof variable?.name === 'string' ? [variable.name] : [],
  );
}

type Place = Pick<FieldDiagnostic, 'start' | 'end'>;
type Inside = (variable: unknown, place: Place, others: readonly unknown[]) => readonly FieldDiagnostic[];

/** Variables as JSON, one per line. A value that is no list is shown as it is. */
export function variablesText(value: unknown): string {
  if (value != null && !Array.isArray(value)) return stringifyExact(value);
  if (!Array.isArray(value) || value.length === 0) return '';
  return `[\n${value.map((variable) => `  ${spaced(stringifyExact(variable, 1))}`).join(',\n')}\n]`;
}

/** Indented JSON on one line, with a space where one is read better; texts in it stay as they are. */
const spaced = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|([[{])\n\s*|\n\s*([\]}])|\n\s*/g, (all, opens?: string, closes?: string) =>
    all.startsWith('"') ? all : (opens ?? closes ?? ' '),
  );

/** The variables that a text holds; undefined where it is no list of JSON. Empty text is none. */
export function readVariables(text: string): readonly unknown[] | undefined {
  if (text.trim() === '') return [];
  try {
    const read = parseExact(text);
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Variables as JSON, checked as they are typed: what is missing, and where. `inside` looks into one of them. */
export const variablesLanguage = (inside: Inside): FieldLanguage => ({
  check(text) {
    const variables = readVariables(text);
    if (!variables) return [brokenJson(text) ?? noList(text)];
    const places = elementsOf(text);
    const found = variables.flatMap((variable, index) => {
      const place = places[index] ?? { start: 0, end: text.length };
      return inside(variable, place, variables.slice(0, index));
    });
    return found.toSorted((one, other) => gravity(one) - gravity(other));
  },
  complete: () => undefined,
});

const gravity = (diagnostic: FieldDiagnostic): number => (diagnostic.verdict === 'wrong' ? 0 : 1);

const noList = (text: string): FieldDiagnostic => ({
  verdict: 'wrong',
  message: 'variables are a list: [{"name": …}]',
  start: 0,
  end: text.length,
});

/** The places of the elements of a list in its JSON. */
function elementsOf(text: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  const signs = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;
  let depth = 0;
  let start = text.indexOf('[') + 1;
  for (const sign of text.matchAll(signs)) {
    const opens = '[{'.includes(sign[0]);
    const closes = ']}'.includes(sign[0]);
    if ((sign[0] === ',' && depth === 1) || (closes && depth === 1)) {
      const inside = text.slice(start, sign.index);
      const before = inside.length - inside.trimStart().length;
      if (inside.trim() !== '') found.push({ start: start + before, end: start + before + inside.trim().length });
      start = sign.index + 1;
    }
    depth += opens ? 1 : closes ? -1 : 0;
  }
  return found;
}

/** The variables of a formula, several at once. */
export function variablesField(label: string, value: unknown): Field<unknown> {
  const stored = variablesText(value);
  const language = async () => {
    const { variableDiagnostics } = await import('../../../src/query/formula-tree.ts');
    const { check, ...rest } = variablesLanguage(variableDiagnostics);
    const before = new Set(check(stored, {}).map(({ message }) => message));
    const judged = (found: FieldDiagnostic): FieldDiagnostic =>
      before.has(found.message) ? { ...found, verdict: 'doubtful' } : found;
    return { ...rest, check: (text: string) => check(text, {}).map(judged) };
  };
  const field = queryField(label, stored, language, {
    hint: 'JSON: what the names in the formula stand for; beta',
  });
  return {
    ...field,
    read(text) {
      const variables = readVariables(text);
      if (!variables) return { ok: false, text: 'variables are a list in JSON: [{"name": "query1", …}]' };
      return { ok: true, value: variables.length === 0 ? null : variables };
    },
  };
}

/** Reads a definition from JSON; the text of a failure says what is missing. */
function readDefinition(text: string): ParseResult<Definition> {
  let read: unknown;
  try {
    read = parseExact(text);
  } catch {
    return { ok: false, text: 'the definition is not JSON' };
  }
  const definition = toObject(read);
  if (definition !== read) return { ok: false, text: 'a definition is an object: {"type": …, "query": …}' };
  if (definition.id != null) return { ok: false, text: 'a new monitor has no id' };
  const absent = ['type', 'query'].find((name) => toText(definition[name]) === undefined);
  return absent === undefined
    ? { ok: true, value: definition }
    : { ok: false, text: `the definition has no ${absent}` };
}

/** What the checker of queries and options says of a definition, at the member that it is about. */
const language = (checked: (definition: Definition) => readonly Diagnostic[]): FieldLanguage => ({
  check(text) {
    const broken = brokenJson(text);
    if (broken) return [broken];
    const read = readDefinition(text);
    if (!read.ok) return [{ verdict: 'wrong', message: read.text, start: 0, end: text.length }];
    return checked(read.value).map(({ option = 'query', verdict, message, hint }) => {
      const name = JSON.stringify(option.split('.').at(-1));
      const start = Math.max(0, text.indexOf(name));
      return { verdict, message, ...(hint === undefined ? {} : { hint }), start, end: start + name.length };
    });
  },
  complete: () => undefined,
});

function definitionField(label: string, now: Definition): Field<unknown> {
  const field = queryField(
    label,
    stringifyExact(now, 2),
    async () => language((await import('../../../src/query/check-query.ts')).checkMonitor),
    {
      required: true,
      hint: 'the whole definition as JSON; the service checks it',
    },
  );
  return readAs(field, readDefinition);
}

/** The whole definition as JSON, for kinds beyond the specification. */
export const wholeSetting = settingAt(undefined, {
  label: 'definition',
  field: (label, _, __, now) => definitionField(label, now),
});
