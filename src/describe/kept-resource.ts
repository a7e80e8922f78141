import * as v from 'valibot';

/** Schema of rows of a resource as they are kept on the disk: members of a row besides these are added by its kind. */
export const keptResource = <A extends v.GenericSchema>(schema: {
  readonly entries: { readonly attributes: { readonly wrapped: A } };
}) =>
  v.object({
    id: v.string(),
    place: v.number(),
    attributes: schema.entries.attributes.wrapped,
    unread: v.pipe(v.array(v.string()), v.readonly()),
  });
