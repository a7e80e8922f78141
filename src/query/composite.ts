import { type Diagnostic, doubtful, type Language, wrong } from './language.ts';
import { parse } from './made/composite.js';
import { compositeOffers } from './offer-table.ts';
import type { QuerySpan, Tree, Word } from './query-tree.ts';

/** A part of a boolean over ids. */
export type CompositePart =
  | ({ readonly kind: 'member'; readonly text: string } & QuerySpan)
  | ({ readonly kind: 'not' | 'group'; readonly body: CompositePart } & QuerySpan)
  | ({ readonly kind: 'joined'; readonly head: CompositePart; readonly tail: readonly Joined[] } & QuerySpan);

interface Joined {
  readonly joint: Word;
  readonly right: CompositePart;
}

/** `101 && !102` (docs/contract/monitor-queries.md#composite). */
export interface Composite extends Tree {
  readonly kind: 'composite';
  readonly body: CompositePart;
}

/** Most members that a composite may have (docs/contract/monitor-queries.md#composite). */
const maxMembers = 10;

/** Ids of the members in the order of the text, each as often as it stands there. */
export function compositeMembers(part: CompositePart): Extract<CompositePart, { kind: 'member' }>[] {
  switch (part.kind) {
    case 'member':
      return [part];
    case 'joined':
      return [part.head, ...part.tail.map((joined) => joined.right)].flatMap(compositeMembers);
    default:
      return compositeMembers(part.body);
  }
}

function joints(part: CompositePart): Word[] {
  if (part.kind === 'member') return [];
  if (part.kind !== 'joined') return joints(part.body);
  return [...joints(part.head), ...part.tail.flatMap((joined) => [joined.joint, ...joints(joined.right)])];
}

function rules({ body }: Composite): Diagnostic[] {
  const members = compositeMembers(body);
  const over = members.filter((member, at) => members.findIndex((one) => one.text === member.text) === at)[maxMembers];
  return [
    ...joints(body)
      .filter((joint) => joint.text !== '&&' && joint.text !== '||')
      .map((joint) =>
        wrong(
          joint,
          `${joint.text} is not an operator of a composite`,
          `write ${/^[|o]/i.test(joint.text) ? '||' : '&&'}`,
        ),
      ),
    ...(over ? [doubtful(over, `a composite has at most ${maxMembers} members`, 'remove some members')] : []),
  ];
}

function printed(part: CompositePart): string {
  switch (part.kind) {
    case 'member':
      return part.text;
    case 'not':
      return `!${printed(part.body)}`;
    case 'group':
      return `( ${printed(part.body)} )`;
    case 'joined':
      return [printed(part.head), ...part.tail.map((joined) => `${joined.joint.text} ${printed(joined.right)}`)].join(
        ' ',
      );
  }
}

/** Composites: `&&`, `||`, `!` and parentheses over ids of other monitors (docs/contract/monitor-queries.md#composite). */
export const compositeLanguage: Language<Composite> = {
  parse: (text) => parse(text) as Composite,
  print: (tree) => printed(tree.body),
  rules,
  outline: () => ({ languageNoun: 'a composite', beginning: 'the id of a monitor', example: '101 && !102' }),
  offers: () => compositeOffers,
};
