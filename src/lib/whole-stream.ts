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
