import { endpoints } from '../all-endpoints.ts';
import type { AnySchema, Endpoint } from '../endpoint.ts';
import { issueCase } from '../error-tracking.ts';
import { hostCheck } from '../monitor-schema.ts';
import { joinShapes, type KnownWords, type SchemaShape, schemaShape } from './schema-shape.ts';

/** Where identifiers stand in an operation, one of the contract or any other. */
export const collectShapes = ({ query, body, response }: Endpoint) => ({
  query: schemaShape(query),
  body: schemaShape(body),
  answer: schemaShape(response),
});

/** Data collected from all schemas of the contract. */
export interface Contract {
  readonly endpoints: readonly Endpoint[];
  /** Resource objects by kind, for those that come along in `included`. */
  readonly kinds: ReadonlyMap<string, SchemaShape>;
  /** Every permission that an operation asks for. */
  readonly permissions: readonly string[];
  /** The places that have a name, with the words that are known there. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

/** Gathers it. `beside`: resource objects that come along only, and are described outside every operation. */
export function buildContract(all: readonly Endpoint[], beside: readonly AnySchema[]): Contract {
  const kinds = new Map<string, SchemaShape>();
  const places = new Map<string, readonly string[]>();
  const shapes = [
    ...all.map(collectShapes).flatMap((shapes) => [shapes.query, shapes.body, shapes.answer]),
    ...beside.map(schemaShape),
  ];
  for (const shape of shapes)
    walk(shape, (found) => {
      const { kind, text } = found;
      if (kind !== undefined) kinds.set(kind, joinShapes(kinds.get(kind) ?? found, found));
      if (text?.place !== undefined)
        places.set(text.place, [...new Set([...(places.get(text.place) ?? []), ...text.known])]);
    });
  return { endpoints: all, kinds, permissions: [...new Set(all.flatMap((endpoint) => endpoint.permission))], places };
}

/** The contract of this program. A case comes along with an issue only, the check of hosts within queries only. */
export const contract: Contract = buildContract(endpoints, [issueCase, hostCheck]);

/** Known identifiers at a position; a named place has the same ones everywhere. */
export function knownWordsAt({ sort, known, place }: KnownWords, { permissions, places }: Contract): readonly string[] {
  if (sort === 'permission') return permissions;
  return place === undefined ? known : (places.get(place) ?? known);
}

/** Visits a shape and everything in it, with the way to it: `data.attributes.source`. */
export function walk(shape: SchemaShape, visit: (found: SchemaShape, way: string) => void, way = ''): void {
  const into = (name: string) => (way === '' ? name : `${way}.${name}`);
  visit(shape, way);
  for (const [name, inner] of shape.fields ?? []) walk(inner, visit, into(name));
  if (shape.item) walk(shape.item, visit, way);
  if (shape.values) walk(shape.values, visit, into('*'));
}
