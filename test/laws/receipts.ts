import * as v from 'valibot';
import { screens } from '../../screens/index.ts';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { neutralWords } from '../../src/api/vocabulary/dictionary.ts';

/** What no text may hold that tells of an edit. */

const actionIds = screens.flatMap(({ lists }) => lists.flatMap(({ actions }) => actions.map(({ id }) => id)));
const ids = new Set([...actionIds, ...endpoints.map(({ id }) => id)]);

/** The names of all members below a schema. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { entries = {}, item, wrapped, options } = schema as Readonly<Record<string, unknown>>;
  const below = [item, wrapped, ...(Array.isArray(options) ? options : []), ...Object.values(entries as object)];
  return [...Object.keys(entries as object), ...below.flatMap(namesIn)];
}

/** Names of members of requests that nobody would type as a word. */
const members = new Set(endpoints.flatMap(({ body }) => namesIn(body)).filter((name) => name.includes('_')));

/** A key of the dashboard: `f: create`, `[: back`, `; a adds`, `(Enter: details)`, `K moves it`. */
const key = /(?:^|[;:,.] |\()(?:(?!a |I )[A-Za-z+[\]-](?:: [a-z]| [a-z]+s\b)|(?:Enter|Esc|Ctrl-[A-Z])\b)/;

const rules: readonly (readonly [says: string, isBroken: (text: string) => boolean, isOfVocabulary?: true])[] = [
  ['is JSON', (text) => text.includes('{"')],
  ['has the id of an action', (text) => words(text).some((word) => ids.has(word))],
  ['has a member of a request', (text) => words(text).some((word) => members.has(word))],
  [
    'has an empty name',
    (text) => /(?: {2,}|\*\*\*\*| :|^:| of$| to$| from$)/.test(text.replace(/^[0-9a-f]{8} .*? UTC /, '')),
  ],
  ['has a key of the dashboard', (text) => key.test(text)],
  ['has a neutral word', (text) => neutralWords.some((word) => text.includes(word)), true],
];

const words = (text: string): readonly string[] => text.split(/[\s,;()[\]"':]+/).map((word) => word.replace(/\.$/, ''));

/** What is wrong with a text that tells of an edit; `kept` are texts of the service in it, which may hold anything. `isSpoken`: a vocabulary is loaded. */
export function textFaults(text: string, kept: readonly string[] = [], isSpoken = false): readonly string[] {
  const own = kept.reduce((rest, part) => (part === '' ? rest : rest.replaceAll(part, '…')), text);
  return own
    .split('\n')
    .map((line) => line.trim())
    .flatMap((line) =>
      rules.flatMap(([says, isBroken, isOfVocabulary]) =>
        (isSpoken || !isOfVocabulary) && isBroken(line) ? [`${says}: ${line}`] : [],
      ),
    );
}

const receipt = v.looseObject({
  action: v.string(),
  outcome: v.string(),
  target: v.object({ kind: v.string(), id: v.nullable(v.string()), name: v.string() }),
  text: v.string(),
});

/** What is wrong with the receipt of a command: its thing has a name, and an id unless nothing was made. */
export function receiptFaults(item: unknown, isSpoken = false): readonly string[] {
  const { action, outcome, target, text } = v.parse(receipt, item);
  // An order is one of the whole list.
  const mayLackId = ['failed', 'unknown', 'planned', 'notSent'].includes(outcome) || action.endsWith('.set-order');
  return [
    ...(target.name.trim() === '' ? [`${action}: an empty name`] : []),
    ...(!target.id && !mayLackId ? [`${action}: an empty id`] : []),
    ...textFaults(text, [target.name], isSpoken),
  ];
}
