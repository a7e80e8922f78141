import type { Result } from '../../api/problem.ts';
import type { Confirmation } from '../../describe/action.ts';
import { formatRowCount } from '../../describe/screen.ts';
import type { Entry } from '../../journal/journal-entry.ts';
import type { UndoOffer } from '../../journal/undo-stack.ts';
import { capitalized } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import { doesWords } from '../outside/outside.ts';
import { firstClause, lastIsSent, movedOn, type Undoable, type Undoing, withSteps } from '../send/pending-edit.ts';
import { editWords, madeBy, restoringOf } from '../state/journal-words.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { isHere, screenName } from './begin-edit.ts';

type Offered = Extract<UndoOffer, { kind: 'undo' }>;

/** The next message of an undo, by what the journal offers: it begins, asks first, or says why not. `confirmed`: id of the entry that was asked about. */
export function undoStep(read: Result<UndoOffer>, confirmed: string | undefined, world: Moment): Message {
  const { context, screens } = world;
  const tells = (text: string): Message => ({
    type: 'showFlash',
    flash: { text: `Undo: ${text}`, tone: 'warn', at: context.now },
  });
  if (!read.ok) return tells(read.problem.text);
  const offer = read.value;
  switch (offer.kind) {
    case 'none':
      return tells('nothing to undo');
    case 'wait':
      return tells(lastIsSent);
    case 'noWayBack':
      return tells(lastCannot(offer.passed, world));
    case 'check': {
      const { id, action, target } = offer.entry;
      const name = `${doesWords(action, screens)} ${target.name || target.id}`;
      const question = `The outcome of an edit is unknown: ${name}. Nothing is undone before it is checked.`;
      return {
        type: 'undoAsked',
        confirm: { question, enter: 'check it' },
        yes: { type: 'checkConfirmed', entry: id, name },
      };
    }
    case 'undo': {
      const undoing = undoingOf(offer, world);
      const [newest] = offer.edit;
      if (confirmed !== undefined && confirmed !== newest?.id)
        return tells('nothing was sent: another edit is now the one to undo');
      const confirm = confirmed === undefined ? undoQuestion(offer, undoing, world) : undefined;
      if (!confirm) return { type: 'undoBegun', undoing };
      return { type: 'undoAsked', confirm, yes: { type: 'askUndo', ...present({ confirmed: newest?.id }) } };
    }
  }
}

/** The edit of these entries as this run knows it, with its rows; undefined for one of another run. */
const findKnown = ([newest]: readonly Entry[], { undo }: State): Undoable | undefined =>
  undo.find(({ group }) => group === newest?.group);

const wordsOf = (edit: readonly Entry[], { state, screens }: Moment): string => {
  const known = findKnown(edit, state);
  return known ? firstClause(known) : editWords(edit, screens);
};

function undoingOf({ edit: entries }: Offered, { state, screens, view }: Moment): Undoing {
  const known = findKnown(entries, state);
  const ids = new Set(entries.map(({ target }) => target.id));
  const steps = known?.steps.filter(({ id }) => ids.has(id)) ?? [];
  if (!known || steps.length === 0) return { entries, text: editWords(entries, screens) };
  const edit = withSteps(known, steps);
  return { entries, edit, text: firstClause(edit), isInFront: edit.list === view.list.id };
}

function lastCannot(passed: Offered['passed'], world: Moment): string {
  return `the last edit cannot be undone: ${passedWords(passed[0] ?? [], world)}`;
}

/** What an edit did, and why it cannot be undone: `created deploy (it is gone)`. */
function passedWords(edit: readonly Entry[], world: Moment): string {
  const why = edit.find(({ notUndone }) => notUndone !== undefined)?.notUndone;
  return `${wordsOf(edit, world)}${why === undefined ? '' : ` (${why})`}`;
}

/**
 * What is asked before an undo. Undefined, outside production: it takes back the edit whose receipt this screen showed last,
 * no row changed since, and nothing deleted is created again.
 */
function undoQuestion(offer: Offered, undoing: Undoing, world: Moment): Confirmation | undefined {
  const { passed, isOwn } = offer;
  const { edit } = undoing;
  const changed = edit ? changedSince(edit, world) : [];
  const isOnScreen = edit !== undefined && isHere(edit, world);
  const restoring = restoringOf(offer.edit, world.screens);
  const isLast = edit !== undefined && edit.group === world.state.lastReceipt;
  const isTold = isOwn && isOnScreen && isLast && passed.length === 0 && changed.length === 0;
  if (isTold && !world.context.profile.production && !restoring) return undefined;
  const question = questionOf(offer, undoing, world, changed, isOnScreen);
  return restoring ? { ...question, details: [...(question.details ?? []), ...restoring] } : question;
}

function questionOf(
  { edit: entries, passed, isOwn }: Offered,
  { edit, text }: Undoing,
  world: Moment,
  changed: Undoable['steps'],
  isOnScreen: boolean,
): Confirmation {
  const { screens, context } = world;
  const { production, name } = context.profile;
  const where = production ? ` in production (${name})` : '';
  const by = isOwn && edit ? undefined : madeBy(entries, screens, context.zone);
  const changedRows =
    changed.length === 1 ? (changed[0]?.name ?? '') : formatRowCount(edit?.forward.list ?? {}, changed.length);
  const rest = passed.slice(1).map((other) => capitalized(`${passedWords(other, world)}: cannot be undone either`));
  if (passed.length > 0)
    return {
      question: `${capitalized(lastCannot(passed, world))}.`,
      details: [...rest, ...(changed.length > 0 ? [`${changedRows} changed since`] : [])],
      enter: `undo ${by === undefined ? 'the one before it' : `what ${by}`}${where} (${text})`,
    };
  if (by !== undefined) return { question: `Undo${where} what ${by}?`, details: [capitalized(text)] };
  const on = isOnScreen || !edit ? '' : ` on ${screenName(edit, world)}`;
  const details = [capitalized(edit?.text ?? text)];
  if (changed.length > 0) return { question: `${changedRows} changed since. Undo${on}${where} anyway?`, details };
  return { question: `Undo the last edit${on}${where}?`, details };
}

/** The rows of an edit that changed again since; none for another list than the one in front, whose rows are not known. */
function changedSince(edit: Undoable, { view: { list: front, rows }, context }: Moment): Undoable['steps'] {
  if (edit.list !== front.id) return [];
  const { list } = edit.forward;
  const comparable = (row: unknown) => (row === undefined ? row : (list.comparable?.(row, context) ?? row));
  return edit.steps.filter(({ id, before, after }) =>
    movedOn(comparable(before), comparable(after), comparable(rows.get(id))),
  );
}
