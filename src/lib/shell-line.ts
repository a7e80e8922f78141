/** A command line of a shell, perhaps unfinished: the words before the last, and the last one. */
export interface ShellLine {
  readonly words: readonly string[];
  /** What the last word says so far; empty behind a space. */
  readonly current: string;
  /** The current word as it was typed, with its quotes and backslashes. */
  readonly typed: string;
  /** A quote has no end. */
  readonly isOpen: boolean;
}

/** Splits a line as a POSIX shell does; expansions stay as they are. */
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
  return { words, current, typed: start === undefined ? '' : text.slice(start), isOpen: quote !== '' };
}

/** The words of a whole command line. Undefined: a quote has no end. */
export function splitCommand(text: string): string[] | undefined {
  const { words, current, typed, isOpen } = splitCommandLine(text);
  if (isOpen) return undefined;
  return typed === '' ? [...words] : [...words, current];
}
