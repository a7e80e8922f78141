import type { Subject } from '../../describe/derived.ts';
import type { Tagged } from '../../describe/organisation.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Row } from '../list/list-state.ts';

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
  const subjectOf = derived?.subject ?? (list.parts && ((row: Row) => taggedSubject(list, row as Tagged, subRowId)));
  if (!subjectOf) return { list, rows: targets, subRowId };
  const subjects = targets.flatMap((row) => subjectOf(row) ?? []);
  const [first] = subjects;
  const of = first && listOf(first, screens);
  if (!first || !of) return { list: derived ? { ...list, actions: [] } : list, rows: none, subRowId: undefined };
  const offers = derived?.offers;
  const offered = offers ? { ...of, actions: of.actions.filter((action) => offers.includes(action.id)) } : of;
  const alike = subjects.filter(
    (subject) => subject.list === first.list && subject.organisation === first.organisation,
  );
  const isSingle = alike.length > 1 && alike.some((subject) => subject.subRowId !== first.subRowId);
  const isMixed = subjects.some((subject) => subject.organisation !== first.organisation);
  return {
    list: offered,
    rows: alike.map((subject) => subject.row),
    subRowId: first.subRowId,
    ...(isMixed
      ? { single: 'these rows are of several profiles: mark those of one' }
      : isSingle
        ? { single: 'one row at a time: clear the marks first' }
        : {}),
  };
}

const taggedSubject = ({ id }: AnyList, { row, organisation }: Tagged, subRowId: string | undefined): Subject => ({
  list: id,
  row,
  organisation,
  ...(subRowId === undefined ? {} : { subRowId }),
});

/** The list of the subject; of several organisations, that of its own. */
function listOf({ list, organisation }: Subject, screens: readonly Screen[]): AnyList | undefined {
  const found = screens.flatMap((screen) => screen.lists).find((one) => one.id === list);
  return organisation ? found?.parts?.find((part) => part.organisation === organisation) : found;
}
