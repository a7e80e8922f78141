import * as v from 'valibot';
import { isObject, put } from '../lib/paths.ts';
import type { Call } from './endpoint.ts';

/**
 * Members that the body of a call must have and does not: paths such as `data.attributes.name`. Null where no null may be
 * counts as none. Words that the schema does not know are no lack: a deployment may know more of them.
 */
export function lacking({ endpoint, body }: Call): readonly string[] {
  const { body: schema } = endpoint;
  if (!schema || !isObject(body)) return [];
  const placesOf = (value: unknown, received: string) =>
    (v.safeParse(schema, value).issues ?? [])
      .filter((issue) => issue.received === received)
      .flatMap((issue) => v.getDotPath(issue) ?? []);
  // A member that may be left out is no lack because it is null: without it, nothing is missing.
  const bare = placesOf(body, 'null').reduce((rest, path) => put(rest, path, undefined), body);
  return placesOf(bare, 'undefined');
}
