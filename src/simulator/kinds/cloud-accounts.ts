import { type ApiResponse, refused } from '../server/handler.ts';
import { asList, asObject, asText } from '../server/wire-values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The map key of a pair of identifiers. */
export const pairKey = (one: unknown, other: unknown): string =>
  JSON.stringify([asText(one) ?? '', asText(other) ?? '']);

/** The refusal for the first parameter that is absent or empty (docs/contract/integrations.md#provider_a, #provider_b-v1). */
export function missingParameter(body: unknown, names: readonly string[]): ApiResponse | undefined {
  const sent = asObject(body) ?? {};
  const first = names.find((name) => (asText(sent[name]) ?? '') === '');
  return first === undefined ? undefined : refused(400, `Required parameter '${first}' is missing`);
}

/** The known fields of the body, or the refusal of a field whose type differs from that of its default. */
export function acceptedFields(sent: Fields, defaults: Fields): Record<string, unknown> | ApiResponse {
  const accepted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(defaults, name) || value === undefined) continue;
    if (value !== null && kind(value) !== kind(defaults[name])) return refused(400, `Invalid value for '${name}'`);
    accepted[name] = value ?? defaults[name];
  }
  return accepted;
}

const kind = (value: unknown): string => (asList(value) ? 'list' : typeof value);

/** The refusal of posture scanning without resource collection, on create and on edit. */
export function postureRefusal(fields: Fields, posture: string): ApiResponse | undefined {
  return fields[posture] === true && fields.resource_collection_enabled !== true
    ? refused(400, 'Resource Collection must be enabled for CSM to be enabled')
    : undefined;
}
