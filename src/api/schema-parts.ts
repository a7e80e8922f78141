import type { AnySchema } from './endpoint.ts';

/** What valibot keeps in a schema; which of it depends on the type. */
export interface SchemaParts {
  readonly type: string;
  readonly pipe?: readonly [AnySchema, ...(readonly { readonly kind: string }[])];
  readonly default?: unknown;
  readonly wrapped?: AnySchema;
  /** Schemas; words of a picklist. */
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly item?: AnySchema;
  readonly value?: AnySchema;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly getter?: (value: unknown) => AnySchema;
}

export const schemaParts = (schema: AnySchema): SchemaParts => schema as unknown as SchemaParts;

/** The members of an object, by name; none of any other schema. */
export const entriesOf = (schema: AnySchema | undefined): Readonly<Record<string, AnySchema>> =>
  (schema && schemaParts(schema).entries) ?? {};
