/** A search expression as a tree; adjacent terms mean AND. `field` null = free text. */
export type SearchTerm =
  | { readonly kind: 'all'; readonly parts: readonly SearchTerm[] }
  | { readonly kind: 'any'; readonly parts: readonly SearchTerm[] }
  | { readonly kind: 'not'; readonly part: SearchTerm }
  | { readonly kind: 'one'; readonly field: string | null; readonly value: string; readonly quoted: boolean };

/** The parsed tree, or the error text. */
type ReadTerms = { readonly ok: true; readonly term: SearchTerm } | { readonly ok: false; readonly text: string };

interface Token {
  readonly kind: 'word' | 'quoted' | 'field' | '(' | ')' | '-';
  readonly text: string;
}

/** A quoted text, a parenthesis, a minus before a term, a `name:` before a value, or a bare word. */
const pattern = /\s+|"((?:[^"\\]|\\.)*)"|([()])|(-)(?=\S)|(@?[A-Za-z_][\w.@-]*):(?=\S)|([^\s()"]+)/gy;

function tokens(text: string): Token[] | null {
  const found: Token[] = [];
  let index = 0;
  for (const match of text.matchAll(pattern)) {
    index = match.index + match[0].length;
    const [, quoted, paren, minus, field, word] = match;
    if (quoted !== undefined) found.push({ kind: 'quoted', text: quoted.replaceAll(/\\(.)/g, '$1') });
    else if (paren) found.push({ kind: paren as '(' | ')', text: paren });
    else if (minus) found.push({ kind: '-', text: minus });
    else if (field) found.push({ kind: 'field', text: field });
    else if (word) found.push({ kind: 'word', text: word });
  }
  return index === text.length ? found : null;
}

/** Reads the search syntax of monitors, issues and downtime scopes: AND, OR, NOT, -term, parentheses, quotes, `field:(a OR b)`. */
export function readTerms(text: string): ReadTerms {
  const list = tokens(text);
  if (!list) return { ok: false, text: 'unterminated quote' };
  let index = 0;
  const word = (name: string): boolean => list[index]?.kind === 'word' && list[index]?.text === name;
  const any = (field: string | null): SearchTerm | null => {
    const parts: SearchTerm[] = [];
    for (;;) {
      const part = all(field);
      if (!part) return null;
      parts.push(part);
      if (!word('OR')) break;
      index += 1;
    }
    return parts.length === 1 ? (parts[0] as SearchTerm) : { kind: 'any', parts };
  };
  const all = (field: string | null): SearchTerm | null => {
    const parts: SearchTerm[] = [];
    while (index < list.length && list[index]?.kind !== ')' && !word('OR')) {
      if (word('AND')) {
        if (parts.length === 0) return null;
        index += 1;
      }
      const part = single(field);
      if (!part) return null;
      parts.push(part);
    }
    if (parts.length === 0) return null;
    return parts.length === 1 ? (parts[0] as SearchTerm) : { kind: 'all', parts };
  };
  const single = (field: string | null): SearchTerm | null => {
    const token = list[index];
    index += 1;
    if (!token) return null;
    if (token.kind === '-' || (token.kind === 'word' && token.text === 'NOT')) {
      const part = single(field);
      return part && { kind: 'not', part };
    }
    if (token.kind === '(') {
      const inner = any(field);
      if (!inner || list[index]?.kind !== ')') return null;
      index += 1;
      return inner;
    }
    if (token.kind === 'field') return field === null ? single(token.text) : joined(field, token.text);
    if (token.kind === ')') return null;
    return { kind: 'one', field, value: token.text, quoted: token.kind === 'quoted' };
  };
  /** A value that itself holds a colon: `tag:team:core`. */
  const joined = (field: string, begin: string): SearchTerm | null => {
    const token = list[index];
    index += 1;
    if (!token || (token.kind !== 'word' && token.kind !== 'quoted')) return null;
    return { kind: 'one', field, value: `${begin}:${token.text}`, quoted: token.kind === 'quoted' };
  };
  if (list.length === 0) return { ok: true, term: { kind: 'all', parts: [] } };
  const term = any(null);
  if (!term || index < list.length) return { ok: false, text: `unexpected ${list[index]?.text ?? 'end of query'}` };
  return { ok: true, term };
}

/** Evaluates a tree with a predicate for single terms. */
export function holds(
  term: SearchTerm,
  matches: (field: string | null, value: string, quoted: boolean) => boolean,
): boolean {
  switch (term.kind) {
    case 'all':
      return term.parts.every((part) => holds(part, matches));
    case 'any':
      return term.parts.some((part) => holds(part, matches));
    case 'not':
      return !holds(term.part, matches);
    case 'one':
      return matches(term.field, term.value, term.quoted);
  }
}

/** Every single term of a tree. */
export function singles(term: SearchTerm): Extract<SearchTerm, { kind: 'one' }>[] {
  switch (term.kind) {
    case 'one':
      return [term];
    case 'not':
      return singles(term.part);
    default:
      return term.parts.flatMap(singles);
  }
}

/** Case-insensitive comparison; `*` and `?` are wildcards unless the value was quoted. */
export function matchesText(text: string, value: string, quoted: boolean): boolean {
  const low = text.toLowerCase();
  const wanted = value.toLowerCase();
  if (quoted || !/[*?]/.test(wanted)) return low === wanted;
  const source = wanted
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(low);
}

/** Whether a text contains a word or phrase; `*` alone matches everything. */
export function contains(text: string, value: string, quoted: boolean): boolean {
  return quoted ? text.toLowerCase().includes(value.toLowerCase()) : matchesText(text, `*${value}*`, false);
}
