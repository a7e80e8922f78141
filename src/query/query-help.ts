import { plural } from '../lib/text.ts';
import { findStep, type SearchChain } from './chain.ts';
import { findLanguage } from './check-query.ts';
import {
  type Completion,
  expectedAt,
  isSyntaxFault,
  isTooDeep,
  type Language,
  meanings,
  type Offer,
  queryEndMark,
  type SyntaxFault,
  splitLength,
  type Tree,
  type UsedWords,
  type Word,
} from './language.ts';
import {
  findWindow,
  findWrapping,
  groupingKeys,
  isJoint,
  isMark,
  type Metric,
  metricQueries,
  type Scope,
  type Series,
} from './metric-tree.ts';
import { findOffers, readOfferPlace } from './offers.ts';

/**
 * Adapts a completion to text after the cursor: the rest of the word under the cursor is replaced too, and nothing is
 * offered that already follows. `word` is the typed part. `isWhole`: the query parses as it is, so no token is
 * missing.
 */
function completeMidText(completion: Completion, word: string, behind: string, isWhole: boolean): Completion {
  const rest = restOf(word, behind, completion.items);
  const token = word + rest;
  const left = behind.slice(rest.length);
  const fitting = isWhole ? completion.items.filter((offer) => fits(offer, token, left)) : completion.items;
  // In front of the value of a setting stands its name.
  const items = /^\s*=(?!=)/.test(left) ? fitting.filter(({ text }) => /^\w+=/.test(text)) : fitting;
  const named = items.map((offer) => unclosed(token === '' ? offer : nameOf(offer, left), left));
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
  const isTags = items.some(({ text }) => /\w:\S/.test(text));
  // A hyphen may as well be arithmetic.
  const letters = items.some(({ text }) => /\w-\w/.test(text)) ? /^[\w@.-]+/ : /^(?:[\w@.]+|\*(?=["']))/;
  const rest = (isTags ? /^[\w@.:*\p{L}][^\s"'(){},]*/u : letters).exec(behind)?.[0] ?? '';
  // `.fill(` is a step behind the word, and no part of it.
  return rest.startsWith('.') && behind[rest.length] === '(' ? '' : rest;
}

/** Whether an offer can replace the word before the remaining text of a complete query. */
function fits({ text }: Offer, token: string, left: string): boolean {
  // Far enough to see the next steps.
  const next = left.trimStart().slice(0, 300);
  const isInfix = /^\s*[<>=!&|*/+-]+\s+$/.test(text);
  if (token !== '') {
    if (isJoint({ text: token }) || /^\s/.test(text) || isInfix || !/[\w*]/.test(text)) return false;
    // What begins a call or names an aggregator stands where one stood, and nothing else does.
    const opening = /^\.?[\w-]+(\(|:$)/.exec(text)?.[1] ?? '';
    if (opening !== (/^[(:]/.exec(left)?.[0] ?? '')) return false;
  } else if (/^[({]/.test(left) || /^[({]$/.test(text)) return false;
  if (/^\s*by\b/.test(text) && /^by\b/i.test(next)) return false;
  if (isInfix) return !/^(?:[<>=!&|*/+.-]|by\b)/i.test(next);
  // A value in front of another one, or in front of what joins two of them.
  const isBeforeValue = /^(?:[\w@(!&|]|\.\d)/.test(next) || /^(?:\s+["']|["'][^\s"'),])/.test(left);
  if (token === '' && isBeforeValue && /^[\w"'(!]/.test(text)) return false;
  if (/^[)}"',:]+\s*$/.test(text)) return left.startsWith(text) && !/\s$/.test(text);
  const step = /^\.(\w+)\(/.exec(text)?.[1];
  const steps = /^(?:\([^()]*\))?((?:\s*\.\w+\([^()]*\))*)/.exec(next)?.[1] ?? '';
  return step === undefined || !steps.includes(`.${step}(`);
}

/** An offer without its brackets or value, where these already follow the cursor. */
function nameOf(offer: Offer, left: string): Offer {
  const [, name = '', sign = ''] = /^([.\w-]+)\s*([({](?=.)|=)/.exec(offer.text) ?? [];
  if (sign === '' || !left.trimStart().startsWith(sign)) return offer;
  return { text: name, ...(offer.hint === undefined ? {} : { hint: offer.hint }) };
}

/** In front of a further argument an offer ends neither its text nor the call. */
const unclosed = (offer: Offer, left: string): Offer =>
  /^["']\s*,/.test(left) ? { ...offer, text: offer.text.replace(/(?<=.)["']\)$/, '') } : offer;

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

const mostItems = 50;

/**
 * What may follow at `at`: the grammar is asked what it would take there, the organization's own words stand in for the
 * names. The word under the cursor narrows it: words that begin with it, then words that hold it. `begun`: only where a word has
 * begun, which asks for less.
 */
export function completeQuery(
  type: string,
  query: string,
  cursor: number,
  usedWords: UsedWords = {},
  begun = false,
): Completion | undefined {
  const language = findLanguage(type, query);
  if (!language) return undefined;
  const table = language.offers({ type });
  const typed = /[\w.@*:/-]*$/.exec(query.slice(0, cursor))?.[0] ?? '';
  // `env:pro` may be one word (a tag) or two (an aggregator and a metric): the longest that the grammar knows counts.
  for (const start of starts(query, cursor - typed.length, cursor)) {
    if (begun && start === cursor) continue;
    const before = query.slice(0, start);
    const { fault } = parsed(language, before + queryEndMark);
    if (!fault || fault.location.start.offset < before.trimEnd().length) continue;
    const { names, literals } = expectedAt(fault);
    const place = readOfferPlace(before, usedWords);
    const offers = [
      ...names.flatMap((name) => findOffers(table, name, place) ?? []),
      ...literals.flatMap((text) => findOffers(table, `"${text}"`, place) ?? [{ text }]),
    ];
    const items = matching(offers, query.slice(start, cursor));
    if (items.length === 0) continue;
    const completion = { start: start, end: cursor, items };
    const behind = query.slice(cursor);
    return behind.trim() === ''
      ? completion
      : nonEmpty(
          completeMidText(completion, query.slice(start, cursor), behind, parsed(language, query).tree !== undefined),
        );
  }
  return undefined;
}

const nonEmpty = (completion: Completion): Completion | undefined =>
  completion.items.length > 0 ? completion : undefined;

/** Limit of start positions: each one costs a parse of the whole text. */
const mostStarts = 12;

/** Where a word may begin: where the letters begin, and behind each sign that is no letter; at most the last twelve. */
function starts(query: string, first: number, at: number): number[] {
  const signs = [...query.slice(first, at).matchAll(/[^\w]/g)].map((match) => first + match.index + 1);
  // Last of all, a quote in front of the word: some languages know a text in quotes as one word.
  const quote = /["']/.test(query[first - 1] ?? '') ? [first - 1] : [];
  return [...[...new Set([first, ...signs, at])].slice(-mostStarts), ...quote];
}

/** The tree of a text, or the fault in it; neither where it is nested too deeply. */
function parsed({ parse }: Language, text: string): { readonly tree?: Tree; readonly fault?: SyntaxFault } {
  try {
    return { tree: parse(text) };
  } catch (error) {
    if (isSyntaxFault(error)) return { fault: error };
    if (isTooDeep(error)) return {};
    throw error;
  }
}

function matching(offers: readonly Offer[], word: string): Offer[] {
  const wanted = word.toLowerCase();
  const once = [...new Map(offers.map((offer) => [offer.text, offer])).values()].filter(
    (offer) => offer.text.trim() !== word,
  );
  const begins = once.filter((offer) => offer.text.toLowerCase().startsWith(wanted));
  const holds =
    wanted === '' ? [] : once.filter((offer) => !begins.includes(offer) && offer.text.toLowerCase().includes(wanted));
  return [...begins, ...holds].slice(0, mostItems);
}

/**
 * What a query means, as one sentence; undefined where it cannot be read, or where a sentence would say less than the query:
 * forecasts, anomalies, formulas, composites. Never throws.
 */
export function describeQuery(type: string, query: string): string | undefined {
  try {
    const tree = findLanguage(type, query)?.parse(query);
    return tree && sentenceOf(tree);
  } catch {
    return undefined;
  }
}

function sentenceOf(tree: Tree): string | undefined {
  if (tree.kind === 'metric') return metricSentence(tree as Metric);
  return tree.kind === 'events' ? searchSentence(tree as SearchChain) : undefined;
}

function metricSentence(tree: Metric): string | undefined {
  const queries = metricQueries(tree);
  const { comparison } = tree;
  const window = findWindow(tree);
  const length = spanOf(window.length);
  if (!comparison || tree.change || findWrapping(tree) || queries.length === 0 || !length || window.tense === '')
    return undefined;
  const names = [...new Set(queries.map(({ series }) => series.name.text))];
  const tags = [...new Set(queries.flatMap(({ series }) => tagWords(series)))].filter((tag) => tag !== '*');
  const [first] = queries;
  const isPlain = (tree.body.kind === 'stepped' ? tree.body.body : tree.body).kind === 'metric';
  const own = isPlain ? first?.series.aggregator?.text : undefined;
  const inner = own === undefined || own === tree.aggregator.text ? '' : `${aggregatorName(own)} of `;
  const measured = isPlain ? `${inner}${names.join()}` : `a calculation with ${few(names, ' and ')}`;
  const scope = tags.length > 0 ? ` (${few(tags, ', ')})` : '';
  const value = `the ${aggregatorName(tree.aggregator.text)} over the ${window.tense} ${length} of ${measured}${scope}`;
  return alertsWhen(groupingKeys(tree), value, comparison);
}

/** The tags of a scope; where words join them, these are a part of what it means. */
function tagWords({ scope }: Series): readonly string[] {
  const parts = scope?.parts ?? [];
  return parts.some(isJoint) ? [printedParts(parts)] : parts.filter((part) => !isMark(part)).map(({ text }) => text);
}

/** What stands in a scope, with one blank between tags and words, none around commas and inside of brackets. */
function printedParts(parts: Scope['parts']): string {
  const tight = (at: number): boolean =>
    at === 0 || /^[,)]$/.test(parts[at]?.text ?? '') || /^[,(]$/.test(parts[at - 1]?.text ?? '');
  return parts.map((part, at) => `${tight(at) ? '' : ' '}${part.text}`).join('');
}

/** Names that a sentence says at most: of more it says how many. */
const mostNamed = 5;

function few(names: readonly string[], between: string): string {
  const others = names.length - mostNamed;
  return others > 1 ? `${names.slice(0, mostNamed).join(between)} and ${others} more` : names.join(between);
}

function searchSentence(tree: SearchChain): string | undefined {
  const rollup = findStep(tree, 'rollup')?.list.map(({ text }) => text) ?? [];
  const step = findStep(tree, 'last');
  const length = spanOf(tree.window?.text ?? '');
  const [how, measure] = rollup;
  if (!step || !length || how === undefined) return undefined;
  const search = tree.search?.text.trim() ?? '';
  const source = `${tree.source.text}${search === '' || search === '*' ? '' : ` (${search})`}`;
  const value =
    measure === undefined ? `${aggregatorName(how)} of ${source}` : `${aggregatorName(how)} of ${measure} in ${source}`;
  return alertsWhen(tree.groups, `the ${value} over the last ${length}`, tree.comparison);
}

function alertsWhen(groups: readonly Word[], value: string, comparison: SearchChain['comparison']): string | undefined {
  const relation = (meanings as Readonly<Record<string, string>>)[comparison.operator.text];
  if (relation === undefined) return undefined;
  const each = groups.length > 0 ? `, for each ${groups.map(({ text }) => text).join(' and ')},` : '';
  return `Alerts when${each} ${value} is ${relation} ${comparison.threshold.text}`;
}

const aggregators: Readonly<Record<string, string>> = {
  avg: 'average',
  min: 'minimum',
  max: 'maximum',
  count: 'number',
  cardinality: 'number of different values',
};
const aggregatorName = (aggregator: string): string => aggregators[aggregator] ?? aggregator;

const units: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
};

/** `5 minutes` of `5m`, `2 days` of `2d`; undefined where it is no length. */
function spanOf(text: string): string | undefined {
  const parts = splitLength(text);
  const unit = parts && units[parts.unit];
  return parts && unit !== undefined ? plural(parts.count, unit) : undefined;
}
