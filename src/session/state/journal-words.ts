import type { Context } from '../../describe/context.ts';
import { type AnyList, formatRowCount, type Screen } from '../../describe/screen.ts';
import { restOfRestore, restoreDetails } from '../../describe/standard-actions.ts';
import type { HandoverFacts } from '../../journal/handover-report.ts';
import { type Entry, turnedTo } from '../../journal/journal-entry.ts';
import { clockTime, offsetName } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { actionOf, didWords, listOfAction, type Shift } from '../outside/outside.ts';
import type { ShiftNote } from '../outside/saved-session.ts';
import { type Row, rowsById } from '../rows/list-state.ts';
import { firstClause } from '../send/pending-edit.ts';

/** The rows of a list as they were last read, and whether these are all. */
interface Listed {
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
}

/** What the handover report says besides the journal, from the descriptions and the rows as last read. */
export function handoverFacts(
  shift: Shift,
  screens: readonly Screen[],
  context: Context,
  readOf: (list: AnyList) => Listed | undefined,
  note?: ShiftNote,
): HandoverFacts {
  const lists = screens.flatMap((screen) => screen.lists).filter((list) => !list.derived);
  const rowsOf = (list: AnyList) => readOf(list)?.rows ?? [];
  const unread = lists.flatMap((list) => {
    const read = readOf(list);
    return !list.openEnds || read?.isWhole ? [] : [`${list.title.toLowerCase()}${read ? ', in part' : ''}`];
  });
  const rowOf = (list: AnyList, id = ''): Row | undefined => rowsById(list, rowsOf(list)).get(id);
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
      const isElsewhere = row === undefined && list !== undefined && readOf(list)?.isWhole;
      const where = list && whereIs(list, target.id);
      return {
        verb: entryAction?.title ?? action,
        part: entryAction?.handover ?? 'change',
        ...where,
        ...present({
          listTitle: list?.title,
          now: row === undefined ? (isElsewhere ? 'not in the list' : undefined) : list?.now?.(row, context),
        }),
      };
    },
  };
}

/** What an edit of the journal did, to its only row or to how many: `muted web-1`, `added user Ada to Admins`. */
export function editWords(edit: readonly Entry[], screens: readonly Screen[]): string {
  const [newest] = edit;
  if (!newest) return '';
  const { action, target, said } = newest;
  // Who was added to what is known to the receipt alone.
  if (edit.length === 1 && said !== undefined && actionOf(action, screens)?.pick) return firstClause({ text: said });
  const rows = new Set(edit.map((entry) => `${entry.target.id} ${entry.target.name}`)).size;
  const what = rows === 1 ? target.name || target.id : formatRowCount(listOfAction(action, screens) ?? {}, rows);
  const did = didWords({ operation: action, ...present({ isOn: turnedTo(newest) }) }, screens);
  return [did, actionOf(action, screens)?.preposition, what].filter(Boolean).join(' ');
}

/** What is said before a delete is undone; undefined of any other edit. */
export function restoringOf(edit: readonly Entry[], screens: readonly Screen[]): string[] | undefined {
  const words = edit[0] && actionOf(edit[0].action, screens)?.restore;
  if (!words) return undefined;
  const begun = edit.flatMap((entry) => entry.begun ?? []);
  const operations = edit.flatMap(({ undo }) => undo.map(({ endpoint }) => endpoint));
  return begun.length > 0 ? restOfRestore(words, operations, begun) : restoreDetails(words, operations);
}

/** Who made an edit that is not of this run, and when: `a command did at 22:10 UTC on Monitors`. */
export function madeBy([newest]: readonly Entry[], screens: readonly Screen[], zone: string): string {
  if (!newest) return '';
  const { at, action, program = 'dashboard' } = newest;
  const screen = screens.find(({ lists }) => lists.some(({ actions }) => actions.some(({ id }) => id === action)));
  const on = screen === undefined ? '' : ` on ${screen.title}`;
  return `a ${program} did at ${clockTime(at, zone)} ${offsetName(at, zone)}${on}`;
}
