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
  const source = first && screens.flatMap((screen) => screen.lists).find(({ id }) => id === first.list);
  // A row that stands for no other has the actions of its own list.
  if (!source && targets.length > 0 && list.actions.length > 0) return { list, rows: targets, subRowId: undefined };
  // What it makes anew needs no row.
  const making = list.actions.filter(({ on }) => on === 'list');
  if (!source) return { list: { ...list, actions: making }, rows: none, subRowId: undefined };
  const { offers } = derived;
  const offered = offers
    ? { ...source, actions: [...making, ...source.actions.filter((action) => offers.includes(action.id))] }
    : source;
  const alike = subjects.filter((subject) => subject.list === first.list);
  const isSingle = alike.length > 1 && alike.some((subject) => subject.subRowId !== first.subRowId);
  const isMixed = alike.length < subjects.length;
  return {
    list: offered,
    rows: alike.map(({ row }) => row),
    subRowId: first.subRowId,
    ...(isMixed ? { single: 'the marks are in several blocks: clear them first' } : {}),
    ...(isSingle ? { single: 'one row at a time: clear the marks first' } : {}),
  };
}
