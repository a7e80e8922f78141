import type { Endpoint } from './endpoint.ts';
import { type Shape, shapeOf } from './vocabulary/schema-shape.ts';

/** Whether the answer of an edit holds a secret that the service may never show again: that of something new. */
export function answersSecret({ repeat, secrets = [], response }: Endpoint): boolean {
  return repeat === 'once' && secrets.some((place) => has(shapeOf(response), place.split('.')));
}

function has(shape: Shape | undefined, [name, ...rest]: readonly string[]): boolean {
  if (shape === undefined) return false;
  if (shape.item) return has(shape.item, name === undefined ? [] : [name, ...rest]);
  return name === undefined || has(shape.fields?.get(name), rest);
}
