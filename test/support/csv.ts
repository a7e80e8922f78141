import { createHash } from 'node:crypto';

export const tables = '/api/v2/reference-tables/tables';
export const uploads = '/api/v2/reference-tables/uploads';

/** Attributes of a table of text columns whose first is the key. */
export const tableOf = (table_name: string, columns: readonly string[], more: object = {}) => ({
  data: {
    type: 'reference_table',
    attributes: {
      table_name,
      schema: { fields: columns.map((name) => ({ name, type: 'STRING' })), primary_keys: columns.slice(0, 1) },
      source: 'LOCAL_FILE',
      ...more,
    },
  },
});

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
