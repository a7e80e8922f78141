/** An unfinished command line of a shell: the words before the cursor's, and that word. */
export interface ShellLine {
  readonly words: readonly string[];
  /** What the last word says so far; empty behind a space. */
  readonly current: string;
  /** The same as it was typed, with its quotes and backslashes. */
  readonly typed: string;
}

/** Splits a line as a POSIX shell does, an open quote included; expansions stay as they are. */
export function splitCommandLine(text: string): ShellLine {
  const words: string[] = [];
  let current = '';
  let start: number | undefined;
  let quote = '';
  for (let cursor = 0; cursor < text.length; cursor += 1) {
    const char = text[cursor] as string;
    if (quote === '' && /\s/.test(char)) {
      if (start !== undefined) words.push(current);
      current = '';
      start = undefined;
      continue;
    }
    start ??= cursor;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'") {
      cursor += 1;
      current += text[cursor] ?? '';
    } else current += char;
  }
  return { words, current, typed: start === undefined ? '' : text.slice(start) };
}
