import type { Call } from '../api/endpoint.ts';
import type { Problem } from '../api/problem.ts';
import type { AnyAction, Bar, Confirm, Pick, Picker, Progress, Secret } from '../describe/action.ts';
import type { Fields } from '../describe/field.ts';
import type { Completion, Finding, Language } from '../describe/language.ts';
import type { AnyList, ListQuery, Screen, Source } from '../describe/screen.ts';
import type { Editor } from './form/editor.ts';
import type { Line } from './form/line.ts';
import type { Message } from './message.ts';

/** A row of any list. Only its own list's functions look inside. */
export type Row = unknown;

/** The order that a person is looking at: polls may not change it under the cursor. */
export interface Order {
  readonly key: string;
  readonly ids: readonly string[];
}

/** What a person did to one list. Rows are named by id, never by index. */
export interface ListState {
  readonly asked: ListQuery;
  readonly filter: string;
  readonly sort?: { readonly by: string; readonly down: boolean };
  readonly cursor?: string;
  /** Where the cursor was, should its row leave. */
  readonly cursorAt: number;
  readonly order?: Order;
  readonly marks: ReadonlySet<string>;
  /** Row where `v` was pressed. */
  readonly anchor?: string;
  /** Digits typed while a range is being chosen: `v4j`. */
  readonly count: string;
  readonly top: number;
  readonly hscroll: number;
  /** Ids in the order that is being made with J and K, until it is saved or dropped. */
  readonly moving?: readonly string[];
  /** Ids that were there when the person last looked; undefined until the first read. */
  readonly seen?: ReadonlySet<string>;
  readonly detail?: { readonly id: string; readonly tab: number; readonly top: number; readonly subRowId?: string };
}

/** An edit on its way to being sent: which action, on which rows, with which values. */
export interface Pending {
  readonly action: AnyAction;
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId?: string;
  readonly values?: unknown;
  /** What was picked first, where the action asks for that. */
  readonly picked?: unknown;
  /** How that is called, for the title. */
  readonly pickedAs?: string;
  /** What the action's `needs` read. */
  readonly known?: unknown;
}

/** Who gets the values of a form. */
export type FormFor =
  | { readonly kind: 'action'; readonly pending: Pending }
  | { readonly kind: 'search'; readonly list: string }
  | { readonly kind: 'profile' }
  | { readonly kind: 'keys'; readonly name: string };

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly key?: string;
  /** Why it cannot be chosen. */
  readonly refused?: string;
  readonly run: Message;
}

/** One value that an edit would change. */
export interface Difference {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Of several things: what goes and what comes, either of which may be none. */
  readonly several?: boolean;
}

/** What is known of a field in a language besides its text. */
export interface Written {
  /** Undefined until it has been loaded. */
  readonly language?: Language;
  /** Why it could not be loaded: the field works without checks. */
  readonly trouble?: string;
  /** Said of the text as it is, the gravest first. */
  readonly findings: readonly Finding[];
  /** The texts of the form that the findings are about. */
  readonly about?: Readonly<Record<string, string>>;
  /** What may follow, and which of it is chosen. */
  readonly offers?: { readonly completion: Completion; readonly cursor: number } | undefined;
  /** What held the save of a text back: saved again for the same reason, it goes to the service. */
  readonly refused?: { readonly text: string; readonly message: string };
}

/** One row's share of a bulk edit. */
export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly row: Row;
  readonly ok: boolean;
  readonly text: string;
}

/** A line of the journal as the screen lists it. */
export interface JournalEntry {
  readonly id: string;
  readonly at: number;
  readonly operation: string;
  readonly target: string;
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'open';
  readonly text: string;
  readonly undoable: boolean;
  /** A later look showed that it was not applied, and it was neither repeated nor forgotten since. */
  readonly repeatable?: boolean;
  /** What the outcome can still be read back from. */
  readonly checkable: boolean;
}

/** What lies over the list, the last one on top. */
export type Layer =
  | {
      readonly kind: 'form';
      readonly title: string;
      readonly fields: Fields;
      readonly lines: Readonly<Record<string, Line | Editor>>;
      /** Of the fields that follow others, those that a person wrote into. */
      readonly own: readonly string[];
      /** Of the fields in a language, what is known besides their texts. */
      readonly written: Readonly<Record<string, Written>>;
      readonly focus: number;
      readonly errors: Readonly<Record<string, string>>;
      readonly touched: boolean;
      readonly busy: boolean;
      /** Being saved as soon as the languages of its fields are there. */
      readonly isChecking?: boolean;
      readonly problem?: string;
      readonly leaving: boolean;
      /** What would change, shown before it is sent. */
      readonly review?: readonly Difference[];
      /** Lines that the review was scrolled down. */
      readonly reviewTop?: number;
      /** What picked ids are called, by field. */
      readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
      /** What files held when they were read, by field. */
      readonly files: Readonly<Record<string, { readonly path: string; readonly content: string }>>;
      readonly for: FormFor;
    }
  | {
      /** What a form needs is being read. */
      readonly kind: 'wait';
      readonly title: string;
      readonly pending: Pending;
    }
  | {
      /** The list of one field of the form below. */
      readonly kind: 'take';
      readonly name: string;
      readonly title: string;
      readonly several: boolean;
      readonly free: boolean;
      readonly picks: (typed: string) => Source<Pick>;
      readonly taken: readonly { readonly id: string; readonly label: string }[];
      /** Ids that were taken when it was opened. */
      readonly opened?: readonly string[];
      readonly query: Line;
      readonly asked: string;
      readonly typing: boolean;
      readonly cursor: number;
    }
  | {
      /** A value that is shown once. It is nowhere else, and gone with this layer. */
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
      readonly progress?: Progress;
      readonly stopping: boolean;
      readonly ended?: { readonly ok: boolean; readonly text: string };
    }
  | { readonly kind: 'confirm'; readonly confirm: Confirm; readonly typed: Line; readonly yes: Message }
  | {
      readonly kind: 'bar';
      readonly bar: Bar<Record<string, unknown>>;
      readonly values: Readonly<Record<string, unknown>>;
      readonly input?: { readonly name: string; readonly line: Line; readonly error?: string };
      readonly pending: Pending;
    }
  | {
      readonly kind: 'pick';
      readonly picker: Picker<unknown>;
      /** What is picked is no value yet: the action's form comes after it. */
      readonly isFirst?: boolean;
      /** Its quick key was pressed before it was known what it takes. */
      readonly wished?: boolean;
      readonly query: Line;
      /** The query that is being asked, a moment after the last letter. */
      readonly asked: string;
      readonly typing: boolean;
      readonly cursor: number;
      readonly pending: Pending;
    }
  | { readonly kind: 'filter'; readonly list: string; readonly line: Line }
  | { readonly kind: 'help'; readonly query: Line; readonly cursor: number; readonly searching: boolean }
  | { readonly kind: 'palette'; readonly query: Line; readonly cursor: number }
  | { readonly kind: 'menu'; readonly title: string; readonly items: readonly MenuItem[]; readonly cursor: number }
  | { readonly kind: 'text'; readonly title: string; readonly lines: readonly string[]; readonly top: number }
  | {
      readonly kind: 'results';
      readonly title: string;
      readonly results: readonly RowResult[];
      readonly cursor: number;
      readonly pending: Pending;
    }
  | {
      readonly kind: 'journal';
      readonly entries: readonly JournalEntry[];
      readonly cursor: number;
      readonly unsettled: boolean;
      /** Why the journal cannot be read. */
      readonly trouble?: string | undefined;
    }
  | { readonly kind: 'profiles'; readonly items: readonly ProfileLine[]; readonly cursor: number };

export type JobLayer = Extract<Layer, { kind: 'job' }>;

export interface ProfileLine {
  readonly name: string;
  readonly says: string;
  readonly current: boolean;
}

/** What can be taken back by one `u`. */
export interface Undoable {
  readonly text: string;
  readonly list: string;
  readonly steps: readonly {
    readonly calls: readonly Call[];
    readonly id: string;
    readonly name: string;
    readonly before: Row;
    readonly after: Row;
    /** Id of the row that it has made, which is gone when it is undone. */
    readonly made?: string;
  }[];
}

export interface Flash {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'info';
  /** `u undo` and the like. */
  readonly keys?: string;
  readonly at: number;
  /** It stays until something else is said: nobody may have been there when it came. */
  readonly lasting?: boolean;
}

/** Everything of ours; what the service said is in the cache. */
export interface State {
  readonly screen: string;
  readonly tab: Readonly<Record<string, number>>;
  readonly lists: Readonly<Record<string, ListState>>;
  readonly layers: readonly Layer[];
  /** Long work whose layer was left while it goes on, the last one left at the end. */
  readonly behind?: readonly JobLayer[];
  readonly flash?: Flash;
  readonly undo: readonly Undoable[];
  /** What `.` does again. */
  readonly last?: {
    readonly action: string;
    readonly list: string;
    readonly values: unknown;
    readonly picked?: unknown;
    readonly title: string;
  };
  readonly recent: readonly Pick[];
  readonly problem?: Problem;
  readonly paused: boolean;
  readonly preview: boolean;
  readonly size: { readonly columns: number; readonly rows: number };
  /** Edits under way; Ctrl-C asks twice while there are any. */
  readonly flying: number;
  readonly warnedQuit: boolean;
  /** When the machine last woke from a sleep, wall clock: rows read before are not edited. */
  readonly wokeAt?: number;
}

/** The state at the start, or after a change of profile. */
export function initial(screens: readonly Screen[], size: State['size']): State {
  const lists: Record<string, ListState> = {};
  for (const screen of screens) {
    for (const list of screen.lists) {
      lists[list.id] = {
        asked: { search: list.search?.initial ?? {}, range: list.ranges?.initial ?? '' },
        filter: '',
        cursorAt: 0,
        marks: new Set(),
        count: '',
        top: 0,
        hscroll: 0,
      };
    }
  }
  return {
    screen: screens[0]?.id ?? '',
    tab: {},
    lists,
    layers: [],
    undo: [],
    recent: [],
    paused: false,
    preview: true,
    size,
    flying: 0,
    warnedQuit: false,
  };
}

/** The list in front: the screen's, or the one of its tabs. */
export function front(state: State, screens: readonly Screen[]): { screen: Screen; list: AnyList } {
  const screen = screens.find((it) => it.id === state.screen) ?? (screens[0] as Screen);
  const list = screen.lists[state.tab[screen.id] ?? 0] ?? (screen.lists[0] as AnyList);
  return { screen, list };
}
