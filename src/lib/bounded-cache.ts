/**
 * Memoizes `make` by text, for at most about twice `size` texts: two generations of `size` entries, the older is
 * dropped when the younger is full. Texts over 512 UTF-16 units are not cached, which bounds the memory.
 */
export function memoized<V>(size: number, make: (text: string) => V): (text: string) => V {
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
