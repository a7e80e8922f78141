import type { FieldDiagnostic, FieldLanguage } from '../../../src/describe/language.ts';
import type { Diagnostic as Checked } from '../../../src/query/language.ts';
import { toObject, toText } from '../row.ts';
import { type Definition, readOptions } from './definition.ts';
import type { About } from './setting.ts';

/**
 * The language of a kind's queries: checked against what the other fields of the form say, completed with the words of
 * the organization's own monitors. The grammars are read when a form first needs them: the way to the first frame is
 * short without them.
 */
export function queryLanguage({ kind, known: usedValues, meant }: About): () => Promise<FieldLanguage> {
  return async () => {
    const [{ check }, { completeQuery: complete }, { describeQuery: meaningOf }] = await Promise.all([
      import('../../../src/query/check-query.ts'),
      import('../../../src/query/complete.ts'),
      import('../../../src/query/describe-query.ts'),
    ]);
    // Computed now, so that no key press waits for it.
    usedValues();
    return {
      check(text, texts) {
        const definition = meant(withQuery(texts, text));
        if (text.trim() === '') return [];
        const { diagnostics } = check(kind.type, text, readOptions(definition));
        // The field of the variables says itself what they lack.
        return diagnostics.filter(({ option }) => option !== 'variables').map(atField);
      },
      complete(text, place, texts, begun) {
        const { variables } = readOptions(meant(withQuery(texts, text)));
        return complete(kind.type, text, place, { ...usedValues(), variables: namesOf(variables) }, begun);
      },
      says(text, texts) {
        const definition = meant(withQuery(texts, text));
        return [meaningOf(kind.type, text) ?? '', ...consequences(definition)].filter((line) => line !== '');
      },
    };
  };
}

type Texts = Readonly<Record<string, string>>;
const withQuery = (texts: Texts, query: string): Texts => (texts.query === query ? texts : { ...texts, query });

/** When it warns and recovers, and who hears of it. */
function consequences(definition: Definition): string[] {
  const thresholds = toObject(readOptions(definition).thresholds);
  const at = (words: string, name: string) => (thresholds[name] == null ? '' : `${words} at ${thresholds[name]}`);
  const handles = [...new Set((toText(definition.message) ?? '').match(handle) ?? [])];
  return [
    [at('warns', 'warning'), at('recovers', 'critical_recovery')]
      .filter(Boolean)
      .join(', ')
      .replace(/^./, (first) => first.toUpperCase()),
    handles.length > 0 ? `Notifies ${handles.join(' ')}` : 'No notifications: the message has no @name',
  ];
}

const handle = /(?<!\S)@[\w.:@/-]+/g;

/** A diagnostic about an option is shown at the field of that name (see `MonitorSetting`). */
const atField = ({ option, ...diagnostic }: Checked): FieldDiagnostic =>
  option === undefined ? diagnostic : { ...diagnostic, field: settingName(option) };

/** The setting of an option: that of its last name, or of a recurrence. */
const settingName = (option: string): string => {
  const [container, name = ''] = option.split('.').slice(-2);
  return container === 'recurrences' ? `schedule_${name}` : name || option;
};

/** What the variables of a formula are called. */
function namesOf(variables: unknown): string[] {
  if (!Array.isArray(variables)) return [];
  return variables.flatMap((variable: { readonly name?: unknown } | null) =>
    typeof variable?.name === 'string' ? [variable.name] : [],
  );
}
