import type * as v from 'valibot';
import { configSchemas } from '../profiles/config-file.ts';

/** A JSON schema as JSON has it (draft 2020-12). */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The parts of valibot's schemas and actions that are translated; what JSON Schema cannot say is left out. */
interface Part {
  readonly type: string;
  readonly message?: unknown;
  readonly requirement?: unknown;
  readonly pipe?: readonly Part[];
  readonly entries?: Readonly<Record<string, Part>>;
  readonly item?: Part;
  readonly wrapped?: Part;
  readonly default?: unknown;
  readonly options?: readonly unknown[];
}

const draft = 'https://json-schema.org/draft/2020-12/schema';
const anyText = { type: 'string' };

/** What editors and other programs check a file with, from the schema that this program checks it with. */
export function jsonSchema(schema: v.GenericSchema | Part): JsonSchema {
  const { type, message, pipe = [], entries, item, wrapped, options, ...part } = schema as Part;
  if (wrapped) return { ...jsonSchema(wrapped), ...(part.default === undefined ? {} : { default: part.default }) };
  const [first, ...actions] = pipe;
  // A description says what a value is.
  const said = typeof message === 'string' && !/^is not/.test(message) ? { description: message } : {};
  if (first) return Object.assign({}, jsonSchema({ ...first, message }), ...actions.map(keyword));
  if (type === 'picklist') return { enum: options, ...said };
  if (item) return { type: 'array', items: jsonSchema(item), ...said };
  if (!entries) return { type, ...said };
  const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'optional');
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, jsonSchema(entry)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** The keyword for one step of a pipe. */
function keyword({ type, requirement }: Part): JsonSchema {
  if (type === 'regex') return { pattern: (requirement as RegExp).source };
  if (type === 'integer') return { type: 'integer' };
  if (type === 'non_empty') return { minLength: 1 };
  const name = { min_value: 'minimum', max_value: 'maximum', max_length: 'maxLength' }[type];
  return name === undefined ? {} : { [name]: requirement };
}

/** The schema of a file that may name its own schema in `$schema`. */
export const fileSchema = (title: string, of: JsonSchema): JsonSchema => ({
  $schema: draft,
  title,
  ...of,
  properties: { $schema: anyText, ...(of.properties as object) },
});

/** The schema of config.json. */
export function configJsonSchema(): JsonSchema {
  const { single, several } = configSchemas;
  const shared = [...single].map(([name, schema]): [string, JsonSchema] => [name, jsonSchema(schema)]);
  const lists = Object.entries(several).map(([name, { entry, shape, says }]): [string, JsonSchema] => {
    const each = jsonSchema(entry);
    const inside = shape === 'array' ? { items: each } : { additionalProperties: each };
    return [name, { type: shape, ...inside, description: says }];
  });
  return fileSchema('config.json of orgdeck', {
    type: 'object',
    properties: { version: { const: 1 }, ...Object.fromEntries([...shared, ...lists]) },
    required: ['version'],
    additionalProperties: false,
  });
}
