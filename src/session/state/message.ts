import type { Problem } from '../../api/problem.ts';
import type { Confirmation } from '../../describe/action.ts';
import type { SeenChange } from '../../describe/context.ts';
import type { NamedLink, RowPlace } from '../../describe/derived.ts';
import type { FieldLanguage } from '../../describe/field.ts';
import type { JobEnd, JobRequest, Progress } from '../../describe/job.ts';
import type { ReceiptPart } from '../../describe/receipt.ts';
import type { Alarm, AnyList } from '../../describe/screen.ts';
import type { Handover } from '../../journal/handover-report.ts';
import type { ParseResult } from '../../lib/function-results.ts';
import type { Copied } from '../../lib/paint.ts';
import type { ThemeName } from '../../lib/setting-values.ts';
import type { Key } from '../keyboard/keyboard.ts';
import type { EntryDeed, FilePath, FleetStanding, JournalEntry, ProfileLine, Shift } from '../outside/outside.ts';
import type { Order, StateChange } from '../rows/list-state.ts';
import type { Pending, UnderWay, Undoing, Undone } from '../send/pending-edit.ts';
import type { Performed } from '../send/perform.ts';
import type { FormFor } from './form-layer.ts';

/** A message above the hints: it stays until the next key that matters. */
export interface Flash {
  readonly text: string;
  /** The text in its parts, where it has names that may be shortened. */
  readonly parts?: readonly ReceiptPart[];
  readonly tone: 'good' | 'bad' | 'warn' | 'info';
  /** Nothing has happened: a key without a meaning. It is in no log. */
  readonly isPassing?: true;
  /** Keys that help now, one of `keyHints`. */
  readonly keys?: string;
  readonly at: number;
  /** Shown in full by the log. */
  readonly problem?: Problem;
  /** More lines for the log. */
  readonly details?: readonly string[];
  /** The key of the notice that it is, or was when it came. */
  readonly notice?: string;
  /** It is a notice that still stands. */
  readonly waits?: true;
}

/** A message about one row that stays until it is handled: a mute of it ends soon. `list` is the one of its row. */
export type RowNotice = Omit<Alarm, 'one' | 'isOwn'> & { readonly list: string };

/** Actions of a person on the list in front. */
export type ListMessage =
  | { readonly type: 'moveCursor' | 'movePage' | 'scrollColumns' | 'moveTab' | 'moveBlock'; readonly by: number }
  | { readonly type: 'moveToEnd'; readonly last: boolean }
  | { readonly type: 'openCurrent' | 'goBack' | 'refresh' | 'togglePreview' }
  // in a detail
  | { readonly type: 'openFind' }
  | { readonly type: 'moveMatch' | 'moveItem'; readonly by: 1 | -1 }
  | { readonly type: 'openScreen'; readonly id: string }
  | { readonly type: 'addDigit'; readonly digit: string }
  | { readonly type: 'toggleMark' | 'toggleRange' | 'markAll' | 'toggleWatch' }
  | { readonly type: 'openFilter' | 'openSearch' | 'openTimeMenu' | 'openSortMenu' }
  | { readonly type: 'setTimeRange'; readonly range: string }
  | { readonly type: 'setSort'; readonly by: string }
  | { readonly type: 'stateChanged'; readonly list: string; readonly changes: readonly StateChange[] }
  | { readonly type: 'openViewMenu' | 'openViewForm' | 'openViewDeletion' }
  | { readonly type: 'openView'; readonly name: string }
  /** Asks first, unless the person is sure. */
  | { readonly type: 'deleteView'; readonly name: string; readonly sure?: true }
  | { readonly type: 'openPlace'; readonly place: RowPlace }
  /** The page of a `service:name`, `team:name` or another tag; of several, a menu. */
  | { readonly type: 'openSubject'; readonly subjects: readonly string[] }
  | { readonly type: 'copyId' | 'openCopyMenu' | 'openCommandMenu' | 'showLink' }
  | ({ readonly type: 'openLink' } & NamedLink)
  | { readonly type: 'moveRow'; readonly by: number }
  // from the engine
  /** `byItself`: no key asked for it. */
  | { readonly type: 'sortDone'; readonly list: string; readonly order: Order; readonly byItself?: true }
  /** The screen or tab in front is another one: its list is sorted anew. */
  | { readonly type: 'listEntered'; readonly left: AnyList }
  /** `top`: the first row to draw, where it is another one than before. */
  | {
      readonly type: 'cursorPlaced';
      readonly list: string;
      readonly cursor: string;
      readonly at: number;
      readonly top?: number;
    }
  /** New rows that were on the terminal when a key came. */
  | { readonly type: 'rowsSeen'; readonly list: string; readonly ids: readonly string[] };

/** The steps of an edit, from its key to its outcome. */
export type EditMessage =
  /** `typed`: what its first question begins with. */
  | { readonly type: 'startAction'; readonly id: string; readonly values?: unknown; readonly typed?: string }
  | { readonly type: 'repeatAction' | 'saveOrder' | 'openActionMenu' | 'askRedo' }
  /** The action of the first notice, on the row that it names. */
  | { readonly type: 'handleNotice' }
  /** One of these actions is chosen from a menu. */
  | { readonly type: 'openChoice'; readonly title: string; readonly ids: readonly string[] }
  | { readonly type: 'valuesChosen' | 'editConfirmed'; readonly pending: Pending }
  /** Something is being sent, or goes on so; without `change` it has ended. `of` stands for it. */
  | { readonly type: 'sendingChanged'; readonly of: object; readonly change?: Partial<UnderWay> }
  /** What is left of edits of several rows is not to be sent. */
  | { readonly type: 'stopSending' }
  | ({ readonly type: 'performDone'; readonly pending: Pending } & Omit<Performed, 'outcomes'>)
  | { readonly type: 'needDone'; readonly pending: Pending; readonly known?: unknown; readonly problem?: Problem }
  /** `confirmed`: a person has said yes to the undo of the edit whose newest entry this is. */
  | { readonly type: 'askUndo'; readonly confirmed?: string }
  | { readonly type: 'undoAsked'; readonly confirm: Confirmation; readonly yes: Message }
  | { readonly type: 'undoBegun'; readonly undoing: Undoing }
  | { readonly type: 'checkConfirmed'; readonly entry: string; readonly name: string }
  | ({ readonly type: 'undoDone'; readonly undoing: Undoing } & Undone);

/** The handover of the shift, and the views of the timeline: all events, or those of one kind. */
export type TimelineView = 'handover' | 'all' | 'edits' | 'changes' | 'messages';

/** A change of the state of a row of a list, as two reads have shown it. */
export type ListedChange = SeenChange & { readonly list: string };

/** What was read of the journal. */
export interface JournalReading {
  readonly entries: readonly JournalEntry[];
  /** What the reads have shown besides, the newest first. */
  readonly changes?: readonly ListedChange[];
  /** Whether it was asked for the edits of an earlier run that have no outcome. */
  readonly unsettled: boolean;
  /** The handover of the shift; absent where only edits are listed. */
  readonly report?: Handover | undefined;
  readonly shift?: Shift;
  /** Why the journal cannot be read. */
  readonly trouble?: string | undefined;
}

/** A field of a form that is open. */
interface FieldOf {
  readonly of: FormFor;
  readonly name: string;
}

/** Opens layers, and delivers results to layers wherever they are in the stack. */
export type LayerMessage =
  | { readonly type: 'showText'; readonly title: string; readonly lines: readonly string[] }
  | { readonly type: 'openHelp' | 'openPalette' | 'openJobs' }
  | ({ readonly type: 'journalRead' } & JournalReading)
  | { readonly type: 'profilesRead'; readonly items: readonly ProfileLine[]; readonly at?: string }
  | { readonly type: 'fleetRead'; readonly name: string; readonly standing: FleetStanding }
  | { readonly type: 'profileFailed'; readonly of: FormFor; readonly text: string }
  /** The profiles were read for the palette. */
  | { readonly type: 'profileNamesRead'; readonly items: readonly ProfileLine[] }
  /** `sure`: a person has answered the question before it. */
  | { readonly type: 'useProfile'; readonly name: string; readonly sure?: true }
  | { readonly type: 'askKeys' | 'removeProfile'; readonly name: string }
  /** The language of a field was loaded; `trouble`: why it could not be. */
  | ({ readonly type: 'languageRead'; readonly language?: FieldLanguage; readonly trouble?: string } & FieldOf)
  /** A directory was read, for a field that names a file. */
  | ({ readonly type: 'directoryRead'; readonly path: FilePath } & FieldOf)
  /** The first line of a CSV file was read. */
  | ({ readonly type: 'csvHeadRead'; readonly path: string; readonly read: ParseResult<readonly string[]> } & FieldOf)
  /** `name`: the one field that was edited; without it the text is the whole form. */
  | {
      readonly type: 'editorDone';
      readonly of: FormFor;
      readonly text?: string;
      readonly problem?: string;
      readonly name?: string | undefined;
    }
  | ({
      readonly type: 'fileRead';
      readonly path: string;
      readonly content?: string;
      readonly problem?: string;
    } & FieldOf)
  | { readonly type: 'jobProgressed'; readonly id: string; readonly progress: Progress }
  | ({ readonly type: 'jobDone'; readonly id: string } & JobEnd)
  /** The read of the keys' owner has ended; `trouble`: why it failed. */
  | { readonly type: 'ownerRead'; readonly trouble?: string };

/** Messages for the layer on top alone. */
export type TopMessage =
  | { readonly type: 'closeLayer' | 'choose' | 'startTyping' | 'answerYes' }
  | { readonly type: 'answerDraft'; readonly take: boolean }
  | { readonly type: 'moveInLayer' | 'moveField' | 'moveOption'; readonly by: number }
  | { readonly type: 'pressBarKey'; readonly key: string }
  /** A digit that chooses in a bar unless more is typed; undefined: it was taken back. */
  | { readonly type: 'holdDigit'; readonly digit: string | undefined }
  /** An earlier search or filter: 1 the one before, -1 back to the present. */
  | { readonly type: 'recall'; readonly by: 1 | -1 }
  | { readonly type: 'typeKey'; readonly key: Key }
  | { readonly type: 'pasteText'; readonly text: string }
  | { readonly type: 'searchDue'; readonly typed: string }
  | { readonly type: 'moveInputRow' | 'moveView'; readonly by: 1 | -1 }
  | { readonly type: 'moveOffer'; readonly by?: number }
  | { readonly type: 'dismissNotice' | 'retryFailed' | 'cancelJob' | 'toggleSecret' | 'copySecret' }
  // in a form
  | { readonly type: 'takeOffer' | 'completePath' | 'nextDiagnostic' | 'submitForm' | 'openEditor' | 'toggleChoice' }
  // in the timeline
  | { readonly type: 'openShiftMenu' | 'openShiftStart' | 'openNote' | 'openEntryMenu' | 'openEntry' | 'saveReport' }
  | { readonly type: 'setShift'; readonly shift: Shift }
  /** `sure`: the person has confirmed it, where that is required. */
  | { readonly type: 'runOnEntry'; readonly what: EntryDeed; readonly sure?: boolean }
  | { readonly type: 'runOnProfile'; readonly what: 'use' | 'new' | 'edit' | 'test' | 'remove' };

/** Messages to the session as a whole: its size, its polls, its end. */
export type SessionMessage =
  | { readonly type: 'copyText'; readonly what: string; readonly text: Copied }
  | { readonly type: 'togglePause' | 'toggleMouse' | 'openProfiles' | 'redraw' | 'suspend' | 'askQuit' | 'interrupt' }
  | { readonly type: 'setTheme'; readonly name: ThemeName; readonly isSaved: boolean }
  | { readonly type: 'setPollInterval'; readonly seconds: number }
  | { readonly type: 'openTimeline'; readonly view: TimelineView }
  | { readonly type: 'setSize'; readonly columns: number; readonly rows: number }
  | { readonly type: 'woke'; readonly sleptMs: number }
  /** `clearFlash`: a key that matters was pressed while this message was shown. */
  | { readonly type: 'showFlash' | 'clearFlash'; readonly flash: Flash }
  | { readonly type: 'setNotices'; readonly notices: readonly RowNotice[] }
  /** Rows of a list were read again, which has these alarms. */
  | { readonly type: 'alarmsRead'; readonly list: string; readonly alarms: readonly Pick<Alarm, 'key' | 'isUrgent'>[] }
  /** The moment of these notices has passed. */
  | { readonly type: 'clearNotices'; readonly keys: readonly string[] }
  | { readonly type: 'saveDone'; readonly problem: string | undefined };

/** Everything that can happen to the session. Plain values, so that footer, help and palette entries can hold one. */
export type Message = ListMessage | EditMessage | LayerMessage | TopMessage | SessionMessage;

/** The message of this type. */
export type MessageOf<Type extends Message['type']> = Message & { readonly type: Type };

/** What a form about a profile says. */
interface GivenProfile {
  readonly of: FormFor;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A side effect that the session requests. */
export type Effect =
  | { readonly ask: 'perform' | 'need'; readonly pending: Pending }
  | { readonly ask: 'offerUndo'; readonly confirmed?: string }
  | { readonly ask: 'undo'; readonly undoing: Undoing }
  | { readonly ask: 'refresh' | 'redraw' | 'suspend' | 'profiles' | 'profileNames' }
  | { readonly ask: 'pause'; readonly on: boolean }
  | ({ readonly ask: 'browse' } & NamedLink)
  | { readonly ask: 'copy'; readonly what: string; readonly text: Copied }
  | { readonly ask: 'theme'; readonly name: ThemeName; readonly isSaved: boolean }
  | { readonly ask: 'quit'; readonly code: number }
  | { readonly ask: 'journal'; readonly shift?: Shift }
  | { readonly ask: 'saveReport'; readonly text: string }
  /** `name`: `muted cpu on web`. */
  | { readonly ask: 'entry'; readonly id: string; readonly what: EntryDeed; readonly name: string }
  | { readonly ask: 'useProfile' | 'testProfile' | 'removeProfile'; readonly name: string }
  | ({ readonly ask: 'giveKeys' | 'editProfile'; readonly name: string } & GivenProfile)
  | ({ readonly ask: 'addProfile' } & GivenProfile)
  | { readonly ask: 'later'; readonly ms: number; readonly message: Message }
  | {
      readonly ask: 'edit';
      readonly of: FormFor;
      readonly text: string;
      readonly ending: string;
      readonly name?: string;
    }
  | ({ readonly ask: 'readFile'; readonly path: string; readonly limit: number } & FieldOf)
  | { readonly ask: 'job'; readonly id: string; readonly job: JobRequest; readonly of: readonly string[] }
  | { readonly ask: 'cancelJob'; readonly id: string };

/** Messages that open over a layer that shows, and whose layer leads back to it. */
export const opensOver: ReadonlySet<Message['type']> = new Set([
  'openPalette',
  'openHelp',
  'openProfiles',
  'openTimeline',
]);

/** Messages that lead to a screen, or to what opens everywhere. */
export const leads: ReadonlySet<Message['type']> = new Set([...opensOver, 'openScreen', 'askUndo', 'askRedo']);
