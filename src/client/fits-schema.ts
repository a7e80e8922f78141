import type { AnySchema, SchemaParts } from '../api/endpoint.ts';

/** Types of JSON that a schema only names. A value of another type is none of theirs, whatever follows in a union. */
const plain: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  bigint: (value) => typeof value === 'bigint',
  boolean: (value) => typeof value === 'boolean',
};

/**
 * Whether a value of JSON already is what reading it by the schema would give, but for the order of its members: then nothing
 * has to be copied, which is the usual case. False is no verdict: the value may not fit, be read as another one, or have a part
 * that only valibot reads. Every value of a response passes here before any code is optimized, so nothing is allocated.
 */
export function fitsSchema(schema: AnySchema, value: unknown): boolean {
  const described = schema as unknown as SchemaParts;
  if (described.pipe) return fitsPipe(described.pipe, value);
  const isPlain = plain[described.type];
  if (isPlain) return isPlain(value);
  switch (described.type) {
    case 'unknown':
      return true;
    case 'nullish':
    case 'nullable':
      if (value === null) return described.default === undefined;
      return fitsSchema(described.wrapped as AnySchema, value);
    case 'union':
      return fitsUnion(described.options as readonly AnySchema[], value);
    case 'array':
      return Array.isArray(value) && fitsAll(described.item as AnySchema, value);
    case 'loose_object':
      return isObject(value) && fitsEntries(described.entries ?? {}, value);
    case 'record':
      return isObject(value) && hasPlainNames(value) && fitsAll(described.value as AnySchema, Object.values(value));
    case 'lazy':
      return described.getter !== undefined && fitsSchema(described.getter(value), value);
    default:
      return false;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that valibot leaves out. */
const isPlainName = (name: string): boolean => name !== 'constructor' && name !== 'prototype' && name !== '__proto__';

function hasPlainNames(value: Readonly<Record<string, unknown>>): boolean {
  for (const name in value) if (!isPlainName(name)) return false;
  return true;
}

function fitsAll(schema: AnySchema, values: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at++) if (!fitsSchema(schema, values[at])) return false;
  return true;
}

function fitsPipe(pipe: NonNullable<SchemaParts['pipe']>, value: unknown): boolean {
  for (let at = 1; at < pipe.length; at++) if ((pipe[at] as { kind: string }).kind !== 'metadata') return false;
  return fitsSchema(pipe[0], value);
}

/** The first variant that accepts the value reads it: one that may read it as another value has to be asked before a later one. */
function fitsUnion(options: readonly AnySchema[], value: unknown): boolean {
  for (let at = 0; at < options.length; at++) {
    const option = options[at] as AnySchema;
    if (fitsSchema(option, value)) return true;
    const { type, pipe } = option as unknown as SchemaParts;
    if (!(type in plain) || pipe !== undefined) return false;
  }
  return false;
}

function fitsEntries(entries: Readonly<Record<string, AnySchema>>, value: Readonly<Record<string, unknown>>): boolean {
  for (const name in entries) {
    const entry = entries[name] as AnySchema;
    if (Object.hasOwn(value, name)) {
      if (!fitsSchema(entry, value[name])) return false;
      continue;
    }
    const { type, default: given } = entry as unknown as SchemaParts;
    if (!(type === 'nullish' || type === 'optional') || given !== undefined) return false;
  }
  return hasPlainNames(value);
}
