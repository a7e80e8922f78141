import type { Subject } from '../../describe/derived.ts';
import type { Tagged } from '../../describe/organisation.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Row } from '../list/list-state.ts';

/** Rows of one organisation, and its list. */
export interface ActingPart {
  readonly list: AnyList;
  readonly rows: readonly Row[];
}

/** The rows that actions and copies are about, and their list. Of a derived list (Home): the rows of the lists it is made of. */
export interface Acting extends ActingPart {
  /** Where the rows are of several organisations: those of all but the first. */
  readonly others?: readonly ActingPart[];
  readonly subRowId: string | undefined;
  /** Why several rows cannot be acted on at once. */
  readonly single?: string;
}

const none: Acting['rows'] = [];

/** Each organisation with its rows; one part where all are of one. */
export const actingParts = ({ list, rows, others = [] }: Acting): readonly ActingPart[] => [{ list, rows }, ...others];

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
  const placeOf = ({ organisation }: Subject) =>
    list.parts?.findIndex((part) => part.organisation === organisation) ?? 0;
  const subjects = targets
    .flatMap((row) => subjectOf(row) ?? [])
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  const [first] = subjects;
  const offers = derived?.offers;
  const offered = (subject: Subject) => {
    const of = listOf(subject, screens);
    return of && offers ? { ...of, actions: of.actions.filter((action) => offers.includes(action.id)) } : of;
  };
  const of = first && offered(first);
  if (!first || !of) return { list: derived ? { ...list, actions: [] } : list, rows: none, subRowId: undefined };
  const alike = subjects.filter((subject) => subject.list === first.list);
  const isSingle = alike.length > 1 && alike.some((subject) => subject.subRowId !== first.subRowId);
  const rowsOf = (organisation: Subject['organisation']) =>
    alike.flatMap((subject) => (subject.organisation === organisation ? [subject.row] : []));
  const others = alike.flatMap((subject, at): ActingPart[] => {
    const { organisation } = subject;
    const list = alike.findIndex((one) => one.organisation === organisation) === at ? offered(subject) : undefined;
    return list && organisation !== first.organisation ? [{ list, rows: rowsOf(organisation) }] : [];
  });
  return {
    list: of,
    rows: rowsOf(first.organisation),
    subRowId: first.subRowId,
    ...(others.length > 0 ? { others } : {}),
    ...(isSingle ? { single: 'one row at a time: clear the marks first' } : {}),
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
