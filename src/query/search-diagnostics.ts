import type { ChainArgument } from './chain.ts';
import { type Diagnostic, doubtful } from './language.ts';

/** Search text is the service's own language: only unbalanced quotes and parentheses are reported, as doubtful. */
export function searchDiagnostics({ text, quote, start, end, flaw }: ChainArgument): Diagnostic[] {
  if (flaw !== undefined) return [];
  const from = start + quote.length;
  const open: number[] = [];
  let quoted: number | undefined;
  let alone: number | undefined;
  for (const { 0: sign, index } of text.matchAll(/\\.|["()]/gs)) {
    if (sign === '"' || sign === '\\"') quoted = quoted === undefined ? index + sign.length - 1 : undefined;
    else if (quoted !== undefined) continue;
    else if (sign === '(') open.push(index);
    else if (sign === ')' && open.pop() === undefined) alone ??= index;
  }
  if (quoted !== undefined)
    return [doubtful({ start: from + quoted, end: end - quote.length }, 'a quote inside the search is not closed')];
  const lone = alone ?? open[0];
  if (lone === undefined) return [];
  const place = { start: from + lone, end: from + lone + 1 };
  return [doubtful(place, `this parenthesis ${alone === undefined ? 'is not closed' : 'was never opened'}`)];
}
