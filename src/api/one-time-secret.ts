import type { Endpoint } from './endpoint.ts';
import { type SchemaShape, schemaShape } from './vocabulary/schema-shape.ts';

/** Whether the answer of an edit holds a secret that the service may never show again: that of something new. */
export function answersSecret({ repeat, secrets = [], response }: Endpoint): boolean {
  return repeat === 'once' && secrets.some((place) => has(schemaShape(response), place.split('.')));
}

function has(shape: SchemaShape | undefined, [name, ...rest]: readonly string[]): boolean {
  if (shape === undefined) return false;
  if (shape.item) return has(shape.item, name === undefined ? [] : [name, ...rest]);
  return name === undefined || has(shape.fields?.get(name), rest);
}
