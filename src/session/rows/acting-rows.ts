import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Row } from './list-state.ts';

/** The rows that actions and copies are about, and their list. Of a derived list (Home): the rows of the lists it is made of. */
export interface Acting {
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId: string | undefined;
  /** Why several rows cannot be acted on at once. */
  readonly single?: string;
}

const none: Acting['rows'] = [];

/** The original rows of the targets in a derived list; in any other list the targets themselves. */
export function actingOn(
  list: AnyList,
  targets: readonly Row[],
  subRowId: string | undefined,
  screens: readonly Screen[],
): Acting {
  const { derived } = list;
  const subjectOf = derived?.subject;
  if (!subjectOf) return { list, rows: targets, subRowId };
  const subjects = targets.flatMap((row) => subjectOf(row) ?? []);
  const [first] = subjects;
  const of = first && screens.flatMap((screen) => screen.lists).find(({ id }) => id === first.list);
  if (!of) return { list: { ...list, actions: [] }, rows: none, subRowId: undefined };
  const { offers } = derived;
  const offered = offers ? { ...of, actions: of.actions.filter((action) => offers.includes(action.id)) } : of;
  const alike = subjects.filter((subject) => subject.list === first.list);
  const isSingle = alike.length > 1 && alike.some((subject) => subject.subRowId !== first.subRowId);
  return {
    list: offered,
    rows: alike.map(({ row }) => row),
    subRowId: first.subRowId,
    ...(isSingle ? { single: 'one row at a time: clear the marks first' } : {}),
  };
}
