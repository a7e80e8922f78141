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
