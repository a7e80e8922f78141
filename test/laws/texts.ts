import { isNode, type Node, parsed } from '../support/syntax-tree.ts';
import type { Source } from './sources.ts';

/** Of TypeScript's own nodes, those that hold an expression; the others are types. */
const expressions = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** Rooms whose texts a person reads. The simulator speaks as a service does. */
const rooms = ['components', 'screens', 'src'];
const silent = ['src/simulator/', 'src/query/made/'];

/** Whether a person reads the texts of a file. */
export const isForPeople = ({ path }: Source): boolean =>
  rooms.includes(path.split('/')[0] ?? '') && /\.tsx?$/.test(path) && !silent.some((room) => path.startsWith(room));

/** At least two words: what is shorter is a name, a key or an identifier. */
const isSentence = (text: string): boolean => /[a-z]/i.test(text) && /\S \S/.test(text);

const known = new WeakMap<Source, readonly string[]>();

/** The sentences of a file in their order: string literals and templates, whose expressions stand as `{name}`. */
export function sentencesIn(file: Source): readonly string[] {
  const sentences = known.get(file) ?? findSentences(file);
  known.set(file, sentences);
  return sentences;
}

function findSentences({ path, text }: Source): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !expressions.has(node.type))) return;
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
    if (node.type === 'TemplateLiteral') found.push(templateText(node, text));
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parsed(path, text));
  return found.filter(isSentence);
}

function templateText(node: Node, code: string): string {
  const parts = node.expressions as readonly Node[];
  return (node.quasis as readonly { readonly value: { readonly cooked: string } }[])
    .map(({ value }, index) => {
      const expression = parts[index];
      return value.cooked + (expression ? `{${code.slice(expression.start, expression.end)}}` : '');
    })
    .join('');
}

/** Every sentence of the product by file, for one room: what a reviewer of the English reads. */
export function reviewedTexts(files: readonly Source[], room: string): string {
  const pages = files
    .filter((file) => isForPeople(file) && file.path.startsWith(`${room}/`))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => ({ path: file.path, sentences: [...new Set(sentencesIn(file))] }))
    .filter(({ sentences }) => sentences.length > 0)
    .map(({ path, sentences }) =>
      [path, ...sentences.map((sentence) => `  ${sentence.replaceAll(/\s*\n\s*/g, ' ⏎ ')}`)].join('\n'),
    );
  return `${pages.join('\n\n')}\n`;
}

/** Sentences of at least this many words stand in one place. */
const minWords = 6;

/** Sentences that stand in more than one file, each with its files. */
export function repeatedSentences(files: readonly Source[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const file of files.filter(isForPeople))
    for (const sentence of sentencesIn(file).filter(
      (text) => text.replaceAll(/\{[^}]*\}/g, '…').split(' ').length >= minWords,
    ))
      places.set(sentence, (places.get(sentence) ?? new Set()).add(file.path));
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([sentence, paths]) => `${sentence}: ${[...paths].join(', ')}`);
}
