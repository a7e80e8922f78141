import { type Field, queryField, readAs } from '../../../src/describe/field.ts';
import type { FieldLanguage } from '../../../src/describe/language.ts';
import { parseExact, stringifyExact } from '../../../src/lib/json.ts';
import type { ParseResult } from '../../../src/lib/parse-result.ts';
import type { Diagnostic } from '../../../src/query/language.ts';
import { toObject, toText } from '../row.ts';
import type { Definition } from './definition.ts';
import { brokenJson } from './json.ts';
import { settingAt } from './setting.ts';

/** Reads a definition from JSON; the text of a failure says what is missing. */
function readDefinition(text: string): ParseResult<Definition> {
  let read: unknown;
  try {
    read = parseExact(text);
  } catch {
    return { ok: false, text: 'the definition is not JSON' };
  }
  const definition = toObject(read);
  if (definition !== read) return { ok: false, text: 'a definition is an object: {"type": …, "query": …}' };
  if (definition.id != null) return { ok: false, text: 'a new monitor has no id' };
  const absent = ['type', 'query'].find((name) => toText(definition[name]) === undefined);
  return absent === undefined
    ? { ok: true, value: definition }
    : { ok: false, text: `the definition has no ${absent}` };
}

/** What the checker of queries and options says of a definition, at the member that it is about. */
const language = (checked: (definition: Definition) => readonly Diagnostic[]): FieldLanguage => ({
  check(text) {
    const broken = brokenJson(text);
    if (broken) return [broken];
    const read = readDefinition(text);
    if (!read.ok) return [{ verdict: 'wrong', message: read.text, start: 0, end: text.length }];
    return checked(read.value).map(({ option = 'query', verdict, message, hint }) => {
      const name = JSON.stringify(option.split('.').at(-1));
      const start = Math.max(0, text.indexOf(name));
      return { verdict, message, ...(hint === undefined ? {} : { hint }), start, end: start + name.length };
    });
  },
  complete: () => undefined,
});

function definitionField(label: string, now: Definition): Field<unknown> {
  const field = queryField(
    label,
    stringifyExact(now, 2),
    async () => language((await import('../../../src/query/check-query.ts')).checkMonitor),
    {
      required: true,
      hint: 'the whole definition as JSON; the service checks it',
    },
  );
  return readAs(field, readDefinition);
}

/** The whole definition as JSON, for kinds beyond the specification. */
export const wholeSetting = settingAt(undefined, {
  label: 'definition',
  field: (label, _, __, now) => definitionField(label, now),
});
