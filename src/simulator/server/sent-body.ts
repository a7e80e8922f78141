import * as v from 'valibot';
import { type AnySchema, type Endpoint, pathNames } from '../../api/endpoint.ts';
import { at } from '../../lib/object-paths.ts';
import { type ApiRequest, type ApiResponse, refused } from './handler.ts';
import { asText } from './wire-values.ts';

/**
 * The body as the schema of the operation reads it; or the refusal of one that it does not read, or that names another object than
 * the path does. So no handler checks the shape of what it is given.
 */
export function readBody(
  { body: schema, verb, path }: Endpoint,
  params: ApiRequest['params'],
  body: unknown,
): { readonly value: unknown } | ApiResponse {
  if (!schema) return { value: body };
  const read = v.safeParse(schema, body ?? {});
  if (!read.success)
    return refused(
      400,
      ...read.issues.slice(0, 3).map((issue) => `Invalid ${v.getDotPath(issue) ?? 'body'}: ${issue.message}`),
    );
  const named = asText(at(read.output, 'data.id'));
  const own = params[pathNames(path).at(-1) ?? ''];
  return verb === 'update' && named !== undefined && own !== undefined && named.toLowerCase() !== own.toLowerCase()
    ? refused(422, 'The id in the request body does not match the id in the URL')
    : { value: read.output };
}

/** The body of a request of an operation. */
export const readSentBody = <E extends Endpoint>({ body }: ApiRequest) =>
  body as E extends { readonly body?: infer B extends AnySchema } ? v.InferOutput<B> : never;
