/** A metric with its scope, or a variable, in an expression. */
export interface Term {
  readonly name: string;
  /** Tags as they stand between commas. */
  readonly scope: readonly string[];
  readonly groups: readonly string[];
}

const list = (inside: string | undefined): string[] => (inside ?? '').split(',').map((text) => text.trim());

const metric =
  /(?:[A-Za-z][\w.]*\s*:\s*)?([A-Za-z0-9_][\w.]*(?:[/-][\w.]+)*)\s*\{((?:[^{}]|\{\{[^{}]*\}\}|\$\{[^{}]*\})+)\}/y;
const variable = /([A-Za-z_]\w*)(?!\w|\s*\()/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.:{])/y;
const quoted = /'[^'\\]*'|"[^"\\]*"/y;

/**
 * Reads arithmetic over metrics (`sum:a{*} / 2`) or over variables (`query1 * 100`), with functions whatever their name,
 * groupings and methods. The terms in their order; undefined when it is none.
 */
export function readExpression(text: string, of: 'metric' | 'variable'): readonly Term[] | undefined {
  let at = 0;
  /** Consumes a match at the position, after blanks. */
  const take = (what: RegExp): RegExpExecArray | undefined => {
    const blanks = /\s*/y;
    blanks.lastIndex = at;
    blanks.exec(text);
    what.lastIndex = blanks.lastIndex;
    const found = what.exec(text);
    if (found) at = what.lastIndex;
    return found ?? undefined;
  };

  const sum = (): Term[] | undefined => {
    const terms: Term[] = [];
    do {
      const more = factor();
      if (!more) return undefined;
      terms.push(...more);
    } while (take(/[-+*/]/y));
    return terms;
  };
  const factor = (): Term[] | undefined => {
    let isSigned = true;
    while (isSigned) isSigned = take(of === 'metric' ? /-/y : /[-+]/y) !== undefined;
    const inner = operand();
    return inner && of === 'metric' ? stepped(inner) : inner;
  };
  const operand = (): Term[] | undefined => {
    if (take(/\(/y)) {
      const inner = sum();
      return take(/\)/y) ? inner : undefined;
    }
    if (take(number)) return [];
    if (take(/[A-Za-z_]\w*\s*\(/y)) return values();
    const found = take(of === 'metric' ? metric : variable);
    if (!found) return undefined;
    const scope = list(found[2]).filter(Boolean);
    if (/(?:^|[\s,()])[<>=]/.test(found[2] ?? '')) return undefined;
    return [{ name: found[1] as string, scope, groups: [] }];
  };
  const stepped = (inner: Term[]): Term[] | undefined => {
    let terms = inner;
    for (;;) {
      const by = take(/by\s*\{([^{}]*)\}/iy);
      if (by) {
        const groups = list(by[1]);
        if (!groups.every((group) => /^\S+$/.test(group))) return undefined;
        terms = terms.map((term) => ({ ...term, groups: term.groups.length > 0 ? term.groups : groups }));
      } else if (!take(/\.\s*[A-Za-z_]\w*\s*\(/y)) return terms;
      else if (!values()) return undefined;
    }
  };
  /** The text up to the closing parenthesis. */
  const values = (): Term[] | undefined => {
    const terms: Term[] = [];
    if (take(/\)/y)) return terms;
    do {
      const more = value();
      if (!more) return undefined;
      terms.push(...more);
    } while (take(/,/y));
    return take(/\)/y) ? terms : undefined;
  };
  const value = (): Term[] | undefined => {
    take(/[A-Za-z_]\w*\s*=/y);
    const isWord =
      take(quoted) ?? (of === 'metric' ? take(/\{\s*[^\s{},]+\s*(?:,\s*[^\s{},]+\s*)*\}|\w+(?=\s*[,)])/y) : undefined);
    return isWord ? [] : sum();
  };

  const terms = sum();
  return terms && text.slice(at).trim() === '' ? terms : undefined;
}
