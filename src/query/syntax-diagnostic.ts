import { type Diagnostic, noComparison, type Outline, wrong } from './language.ts';
import type { QuerySpan } from './query-tree.ts';
import { expectedAt, orList, type SyntaxFault, shortened } from './syntax.ts';

/** Tokens that a person fills in, most likely first: when one is expected, that one is reported as missing. */
const values: readonly string[] = [
  'a metric',
  'a variable',
  'the id of a monitor',
  'a window',
  'a timeshift',
  'a time aggregator',
  'a key',
  'a number',
];

/** The names that grammars give to what ends a text or a bracket. */
const closers: readonly string[] = ['"}"', '")"', 'a closing quote', 'a double quote', 'a single quote'];

const closerIn = (expected: readonly string[]): string | undefined =>
  closers.find((closer) => expected.includes(closer));

/** Diagnostic for a syntax error; its location is always inside the text. */
export function faultDiagnostic(
  text: string,
  fault: SyntaxFault,
  { languageNoun: noun, beginning: begin, example: such }: Outline,
): Diagnostic {
  const stop = text.trimEnd().length;
  const example = `such as ${such}`;
  if (stop === 0) return wrong({ start: 0, end: text.length }, 'the query is empty', example);
  const offset = Math.min(fault.location.start.offset, text.length);
  const head = text.slice(0, offset).trim();
  const isAtEnd = offset >= stop;
  const expected = allOf(fault);
  if (head === '' || (expected.includes('"("') && isStranger(head, such, isAtEnd)))
    return wrong(firstWord(text), `${noun} begins with ${begin}`, example);
  return isAtEnd
    ? endDiagnostic(head, { start: stop - 1, end: stop }, expected, example)
    : strangeDiagnostic(text, offset, expected);
}

function allOf(fault: SyntaxFault): string[] {
  const { names, literals, end } = expectedAt(fault);
  return [...names, ...literals.map((literal) => `"${literal}"`), ...(end ? ['the end'] : [])];
}

/** Whether only one word was parsed that is not the start of this kind of query. */
const isStranger = (head: string, such: string, isAtEnd: boolean): boolean =>
  /^[\w.-]+$/.test(head) && (isAtEnd || !such.startsWith(`${head}(`));

function firstWord(text: string): QuerySpan {
  const start = text.search(/\S/);
  return { start, end: start + wordAt(text, start).length };
}

/** A word, or one sign. */
const wordAt = (text: string, at: number): string => /^(?:[\w.@-]+|\s*.)/su.exec(text.slice(at))?.[0] ?? '';

function endDiagnostic(head: string, place: QuerySpan, expected: readonly string[], example: string): Diagnostic {
  if (/[<>=!~]$/.test(head) && expected.includes('a number'))
    return wrong(place, 'the threshold is missing', 'write a number at the end, such as > 90');
  if (expected.includes('an operator')) return noComparison(place, example);
  // A call that has only begun may go on in many ways.
  const isOpen = /[(,]$/.test(head) && /argument/.test(expected.join());
  const lacking = isOpen
    ? undefined
    : (values.find((name) => expected.includes(name)) ??
      closerIn(expected) ??
      (expected.length === 1 ? expected[0] : undefined));
  return wrong(place, lacking === undefined ? 'the query ends too early' : `${lacking} is missing at the end`, example);
}

function strangeDiagnostic(text: string, offset: number, expected: readonly string[]): Diagnostic {
  const word = wordAt(text, offset);
  const place = { start: offset, end: offset + word.length };
  const named = word.trim() === '' ? 'a space' : shortened(word.trim());
  if (expected.includes('an operator') && /^\.?\d/.test(named))
    return wrong(place, `an operator is missing before ${named}`, `such as > ${named}`);
  if (named === '.' && expected.includes('a step'))
    return wrong(place, 'no step follows the dot', 'write its name and parentheses');
  if (/^["']$/.test(named)) {
    if (expected.includes(`text in ${named === '"' ? 'double' : 'single'} quotes`))
      return wrong(place, 'this quote is not closed', `write ${named} where the text ends`);
    if (expected.includes('text')) return behindQuote(text, place);
  }
  if (!/^[)}"'<>=]/.test(named)) return wrong(place, `${named} is not expected here`, remedy(expected));
  const lacking = closerIn(expected) ?? values.find((name) => expected.includes(name));
  if (lacking !== undefined) return wrong(place, `${lacking} is missing before ${named}`, listed(expected));
  return /^[)}]/.test(named)
    ? wrong(place, `${named} was never opened`, 'remove it, or open it before')
    : wrong(place, `${named} is not expected here`, remedy(expected));
}

/** A text in quotes was read, and then something that ends no argument. */
function behindQuote(text: string, { end }: QuerySpan): Diagnostic {
  const start = end + text.slice(end).search(/\S/);
  const word = wordAt(text, start);
  return wrong(
    { start, end: start + word.length },
    `${shortened(word)} is not expected here`,
    'write ")" or "," before it',
  );
}

function remedy(expected: readonly string[]): string | undefined {
  const [only, more] = expected;
  if (only === undefined || more !== undefined) return listed(expected);
  return only === 'the end' ? 'end the query before it' : `write ${only} before it`;
}

const listed = (expected: readonly string[]): string | undefined =>
  expected.length === 0 ? undefined : `expected ${orList(expected.slice(0, 5))}${expected.length > 5 ? ' …' : ''}`;
