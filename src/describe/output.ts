import { type AnySchema, type SchemaParts, schemaParts } from '../api/endpoint.ts';
import { anyMoment, moment, readNotes } from '../api/envelope.ts';
import { readEpoch } from '../lib/time-text.ts';
import type { Context } from './context.ts';

/** What a field of JSON holds; each may be null, which says that there is none or that nobody knows. */
type OutputType = 'id' | 'text' | 'number' | 'flag' | 'time' | 'list of texts' | 'list of objects' | 'object' | 'any';

/** A field of a row where it is printed for a program. Names and types are a contract (docs/json.md). */
export interface OutputField<Row> {
  /** Lower case with underscores, like the service's own. */
  readonly name: string;
  readonly type: OutputType;
  /** A phrase for the documentation. */
  readonly says: string;
  /** Undefined for what is unknown; a time in ISO 8601 or in epoch milliseconds. */
  value(row: Row, context: Context): unknown;
}

/** How the rows of a list are printed for a program. */
export interface RowOutput<Row> {
  readonly fields: readonly OutputField<Row>[];
  /** The fields that are members of this schema: their names and values are said in the deployment's words. */
  readonly members?: { readonly schema: AnySchema; readonly names: ReadonlySet<string> };
}

/** A moment as RFC 3339 in UTC; null where there is none or it cannot be read. */
export function timestamp(value: unknown): string | null {
  const at = readEpoch(value, 'ms');
  return at === undefined ? null : new Date(at).toISOString().replace('.000Z', 'Z');
}

const bare = (schema: AnySchema): AnySchema => {
  const { wrapped } = schemaParts(schema);
  return wrapped ? bare(wrapped) : schema;
};
const insidesOf = (schema: AnySchema | undefined): SchemaParts | undefined => schema && schemaParts(bare(schema));

/** The schema of the attributes in an answer about one or several resources, or in the schema of a resource itself. */
export function attributesIn(schema: AnySchema | undefined): AnySchema | undefined {
  const entries = insidesOf(schema)?.entries;
  if (!entries) return undefined;
  if (entries.attributes) return bare(entries.attributes);
  const data = insidesOf(entries.data);
  return data && attributesIn(data.type === 'array' ? data.item : entries.data);
}

/** Fields that are the attributes of a resource, as its schema has them; those in `except` are not printed. */
export function attributeOutput<Row extends { readonly attributes: object }>(
  schema: AnySchema | undefined,
  { except = [], more = [] }: { readonly except?: readonly string[]; readonly more?: readonly OutputField<Row>[] } = {},
): RowOutput<Row> {
  const entries = Object.entries(insidesOf(schema)?.entries ?? {}).filter(([name]) => !except.includes(name));
  const fields = entries.map(([name, member]): OutputField<Row> => {
    const type = typeOf(name, bare(member));
    const { words = [] } = readNotes(bare(member));
    return {
      name,
      type,
      says: words.length > 0 ? `${words.join(', ')} or another word of the service` : 'words of the service',
      value({ attributes }) {
        const told = (attributes as Readonly<Record<string, unknown>>)[name];
        // Numbers of the contract's attributes are seconds.
        return type === 'time' ? readEpoch(told, 's') : told;
      },
    };
  });
  const own = more.filter(({ name }) => !entries.some(([member]) => member === name));
  return {
    fields: [...fields, ...own],
    ...(schema && { members: { schema, names: new Set(entries.map(([name]) => name)) } }),
  };
}

function typeOf(name: string, schema: AnySchema): OutputType {
  // Some deployments write moments as whole numbers; the name tells.
  if (schema === moment || schema === anyMoment || /_at$/.test(name)) return 'time';
  const insides = insidesOf(schema);
  switch (insides?.type) {
    case 'string':
    case 'picklist':
      return 'text';
    case 'boolean':
      return 'flag';
    case 'number':
      return 'number';
    case 'union':
      return insides.options?.some((option) => schemaParts(option as AnySchema).type === 'number') ? 'number' : 'any';
    case 'array':
      return typeOf('', bare(insides.item as AnySchema)) === 'text' ? 'list of texts' : 'list of objects';
    case 'object':
    case 'loose_object':
    case 'record':
      return 'object';
    default:
      return 'any';
  }
}
