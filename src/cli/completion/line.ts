/** An unfinished command line of a shell: the words before the cursor's, and that word. */
export interface Line {
  readonly words: readonly string[];
  /** What the last word says so far; empty behind a space. */
  readonly current: string;
  /** The same as it was typed, with its quotes and backslashes. */
  readonly typed: string;
}

/** Splits a line as a POSIX shell does, an open quote included; expansions stay as they are. */
export function readLine(text: string): Line {
  const words: string[] = [];
  let current = '';
  let start: number | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quote === '' && /\s/.test(char)) {
      if (start !== undefined) words.push(current);
      current = '';
      start = undefined;
      continue;
    }
    start ??= at;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'") {
      at += 1;
      current += text[at] ?? '';
    } else current += char;
  }
  return { words, current, typed: start === undefined ? '' : text.slice(start) };
}
