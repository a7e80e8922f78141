/**
 * The function whose brackets are open at the end of a text, and how many arguments stand before that place. Without one
 * the name is empty.
 */
export function functionAt(before: string): { readonly name: string; readonly count: number } {
  let depth = 0;
  let count = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const sign = before[at] as string;
    if (')}'.includes(sign)) depth += 1;
    else if ('({'.includes(sign)) {
      if (depth === 0) return { name: sign === '(' ? (/(\w*)\s*$/.exec(before.slice(0, at))?.[1] ?? '') : '', count };
      depth -= 1;
    } else if (sign === ',' && depth === 0) count += 1;
  }
  return { name: '', count: 0 };
}
