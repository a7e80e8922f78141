import type { Bar, Confirmation, Secret } from '../../describe/action.ts';
import type { ListQuery, Source } from '../../describe/context.ts';
import type { Progress } from '../../describe/job.ts';
import type { Pick, Picker } from '../../describe/picks.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { EditedLine } from '../keyboard/editor.ts';
import type { FleetStanding, ProfileLine } from '../outside/outside.ts';
import type { Drafts, SavedDraft, SavedView, ShiftNote } from '../outside/saved-session.ts';
import { type ListState, type OpenDetail, untouched } from '../rows/list-state.ts';
import type { Pending, RowResult, UnderWay, Undoable } from '../send/pending-edit.ts';
import type { OpenForm } from './form-layer.ts';
import type { Flash, JournalReading, Message, RowNotice, TimelineView } from './message.ts';

/** A list that was opened from a row of another: one step back leads there, to where the person was in it. */
interface Origin {
  readonly screen: string;
  readonly tab: number;
  readonly list: string;
  readonly row?: string | undefined;
  readonly filter: string;
  /** The list that was left, and all lists as they were then. */
  readonly left?: { readonly list: string; readonly lists: Readonly<Record<string, ListState>> };
  /** The layers that were open, the one whose line opened it on top: one step back shows them again. */
  readonly layers?: readonly Layer[];
  /** Where that list was opened from. */
  readonly from?: Origin | undefined;
}

/** An action that was done, to be repeated on another row. */
export interface LastAction {
  readonly action: string;
  readonly list: string;
  readonly values: unknown;
  readonly picked?: unknown;
  readonly pickedAs?: string;
  readonly title: string;
}

/** Everything that a person did; what the service answered is in the cache. */
export interface State {
  readonly screen: string;
  readonly tab: Readonly<Record<string, number>>;
  readonly lists: Readonly<Record<string, ListState>>;
  readonly layers: readonly Layer[];
  /** Jobs that go on without their layer, the last one left at the end. */
  readonly behind?: readonly LayerOf<'job'>[];
  /** Secrets that are shown when no other layer is open, the oldest first. */
  readonly secrets?: readonly LayerOf<'secret'>[];
  readonly flash?: Flash | undefined;
  readonly undo: readonly Undoable[];
  /** The group of the edit whose receipt was shown last: `u` may undo it unasked. None after a failure, and once it is undone. */
  readonly lastReceipt?: string | undefined;
  /** The edit undone last, until another one is made. */
  readonly redo?: Undoable | undefined;
  /** What `.` repeats. */
  readonly last?: LastAction;
  /** People chosen lately. */
  readonly recent: readonly Pick[];
  /** The messages of this run, the newest first. */
  readonly messages: readonly Flash[];
  /** Notices that are not handled, the urgent ones first. */
  readonly notices: readonly RowNotice[];
  /** Operations that the service refused for want of a permission, each with its permissions as a person reads them. */
  readonly refused: Readonly<Record<string, string>>;
  readonly paused: boolean;
  /** Milliseconds between polls where a person has said so in this run; the profile's when absent. */
  readonly pollMs?: number;
  /** Rows opened or edited in this run, on any screen, the last one first. */
  readonly touched: readonly Touched[];
  /** The terminal reports its mouse; while it does, it cannot select text by itself. */
  readonly mouse: boolean;
  /** Where the screen in front was opened from, when it was opened by a row of another. */
  readonly from?: Origin | undefined;
  /** When a person last saw the whole of a board, epoch milliseconds. */
  readonly lookedAt?: number;
  readonly size: { readonly columns: number; readonly rows: number };
  /** What is being sent, the last one begun at the end; quitting then takes a second key press. */
  readonly underWay: readonly UnderWay[];
  readonly warnedQuit: boolean;
  /** What the last warning before quitting named. */
  readonly warnedOf?: string;
  /** What was typed into forms that were not sent. */
  readonly drafts: Drafts;
  /** What the person has written for the next shift. */
  readonly note?: ShiftNote | undefined;
  /** Views that a person has named. */
  readonly views: readonly SavedView[];
  /** Why drafts and views are not on the disk as they are. */
  readonly keepTrouble?: string | undefined;
  /** Earlier searches and filters of each list, newest first. */
  readonly searches: Readonly<Record<string, readonly ListQuery['search'][]>>;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** When the machine last woke from sleep, epoch milliseconds: rows read before are not edited. */
  readonly wokeAt?: number;
}

/** The state at the start, or after a change of profile. */
export function initial(screens: readonly Screen[], size: State['size'], screen = screens[0]?.id ?? ''): State {
  const lists: Record<string, ListState> = {};
  for (const { lists: each } of screens) for (const list of each) lists[list.id] = untouched(list);
  return {
    screen,
    tab: {},
    lists,
    layers: [],
    undo: [],
    messages: [],
    notices: [],
    recent: [],
    refused: {},
    paused: false,
    touched: [],
    mouse: false,
    size,
    underWay: [],
    warnedQuit: false,
    drafts: {},
    views: [],
    searches: {},
    filters: {},
  };
}

/** The screen in front, and the list of its open tab. */
export function front(state: State, screens: readonly Screen[]): { screen: Screen; list: AnyList } {
  const screen = screens.find((screen) => screen.id === state.screen) ?? (screens[0] as Screen);
  const list = screen.lists[state.tab[screen.id] ?? 0] ?? (screen.lists[0] as AnyList);
  return { screen, list };
}

/** Whether it is of several rows, which are counted and can be stopped. */
export const isBulk = ({ rows }: UnderWay): boolean => rows > 1;

/** Whether `u` undoes it when it has ended; until then it would undo an earlier edit. */
export const isUndoableEdit = (edit: UnderWay): boolean => edit.isUndoable === true;

/** The last begun of the edits of several rows or requests: it has a box. */
export const boxedEdit = ({ underWay }: State): UnderWay | undefined =>
  underWay.findLast(({ rows, requests = [] }) => rows > 1 || requests.length > 1);

/** Milliseconds that an edit of several rows or requests takes before it has a box: most are over before anybody could read one. */
export const underWayBoxMs = 1_000;

export interface MenuItem extends Pick {
  readonly key?: string | undefined;
  /** Why the item cannot be chosen. */
  readonly refused?: string | undefined;
  /** Why it will probably be refused; it can be chosen. */
  readonly doubt?: string | undefined;
  readonly run: Message;
}

/** A layer over the list; the last one of the stack is on top. */
export type Layer =
  | OpenForm
  | {
      /** Waits for the read that an action needs, or for the keys of a profile that is opened. */
      readonly kind: 'wait';
      readonly title: string;
      readonly pending?: Pending;
    }
  | {
      /** The pick list of one field of the form below. */
      readonly kind: 'take';
      readonly name: string;
      readonly title: string;
      readonly several: boolean;
      readonly free: boolean;
      readonly picks: (typed: string) => Source<Pick>;
      readonly taken: readonly { readonly id: string; readonly label: string }[];
      /** Ids that were taken when the list was opened. */
      readonly opened?: readonly string[];
      readonly query: EditedLine;
      readonly asked: string;
      /** Rows of an earlier answer, shown until the service has answered what was asked. */
      readonly before?: readonly Pick[];
      readonly typing: boolean;
      readonly cursor: number;
    }
  | {
      /** A secret that is shown once. Only this layer holds it. */
      readonly kind: 'secret';
      readonly secret: Secret;
      readonly shown: boolean;
      readonly copied: boolean;
      readonly leaving: boolean;
    }
  | {
      readonly kind: 'job';
      readonly id: string;
      readonly title: string;
      /** When it was begun, epoch milliseconds. */
      readonly since: number;
      /** What happens when it has ended well. */
      readonly after?: string;
      readonly progress?: Progress;
      readonly stopping: boolean;
      readonly isProgram?: true;
      /** What was typed into the form that it was begun with, and the form's name: kept for another attempt. */
      readonly typed?: readonly [form: string, draft: SavedDraft];
      readonly ended?: { readonly at: number; readonly ok: boolean; readonly text: string };
      /** What it printed, once it has ended. */
      readonly lines?: readonly string[];
    }
  | { readonly kind: 'confirm'; readonly confirm: Confirmation; readonly typed: EditedLine; readonly yes: Message }
  | {
      readonly kind: 'bar';
      readonly bar: Bar<Record<string, unknown>>;
      readonly values: Readonly<Record<string, unknown>>;
      readonly input?:
        | { readonly name: string; readonly line: EditedLine; readonly error?: string | undefined }
        | undefined;
      /** The digit that chooses unless more is typed. */
      readonly held?: string | undefined;
      readonly pending: Pending;
    }
  | {
      readonly kind: 'pick';
      readonly picker: Picker<unknown>;
      /** The action's first pick: its form comes after it. */
      readonly isFirst?: boolean;
      /** You were picked while it was still being read who you are. */
      readonly waitsForMe?: boolean;
      readonly query: EditedLine;
      /** The query as last sent, a moment after the last letter. */
      readonly asked: string;
      /** Rows of an earlier answer, shown until the service has answered what was asked. */
      readonly before?: readonly Pick[];
      readonly typing: boolean;
      readonly cursor: number;
      readonly pending: Pending;
    }
  | { readonly kind: 'filter'; readonly list: string; readonly line: EditedLine; readonly recalled?: number }
  | {
      readonly kind: 'find';
      readonly line: EditedLine;
      /** The detail as it was before the search. */
      readonly from: OpenDetail;
    }
  | { readonly kind: 'help'; readonly query: EditedLine; readonly cursor: number; readonly searching: boolean }
  | {
      readonly kind: 'palette';
      readonly query: EditedLine;
      readonly cursor: number;
      /** The profiles of this machine; undefined until they have been read. */
      readonly profiles?: readonly ProfileLine[];
    }
  | { readonly kind: 'menu'; readonly title: string; readonly items: readonly MenuItem[]; readonly cursor: number }
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly lines: readonly string[];
      readonly top: number;
    }
  | {
      readonly kind: 'results';
      readonly title: string;
      readonly results: readonly RowResult[];
      readonly cursor: number;
      readonly pending: Pending;
    }
  | ({
      readonly kind: 'timeline';
      readonly view: TimelineView;
      readonly cursor: number;
      /** Whether it was opened and the journal is still being read. */
      readonly isLoading?: boolean;
      /** The line that asks for the start of the shift or for the note, and why it was refused. */
      readonly asking?:
        | { readonly for: 'since' | 'note'; readonly line: EditedLine; readonly error?: string }
        | undefined;
    } & JournalReading)
  | {
      readonly kind: 'profiles';
      readonly items: readonly ProfileLine[];
      /** How their organizations stand, by name, as far as they were read. */
      readonly fleet?: Readonly<Record<string, FleetStanding>>;
      readonly cursor: number;
    };

/** Milliseconds between two polls of what is in front, and of what says so much itself. */
export const pollMsOf = (
  { state, profile }: { readonly state: State; readonly profile: { readonly pollMs: number } },
  seconds = 0,
): number => Math.max(state.pollMs ?? profile.pollMs, seconds * 1000);

/** The layer of this kind. */
export type LayerOf<K extends Layer['kind']> = Extract<Layer, { kind: K }>;

/** A row that was opened or edited in this run. */
interface Touched {
  readonly list: string;
  readonly row: string;
  readonly name: string;
}

const mostTouched = 20;

/** The state with rows of a list as those touched last, the first of them first. */
export function withTouched<S extends { readonly touched: readonly Touched[] }>(
  state: S,
  list: AnyList,
  rows: readonly { readonly id: string; readonly name: string }[],
): S {
  if (list.derived || !list.detail || rows.length === 0) return state;
  const now = rows.map(({ id, name }): Touched => ({ list: list.id, row: id, name }));
  const isNow = ({ row }: Touched) => now.some((one) => one.row === row);
  const others = state.touched.filter((one) => one.list !== list.id || !isNow(one));
  return { ...state, touched: [...now, ...others].slice(0, mostTouched) };
}
