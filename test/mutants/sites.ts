import { isNode, type Node, parsed } from '../support/syntax-tree.ts';

/** One small change to a source file, of a kind that a person makes by mistake. */
export interface Site {
  /** Positions in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** What changes, for a person: `=== → !==`, `drop`, `return early`. */
  readonly change: string;
  /** Runs when the module is loaded, and not each time something is called. */
  readonly onLoad: boolean;
  readonly before: string;
  readonly after: string;
}

/** Types of TypeScript are erased; of these nodes the expression stays. */
const typed = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSInstantiationExpression']);

const swapped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
};

/** The global function that a changed place asks whether its change is the one under test. */
const asked = '__orgdeckMutant';

/**
 * Every small change of a source file: a condition negated, a statement dropped, `&&` and `||` swapped, a comparison
 * changed, a function that returns early, a number or boolean replaced. `path` tells the language.
 */
export function findSites(path: string, code: string): readonly Site[] {
  const sites: Site[] = [];
  const raw = (node: Node) => code.slice(node.start, node.end);
  let line = 1;
  let counted = 0;
  const lineOf = (position: number): number => {
    if (position < counted) [line, counted] = [1, 0];
    for (; counted < position; counted++) if (code[counted] === '\n') line++;
    return line;
  };
  const add = (node: Node, change: string, depth: number, before: string, after: string) =>
    sites.push({
      start: node.start,
      end: node.end,
      line: lineOf(node.start),
      change,
      onLoad: depth === 0,
      before,
      after,
    });
  const replace = (node: Node, change: string, depth: number, text: string) =>
    add(node, change, depth, `(${asked}(#)?${text}:`, ')');

  function visit(node: Node, depth: number): void {
    if (node.type.startsWith('TS') && !typed.has(node.type)) return;
    const { test, operator, left, right, body, value } = node;
    if (isNode(test) && !isEquality(test)) replace(test, 'negate', depth, `!(${raw(test)})`);
    if (typeof operator === 'string' && swapped[operator] && isNode(left) && isNode(right))
      replace(
        node,
        `${operator} → ${swapped[operator]}`,
        depth,
        `((${raw(left)}) ${swapped[operator]} (${raw(right)}))`,
      );
    if ((node.type === 'ExpressionStatement' && !node.directive && !/^super\b/.test(raw(node))) || isThrow(node))
      add(node, 'drop', depth, `{if(!${asked}(#)){`, '}}');
    if (node.type === 'Literal' && typeof value === 'number')
      replace(node, `${raw(node)} → ${value + 1}`, depth, `${value + 1}`);
    if (node.type === 'Literal' && typeof value === 'boolean')
      replace(node, `${value} → ${!value}`, depth, `${!value}`);
    const isFunction = /Function/.test(node.type);
    if (isFunction && isNode(body)) early(body, depth + 1);
    for (const [key, child] of Object.entries(node)) {
      if (key === 'key' && node.computed !== true) continue;
      if (typed.has(node.type) && key !== 'expression') continue;
      for (const each of Array.isArray(child) ? child : [child])
        if (isNode(each)) visit(each, depth + (isFunction ? 1 : 0));
    }
  }

  function early(body: Node, depth: number): void {
    if (body.type !== 'BlockStatement') {
      if (body.type !== 'Literal' && raw(body) !== 'undefined') replace(body, 'return early', depth, 'undefined');
      return;
    }
    const statements = body.body as readonly Node[];
    const [first] = statements;
    // One statement alone: dropping it is the same.
    if (first && !(statements.length === 1 && first.type === 'ExpressionStatement'))
      add({ ...first, end: first.start }, 'return early', depth, `if(${asked}(#))return;`, '');
  }

  visit(parsed(path, code), 0);
  return sites;
}

const isEquality = (node: Node): boolean =>
  typeof node.operator === 'string' && node.operator in swapped && node.operator.endsWith('==');
const isThrow = (node: Node): boolean => node.type === 'ThrowStatement';

/**
 * The file with all its changes in it, each of them off until the function `asked` says otherwise for its number.
 * `first` is the number of its first site.
 */
export function withSites(code: string, sites: readonly Site[], first: number): string {
  const opening: { at: number; length: number; text: string }[] = [];
  const closing: { at: number; length: number; text: string }[] = [];
  for (const [index, { start, end, before, after }] of sites.entries()) {
    opening.push({ at: start, length: end - start, text: before.replace('#', String(first + index)) });
    closing.push({ at: end, length: end - start, text: after });
  }
  // At one position what is longer stands outside.
  const texts = [
    ...closing.toSorted((a, b) => a.length - b.length).map((each) => ({ ...each, rank: 0 })),
    ...opening.toSorted((a, b) => b.length - a.length).map((each) => ({ ...each, rank: 1 })),
  ].toSorted((a, b) => a.at - b.at || a.rank - b.rank);
  let result = '';
  let at = 0;
  for (const text of texts) {
    result += code.slice(at, text.at) + text.text;
    at = text.at;
  }
  return result + code.slice(at);
}
