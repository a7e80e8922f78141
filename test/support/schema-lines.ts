type Schema = Readonly<Record<string, unknown>>;

/** A JSON Schema with a line for each part of it: `.destination.bucket {"type":["string","null"]}`. */
export function schemaLines({ properties = {}, items, additionalProperties, ...own }: Schema, path = ''): string[] {
  const isOpen = typeof additionalProperties === 'object';
  const shown = { ...own, ...(isOpen || additionalProperties === undefined ? {} : { additionalProperties }) };
  return [
    `${path} ${JSON.stringify(shown)}`,
    ...Object.entries(properties as Schema).flatMap(([name, part]) => schemaLines(part as Schema, `${path}.${name}`)),
    ...(items ? schemaLines(items as Schema, `${path}[]`) : []),
    ...(isOpen ? schemaLines(additionalProperties as Schema, `${path}.*`) : []),
  ];
}
