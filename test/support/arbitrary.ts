import fc from 'fast-check';
import type { AnySchema } from '../../src/api/endpoint.ts';
import { readNotes } from '../../src/api/envelope.ts';

/** Arbitraries for what a schema leaves open. */
export interface Fill {
  /** Free text. */
  readonly text: fc.Arbitrary<string>;
  /** Identifiers beyond those in the schema. */
  readonly identifier: fc.Arbitrary<string>;
  /** Names of unknown members. */
  readonly name: fc.Arbitrary<string>;
}

interface Insides {
  readonly type: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly item?: AnySchema;
  readonly value?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly options?: readonly AnySchema[];
  readonly literal?: unknown;
  readonly getter?: (input: unknown) => AnySchema;
}

/** Values that match a schema, with unknown members added. Ignores length limits. */
export function arbitrary(schema: AnySchema, fill: Fill): fc.Arbitrary<unknown> {
  const of = (inner: AnySchema | undefined) => (inner ? arbitrary(inner, fill) : fc.constant(null));
  const insides = schema as unknown as Insides;
  const { words, names } = readNotes(schema);
  if (words || names) return fc.oneof(...(words ?? []).map((word) => fc.constant(word)), fill.identifier);
  switch (insides.type) {
    case 'object':
    case 'loose_object':
    case 'strict_object': {
      const known = fc.record(
        Object.fromEntries(Object.entries(insides.entries ?? {}).map(([name, one]) => [name, of(one)])),
        {
          requiredKeys: [],
        },
      );
      const unknown = fc.dictionary(fill.name, anything(fill), { maxKeys: 2 });
      return fc.tuple(unknown, known).map(([more, members]) => ({ ...more, ...members }));
    }
    case 'array':
      return fc.array(of(insides.item), { maxLength: 3 });
    case 'record':
      return fc.dictionary(fill.name, of(insides.value), { maxKeys: 3 });
    case 'union':
    case 'variant':
      return fc.oneof(...(insides.options ?? []).map(of));
    case 'literal':
      return fc.constant(insides.literal);
    case 'lazy':
      return fc.oneof(of(insides.getter?.([])), of(insides.getter?.({})));
    case 'string':
      return fill.text;
    case 'number':
      return fc.integer();
    case 'bigint':
      return fc.bigInt();
    case 'boolean':
      return fc.boolean();
    case 'unknown':
    case 'any':
      return anything(fill);
    default:
      return insides.wrapped
        ? fc.oneof({ weight: 4, arbitrary: of(insides.wrapped) }, fc.constant(null))
        : fc.constant(null);
  }
}

const anything = ({ text, name }: Fill): fc.Arbitrary<unknown> =>
  fc.oneof(
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(text, { maxLength: 2 }),
    fc.dictionary(name, text, { maxKeys: 2 }),
  );
