import type { Call } from '../../api/endpoint.ts';
import type { Problem, Result } from '../../api/problem.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { LoggedEdit } from '../../describe/context.ts';
import type { JobEnd, JobRequest, Progress, Unfinished } from '../../describe/job.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Handover, HandoverFacts } from '../../journal/handover-report.ts';
import type { Entry, KeptReceipt } from '../../journal/journal-entry.ts';
import type { UndoOffer } from '../../journal/undo-stack.ts';
import type { ParseResult } from '../../lib/function-results.ts';
import type { ThemeName } from '../../lib/setting-values.ts';
import { pastTense } from '../../lib/text.ts';
import type { SavedSession, Snapshot } from './saved-session.ts';

/** Files of this machine, for fields that name one. */
export interface LocalFiles {
  /** Names in a directory as it is typed, those of directories with `/` at the end; undefined where it cannot be read. */
  list(directory: string): Promise<readonly string[] | undefined>;
  /** The columns of a CSV file. */
  header(path: string): Promise<ParseResult<readonly string[]>>;
}

/** What is known of the path in a field. */
export interface FilePath {
  /** Up to the last `/`, as it is typed. */
  readonly directory: string;
  readonly entries: readonly string[];
  /** The file whose first line was read, and its columns. */
  readonly header?: { readonly path: string; readonly read: ParseResult<readonly string[]> };
}

/** A line of the journal as the screen lists it. */
export interface JournalEntry extends Omit<LoggedEdit, 'did'> {
  readonly text: string;
  /** The receipt, as the person read it. */
  readonly said?: string;
  /** What a switch was turned to. */
  readonly isOn?: boolean;
  /** The edit that it undid. */
  readonly undid?: Pick<JournalEntry, 'operation' | 'isOn'>;
  readonly undoable: boolean;
  /** A check showed that it was not applied, and it was neither repeated nor forgotten since. */
  readonly repeatable?: boolean;
  /** A person dismissed it, or it was sent again: it is not sent once more. */
  readonly isDismissed?: boolean;
  /** Whether a read exists that shows the outcome. */
  readonly checkable: boolean;
}

/** What is done about an edit of the journal. */
export type EntryDeed = 'check' | 'repeat' | 'forget' | 'undo';

/** Why an edit is not checked. */
export const uncheckable = 'no request can read its result';

export interface ProfileLine {
  readonly name: string;
  readonly says: string;
  readonly current: boolean;
  /** Whether the fleet board reads how its organization stands. */
  readonly isOfFleet?: boolean;
  /** What it says besides its keys, by the name of the field; absent where it cannot be edited. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Whether the profile is part of the program: nothing edits or removes it. */
  readonly isBuiltIn?: boolean;
  /** What a person wants to know of it before using it, as label and text; no key among them. */
  readonly facts?: readonly (readonly [label: string, text: string])[];
}

/** How the organization of a profile stands: what alerts, its issues of a day, when a mute of an alert ends, and what is left of its rate limit. */
export type FleetStanding =
  | {
      readonly alerting: number;
      readonly issues: string;
      /** Epoch milliseconds. */
      readonly muteEnds?: number | undefined;
      /** 0 to 1. */
      readonly quota?: number | undefined;
    }
  | { readonly problem: string };

/** What the session needs from outside: terminal, disk, other profiles. */
export interface Outside {
  /** Copies text to a clipboard; answers with a phrase that says which, or undefined where there is none. */
  copy(text: string): Promise<string | undefined>;
  /** Opens an address in a browser; answers with why it could not. Absent where there is none. */
  browse?(url: string): Promise<string | undefined>;
  /** Opens text in the person's editor, in a file with this `ending`. */
  edit(text: string, ending: string): Promise<ParseResult<string>>;
  /** Reads a local file as text, at most `limit` bytes. */
  readFile(path: string, limit: number): Promise<ParseResult<string>>;
  /** Files of this machine, for fields that name one. */
  readonly files?: LocalFiles;
  /** Runs a long job; `signal` stops it. */
  job(
    job: JobRequest,
    how: { readonly signal: AbortSignal; readonly progress: (progress: Progress) => void },
  ): Promise<JobEnd>;
  /** Jobs of an earlier run that never ended, as of the last look. */
  unfinished?(): readonly Unfinished[];
  /**
   * What is to survive this run has changed; `saved` gives it as of the moment of the call. `told` learns why it could not be written;
   * undefined when it was.
   */
  keep?(saved: () => SavedSession, told: (problem: string | undefined) => void): void;
  /**
   * Rows were read; `snapshot` gives those to show at the next start, as of the moment of the call. To be written within so many
   * milliseconds; undefined: they are as they were, and only younger.
   */
  keepRows?(snapshot: () => Snapshot, withinMs: number | undefined): void;
  /** Draws in another theme from now on, and keeps it in the profile where asked; answers with a sentence. */
  theme?(name: ThemeName, isSaved: boolean): Promise<{ readonly ok: boolean; readonly text: string }>;
  suspend(): void;
  redraw(): void;
  /** Notifies a person in the way of the profile; the text has counts only. */
  ring(text: string): void;
  quit(code: number): void;
  /** `trouble`: why the journal cannot be read; then `entries` is empty. */
  journal(facts?: HandoverFacts): Promise<{
    readonly entries: readonly JournalEntry[];
    /** The handover; only with `facts`. */
    readonly report?: Handover;
    readonly trouble?: string;
  }>;
  /** Writes the handover report into a file (0600); answers with a sentence that says where. */
  saveReport?(text: string): Promise<{ readonly ok: boolean; readonly text: string }>;
  /** Edits of an earlier run whose outcome is unknown. `skipped`: a sentence on what of the journal could not be read. */
  unsettled(): Promise<{
    readonly entries: readonly JournalEntry[];
    readonly trouble?: string;
    readonly skipped?: string;
  }>;
  /** Checks, repeats, forgets or undoes an edit of the journal, which is called `name`; answers with the outcome as a sentence. */
  entry(id: string, what: EntryDeed, name: string): Promise<string>;
  remember(group: string, targetId: string, calls: readonly Call[], receipt?: KeptReceipt): void;
  /** What is undone next, by the journal as it is now. */
  undoOffer(): Promise<Result<UndoOffer>>;
  /** Undoes one edit as the journal has it; undefined where that succeeded. */
  takeBack(entry: Entry, began?: (requests: readonly string[]) => void): Promise<Problem | undefined>;
  /** Notes in the journal what became of the undo of an edit. */
  undoEnded(entry: string, problem: Problem | undefined): Promise<void>;
  profiles(): Promise<readonly ProfileLine[]>;
  /** Tells how the organizations of profiles marked for it stand, again every minute, until the result is called. */
  watchFleet?(told: (name: string, standing: FleetStanding) => void): () => void;
  /** Undefined when the switch succeeded: this session is closed then. One that is not wanted any more when its keys are read is not made. */
  switchProfile(
    name: string,
    isWanted: () => boolean,
  ): Promise<{ readonly text: string; readonly needsKeys: boolean } | undefined>;
  /** Takes keys that are typed at each start, and switches to their profile. Answers with the problem, if any. */
  giveKeys(
    name: string,
    values: Readonly<Record<string, unknown>>,
    isWanted: () => boolean,
  ): Promise<string | undefined>;
  testProfile(name: string): Promise<readonly string[]>;
  removeProfile(name: string): Promise<string | undefined>;
  addProfile(values: Readonly<Record<string, unknown>>): Promise<string | undefined>;
  /** Changes what a profile says; its keys stay. Answers with a sentence. */
  editProfile(
    name: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
}

export interface SessionProfile {
  readonly name: string;
  readonly environment: string;
  readonly production: boolean;
  readonly readOnly: boolean;
  /** What reaches beyond the organization is off: programs, files, other profiles. */
  readonly isKiosk?: boolean;
  /** The dashboard began with the fleet. */
  readonly showsFleet?: boolean;
  readonly pollMs: number;
  /** Nothing is polled until a person says so. */
  readonly isPaused?: boolean;
  /** Lists with something to notify of are read now and then although another one is in front. */
  readonly isNotified?: boolean;
  readonly notifyPriority?: number | undefined;
  readonly notifyIssues?: number | undefined;
  /** Address of the service's web pages, where the profile has one. */
  readonly web?: string | undefined;
}

/** What a handover covers: the last hours, or everything since a moment (epoch milliseconds). */
export type Shift = { readonly hours: number } | { readonly since: number };

/** The shifts to choose from. */
export const shifts: readonly Shift[] = [8, 12, 24, 24 * 7].map((hours) => ({ hours }));

/** The shift of the report until a person chooses another. */
export const firstShift: Shift = { hours: 8 };

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
