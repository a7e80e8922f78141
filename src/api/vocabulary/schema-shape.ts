import { oncePer } from '../../lib/function-results.ts';
import { type AnySchema, type Endpoint, type SchemaParts, schemaParts } from '../endpoint.ts';
import { includedItem, readNotes } from '../envelope.ts';

/** What identifies a text: a word of the contract, or the name of a permission. */
type Sort = 'word' | 'permission';

/** A text that is an identifier, with those that the contract knows there. */
export interface KnownWords {
  readonly sort: Sort;
  readonly known: readonly string[];
  /** Name of this place, where a vocabulary may have exceptions. */
  readonly place?: string;
}

/**
 * Where identifiers are in a value: what is left of a schema when everything else is taken away. Several parts at once
 * where a schema takes several forms. What is named nowhere here is free text, or unknown, and is never touched.
 */
export interface SchemaShape {
  readonly text?: KnownWords;
  /** Elements of a list. */
  readonly item?: SchemaShape;
  /** Members of an object whose names are identifiers; those that the contract does not know are identifiers too. */
  readonly fields?: ReadonlyMap<string, SchemaShape>;
  /** Members of an object whose names are free: tags, columns of a table, scopes. */
  readonly values?: SchemaShape;
  /** A resource object whose `type` says what the rest of it is. */
  readonly included?: true;
  /** The kind of a resource object. */
  readonly kind?: string;
}

const free: SchemaShape = {};

/** A schema's shape. The same schema always gives the same object. */
export function schemaShape(schema: AnySchema | undefined): SchemaShape {
  return schema === undefined ? free : shapeOf(schema);
}

const shapeOf = oncePer(
  (schema: AnySchema): SchemaShape => (schema === includedItem ? included : noted(schema, bare(schemaParts(schema)))),
);
const included: SchemaShape = { included: true };

function bare(insides: SchemaParts): SchemaShape {
  switch (insides.type) {
    case 'object':
    case 'loose_object':
    case 'strict_object':
      return {
        fields: new Map(Object.entries(insides.entries ?? {}).map(([name, schema]) => [name, schemaShape(schema)])),
      };
    case 'array':
      return { item: schemaShape(insides.item) };
    case 'record':
      return { values: schemaShape(insides.value) };
    case 'union':
    case 'variant':
      return (insides.options as AnySchema[]).map(schemaShape).reduce(joinShapes, free);
    case 'picklist':
      return wordsOf((insides.options ?? []).filter((option): option is string => typeof option === 'string'));
    case 'literal':
      return typeof insides.literal === 'string' ? wordsOf([insides.literal]) : free;
    case 'lazy':
      // The schema may be chosen by what is there: a list or an object are the two forms that differ.
      return [[], {}].map((input) => schemaShape(insides.getter?.(input))).reduce(joinShapes, free);
    default:
      return insides.wrapped ? schemaShape(insides.wrapped) : free;
  }
}

const wordsOf = (known: readonly string[]): SchemaShape => ({ text: { sort: 'word', known } });

/** The shape of a schema, where its own notes win over those of the schemas inside it. */
function noted(schema: AnySchema, inside: SchemaShape): SchemaShape {
  const { words = inside.text?.known, place = inside.text?.place, names, kind } = readNotes(schema);
  const text: KnownWords | undefined = names
    ? { sort: names, known: [] }
    : words && { sort: inside.text?.sort ?? 'word', known: words, ...(place !== undefined && { place }) };
  return { ...inside, ...(text && { text }), ...(kind !== undefined && { kind }) };
}

/** Both forms in one. */
export function joinShapes(left: SchemaShape, right: SchemaShape): SchemaShape {
  if (left === right || right === free) return left;
  if (left === free) return right;
  const fields = both(left.fields, right.fields, (a, b) => {
    const names = new Set([...a.keys(), ...b.keys()]);
    return new Map([...names].map((name) => [name, both(a.get(name), b.get(name), joinShapes) ?? free]));
  });
  const text = both(left.text, right.text, together);
  const item = both(left.item, right.item, joinShapes);
  const values = both(left.values, right.values, joinShapes);
  const kind = left.kind ?? right.kind;
  return {
    ...(text && { text }),
    ...(item && { item }),
    ...(fields && { fields }),
    ...(values && { values }),
    ...((left.included || right.included) && { included: true }),
    ...(kind !== undefined && { kind }),
  };
}

function together(one: KnownWords, other: KnownWords): KnownWords {
  const place = one.place ?? other.place;
  return { sort: one.sort, known: [...new Set([...one.known, ...other.known])], ...(place !== undefined && { place }) };
}

const both = <T>(one: T | undefined, other: T | undefined, join: (a: T, b: T) => T): T | undefined =>
  one === undefined || other === undefined ? (one ?? other) : join(one, other);

/** Whether the answer of an edit holds a secret that the service may never show again: that of something new. */
export function answersSecret({ repeat, secrets = [], response }: Endpoint): boolean {
  return repeat === 'once' && secrets.some((place) => has(schemaShape(response), place.split('.')));
}

function has(shape: SchemaShape | undefined, [name, ...rest]: readonly string[]): boolean {
  if (shape === undefined) return false;
  if (shape.item) return has(shape.item, name === undefined ? [] : [name, ...rest]);
  return name === undefined || has(shape.fields?.get(name), rest);
}
