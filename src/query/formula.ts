import { formulaRules } from './formula-rules.ts';
import { type Formula, printed } from './formula-tree.ts';
import type { Language } from './language.ts';
import { parse } from './made/formula.js';
import { formulaOffers } from './offer-table.ts';

/** Formulas over `options.variables`, for costs and for most other types (docs/contract/monitor-queries.md#formula). */
export const formula: Language<Formula> = {
  parse: (text) => parse(text) as Formula,
  print: printed,
  rules: formulaRules,
  outline: ({ type }) => ({
    languageNoun: type === 'cost alert' ? 'a cost monitor' : 'a formula',
    beginning: 'formula("…")',
    example: `formula("query1").last("${type === 'cost alert' ? '7d' : '5m'}") > 100`,
  }),
  offers: ({ type }) => formulaOffers(type),
};
