import { type Diagnostic, doubtful } from './language.ts';
import { isJoint, type Scope } from './metric-tree.ts';
import type { Word } from './query-tree.ts';

/**
 * Diagnostics of the tags of a metric query (docs/contract/monitor-queries.md#metric). At most doubtful: filters go beyond the
 * documentation.
 */
export function scopeDiagnostics(scope: Scope): Diagnostic[] {
  const { parts } = scope;
  if (parts.length === 0) return [doubtful(scope, 'the scope is empty', 'write {*} for everything')];
  return [
    ...parts.flatMap((part, at) => partDiagnostics(part, parts[at - 1], parts[at + 1])),
    ...bracketDiagnostics(parts),
  ];
}

function partDiagnostics(part: Word, before: Word | undefined, after: Word | undefined): Diagnostic[] {
  if (part.text === '(' || part.text === ')') return [];
  if (part.text === ',' || /^(?:AND|OR)$/i.test(part.text))
    return [
      ...(endsTag(before)
        ? []
        : [doubtful(part, `there is nothing before ${part.text}`, 'write a tag, such as env:prod')]),
      ...(beginsTag(after)
        ? []
        : [doubtful(part, `there is nothing after ${part.text}`, 'write a tag, such as env:prod')]),
    ];
  if (/^IN$/i.test(part.text))
    return after?.text === '(' ? [] : [doubtful(part, 'IN needs values in parentheses', 'such as region IN (a,b)')];
  if (/^NOT$/i.test(part.text))
    return beginsTag(after) || isIn(after)
      ? []
      : [doubtful(part, 'there is nothing after NOT', 'write a tag, such as NOT env:dev')];
  return [
    // A blank behind the colon is taken: `env: prod`.
    ...(before && isTag(before) && !before.text.endsWith(':')
      ? [doubtful(part, `nothing joins ${before.text} and ${part.text}`, 'write a comma or AND between them')]
      : []),
    ...(/^[<>=]/.test(part.text) ? [doubtful(part, `${part.text} is not a tag`, 'write a tag, such as env:prod')] : []),
    ...(/^[^:=]+=[^:=]+$/.test(part.text)
      ? [doubtful(part, `${part.text} is one word, not a key and a value`, `write ${part.text.replace('=', ':')}`)]
      : []),
  ];
}

const isMark = ({ text }: Word): boolean => text === ',' || text === '(' || text === ')';
const isTag = (part: Word): boolean => !isMark(part) && !isJoint(part);
const isIn = (part: Word | undefined): boolean => part !== undefined && /^IN$/i.test(part.text);
const endsTag = (part: Word | undefined): boolean => part !== undefined && (isTag(part) || part.text === ')');
const beginsTag = (part: Word | undefined): boolean =>
  part !== undefined && (isTag(part) || part.text === '(' || /^NOT$/i.test(part.text));

function bracketDiagnostics(parts: readonly Word[]): Diagnostic[] {
  const open: Word[] = [];
  for (const part of parts) {
    if (part.text === '(') open.push(part);
    else if (part.text === ')' && !open.pop()) return [doubtful(part, 'this parenthesis was never opened')];
  }
  return open.map((bracket) => doubtful(bracket, 'this parenthesis is never closed', 'add ) where it ends'));
}
