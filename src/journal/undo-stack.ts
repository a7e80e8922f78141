import { type Entry, foldUndone } from './journal-entry.ts';

/** Who wants to undo something. */
export interface Asker {
  readonly program: Entry['program'];
  /** Name of the profile. */
  readonly profile: string;
  /** The id of the organization, as far as known. */
  readonly organization?: string | undefined;
  readonly actor: string;
  /** What may be shown of the application key. */
  readonly key: string;
  readonly now: number;
  /** Whether this run has made the edit. */
  isOwn(entry: Entry): boolean;
  /** Whether the process that has made the edit still runs. */
  isRunning(entry: Entry): boolean;
}

/**
 * What `u` and `orgdeck undo` are about. An edit is all its rows, the newest first; `passed` are the edits after it that
 * cannot be undone.
 */
export type UndoOffer =
  | {
      readonly kind: 'undo';
      /** The rows that have a way back. */
      readonly edit: readonly Entry[];
      readonly passed: readonly (readonly Entry[])[];
      readonly isOwn: boolean;
    }
  | { readonly kind: 'noWayBack'; readonly passed: readonly (readonly Entry[])[] }
  /** An edit, or the undo of one, whose outcome is unknown: nothing is undone before it is checked. */
  | { readonly kind: 'check'; readonly entry: Entry }
  /** An edit of this run that is still being sent. */
  | { readonly kind: 'wait'; readonly entry: Entry }
  | { readonly kind: 'none' };

/** How long an edit of another run is offered. Older ones are undone by name. */
const offeredMs = 24 * 3_600_000;

/**
 * The one rule of what is undone next (docs/design/receipts.md, Undo). `entries` are in the order of their lines, which is
 * the order of edits, whatever clocks say.
 */
export function undoOffer(entries: readonly Entry[], asker: Asker): UndoOffer {
  const stack = foldUndone(entries).kept.filter((entry) => isOnStack(entry, asker));
  const own = stack.filter((entry) => asker.isOwn(entry));
  const others = stack.filter((entry) => !asker.isOwn(entry));
  const passed: (readonly Entry[])[] = [];
  for (const edit of [...editsOf(own), ...editsOf(others)]) {
    const sending = edit.find(({ outcome }) => outcome === undefined);
    const doubtful = edit.find(isDoubtful);
    if (doubtful) return { kind: 'check', entry: doubtful };
    if (sending) return { kind: 'wait', entry: sending };
    const applied = edit.filter(({ outcome, undone }) => outcome?.state === 'applied' && !undone);
    const open = applied.filter(hasWayBack);
    const unsure = open.length > 0 && stack.find((entry) => isDoubtful(entry) && open.some(isOfRow(entry)));
    if (unsure) return { kind: 'check', entry: unsure };
    const [newest] = open;
    if (newest) return { kind: 'undo', edit: open, passed, isOwn: asker.isOwn(newest) };
    if (applied.length > 0) passed.push(applied);
  }
  return passed.length > 0 ? { kind: 'noWayBack', passed } : { kind: 'none' };
}

const hasWayBack = ({ undo, notUndone }: Entry): boolean => undo.length > 0 && notUndone === undefined;

function isOnStack(entry: Entry, asker: Asker): boolean {
  if (!isOfOrganization(entry, asker) || (entry.forgotten && entry.outcome?.state !== 'applied')) return false;
  if (asker.isOwn(entry)) return true;
  const { at, program, outcome, isSending } = entry;
  if (at < asker.now - offeredMs || !isByActor(entry, asker) || (isSending && outcome === undefined)) return false;
  // What a dashboard has made that still runs is undone there.
  return asker.program !== 'command' || program === 'command' || !asker.isRunning(entry);
}

/** By the id of the organization; where one of both is not known by the application key, which belongs to one, else by the profile. */
function isOfOrganization({ organization, key, org }: Entry, asker: Asker): boolean {
  if (organization !== undefined && asker.organization !== undefined) return organization === asker.organization;
  return key && asker.key ? key === asker.key : org === asker.profile;
}

/** Whether the same person made it: known by name, or by the application key until the name is known. */
const isByActor = ({ actor, key }: Entry, asker: Asker): boolean =>
  actor === asker.actor || (key !== undefined && key !== '' && key === asker.key);

/** The edits, newest first. Undos are none of their own. */
function editsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const edits = entries.filter((entry) => entry.action !== 'undo' || isDoubtful(entry)).toReversed();
  return [...Map.groupBy(edits, ({ group, id }) => group ?? id).values()];
}

const isDoubtful = ({ outcome, isSending }: Entry): boolean =>
  outcome === undefined ? !isSending : outcome.state === 'unknown';

const isOfRow =
  (one: Entry) =>
  ({ target }: Entry): boolean =>
    target.id !== '' && target.id === one.target.id;
