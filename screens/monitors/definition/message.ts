import type { FieldLanguage } from '../../../src/describe/language.ts';

/** Template variables of a message, which the service fills in. */
const blanks = [
  ['{{value}}', 'the value that alerted'],
  ['{{threshold}}', 'the threshold of the query'],
  ['{{warn_threshold}}', 'the warning threshold'],
  ['{{#is_alert}}{{/is_alert}}', 'only in an alert'],
  ['{{#is_warning}}{{/is_warning}}', 'only in a warning'],
  ['{{#is_recovery}}{{/is_recovery}}', 'only on recovery'],
  ['{{#is_no_data}}{{/is_no_data}}', 'only when there is no data'],
] as const;

/** The language of messages: completes handles after `@` and template variables after `{{`. */
export function messageLanguage(handles: () => readonly string[]): FieldLanguage {
  return {
    check: () => [],
    complete(text, place) {
      const word = /(@[\w.@-]*|\{\{[#/]?\w*)$/.exec(text.slice(0, place))?.[0];
      if (word === undefined) return undefined;
      const items = word.startsWith('@')
        ? handles().map((handle) => ({ text: handle }))
        : blanks.map(([blank, hint]) => ({ text: blank, hint, ...inside(blank) }));
      const fitting = items.filter((item) => item.text.toLowerCase().startsWith(word.toLowerCase()));
      return fitting.length === 0 ? undefined : { start: place - word.length, end: place, items: fitting };
    },
  };
}

/** Puts the cursor between the opening and the closing tag of a block. */
function inside(text: string): { readonly cursor?: number } {
  const at = text.indexOf('}}{{');
  return at < 0 ? {} : { cursor: at + 2 };
}
