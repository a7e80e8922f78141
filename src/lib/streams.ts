/** All bytes of a stream as they came; undefined where there are more than `limit`: the rest is not read, which closes a connection. */
export async function streamPieces(
  pieces: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<readonly Uint8Array[] | undefined> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > limit) return undefined;
    held.push(piece);
  }
  return held;
}

/** Reads a stream to its end as UTF-8 text, without a byte order mark; invalid bytes become U+FFFD. Undefined over the limit. */
export async function streamText(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<string | undefined> {
  const held = await streamPieces(pieces, limit);
  return held && new TextDecoder().decode(Buffer.concat(held));
}

/** The byte of a line feed. */
const lineFeed = 10;

/**
 * Lines of a stream of UTF-8 text, those of each piece together, without their ends. A line of more than `longest` bytes
 * is undefined: it is never held whole. A line end at the end of the stream begins no line.
 */
export async function* streamLines(
  pieces: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<readonly (string | undefined)[]> {
  let held: Uint8Array[] = [];
  let size = 0;
  const hold = (part: Uint8Array) => {
    size += part.length;
    if (size > longest) held = [];
    else held.push(part);
  };
  const takeLine = (): string | undefined => {
    const line = size > longest ? undefined : textOf(held);
    held = [];
    size = 0;
    return line;
  };
  for await (const piece of pieces) {
    const lines: (string | undefined)[] = [];
    let from = 0;
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      hold(piece.subarray(from, at));
      lines.push(takeLine());
      from = at + 1;
    }
    hold(piece.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [takeLine()];
}

/** The bytes as text, without a byte order mark and without the CR of a CRLF. */
function textOf(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Longer than what Node takes from its pool for a piece. */
const longPiece = 32 * 1024;

/**
 * Gives the bytes back, which are not to be looked at again: left to a collection, they wait for one of all garbage, in memory that `malloc`
 * then keeps. Short ones, which share their memory with others, stay.
 */
export function giveBack({ length, buffer }: Uint8Array): void {
  const isAlone = length === buffer.byteLength || length >= longPiece;
  if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transferToFixedLength(0);
}
