import type { Completion, Offer } from './language.ts';

/**
 * Adapts a completion to text after the cursor: the rest of the word under the cursor is replaced too, and nothing is
 * offered that already follows. `word` is the typed part. `isWhole`: the query parses as it is, so no token is
 * missing.
 */
export function completeMidText(completion: Completion, word: string, behind: string, isWhole: boolean): Completion {
  const rest = restOf(word, behind, completion.items);
  const token = word + rest;
  const left = behind.slice(rest.length);
  const items = isWhole ? completion.items.filter((offer) => fits(offer, token, left)) : completion.items;
  const named = token === '' ? items : items.map((offer) => nameOf(offer, left));
  return beforeSigns({ ...completion, end: completion.end + rest.length, items: named }, left);
}

/** The rest of the word after the cursor: its letters, the value of a tag, or the rest of a quoted text. */
function restOf(word: string, behind: string, items: readonly Offer[]): string {
  const quote = (word + behind)[0] ?? '';
  if (/["']/.test(quote) && items.every(({ text }) => text.startsWith(quote))) {
    const inside = word === '' ? behind.slice(1) : behind;
    const end = inside.search(/["',()]/);
    return inside[end] === quote ? behind.slice(0, behind.length - inside.length + end + 1) : '';
  }
  const isTags = items.some(({ text }) => /\w:\w/.test(text));
  // A hyphen may as well be arithmetic.
  const letters = items.some(({ text }) => /\w-\w/.test(text)) ? /^[\w@.-]+/ : /^[\w@.]+/;
  const rest = (isTags ? /^[\w@.:][\w.@:/-]*/ : letters).exec(behind)?.[0] ?? '';
  // `.fill(` is a step behind the word, and no part of it.
  return rest.startsWith('.') && behind[rest.length] === '(' ? '' : rest;
}

/** Whether an offer can replace the word before the remaining text of a complete query. */
function fits({ text }: Offer, token: string, left: string): boolean {
  // Far enough to see the next steps.
  const next = left.trimStart().slice(0, 300);
  const isInfix = /^\s*[<>=!&|*/+-]+\s+$/.test(text);
  if (token !== '') {
    if (isInfix || !/[\w*]/.test(text) || text.startsWith('.') !== token.startsWith('.')) return false;
  } else if (/^[({]/.test(left) || /^[({]$/.test(text)) return false;
  if (next === '') return true;
  if (isInfix) return !/^[<>=!&|*/+.-]/.test(next);
  // A value in front of another one, or in front of what joins two of them.
  const isBeforeValue = /^[\w@(!&|]/.test(next) || /^\s+["']/.test(left);
  if (token === '' && isBeforeValue && /^[\w"'(!]/.test(text)) return false;
  if (/^[)}"',:]+\s*$/.test(text)) return left.startsWith(text) && !/\s$/.test(text);
  const step = /^\.(\w+)\(/.exec(text)?.[1];
  const steps = /^(?:\([^()]*\))?((?:\s*\.\w+\([^()]*\))*)/.exec(next)?.[1] ?? '';
  return step === undefined || !steps.includes(`.${step}(`);
}

/** An offer without its brackets or value, where these already follow the cursor. */
function nameOf(offer: Offer, left: string): Offer {
  const [, name = '', sign = ''] = /^([.\w-]+)\s*([({=])./.exec(offer.text) ?? [];
  if (sign === '' || !left.trimStart().startsWith(sign)) return offer;
  return { text: name, ...(offer.hint === undefined ? {} : { hint: offer.hint }) };
}

/**
 * Avoids doubling closing signs: where the signs that end an offer already follow the cursor, such as `")` of `5m")`
 * before `") > 1`, they are replaced. The cursor moves past them with that offer and stays before them with the
 * others.
 */
function beforeSigns(completion: Completion, behind: string): Completion {
  const signs = completion.items
    .flatMap(({ text }) => [...tailOf(text)].map((_, at, all) => all.slice(at).join('')))
    .filter((tail) => behind.startsWith(tail))
    .reduce((longest, tail) => (tail.length > longest.length ? tail : longest), '');
  if (signs === '') return completion;
  const items = completion.items.map((offer) =>
    tailOf(offer.text).endsWith(signs)
      ? offer
      : { ...offer, text: offer.text + signs, cursor: offer.cursor ?? offer.text.length },
  );
  return { ...completion, end: completion.end + signs.length, items };
}

/** Signs at the end of an offer; none where they close what it opens itself, as in `.as_count()`. */
const tailOf = (text: string): string =>
  /[({].*[)}]$|^["'].+["']$|=/.test(text) ? '' : (/[^\w\s]+$/.exec(text)?.[0] ?? '');
