type Schema = Readonly<Record<string, unknown>>;

/** A JSON Schema with a line for each part of it, and one for all parts that are alike: `.destination: bucket, path {"type":["string","null"]}`. */
export function schemaLines({ properties = {}, items, additionalProperties, ...own }: Schema, path = ''): string[] {
  const isOpen = typeof additionalProperties === 'object';
  const shown = { ...own, ...(isOpen || additionalProperties === undefined ? {} : { additionalProperties }) };
  const parts = Object.entries(properties as Readonly<Record<string, Schema>>);
  const hasParts = (part: Schema) => part.properties ?? part.items ?? part.additionalProperties;
  const alike = Map.groupBy(
    parts.filter(([, part]) => !hasParts(part)),
    ([, part]) => JSON.stringify(part),
  );
  return [
    `${path} ${JSON.stringify(shown)}`,
    ...[...alike].map(([text, all]) => `${path}: ${all.map(([name]) => name).join(', ')} ${text}`),
    ...parts.flatMap(([name, part]) => (hasParts(part) ? schemaLines(part, `${path}.${name}`) : [])),
    ...(items ? schemaLines(items as Schema, `${path}[]`) : []),
    ...(isOpen ? schemaLines(additionalProperties as Schema, `${path}.*`) : []),
  ];
}
