/** Longest error message in a sentence, in UTF-16 units. */
const longest = 160;

/** Text for an unexpected error, for the end of a sentence: `an internal error of orgdeck (TypeError: x is not a function)`. */
export function thrownText(error: unknown): string {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `an internal error of orgdeck (${said.length > longest ? `${said.slice(0, longest)}…` : said})`;
}
