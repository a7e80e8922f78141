declare const isPainted: unique symbol;

/**
 * A text that may be drawn: it passed `paint()`, or it is our own words around such texts. Everything that components
 * draw has this type, so that a string of the service does not compile there before it is painted.
 */
export type Painted = string & { readonly [isPainted]: true };

/** Our own words around texts that are painted: plain`[${label}] `. */
export function plain(words: TemplateStringsArray, ...parts: readonly (Painted | number)[]): Painted {
  let text = words[0] ?? '';
  for (let at = 0; at < parts.length; at += 1) text += `${parts[at]}${words[at + 1]}`;
  return text as Painted;
}

/** So many spaces, none for a negative number. */
export function spaces(count: number): Painted {
  return ' '.repeat(Math.max(0, count)) as Painted;
}

/** A painted text so many times, none for a negative number. */
export function repeated(text: Painted, count: number): Painted {
  return text.repeat(Math.max(0, count)) as Painted;
}

/** Painted texts with nothing, or with our own separator, between two of them. */
export function joinPainted(texts: readonly Painted[], between: Painted | '' = ''): Painted {
  return texts.join(between) as Painted;
}

/** A painted text without the spaces at its end. */
export function trimmed(text: Painted): Painted {
  return text.trimEnd() as Painted;
}

/** A part of a painted text, in UTF-16 units. */
export function sliced(text: Painted, start: number, end?: number): Painted {
  return text.slice(start, end) as Painted;
}

/** A painted text of several lines, line by line. */
export function paintedLines(text: Painted): Painted[] {
  return text.split('\n') as Painted[];
}
