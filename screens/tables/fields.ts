import { plainName } from '../../src/api/tables.ts';
import { type Field, listField, readAs } from '../../src/describe/field.ts';
import type { ReferenceColumn } from './kind.ts';

/** The maximum number of columns of a table (docs/contract/reference-tables.md#names-and-limits). */
const maxColumns = 50;

/** The check of a name: the service would change any other name. `what` names the field in the message. */
export const checkPlainName = (what: string) => (typed: string) =>
  typed === '' ||
  plainName.test(typed) ||
  `${what}: lower-case letters, digits and _, starting with a letter, 56 at most`;

/** Tags, separated by commas. */
export const tagsField = (now: readonly string[] | null | undefined): Field<string[]> =>
  listField('Tags', now, { hint: 'Comma-separated: team:web, source:wiki' });

/** A field of columns: `service, team, tier:INT32`. A column without a type holds text; `taken` names existing columns. */
export function columnsField(
  label: string,
  taken: readonly string[],
  required: boolean,
  hint: string,
): Field<readonly ReferenceColumn[]> {
  const field = { ...listField(label, [], { hint }), required, placeholder: 'service, team, tier:INT32' };
  return readAs(field, (words) => {
    const columns = words.map((word): ReferenceColumn => {
      const [name = '', type = 'STRING'] = word.split(':').map((part) => part.trim());
      return { name, type: type.toUpperCase() };
    });
    const problem = columnsProblem(columns);
    return problem === undefined ? { ok: true, value: columns } : { ok: false, text: problem };
  });

  function columnsProblem(columns: readonly ReferenceColumn[]): string | undefined {
    const names = columns.map(({ name }) => name);
    if (required && columns.length === 0) return `${label} are required`;
    const untyped = columns.find(({ type }) => type !== 'STRING' && type !== 'INT32');
    if (untyped) return `${untyped.name}: type must be STRING or INT32`;
    const badName = names
      .map((name) => (name === '' ? 'A column has no name' : checkPlainName(name)(name)))
      .find((verdict) => verdict !== true);
    if (badName !== undefined) return badName;
    const duplicate = names.find((name, place) => names.indexOf(name) !== place || taken.includes(name));
    if (duplicate !== undefined) return `${duplicate} already exists`;
    return taken.length + columns.length > maxColumns ? `At most ${maxColumns} columns` : undefined;
  }
}
