import { type Field, queryField } from '../../../src/describe/field.ts';
import type { Finding, Language } from '../../../src/describe/language.ts';
import { parseExact, stringifyExact } from '../../../src/lib/json.ts';
import { listOf, objectOf, textOf } from '../row.ts';

/** Sources of the two variants that the specification shows (spec: Monitor, variables). */
export const eventSources: readonly string[] = [
  'rum',
  'ci_pipelines',
  'ci_tests',
  'audit',
  'events',
  'logs',
  'spans',
  'database_queries',
  'network',
  'network_path',
];
export const costSources: readonly string[] = ['metrics', 'cloud_cost', 'service_usage'];

const aggregations: readonly string[] = [
  'count',
  'cardinality',
  'median',
  'pc75',
  'pc90',
  'pc95',
  'pc98',
  'pc99',
  'sum',
  'min',
  'max',
  'avg',
];
const aggregators: readonly string[] = ['avg', 'sum', 'max', 'min', 'last', 'area', 'l2norm', 'percentile', 'stddev'];

type Said = Omit<Finding, 'start' | 'end'>;
const wrong = (message: string, hint?: string): Said => ({ verdict: 'wrong', message, ...(hint ? { hint } : {}) });
const doubtful = (message: string, hint?: string): Said => ({ ...wrong(message, hint), verdict: 'doubtful' });

/** A word that is none of those the specification lists: a deployment may know more of them. */
const stranger = (place: string, it: unknown, known: readonly string[]): Said[] =>
  it === undefined || it === null || known.includes(String(it))
    ? []
    : [doubtful(`${place} is ${String(it)}, which is not in the specification`, `known are ${known.join(', ')}`)];

/** What is to be said of one variable. One of a source that is not known may have any members. */
export function saidOf(variable: unknown, others: readonly unknown[]): readonly Said[] {
  const it = objectOf(variable);
  if (it !== variable) return [wrong('a variable is an object', '{"name": "query1", "data_source": …}')];
  const name = textOf(it.name);
  const source = textOf(it.data_source);
  const called = name ?? 'a variable';
  return [
    ...(name === undefined ? [wrong('a variable has no name', '"name": "query1"')] : []),
    ...(name !== undefined && others.some((other) => objectOf(other).name === name)
      ? [wrong(`two variables are called ${name}`)]
      : []),
    ...(source === undefined ? unsourced(it, called) : []),
    ...(source !== undefined && eventSources.includes(source) ? event(it, called) : []),
    ...(source !== undefined && costSources.includes(source) ? cost(it, called) : []),
    ...(source !== undefined && ![...eventSources, ...costSources].includes(source)
      ? [doubtful(`${called} has the source ${source}, which is not in the specification: it is sent as it is`)]
      : []),
  ];
}

/** Variants that the specification does not show may have no source (contract/monitors.md 5.11). */
const unsourced = (it: Readonly<Record<string, unknown>>, called: string): Said[] =>
  'job_type' in it || 'jobs_query' in it
    ? []
    : [wrong(`${called} has no data_source`, `one of ${[...eventSources, ...costSources].join(', ')}`)];

function event(it: Readonly<Record<string, unknown>>, called: string): Said[] {
  const { aggregation } = objectOf(it.compute);
  const search = objectOf(it.search).query;
  const groups = listOf(it.group_by);
  return [
    ...(textOf(aggregation) === undefined
      ? [wrong(`${called} does not say what it computes`, '"compute": {"aggregation": "count"}')]
      : stranger(`the aggregation of ${called}`, aggregation, aggregations)),
    ...(typeof search === 'string' ? [] : [wrong(`${called} has no search`, '"search": {"query": "status:error"}')]),
    ...(groups.every((group) => textOf(objectOf(group).facet) !== undefined)
      ? []
      : [wrong(`each group_by of ${called} needs a facet`, '"group_by": [{"facet": "service"}]')]),
    ...groups.flatMap((group) => sorted(objectOf(group).sort, called)),
  ];
}

function sorted(sort: unknown, called: string): Said[] {
  if (sort === undefined || sort === null) return [];
  const { aggregation, order } = objectOf(sort);
  return [
    ...(textOf(aggregation) === undefined ? [wrong(`a sort of ${called} has no aggregation`)] : []),
    ...stranger(`the order of ${called}`, order, ['asc', 'desc']),
  ];
}

const cost = (it: Readonly<Record<string, unknown>>, called: string): Said[] => [
  ...(textOf(it.query) === undefined ? [wrong(`${called} has no query`, '"query": "sum:requests.count{*}"')] : []),
  ...stranger(`the aggregator of ${called}`, it.aggregator, aggregators),
];

/** Variables as text: one of them a line. */
export function variablesText(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return '';
  return `[\n${value.map((it) => `  ${spaced(stringifyExact(it, 1))}`).join(',\n')}\n]`;
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

/** Variables as JSON, checked as they are typed: what is missing, and where. */
export const variablesLanguage: Language = {
  check(text) {
    const variables = readVariables(text);
    if (!variables) return [broken(text)];
    const places = elementsOf(text);
    const found = variables.flatMap((it, index) => {
      const { start, end } = places[index] ?? { start: 0, end: text.length };
      return saidOf(it, variables.slice(0, index)).map((said) => ({ ...said, start, end }));
    });
    return found.toSorted((one, other) => gravity(one) - gravity(other));
  },
  complete: () => undefined,
};

const gravity = (it: Finding): number => (it.verdict === 'wrong' ? 0 : 1);

function broken(text: string): Finding {
  const start = faultAt(text);
  return {
    verdict: 'wrong',
    message: start === undefined ? 'variables are a list: [{"name": …}]' : 'this is no JSON from here on',
    ...(start === undefined ? {} : { hint: 'a list of objects: [{"name": "query1", "data_source": …}, …]' }),
    start: start ?? 0,
    end: start === undefined ? text.length : Math.min(text.length, start + 1),
  };
}

/** Where JSON ends being JSON; undefined where it is JSON, of whatever shape. Between what may go on and what may not. */
function faultAt(text: string): number | undefined {
  if (mayGoOn(text) === 'whole') return undefined;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return mayGoOn(text) ? Math.max(0, text.length - 1) : good;
}

/** Whether a beginning of JSON lacks nothing, or only its end; undefined where no end could mend it. */
function mayGoOn(text: string): 'whole' | 'begun' | undefined {
  try {
    JSON.parse(text);
    return 'whole';
  } catch (error) {
    const told = /position (\d+)/.exec(String(error))?.[1];
    const isAtEnd = /Unexpected end|Unterminated/.test(String(error)) || Number(told) >= text.length;
    return isAtEnd ? 'begun' : undefined;
  }
}

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
export function variablesField(value: unknown): Field<unknown> {
  const field = queryField('variables', variablesText(value), async () => variablesLanguage, {
    hint: 'JSON: what the names in the formula stand for',
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
