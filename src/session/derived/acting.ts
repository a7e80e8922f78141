import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Row } from '../list/list-state.ts';

/** What actions and copies are about: rows and their list, which of a derived list are those that its rows stand for. */
export interface Acting {
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId: string | undefined;
  /** Why several rows cannot be acted on at once. */
  readonly single?: string;
}

const none: Acting['rows'] = [];

/** The rows that the targets of a list stand for; those of the list itself where it is not derived. */
export function actingOn(
  list: AnyList,
  targets: readonly Row[],
  subRowId: string | undefined,
  screens: readonly Screen[],
): Acting {
  const { derived } = list;
  if (!derived?.subject) return { list, rows: targets, subRowId };
  const subjects = targets.flatMap((row) => derived.subject?.(row) ?? []);
  const [first] = subjects;
  const of = first && screens.flatMap((screen) => screen.lists).find((one) => one.id === first.list);
  if (!first || !of) return { list: { ...list, actions: [] }, rows: none, subRowId: undefined };
  const { offers } = derived;
  const offered = offers ? { ...of, actions: of.actions.filter((action) => offers.includes(action.id)) } : of;
  const alike = subjects.filter((subject) => subject.list === first.list);
  const isSingle = alike.length > 1 && alike.some((subject) => subject.subRowId !== first.subRowId);
  return {
    list: offered,
    rows: alike.map((subject) => subject.row),
    subRowId: first.subRowId,
    ...(isSingle ? { single: 'one row at a time: clear the marks first' } : {}),
  };
}
