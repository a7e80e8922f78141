/** Most of a thrown error's words that a sentence holds, in UTF-16 units. */
const longest = 160;

/** What a mistake of this program says of itself, for the end of a sentence: `a fault in orgdeck (TypeError: x is not a function)`. */
export function thrownText(error: unknown): string {
  if (error instanceof Fault) return error.message;
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `a fault in orgdeck (${said.length > longest ? `${said.slice(0, longest)}…` : said})`;
}

/** A mistake of this program that is a sentence already, on its way to the person. */
export class Fault extends Error {
  override readonly name = 'Fault';
}
