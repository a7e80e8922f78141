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

/** What follows from what the journal says is undone next: it is undone, asked for, or told why not. `confirmed`: the edit that was asked for. */
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

/** What this run knows of an edit of the journal. */
const knownOf = ([newest]: readonly Entry[], { undo }: State): Undoable | undefined =>
  undo.find(({ group }) => group === newest?.group);

const wordsOf = (edit: readonly Entry[], { state, screens }: Moment): string => {
  const known = knownOf(edit, state);
  return known ? firstClause(known) : editWords(edit, screens);
};

function undoingOf({ edit: entries }: Offered, { state, screens, view }: Moment): Undoing {
  const known = knownOf(entries, state);
  const ids = new Set(entries.map(({ target }) => target.id));
  const steps = known?.steps.filter(({ id }) => ids.has(id)) ?? [];
  if (!known || steps.length === 0) return { entries, text: editWords(entries, screens) };
  const edit = withSteps(known, steps);
  return { entries, edit, text: firstClause(edit), isInFront: edit.list === view.list.id };
}

/** `the last edit cannot be undone: created deploy (it is gone)`. */
function lastCannot(passed: Offered['passed'], world: Moment): string {
  return `the last edit cannot be undone: ${passedWords(passed[0] ?? [], world)}`;
}

/** What an edit did, and why its undo was refused. */
function passedWords(edit: readonly Entry[], world: Moment): string {
  const why = edit.find(({ notUndone }) => notUndone !== undefined)?.notUndone;
  return `${wordsOf(edit, world)}${why === undefined ? '' : ` (${why})`}`;
}

/**
 * What is asked before an undo: nothing only where it is of the edit that this screen told last, and creates nothing again
 * that was deleted.
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
  const subject =
    changed.length === 1 ? (changed[0]?.name ?? '') : formatRowCount(edit?.forward.list ?? {}, changed.length);
  const rest = passed.slice(1).map((other) => capitalized(`${passedWords(other, world)}: cannot be undone either`));
  if (passed.length > 0)
    return {
      question: `${capitalized(lastCannot(passed, world))}.`,
      details: [...rest, ...(changed.length > 0 ? [`${subject} changed since`] : [])],
      enter: `undo ${by === undefined ? 'the one before it' : `what ${by}`}${where} (${text})`,
    };
  if (by !== undefined) return { question: `Undo${where} what ${by}?`, details: [capitalized(text)] };
  const on = isOnScreen || !edit ? '' : ` on ${screenName(edit, world)}`;
  const details = [capitalized(edit?.text ?? text)];
  if (changed.length > 0) return { question: `${subject} changed since. Undo${on}${where} anyway?`, details };
  return { question: `Undo the last edit${on}${where}?`, details };
}

/** Rows of an edit that changed again since. Known for the list in front only. */
function changedSince(edit: Undoable, { view: { list: front, rows }, context }: Moment): Undoable['steps'] {
  if (edit.list !== front.id) return [];
  const { list } = edit.forward;
  const comparable = (row: unknown) => (row === undefined ? row : (list.comparable?.(row, context) ?? row));
  return edit.steps.filter(({ id, before, after }) =>
    movedOn(comparable(before), comparable(after), comparable(rows.get(id))),
  );
}
