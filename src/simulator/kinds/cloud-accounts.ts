import { type ApiResponse, refused } from '../server/handler.ts';
import { asText } from '../server/wire-values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The map key of a pair of identifiers. */
export const pairKey = (one: unknown, other: unknown): string =>
  JSON.stringify([asText(one) ?? '', asText(other) ?? '']);

/** The fields of a body that an account has; null stands for their default. */
export const knownFields = (sent: Fields, defaults: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      Object.hasOwn(defaults, name) && value !== undefined ? [[name, value ?? defaults[name]]] : [],
    ),
  );

/** The refusal of posture scanning without resource collection, on create and on edit. */
export function postureRefusal(fields: Fields, posture: string): ApiResponse | undefined {
  return fields[posture] === true && fields.resource_collection_enabled !== true
    ? refused(400, 'Resource Collection must be enabled for CSM to be enabled')
    : undefined;
}
