import { contract } from '../api/vocabulary/contract.ts';
import {
  type TranslatedWord,
  type TranslationReport,
  translationReport,
} from '../api/vocabulary/translation-report.ts';
import { notJson, readVocabulary, vocabularySchema } from '../api/vocabulary/vocabulary-file.ts';
import { parsedJson } from '../lib/json.ts';
import { readOpenFile } from '../lib/private-file.ts';
import type { Ports } from './command-ports.ts';
import { complain, type Exit, exits, safeJson, tell, usage } from './io.ts';

/**
 * `orgdeck vocabulary check FILE`: what each operation becomes with these words, and which of them would be the same.
 * Ends with 1 when an entry is wrong or words meet, with 2 when there is no vocabulary to check. Sends nothing.
 */
export async function checkVocabulary({ io }: Ports, file: string, asJson: boolean): Promise<Exit> {
  const text = await readOpenFile(file, 'the vocabulary');
  if (!text.ok) return usage(io, text.text);
  const given = parsedJson(text.value);
  if (given === undefined) return usage(io, `${file}: ${notJson}`);
  const read = readVocabulary(given);
  const report = read.ok ? translationReport(read.value) : undefined;
  const faults = read.ok ? (report?.collisions ?? []) : read.faults;
  if (asJson) io.out(`${safeJson({ faults: read.ok ? [] : read.faults, ...report })}\n`);
  else {
    if (report) tell(io, lines(report));
    for (const fault of faults) complain(io, fault);
  }
  return faults.length > 0 ? exits.failed : exits.done;
}

/** `orgdeck vocabulary schema`. */
export async function tellVocabularySchema({ io }: Ports): Promise<Exit> {
  const { fileSchema, jsonSchema } = await import('./json-schema.ts');
  io.out(`${safeJson(fileSchema('a vocabulary of orgdeck', jsonSchema(vocabularySchema(contract))))}\n`);
  return exits.done;
}

function lines(report: TranslationReport): string[] {
  const { headers, permissions, roles, operations, included } = report;
  const changed = operations.filter(
    (operation) => operation.path.from !== operation.path.to || operation.changes.length > 0,
  );
  const some = (title: string, inside: readonly string[]) => (inside.length > 0 ? [title, ...indented(inside)] : []);
  return [
    'headers',
    ...indented(Object.values(headers)),
    ...some('permissions', permissions.map(becomes)),
    ...some('managed roles', roles.map(becomes)),
    ...changed.flatMap((operation) => [
      `${operation.id}: ${operation.method} ${operation.path.to}`,
      ...indented(operation.changes.map(inWords)),
    ]),
    ...included.flatMap((kind) => some(`${kind.kind}, where it comes along`, kind.changes.map(inWords))),
    `${changed.length} of ${operations.length} operations change, the rest stays as it is`,
  ];
}

const indented = (inside: readonly string[]): string[] => inside.map((line) => `  ${line}`);

const becomes = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from} -> ${to}`;

const inWords = ({ part, at, what, ...pair }: TranslatedWord): string =>
  `${part}${at === '' ? '' : ` ${at}`}${what === 'name' ? ', name' : ''}: ${becomes(pair)}`;
