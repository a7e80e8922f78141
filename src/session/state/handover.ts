import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { HandoverFacts } from '../../journal/handover-report.ts';
import { pastTense } from '../../lib/past-tense.ts';
import { present } from '../../lib/present-members.ts';
import type { JournalEntry } from '../outside/outside.ts';
import type { Row } from '../rows/list-state.ts';
import { type RowsById, rowsById } from '../rows/rows-by-id.ts';

/** What a hand-over covers: the last hours, or everything since a moment (epoch milliseconds). */
export type Shift = { readonly hours: number } | { readonly since: number };

const lengths: readonly number[] = [8, 12, 24, 24 * 7];

/** The shift of the report until a person chooses another. */
export const firstShift: Shift = { hours: 8 };

/** The next of the fixed shifts; the first after a typed one. */
export function nextShift(shift: Shift): Shift {
  const at = 'hours' in shift ? lengths.indexOf(shift.hours) : -1;
  return { hours: lengths[(at + 1) % lengths.length] ?? 8 };
}

/** The list whose action has this id. */
export const listOfAction = (action: string, screens: readonly Screen[]): AnyList | undefined =>
  screens.flatMap(({ lists }) => lists).find(({ actions }) => actions.some(({ id }) => id === action));

/** The action with this id. */
export const actionOf = (action: string, screens: readonly Screen[]): AnyAction | undefined =>
  listOfAction(action, screens)?.actions.find(({ id }) => id === action);

/** `mute`: what this operation does; the word itself where no action has it: `undo`, `call`. */
export const doesWords = (operation: string, screens: readonly Screen[]): string =>
  actionOf(operation, screens)?.title ?? operation;

/** `muted`, `disabled`: what an edit did. */
export const didWords = (
  { operation, isOn }: Pick<JournalEntry, 'operation' | 'isOn'>,
  screens: readonly Screen[],
): string => pastTense(doesWords(operation, screens), isOn);

/** What the hand-over report says besides the journal, from the descriptions and the rows as last read. */
export function handoverFacts(
  shift: Shift,
  screens: readonly Screen[],
  context: Context,
  readOf: (list: AnyList) => readonly Row[] | undefined,
): HandoverFacts {
  const lists = screens.flatMap((screen) => screen.lists).filter((list) => !list.derived);
  const rowsOf = (list: AnyList) => readOf(list) ?? [];
  const unread = lists.filter((list) => list.openEnds && !readOf(list)).map(({ title }) => title.toLowerCase());
  const found = new Map<AnyList, RowsById>();
  const rowOf = (list: AnyList, id: string | undefined): Row | undefined => {
    const rows = found.get(list) ?? rowsById(list, rowsOf(list));
    found.set(list, rows);
    return id === undefined ? undefined : rows.get(id);
  };
  const whereIs = (list: AnyList, id: string | undefined) => {
    const row = context.web === undefined ? undefined : rowOf(list, id);
    return { list: list.id, ...present({ link: row === undefined ? undefined : list.link?.(row, context) }) };
  };
  return {
    profile: context.profile.name,
    zone: context.zone,
    now: context.now,
    since: 'since' in shift ? shift.since : context.now - shift.hours * 3_600_000,
    unread,
    openEnds: lists
      .flatMap((list) =>
        (list.openEnds?.(rowsOf(list), context) ?? []).map((end) => ({ ...end, ...whereIs(list, end.row) })),
      )
      .toSorted((one, other) => Number(other.isUrgent ?? false) - Number(one.isUrgent ?? false)),
    label: (action, path) =>
      Object.values(actionOf(action, screens)?.settings ?? {}).find((setting) => setting.path === path)?.label,
    describe({ action, target }) {
      const list = listOfAction(action, screens);
      const entryAction = actionOf(action, screens);
      const row = list && rowOf(list, target.id);
      const isGone = row === undefined && list !== undefined && rowsOf(list).length > 0;
      const where = list && whereIs(list, target.id);
      return {
        verb: entryAction?.title ?? action,
        part: entryAction?.handover ?? 'change',
        ...where,
        ...present({
          listTitle: list?.title,
          now: row === undefined ? (isGone ? 'gone from the list' : undefined) : list?.now?.(row, context),
        }),
      };
    },
  };
}
