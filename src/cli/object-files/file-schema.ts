import { type AnySchema, entriesOf, schemaParts } from '../../api/endpoint.ts';
import { readNotes } from '../../api/envelope.ts';
import type { SettingTable } from '../../describe/setting.ts';
import { at, type JsonObject, put } from '../../lib/values.ts';
import { optionRules } from '../../query/option-rules.ts';
import { fileSchema } from '../json-schema.ts';
import type { FileKind } from './file-kinds.ts';

/** The JSON schema of the files of a kind: what can be set, as the service's answers have it, names in the places of ids. */
export function objectSchema({ id, ids, edit, create, shape, members = [] }: FileKind): JsonObject {
  const known = entriesOf(shape).attributes ? entriesOf(unwrapped(entriesOf(shape).attributes)) : entriesOf(shape);
  const settings = [create, edit].flatMap((action) => Object.values((action.settings ?? {}) as SettingTable<unknown>));
  const paths = settings.flatMap(({ path, writeOnly }) => (path === undefined || writeOnly ? [] : [path]));
  const tops = new Set([...paths, ...Object.keys(ids), ...members].map((path) => path.split('.')[0] ?? ''));
  const properties = Object.fromEntries([...tops].toSorted().map((name) => [name, wireSchema(known[name])]));
  const named = Object.keys(ids).reduce<JsonObject>((all, path) => {
    const word = { type: ['string', 'null'], description: 'an ID, or name: and a name' };
    // Lists are called by the plural.
    return put(all, path, path.endsWith('s') ? { type: ['array', 'null'], items: word } : word);
  }, properties);
  return fileSchema(`${id} of orgdeck export`, {
    type: 'object',
    properties: {
      id: { type: 'string' },
      built_in: { type: 'boolean' },
      ...(id === 'monitors' ? ruled(named) : named),
    },
    additionalProperties: false,
  });
}

/** The limits and words of options, as the table of their rules has them. */
const ruled = (properties: JsonObject): JsonObject =>
  Object.entries<Limits>(optionRules as Readonly<Record<string, Limits>>).reduce<JsonObject>((all, [option, rule]) => {
    const { min, max, words } = rule;
    const path = `options.properties.${option.replaceAll('.', '.properties.')}`;
    const before = at(all, path);
    if (before === undefined || option.startsWith('thresholds')) return all;
    const isList = at(before, 'items') !== undefined;
    const limits = min === undefined ? {} : { minimum: min, ...(max !== undefined && { maximum: max }) };
    return words && !isList
      ? put(all, path, { enum: [...words, null] })
      : put(all, path, { ...(before as object), ...limits });
  }, properties);

interface Limits {
  readonly min?: number;
  readonly max?: number;
  readonly words?: readonly string[];
}

/** What a schema of the service's answers says to an editor; what a deployment may have otherwise is free. */
function wireSchema(schema: AnySchema | undefined): JsonObject {
  if (!schema) return {};
  const { type, entries, item, value, options, wrapped, pipe } = schemaParts(schema);
  if (wrapped) return wireSchema(wrapped);
  const { words = [] } = readNotes(schema);
  if (words.length > 0) return { type: ['string', 'null'], examples: words };
  if (pipe && pipe[0] !== schema) return wireSchema(pipe[0]);
  if (item) return { type: ['array', 'null'], items: wireSchema(item) };
  if (entries)
    return {
      type: ['object', 'null'],
      properties: Object.fromEntries(Object.entries(entries).map(([name, inner]) => [name, wireSchema(inner)])),
    };
  if (value) return { type: ['object', 'null'], additionalProperties: wireSchema(value) };
  if (type === 'union') return isNumber(options) ? { type: ['number', 'null'] } : {};
  return ['string', 'number', 'boolean'].includes(type) ? { type: [type, 'null'] } : {};
}

/** A number that may arrive as a text; ids, which may be texts, are free. */
const isNumber = (options: readonly unknown[] = []): boolean =>
  options.some((one) => schemaParts(one as AnySchema).type === 'number') &&
  options.some((one) => schemaParts(one as AnySchema).pipe !== undefined);

const unwrapped = (schema: AnySchema | undefined): AnySchema | undefined =>
  schema && (schemaParts(schema).wrapped ?? schema);
