/** The bracket that is open at the end of a text. */
export interface OpenBracket {
  /** Empty where none is open. */
  readonly sign: '(' | '{' | '';
  /** The word in front of it: the name of a function. */
  readonly name: string;
  /** How many commas stand after it. */
  readonly count: number;
}

/** The innermost bracket that is open at the end of a text. */
export function openBracket(before: string): OpenBracket {
  let depth = 0;
  let count = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const sign = before[at] as string;
    if (sign === ')' || sign === '}') depth += 1;
    else if (sign === '(' || sign === '{') {
      if (depth === 0) return { sign, name: /(\w*)\s*$/.exec(before.slice(0, at))?.[1] ?? '', count };
      depth -= 1;
    } else if (sign === ',' && depth === 0) count += 1;
  }
  return { sign: '', name: '', count: 0 };
}
