import { comparisonDiagnostics } from './comparison.ts';
import { costRules } from './cost-rules.ts';
import { type Formula, type FormulaTerm, formulaTerms } from './formula-tree.ts';
import { formulaWindowDiagnostics, mayOmitQuotes } from './formula-window.ts';
import { type Diagnostic, doubtful, type QueryContext, wrong } from './language.ts';
import { variableRules } from './variable-diagnostics.ts';

/** Diagnostics of a parsed formula. */
export function formulaRules(tree: Formula, about: QueryContext): Diagnostic[] {
  const terms = formulaTerms(tree.body.expression);
  const isCost = about.type === 'cost alert';
  return [
    ...terms.flatMap(termDiagnostics),
    ...(terms.some((term) => term.kind === 'variable')
      ? []
      : [doubtful(tree.body, 'the formula uses no variable, so it measures nothing')]),
    ...quoteDiagnostics(tree, about.type),
    ...orderDiagnostics(tree, isCost),
    ...(isCost
      ? costRules(tree)
      : [...formulaWindowDiagnostics(tree, about.type), ...comparisonDiagnostics(tree.comparison)]),
    ...variableRules(tree, about),
  ];
}

function termDiagnostics(term: FormulaTerm): Diagnostic[] {
  if (term.kind === 'number')
    return Number.isNaN(term.value) ? [wrong(term, `${term.text} is not a number`, 'a name begins with a letter')] : [];
  if (term.kind !== 'joined') return [];
  return term.tail.flatMap(({ joint }) => {
    if (joint.text === '//') return [wrong(joint, '// is not an operator of a formula', 'write /')];
    if (['+', '-', '*', '/'].includes(joint.text)) return [];
    return [doubtful(joint, `${joint.text} may not be an operator of a formula`, 'write +, -, * or /')];
  });
}

function quoteDiagnostics({ body, steps }: Formula, type: string): Diagnostic[] {
  if (mayOmitQuotes(type)) return [];
  const bare = steps.flatMap((step) => step.args).filter(({ key, value }) => !key && value.quote === '');
  return [
    ...(body.quote === '' ? [wrong(body, 'the formula is not in quotes', `write formula("${body.text.trim()}")`)] : []),
    ...bare.map(({ value }) => doubtful(value, `${value.text} is not in quotes`, `write "${value.text}"`)),
  ];
}

const places: Readonly<Record<string, number>> = {
  by: 1,
  rollup: 2,
  last: 3,
  current: 3,
  change: 4,
  anomaly: 4,
  forecast: 4,
};

/** Unknown, repeated and misplaced steps. */
function orderDiagnostics({ steps }: Formula, isCost: boolean): Diagnostic[] {
  return steps.flatMap(({ name }, at) => {
    const place = places[name.text];
    if (place === undefined) return [doubtful(name, `.${name.text}() is not a known step of a formula`)];
    const before = steps.slice(0, at).map((step) => step.name.text);
    if (before.includes(name.text)) return [doubtful(name, `.${name.text}() is repeated`, 'remove one')];
    if (!isCost && (place === 4 || name.text === 'current'))
      return [doubtful(name, `.${name.text}() is known for costs only`)];
    const late = before.find((other) => (places[other] ?? 0) > place || (places[other] === place && place === 3));
    if (late === undefined) return [];
    return places[late] === place
      ? [doubtful(name, `.${late}() already says the window`, 'remove one')]
      : [doubtful(name, `.${name.text}() commonly stands before .${late}()`)];
  });
}
