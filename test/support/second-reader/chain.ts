/** One argument of a step; `quote` is `"`, `'` or nothing. */
interface Argument {
  readonly text: string;
  readonly quote: string;
}

/** One step of a query such as `logs("x").rollup("count")`: a name and what stands in its parentheses. */
export interface Link {
  readonly name: string;
  readonly args: readonly Argument[];
}

/** What is invalid in a bare argument: operators, two words, and `=` after anything but a name. */
const strange = /[<>!&|]|^\s*[^\s=(]+\s+[^\s=(]|^(?!\s*[A-Za-z_]\w*\s*=)[^=(]*=/;

/**
 * Takes `first("a","b").second(c)` apart, with quotes and escapes respected. A service check begins with a
 * quoted name: its first link has no arguments. Undefined when the text is not of this form.
 */
export function readChain(text: string): Link[] | undefined {
  const links: Link[] = [];
  let at = 0;
  const check = /^"(?:[^"\\]|\\.)+"/.exec(text);
  if (check) {
    links.push({ name: check[0], args: [] });
    at = check[0].length;
  }
  while (at < text.length) {
    const head = /^\s*\.?\s*([A-Za-z][\w-]*)\s*\(/.exec(text.slice(at));
    if (!head) return text.slice(at).trim() === '' ? links : undefined;
    if (links.length > 0 && !head[0].trimStart().startsWith('.')) return undefined;
    const inside = readArguments(text, at + head[0].length);
    if (!inside) return undefined;
    links.push({ name: head[1] as string, args: inside.args });
    at = inside.end;
  }
  return links.length > 0 ? links : undefined;
}

function readArguments(text: string, begin: number): { args: Argument[]; end: number } | undefined {
  const args: Argument[] = [];
  let bare = '';
  let quoted: Argument | undefined;
  const close = (): boolean => {
    if ((quoted && bare.trim() !== '') || strange.test(bare)) return false;
    if (quoted) args.push(quoted);
    else if (bare.trim() !== '') args.push({ text: bare.trim(), quote: '' });
    else return false;
    bare = '';
    quoted = undefined;
    return true;
  };
  let depth = 0;
  for (let at = begin; at < text.length; at += 1) {
    const letter = text[at] as string;
    if ((letter === '"' || letter === "'") && bare.trim() === '' && depth === 0) {
      if (quoted) return undefined;
      const end = endOfQuote(text, at);
      if (end < 0) return undefined;
      quoted = { text: text.slice(at + 1, end).replaceAll(/\\(["'])/g, '$1'), quote: letter };
      at = end;
    } else if (letter === ')' && depth === 0) {
      const isEmpty = args.length === 0 && !quoted && bare.trim() === '';
      return isEmpty || close() ? { args, end: at + 1 } : undefined;
    } else if (letter === ',' && depth === 0) {
      if (!close()) return undefined;
    } else {
      const isQuote = (letter === '"' || letter === "'") && depth === 0;
      if (isQuote) {
        // `direction="both"`; anywhere else a quote inside of a word is none.
        const end = bare.trimEnd().endsWith('=') ? endOfQuote(text, at) : -1;
        if (end < 0) return undefined;
        bare += text.slice(at, end);
        at = end;
      }
      if (letter === '(') depth += 1;
      if (letter === ')') depth -= 1;
      bare += text[at];
    }
  }
  return undefined;
}

function endOfQuote(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[begin]) return at;
  }
  return -1;
}

/** Minutes of a window such as `5m`, `2h`, `1d`, `1w`; NaN for anything else. */
export function minutesOf(window: string, units = 'mhdw'): number {
  const match = /^(\d{1,6})([smhdw])$/.exec(window);
  if (!match || !units.includes(match[2] as string)) return Number.NaN;
  const per: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 1440, w: 10_080 };
  return Number(match[1]) * (per[match[2] as string] as number);
}

/** The step of a name. */
export const one = (links: readonly Link[], name: string): Link | undefined => links.find((link) => link.name === name);
/** Keys of `.by(…)`; `*` is none. */
export const groupsOf = (links: readonly Link[]): string[] =>
  (one(links, 'by')?.args ?? [])
    .flatMap((arg) => arg.text.split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '*');
/** Whether all steps are among these, each at most once. */
export const named = (links: readonly Link[], allowed: readonly string[]): boolean =>
  links.slice(1).every((link) => allowed.includes(link.name)) &&
  new Set(links.map((link) => link.name)).size === links.length;
