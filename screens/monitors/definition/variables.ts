import { type Field, queryField } from '../../../src/describe/field.ts';
import type { FieldDiagnostic, FieldLanguage } from '../../../src/describe/language.ts';
import { parseExact, stringifyExact } from '../../../src/lib/json.ts';
import { brokenJson } from './json.ts';

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
  const language = async () =>
    variablesLanguage((await import('../../../src/query/variable-diagnostics.ts')).variableFaults);
  const field = queryField(label, variablesText(value), language, {
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
