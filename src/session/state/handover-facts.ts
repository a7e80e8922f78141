import type { Context } from '../../describe/context.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { HandoverFacts } from '../../journal/handover-report.ts';
import { present } from '../../lib/present-members.ts';
import type { ShiftNote } from '../outside/saved-session.ts';
import type { Row } from '../rows/list-state.ts';
import { type RowsById, rowsById } from '../rows/rows-by-id.ts';
import { actionOf, listOfAction, type Shift } from './handover.ts';

/** What the handover report says besides the journal, from the descriptions and the rows as last read. */
export function handoverFacts(
  shift: Shift,
  screens: readonly Screen[],
  context: Context,
  readOf: (list: AnyList) => readonly Row[] | undefined,
  note?: ShiftNote,
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
  const since = 'since' in shift ? shift.since : context.now - shift.hours * 3_600_000;
  return {
    profile: context.profile.name,
    zone: context.zone,
    now: context.now,
    since,
    unread,
    openEnds: lists
      .flatMap((list) =>
        (list.openEnds?.(rowsOf(list), context) ?? []).map((ends) => ({
          ...{ ...ends, list: list.id },
          named: ends.named.map((row) => ({ ...row, ...whereIs(list, row.row) })),
        })),
      )
      .toSorted((one, other) => Number(other.isUrgent ?? false) - Number(one.isUrgent ?? false)),
    ...present({ note: note && note.at >= since ? note.text : undefined }),
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
