import { endpoints } from '../all-endpoints.ts';
import type { AnySchema, Endpoint } from '../endpoint.ts';
import { issueCase } from '../error-tracking.ts';
import { hostCheck } from '../monitor-schema.ts';
import { joined, type Shape, shapeOf, type Words } from './schema-shape.ts';

/** Where identifiers stand in one operation. */
export interface Shapes {
  readonly query: Shape;
  readonly body: Shape;
  readonly answer: Shape;
}

/** The shapes of an operation, one of the contract or any other. */
export function shapesOf({ query, body, response }: Endpoint): Shapes {
  return { query: shapeOf(query), body: shapeOf(body), answer: shapeOf(response) };
}

/** Data collected from all schemas of the contract. */
export interface Contract {
  readonly endpoints: readonly Endpoint[];
  /** Resource objects by kind, for those that come along in `included`. */
  readonly kinds: ReadonlyMap<string, Shape>;
  /** Every permission that an operation asks for. */
  readonly permissions: readonly string[];
  /** The places that have a name, with the words that are known there. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

/** Gathers it. `beside`: resource objects that come along only, and are described outside every operation. */
export function contractOf(all: readonly Endpoint[], beside: readonly AnySchema[]): Contract {
  const kinds = new Map<string, Shape>();
  const places = new Map<string, readonly string[]>();
  const shapes = [
    ...all.map(shapesOf).flatMap((shapes) => [shapes.query, shapes.body, shapes.answer]),
    ...beside.map(shapeOf),
  ];
  for (const shape of shapes)
    walk(shape, (found) => {
      const { kind, text } = found;
      if (kind !== undefined) kinds.set(kind, joined(kinds.get(kind) ?? found, found));
      if (text?.place !== undefined)
        places.set(text.place, [...new Set([...(places.get(text.place) ?? []), ...text.known])]);
    });
  return { endpoints: all, kinds, permissions: [...new Set(all.flatMap((endpoint) => endpoint.permission))], places };
}

/** The contract of this program. A case comes along with an issue only, the check of hosts within queries only. */
export const contract: Contract = contractOf(endpoints, [issueCase, hostCheck]);

/** Known identifiers at a position; a named place has the same ones everywhere. */
export function knownWordsAt({ sort, known, place }: Words, { permissions, places }: Contract): readonly string[] {
  if (sort === 'permission') return permissions;
  return place === undefined ? known : (places.get(place) ?? known);
}

/** Visits a shape and everything in it, with the way to it: `data.attributes.source`. */
export function walk(shape: Shape, visit: (found: Shape, way: string) => void, way = ''): void {
  const into = (name: string) => (way === '' ? name : `${way}.${name}`);
  visit(shape, way);
  for (const [name, inner] of shape.fields ?? []) walk(inner, visit, into(name));
  if (shape.item) walk(shape.item, visit, way);
  if (shape.values) walk(shape.values, visit, into('*'));
}
