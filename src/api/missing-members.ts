import * as v from 'valibot';
import { isObject, put } from '../lib/object-paths.ts';
import type { Call, Endpoint } from './endpoint.ts';

/**
 * Paths of required members that are absent from the body of a call, such as `data.attributes.name`. A null where the
 * schema forbids null counts as absent. Unknown enum words do not count: a deployment may have more.
 */
export function missingMembers(call: Call): readonly string[] {
  if (!isObject(call.body)) return [];
  // A member that may be left out is no lack because it is null: without it, nothing is missing.
  const bare = wronglyNull(call).reduce((rest, path) => put(rest, path, undefined), call.body);
  return placesOf(call.endpoint, bare, 'undefined');
}

/** Members of the body that are null where no null may be: paths such as `data.attributes.category`. */
export const wronglyNull = ({ endpoint, body }: Call): readonly string[] => placesOf(endpoint, body, 'null');

const placesOf = ({ body: schema }: Endpoint, value: unknown, received: string): readonly string[] =>
  ((schema && v.safeParse(schema, value).issues) ?? [])
    .filter((issue) => issue.received === received)
    .flatMap((issue) => v.getDotPath(issue) ?? []);
