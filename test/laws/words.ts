import type { AnyList, Screen } from '../../src/describe/screen.ts';
import { code, type Source } from './sources.ts';
import { isForPeople, sentencesIn } from './texts.ts';

/** Phrases that no text of the program uses, each with what it says instead. */
const banned: readonly (readonly [found: RegExp, instead: string])[] = [
  [/\bfor ever\b/i, 'forever'],
  [/\b(nobody|somebody|whoever|everybody)\b/i, 'you, no user, anyone, users who'],
  [/\bred since\b/i, 'alerting for'],
  [/\d %|\} %/, '100%'],
  [/\bleads to\b/i, 'grants'],
  [/\bis needed\b/i, 'is required'],
  [/\b(brings? in|brought back|taken back|taken out)\b/i, 'add, restore, undo, remove'],
  [/\b(not|none is) told\b/i, 'unknown'],
  [/\bmeanwhile\b/i, 'say who changed what'],
  [/\be-mail\b/i, 'email'],
  [/\bcalled off\b/i, 'canceled'],
  [/\bset aside\b/i, 'dismissed'],
  [/\ball the same\b/i, 'anyway'],
  [/\bnothing listens\b/i, 'cannot connect'],
  [/\bturns? it round\b/i, 'reverses the order'],
  [/\bnot known whether\b/i, 'outcome unknown'],
  [/\brows done\b/i, 'what was done: Resolved 5 rows'],
  [/\b(takes? the place of|took the place of)\b/i, 'replaces'],
  [/\bthe way back\b/i, 'undo'],
  [/\bwhat became of\b/i, 'the outcome of'],
  [/\blook at it\b/i, 'check it'],
  [/\bwants? (a|an|the|one|its)\b/i, 'needs'],
  [/\bhas to be\b/i, 'must be'],
];

/** Texts that a person reads, that use a banned phrase. */
export function bannedFaults(files: readonly Source[]): string[] {
  return files
    .filter(isForPeople)
    .flatMap((file) =>
      sentencesIn(file).flatMap((sentence) =>
        banned
          .filter(([found]) => found.test(sentence))
          .map(([, instead]) => `${file.path}: ${sentence} (say: ${instead})`),
      ),
    );
}

const isCapital = (text: string): boolean => !/^[a-z](?![a-z]*_)/.test(text);

function listFaults(list: AnyList): string[] {
  const named = (what: string, text: string) =>
    isCapital(text) ? [] : [`${list.id}: ${what} "${text}" begins with a small letter`];
  return [
    ...named('the title', list.title),
    ...named('the text of an empty list', list.empty),
    ...list.actions.flatMap((action) => named(`the help of ${action.id}`, action.help)),
    ...list.columns
      .filter((column) => column.title !== column.title.toUpperCase())
      .map((column) => `${list.id}: the column head "${column.title}" is not in capitals`),
  ];
}

/** Titles, help and empty texts without a capital, and column heads that are not in capitals. */
export const capitalFaults = (screens: readonly Screen[]): string[] =>
  screens.flatMap((screen) => screen.lists.flatMap(listFaults));

const titled: readonly RegExp[] = [
  /kind: '(?:menu|text|form|results|wait)',\s*title: (['`])([a-z][^'`]*)\1/g,
  /<(?:Frame|Chosen)\s+title=\{[^}]*?plain(`)([a-z][^`]*)`/g,
  /formLayer\((['`])([a-z][^'`]*)\1/g,
];

/** Titles of layers that begin with a small letter. */
export const layerTitleFaults = (files: readonly Source[]): string[] =>
  files
    .filter(({ path }) => path.startsWith('src/session/') || path.startsWith('src/shell/'))
    .flatMap(({ path, text }) =>
      titled.flatMap((pattern) =>
        [...code(text).matchAll(pattern)].map(
          ([, , title]) => `${path}: the title "${title}" begins with a small letter`,
        ),
      ),
    );
