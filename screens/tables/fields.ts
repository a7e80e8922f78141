import { plainName } from '../../src/api/tables.ts';
import { type Field, listField } from '../../src/describe/field.ts';
import type { TableColumn } from './kind.ts';

/** Columns at most, by the guide (contract/reference-tables.md 7). */
const mostColumns = 50;

/** A name as the service keeps it: anything else would come back as another one. */
export const plain = (what: string) => (typed: string) =>
  typed === '' || plainName.test(typed) || `${what}: lower-case letters, digits and _, a letter first, 56 at most`;

/** Tags, separated by commas. */
export const tagsField = (now: readonly string[] | null | undefined): Field<string[]> =>
  listField('tags', now, { hint: 'separated by commas: team:web, source:wiki' });

/** Columns as typed: `service, team, tier:INT32`; text unless it is said otherwise. */
export function columnsField(
  label: string,
  taken: readonly string[],
  required: boolean,
  hint: string,
): Field<readonly TableColumn[]> {
  const field = listField(label, [], { hint });
  return {
    ...field,
    placeholder: 'service, team, tier:INT32',
    read(typed) {
      const read = field.read(typed);
      if (!read.ok) return read;
      const columns = read.value.map((column): TableColumn => {
        const [name = '', type = 'STRING'] = column.split(':').map((part) => part.trim());
        return { name, type: type.toUpperCase() };
      });
      const wrong = fault(columns);
      return wrong === undefined ? { ok: true, value: columns } : { ok: false, text: wrong };
    },
  };

  function fault(columns: readonly TableColumn[]): string | undefined {
    const names = columns.map(({ name }) => name);
    if (required && columns.length === 0) return `${label} are needed`;
    const odd = columns.find(({ type }) => type !== 'STRING' && type !== 'INT32');
    if (odd) return `${odd.name}: the type is STRING or INT32`;
    const misnamed = names
      .map((name) => (name === '' ? 'a column has no name' : plain(name)(name)))
      .find((verdict) => verdict !== true);
    if (misnamed !== undefined) return misnamed;
    const twice = names.find((name, place) => names.indexOf(name) !== place || taken.includes(name));
    if (twice !== undefined) return `${twice} is there already`;
    return taken.length + columns.length > mostColumns ? `a table has ${mostColumns} columns at most` : undefined;
  }
}
