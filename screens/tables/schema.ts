import { plainName } from '../../src/api/tables.ts';
import { type Field, textField } from '../../src/describe/field.ts';
import type { TableColumn } from './row.ts';

/** Columns at most, by the guide (contract/reference-tables.md 7). */
const mostColumns = 50;

/** A name as the service keeps it: anything else would come back as another one. */
export const plain = (what: string) => (typed: string) =>
  typed === '' || plainName.test(typed) || `${what}: lower-case letters, digits and _, a letter first, 56 at most`;

/** Tags as typed: separated by commas. */
export const wordsOf = (typed: string): string[] =>
  typed
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);

/** Tags, separated by commas. */
export const tagsField = (initial: readonly string[]): Field<string[]> => {
  const field = textField('tags', initial.join(', '), { hint: 'separated by commas: team:web, source:wiki' });
  return { ...field, read: (typed) => ({ ok: true, value: wordsOf(typed) }) };
};

/** Columns as typed: `service, team, tier:INT32`; text unless it is said otherwise. */
export function columnsField(label: string, taken: readonly string[], required: boolean, hint: string) {
  const field = textField(label, '', { placeholder: 'service, team, tier:INT32', hint });
  return {
    ...field,
    read(typed) {
      const columns = wordsOf(typed).map((it): TableColumn => {
        const [name = '', type = 'STRING'] = it.split(':').map((part) => part.trim());
        return { name, type: type.toUpperCase() };
      });
      const names = columns.map((it) => it.name);
      const say = (text: string) => ({ ok: false as const, text });
      if (required && columns.length === 0) return say(`${label} are needed`);
      const odd = columns.find((it) => it.type !== 'STRING' && it.type !== 'INT32');
      if (odd) return say(`${odd.name}: the type is STRING or INT32`);
      const misnamed = names
        .map((it) => (it === '' ? 'a column has no name' : plain(it)(it)))
        .find((it) => it !== true);
      if (misnamed !== undefined) return say(String(misnamed));
      const twice = names.find((it, at) => names.indexOf(it) !== at || taken.includes(it));
      if (twice !== undefined) return say(`${twice} is there already`);
      if (taken.length + columns.length > mostColumns) return say(`a table has ${mostColumns} columns at most`);
      return { ok: true, value: columns };
    },
  } satisfies Field<readonly TableColumn[]>;
}
