import { isNode, type Node, parsed } from '../support/syntax-tree.ts';
import type { Source } from './sources.ts';

const isProduct = ({ path }: Source): boolean =>
  /^(src|screens|components)\/.*\.tsx?$/.test(path) && !path.startsWith('src/query/made/');

const parse = ({ path, text }: Source): Node => parsed(path, text);

/** Names that several domains export by convention: what a screen is made of, and its actions. */
const conventions: ReadonlySet<string> = new Set([
  'cloneAction',
  'columns',
  'deleteAction',
  'detail',
  'editAction',
  'initialSearch',
  'newAction',
  'orderAction',
  'preview',
  'searchForm',
]);

/** Names that several product files declare and export, each with its files; the conventions left out. */
export function repeatedExports(files: readonly Source[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const file of files.filter(isProduct))
    for (const name of exportedNames(parse(file))) places.set(name, (places.get(name) ?? new Set()).add(file.path));
  return [...places]
    .filter(([name, paths]) => paths.size > 1 && !conventions.has(name))
    .map(([name, paths]) => `${name}: rename it in ${[...paths].join(' or ')}`);
}

function exportedNames(program: Node): string[] {
  return (program.body as readonly Node[]).flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return [];
    const { id, declarations = [] } = declaration as Node & { declarations?: readonly Node[] };
    return [id, ...declarations.map((each) => each.id)].flatMap((name) =>
      isNode(name) && name.type === 'Identifier' ? [String(name.name)] : [],
    );
  });
}

/** Words that name nothing: a reader of line 40 no longer knows what `own` of line 3 was. */
const pronouns = new Set(
  'at one own of what whole other kept made known asked told said says put has again who heed'.split(' '),
);

/** So many lines from its declaration on may use a local whose name is a pronoun. */
const shortLife = 5;

/** Locals of product files that are used more than five lines after their declaration and whose name is no noun or verb. */
export function longLivedPronouns(files: readonly Source[]): string[] {
  return files.filter(isProduct).flatMap((file) => {
    const { path, text } = file;
    const lineAt = (position: number) => text.slice(0, position).split('\n').length;
    return localsIn(parse(file)).flatMap(({ name, start, end }) => {
      if (!pronouns.has(name)) return [];
      const last = text.slice(start, end).search(new RegExp(`\\b${name}\\b(?![\\s\\S]*\\b${name}\\b)`));
      const life = lineAt(start + last) - lineAt(start) + 1;
      return life > shortLife ? [`${path}:${lineAt(start)}: ${name} is used over ${life} lines`] : [];
    });
  });
}

interface Local {
  readonly name: string;
  readonly start: number;
  /** Where the function ends in which it is declared. */
  readonly end: number;
}

function localsIn(program: Node): Local[] {
  const found: Local[] = [];
  const declare = (pattern: unknown, end: number): void => {
    if (!isNode(pattern)) return;
    const { type, name, start } = pattern;
    if (type === 'Identifier') found.push({ name: String(name), start, end });
    for (const child of [pattern.left, pattern.argument, pattern.value, pattern.elements, pattern.properties].flat())
      declare(child, end);
  };
  const visit = (node: Node, end: number | undefined): void => {
    const isFunction = /Function/.test(node.type) && !node.type.startsWith('TS');
    if (isFunction) for (const parameter of node.params as readonly Node[]) declare(parameter, node.end);
    if (node.type === 'VariableDeclarator' && end !== undefined) declare(node.id, end);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, isFunction ? node.end : end);
  };
  visit(program, undefined);
  return found;
}
