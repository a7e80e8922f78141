import type { Problem } from '../../api/problem.ts';
import type { Secret } from '../../describe/action.ts';
import type { JobRequest, Progress } from '../../describe/job.ts';
import type { FieldLanguage } from '../../describe/language.ts';
import type { Receipt, ReceiptPart } from '../../describe/receipt.ts';
import type { Handover } from '../../journal/handover-report.ts';
import type { Copied } from '../../lib/copied.ts';
import type { ParseResult } from '../../lib/reading.ts';
import type { ThemeName } from '../../lib/theme-names.ts';
import type { Key } from '../keyboard/keyboard.ts';
import type { JournalEntry, ProfileLine } from '../outside/outside.ts';
import type { FilePath } from '../outside/path.ts';
import type { Order, StateChange } from '../rows/list-state.ts';
import type { Pending, RowResult, Undoable } from '../send/pending.ts';
import type { FormFor } from './form-layer.ts';
import type { Shift } from './handover.ts';

/** A message above the hints: it stays until the next key that matters. */
export interface Flash {
  readonly text: string;
  /** The text in its parts, where it has names that may be shortened. */
  readonly parts?: readonly ReceiptPart[];
  readonly tone: 'good' | 'bad' | 'warn' | 'info';
  /** Keys that help now, one of `keyHints`. */
  readonly keys?: string;
  readonly at: number;
  /** Shown in full by the log. */
  readonly problem?: Problem;
  /** More lines for the log. */
  readonly details?: readonly string[];
  /** Of the notice that it is. */
  readonly notice?: string;
}

/** A message about one row that stays until it is handled: a mute of it ends soon. */
export interface RowNotice {
  /** Of the alarm. */
  readonly key: string;
  /** What ends, when, and the same moment in words. */
  readonly subject: Receipt;
  readonly ends: number;
  readonly end: string;
  readonly at: number;
  /** It stands before those that are not. */
  readonly isUrgent?: boolean | undefined;
  /** The row that it is about, and the action that its key starts on that row. */
  readonly list: string;
  readonly rowId: string;
  readonly subRowId?: string | undefined;
  readonly action: string;
}

/** Actions of a person on the list in front. */
export type ListMessage =
  | { readonly do: 'move'; readonly by: number }
  | { readonly do: 'page'; readonly by: number }
  | { readonly do: 'end'; readonly last: boolean }
  | { readonly do: 'scroll'; readonly by: number }
  | { readonly do: 'open' }
  | { readonly do: 'back' }
  | { readonly do: 'tab'; readonly by: number }
  | { readonly do: 'block'; readonly by: number }
  // in a detail
  | { readonly do: 'find' }
  | { readonly do: 'match'; readonly by: 1 | -1 }
  | { readonly do: 'item'; readonly by: 1 | -1 }
  | { readonly do: 'screen'; readonly id: string }
  | { readonly do: 'preview' }
  | { readonly do: 'digit'; readonly digit: string }
  | { readonly do: 'mark' }
  | { readonly do: 'range' }
  | { readonly do: 'markAll' }
  | { readonly do: 'filter' }
  | { readonly do: 'search' }
  | { readonly do: 'ranges' }
  | { readonly do: 'setRange'; readonly range: string }
  | { readonly do: 'sorts' }
  | { readonly do: 'sort'; readonly by: string }
  | { readonly do: 'refresh' }
  | { readonly do: 'watchRow' }
  | { readonly do: 'stateChanged'; readonly list: string; readonly changes: readonly StateChange[] }
  | { readonly do: 'views' }
  | { readonly do: 'saveView' }
  | { readonly do: 'deleteViews' }
  | { readonly do: 'openView'; readonly name: string }
  | { readonly do: 'deleteView'; readonly name: string }
  | { readonly do: 'openRow'; readonly list: string; readonly row: string }
  | { readonly do: 'copyId' }
  | { readonly do: 'copies' }
  | { readonly do: 'copyVerbs' }
  | { readonly do: 'link' }
  | { readonly do: 'shift'; readonly by: number }
  // from the engine
  | { readonly do: 'arranged'; readonly list: string; readonly order: Order }
  /** The screen or tab in front is another one: its list is sorted anew. */
  | { readonly do: 'entered' }
  | { readonly do: 'landed'; readonly list: string; readonly cursor: string; readonly at: number };

/** The steps of an edit, from its key to its outcome. */
export type EditMessage =
  /** `typed`: what its first question begins with. */
  | {
      readonly do: 'action';
      readonly id: string;
      readonly values?: unknown;
      readonly typed?: string;
    }
  | { readonly do: 'again' }
  | { readonly do: 'saveOrder' }
  /** The action of the first notice, on the row that it names. */
  | { readonly do: 'handleNotice' }
  | { readonly do: 'verbs' }
  | { readonly do: 'perform'; readonly pending: Pending }
  /** `isUndoable`: an edit that `u` undoes when it has ended, not an undo or a job. */
  | { readonly do: 'performing'; readonly by: number; readonly isUndoable?: true; readonly rows?: number }
  /** One row of what is being sent has ended. */
  | { readonly do: 'rowEnded' }
  /** What is left of edits of several rows is not to be sent. */
  | { readonly do: 'stopSending' }
  | {
      readonly do: 'performed';
      readonly pending: Pending;
      readonly results: readonly RowResult[];
      readonly problem?: Problem;
      readonly undo?: Undoable;
      readonly receipt?: Receipt;
      readonly secret?: Secret;
      readonly made?: string;
    }
  | { readonly do: 'needed'; readonly pending: Pending; readonly known?: unknown; readonly problem?: Problem }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  | { readonly do: 'undoNow'; readonly edit: Undoable }
  /** `edit`: what is left to undo where there is a `problem`, or where `left` names rows that were not undone, each with its reason. */
  | {
      readonly do: 'undone';
      readonly edit: Undoable;
      readonly problem?: Problem;
      readonly done?: number;
      readonly left?: readonly { readonly name: string; readonly text: string }[];
    };

/** Opens layers, and delivers results to layers wherever they are in the stack. */
export type LayerMessage =
  | { readonly do: 'showText'; readonly title: string; readonly lines: readonly string[] }
  | { readonly do: 'help' }
  | { readonly do: 'palette' }
  | { readonly do: 'messages' }
  | { readonly do: 'jobs' }
  | {
      readonly do: 'journalRead';
      readonly entries: readonly JournalEntry[];
      readonly unsettled: boolean;
      readonly trouble?: string | undefined;
      readonly report?: Handover | undefined;
      readonly shift?: Shift;
    }
  | { readonly do: 'profileLines'; readonly items: readonly ProfileLine[]; readonly at?: string }
  | { readonly do: 'askKeys'; readonly name: string }
  | { readonly do: 'profileFailed'; readonly text: string }
  /** The profiles were read for the palette. */
  | { readonly do: 'profileNames'; readonly items: readonly ProfileLine[] }
  /** `sure`: a person has answered the question before it. */
  | { readonly do: 'useProfile'; readonly name: string; readonly sure?: true }
  | { readonly do: 'removeProfile'; readonly name: string }
  /** The language of a field was loaded; `trouble`: why it could not be. */
  | {
      readonly do: 'language';
      readonly of: FormFor;
      readonly name: string;
      readonly language?: FieldLanguage;
      readonly trouble?: string;
    }
  /** A directory was read, for a field that names a file. */
  | { readonly do: 'listed'; readonly of: FormFor; readonly name: string; readonly path: FilePath }
  /** The first line of a CSV file was read. */
  | {
      readonly do: 'headed';
      readonly of: FormFor;
      readonly name: string;
      readonly path: string;
      readonly read: ParseResult<readonly string[]>;
    }
  | { readonly do: 'progress'; readonly id: string; readonly progress: Progress }
  | {
      readonly do: 'jobDone';
      readonly id: string;
      readonly ok: boolean;
      readonly text: string;
      readonly made?: string;
      readonly lines?: readonly string[];
    }
  /** The read of the keys' owner has ended; `trouble`: why it failed. */
  | { readonly do: 'ownerRead'; readonly trouble?: string };

/** Messages for the layer on top alone. */
export type TopMessage =
  | { readonly do: 'pop' }
  | { readonly do: 'draft'; readonly take: boolean }
  | { readonly do: 'step'; readonly by: number }
  | { readonly do: 'choose' }
  | { readonly do: 'barKey'; readonly key: string }
  /** A digit that chooses in a bar unless more is typed; undefined: it was taken back. */
  | { readonly do: 'holdDigit'; readonly digit: string | undefined }
  /** An earlier search or filter: 1 the one before, -1 back to the present. */
  | { readonly do: 'recall'; readonly by: 1 | -1 }
  | { readonly do: 'typing' }
  | { readonly do: 'type'; readonly key: Key }
  | { readonly do: 'paste'; readonly text: string }
  | { readonly do: 'asked'; readonly typed: string }
  | { readonly do: 'field'; readonly by: number }
  | { readonly do: 'row'; readonly by: 1 | -1 }
  | { readonly do: 'option'; readonly by: number }
  | { readonly do: 'offer'; readonly by?: number }
  | { readonly do: 'takeOffer' }
  | { readonly do: 'complete' }
  | { readonly do: 'nextFinding' }
  | { readonly do: 'submit' }
  | { readonly do: 'editRaw' }
  /** `name`: the one field that was edited; without it the text is the whole form. */
  | { readonly do: 'edited'; readonly text?: string | undefined; readonly name?: string | undefined }
  | {
      readonly do: 'fileRead';
      readonly name: string;
      readonly path: string;
      readonly content?: string;
      readonly problem?: string;
    }
  | { readonly do: 'toggle' }
  | { readonly do: 'dismiss' }
  | { readonly do: 'yes' }
  | { readonly do: 'retry' }
  | { readonly do: 'rawEntries' }
  | { readonly do: 'shiftHours' }
  | { readonly do: 'shiftSince' }
  | { readonly do: 'openEntry' }
  | { readonly do: 'saveReport' }
  /** `sure`: the person has confirmed it, where that is required. */
  | { readonly do: 'entry'; readonly what: 'check' | 'repeat' | 'forget' | 'undo'; readonly sure?: boolean }
  | { readonly do: 'profile'; readonly what: 'use' | 'new' | 'edit' | 'test' | 'remove' }
  | { readonly do: 'reveal' }
  | { readonly do: 'copySecret' }
  | { readonly do: 'cancelJob' };

/** Messages to the session as a whole: its size, its polls, its end. */
export type SessionMessage =
  | { readonly do: 'copy'; readonly what: string; readonly text: Copied }
  | { readonly do: 'pause' }
  | { readonly do: 'theme'; readonly name: ThemeName; readonly isSaved: boolean }
  | { readonly do: 'pollEvery'; readonly seconds: number }
  | { readonly do: 'mouse' }
  | { readonly do: 'journal' }
  | { readonly do: 'profiles' }
  | { readonly do: 'size'; readonly columns: number; readonly rows: number }
  | { readonly do: 'woke'; readonly sleptMs: number }
  | { readonly do: 'flash'; readonly flash: Flash }
  /** A key that matters was pressed while this message was shown. */
  | { readonly do: 'unflash'; readonly flash: Flash }
  | { readonly do: 'notices'; readonly notices: readonly RowNotice[] }
  /** Of the notices of a list, these are urgent: rows were read again. */
  | { readonly do: 'noticesUrgent'; readonly list: string; readonly keys: ReadonlySet<string> }
  /** These notices no longer stand: their rows were read again, or their moment has passed. */
  | { readonly do: 'noticesOver'; readonly keys: readonly string[] }
  | { readonly do: 'redraw' }
  | { readonly do: 'keepDone'; readonly problem: string | undefined }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit' }
  | { readonly do: 'interrupt' }
  | { readonly do: 'quitNow'; readonly code: number };

/** Everything that can happen to the session. Plain values, so that footer, help and palette entries can hold one. */
export type Message = ListMessage | EditMessage | LayerMessage | TopMessage | SessionMessage;

/** A side effect that the session requests. */
export type Effect =
  | { readonly ask: 'perform'; readonly pending: Pending }
  | { readonly ask: 'need'; readonly pending: Pending }
  | { readonly ask: 'undo'; readonly edit: Undoable }
  | { readonly ask: 'stopSending' }
  | { readonly ask: 'refresh' }
  | { readonly ask: 'pause'; readonly on: boolean }
  | { readonly ask: 'copy'; readonly what: string; readonly text: Copied }
  | { readonly ask: 'redraw' }
  | { readonly ask: 'theme'; readonly name: ThemeName; readonly isSaved: boolean }
  | { readonly ask: 'suspend' }
  | { readonly ask: 'quit'; readonly code: number }
  | { readonly ask: 'journal'; readonly shift?: Shift }
  | { readonly ask: 'saveReport'; readonly text: string }
  | {
      readonly ask: 'entry';
      readonly id: string;
      readonly what: 'check' | 'repeat' | 'forget' | 'undo';
      /** `muted cpu on web`. */
      readonly name: string;
    }
  | { readonly ask: 'profiles' | 'profileNames' }
  | { readonly ask: 'useProfile' | 'testProfile' | 'removeProfile'; readonly name: string }
  | { readonly ask: 'giveKeys'; readonly name: string; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ask: 'addProfile'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ask: 'editProfile'; readonly name: string; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ask: 'later'; readonly ms: number; readonly message: Message }
  | { readonly ask: 'edit'; readonly text: string; readonly ending: string; readonly name?: string }
  | { readonly ask: 'readFile'; readonly name: string; readonly path: string; readonly limit: number }
  | { readonly ask: 'job'; readonly id: string; readonly job: JobRequest; readonly of: readonly string[] }
  | { readonly ask: 'cancelJob'; readonly id: string };
