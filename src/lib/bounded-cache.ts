/**
 * Remembers what `make` answered for a text, for at most about twice `size` texts: when the young half is
 * full, it becomes the old half and the previous old half is forgotten. Texts over 512 units are not kept,
 * so a hostile service cannot fill the memory through it.
 */
export function memoised<V>(size: number, make: (text: string) => V): (text: string) => V {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  const keep = (text: string, value: V): V => {
    if (young.size >= size) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
  return (text) => {
    if (text.length > 512) return make(text);
    const known = young.get(text);
    if (known !== undefined) return known;
    const older = old.get(text);
    return keep(text, older === undefined ? make(text) : older);
  };
}
