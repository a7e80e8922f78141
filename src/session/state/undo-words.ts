import { restOfRestore, restoreDetails } from '../../describe/delete-action.ts';
import { formatRowCount, type Screen } from '../../describe/screen.ts';
import { turnedTo } from '../../journal/edit-changes.ts';
import type { Entry } from '../../journal/journal-entry.ts';
import { present } from '../../lib/present-members.ts';
import { clockTime } from '../../lib/time-text.ts';
import { offsetName } from '../../lib/zone.ts';
import { firstClause } from '../send/pending-edit.ts';
import { actionOf, didWords, listOfAction } from './handover.ts';

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
