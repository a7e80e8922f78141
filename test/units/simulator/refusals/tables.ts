import { tableOf, tables, uploads } from '../../../support/csv.ts';
import { data, nowhere, type Refusal, refusals } from './row.ts';

const upload = (more: object) =>
  data('upload', { table_name: 'routes', headers: ['service', 'team'], part_count: 1, part_size: 20, ...more });
const columns = (more: object) => tableOf('fine', ['id', 'name'], more);
const file_metadata = { upload_id: 'upload-1' };
const schema = (fields: readonly object[], primary_keys: readonly string[]) =>
  columns({ file_metadata, schema: { fields, primary_keys } });
const texts = ['id', 'name'].map((name) => ({ name, type: 'STRING' }));
const edit = (attributes: object) => data('reference_table', attributes);
const row = (id: string, values: object) => ({ id, type: 'row', attributes: { values } });
const rows = `${tables}/{table}/rows`;

/** Uploads, reference tables and their rows. */
export const referenceTables: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['reference-tables.md 5', [nowhere, 'no-uuid'].flatMap((id) => ['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${tables}/${id}`)), 404, 'table not found', edit({})],
    ['reference-tables.md 2', `POST ${uploads}`, 400, 'part_size must be at least 5000000 bytes when there is more than one part', upload({ part_count: 2, part_size: 4_999_999 })],
    ['reference-tables.md 3', `POST ${tables}`, 400, "upload_id is required for tables with 'LOCAL_FILE' source", columns({})],
    ['reference-tables.md 3', `POST ${tables}`, 400, 'upload_id unknown does not exist', columns({ file_metadata: { upload_id: 'unknown' } })],
    ['reference-tables.md 3', `POST ${tables}`, 400, "primary key 'other' is not in fields", schema(texts, ['other'])],
    ['reference-tables.md 2', `POST ${uploads}`, 400, 'table_name is invalid', upload({ table_name: '7' }), upload({ table_name: 'x'.repeat(57) })],
    ['reference-tables.md 3', `POST ${tables}`, 400, 'source FTP is unknown', columns({ source: 'FTP', file_metadata })],
    ['reference-tables.md 2', `POST ${uploads}`, 400, 'headers holds a name twice', upload({ headers: ['team', 'team'] })],
    ['reference-tables.md 3', `POST ${tables}`, 400, "type of column 'id' is not STRING or INT32", schema([{ name: 'id', type: 'FLOAT' }], ['id'])],
    ['reference-tables.md 3', `POST ${tables}`, 400, "provider_c_detail is required for tables with 'PROVIDER_C' source", columns({ source: 'PROVIDER_C', file_metadata: { access_details: { provider_a_detail: {} } } })],
    ['reference-tables.md 4', `PATCH ${tables}/{table}`, 400, 'schema updates require either upload_id (for local files) or access_details (for cloud files)', edit({ schema: { fields: [...texts, { name: 'size', type: 'INT32' }, { name: 'more', type: 'STRING' }], primary_keys: ['id'] } })],
    ['reference-tables.md 3', `POST ${tables}`, 400, 'schema.fields holds a name twice', schema([...texts, ...texts], ['id'])],
    ['reference-tables.md 5', `GET ${tables}?page[limit]=101`, 400, 'page[limit] must be between 1 and 100'],
    ['reference-tables.md 6', `GET ${rows}`, 400, 'row_id is required'],
    ['reference-tables.md 6', `GET ${rows}?${'row_id=1&'.repeat(251)}`, 400, 'at most 250 row_id values are allowed'],
    ['reference-tables.md 6', `GET ${tables}/no-uuid/rows?row_id=1`, 404, 'table not found'],
    ['reference-tables.md 6', `GET ${tables}/no-uuid/rows/list`, 400, 'table ID must be a valid UUID format'],
    ['reference-tables.md 6', `GET ${rows}/list?page[continuation_token]=wrong`, 400, 'page[continuation_token] is invalid'],
    ['reference-tables.md 6', `GET ${rows}/list?page[limit]=1001`, 400, 'page[limit] must be between 1 and 1000'],
    ['reference-tables.md 6', `GET ${tables}/{huge}/rows/list`, 400, 'tables with more than 10000000 rows cannot be listed'],
    ['reference-tables.md 6', `POST ${rows}`, 400, "id 'c' is not the value of the primary key 'id'", { data: [row('c', { id: 'other' })] }],
    ['reference-tables.md 6', `POST ${rows}`, 400, "column 'color' does not exist", { data: [row('c', { id: 'c', color: 'red' })] }],
    ['reference-tables.md 6', `POST ${rows}`, 400, "value of column 'size' is not an INT32", { data: [row('c', { id: 'c', size: 'big' })] }],
    ['reference-tables.md 6', `POST ${tables}/{busy}/rows`, 412, 'the table is not in a state that accepts writes', { data: [row('a', { id: 'a' })] }],
    ['reference-tables.md 6', 'POST /api/v2/reference-tables/queries/batch-rows', 404, 'table not found', data('reference-tables-batch-rows-query', { table_id: 'none', row_ids: ['a'] })],
  ]),
];
