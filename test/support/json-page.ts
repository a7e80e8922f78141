import { screens } from '../../screens/index.ts';
import { type AnyList, outputFields } from '../../src/describe/screen.ts';
import { markdownTable } from './markdown.ts';

/** What a list prints, field by field, as a Markdown section. */
function fieldsSection(list: AnyList): string {
  const fields = outputFields(list);
  const plain = fields.filter(({ says }) => says === asTold).map(({ name, type }) => `\`${name}\` (${type})`);
  const rows = fields.filter(({ says }) => says !== asTold).map(({ name, type, says }) => [`\`${name}\``, type, says]);
  const others = plain.length > 0 ? ['', `As the service sends them: ${plain.join(', ')}.`] : [];
  const table = markdownTable(['field', 'type', ''], rows);
  return [`### ${list.id.replaceAll('.', ' ')}`, '', table, ...others].join('\n');
}

/** What is said of a field of which there is nothing to say: it stands in a line and not in a row. */
const asTold = 'words of the service';

const lists = (): readonly AnyList[] => screens.flatMap((screen) => screen.lists);

/** The sections of every list. */
export const fieldsOfLists = (): string => lists().map(fieldsSection).join('\n\n');

/** The fields of every list by name and type: what a script may rely on. */
export const contractOfLists = (): Readonly<Record<string, Readonly<Record<string, string>>>> =>
  Object.fromEntries(
    lists().map((list) => [list.id, Object.fromEntries(outputFields(list).map(({ name, type }) => [name, type]))]),
  );

/** Promises of the stored contract that the program no longer keeps. A new field is no fault. */
export function brokenPromises(
  stored: Readonly<Record<string, Readonly<Record<string, string>>>>,
  now: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string[] {
  return Object.entries(stored).flatMap(([list, fields]) =>
    Object.entries(fields).flatMap(([name, type]) => {
      const there = now[list]?.[name];
      if (there === type) return [];
      return [there === undefined ? `${list}: ${name} is gone` : `${list}: ${name} was ${type} and is ${there}`];
    }),
  );
}
