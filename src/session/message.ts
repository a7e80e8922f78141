import type { Problem } from '../api/problem.ts';
import type { JobAsked, Progress, Secret } from '../describe/action.ts';
import type { Language } from '../describe/language.ts';
import type { Key } from './keys/keyboard.ts';
import type { Flash, FormFor, JournalEntry, Layer, Order, Pending, ProfileLine, RowResult, Undoable } from './state.ts';

/** Everything that can happen to the session. Values, so that a footer, a help line and a palette entry can hold one. */
export type Message =
  // moving
  | { readonly do: 'move'; readonly by: number }
  | { readonly do: 'page'; readonly by: number }
  | { readonly do: 'end'; readonly last: boolean }
  | { readonly do: 'scroll'; readonly by: number }
  | { readonly do: 'open' }
  | { readonly do: 'back' }
  | { readonly do: 'tab'; readonly by: number }
  | { readonly do: 'screen'; readonly id: string }
  | { readonly do: 'preview' }
  | { readonly do: 'digit'; readonly digit: string }
  // choosing
  | { readonly do: 'mark' }
  | { readonly do: 'range' }
  | { readonly do: 'markAll' }
  // finding
  | { readonly do: 'filter' }
  | { readonly do: 'search' }
  | { readonly do: 'ranges' }
  | { readonly do: 'setRange'; readonly range: string }
  | { readonly do: 'sorts' }
  | { readonly do: 'sort'; readonly by: string }
  | { readonly do: 'refresh' }
  | { readonly do: 'pause' }
  // taking along
  | { readonly do: 'copyId' }
  | { readonly do: 'copies' }
  | { readonly do: 'copy'; readonly what: string; readonly text: string }
  | { readonly do: 'link' }
  // writing
  | { readonly do: 'action'; readonly id: string; readonly values?: unknown }
  | { readonly do: 'again' }
  | { readonly do: 'verbs' }
  | { readonly do: 'perform'; readonly pending: Pending }
  | { readonly do: 'undo' }
  | { readonly do: 'undoNow'; readonly it: Undoable }
  | { readonly do: 'retry' }
  // layers
  | { readonly do: 'push'; readonly layer: Layer }
  | { readonly do: 'pop' }
  | { readonly do: 'help' }
  | { readonly do: 'palette' }
  | { readonly do: 'lastProblem' }
  | { readonly do: 'journal' }
  | { readonly do: 'profiles' }
  | { readonly do: 'step'; readonly by: number }
  | { readonly do: 'choose' }
  | { readonly do: 'quickPick' }
  | { readonly do: 'typing' }
  | { readonly do: 'type'; readonly key: Key }
  | { readonly do: 'paste'; readonly text: string }
  | { readonly do: 'field'; readonly by: number }
  | { readonly do: 'option'; readonly by: number }
  | { readonly do: 'submit' }
  | { readonly do: 'editRaw' }
  /** `name`: of the one field that was edited; else the text is the whole form. */
  | { readonly do: 'edited'; readonly text?: string | undefined; readonly name?: string | undefined }
  | { readonly do: 'row'; readonly by: 1 | -1 }
  | { readonly do: 'offer'; readonly by?: number }
  | { readonly do: 'takeOffer' }
  | { readonly do: 'nextFinding' }
  /** The language of a field was loaded, or why not. */
  | {
      readonly do: 'language';
      readonly of: FormFor;
      readonly name: string;
      readonly language?: Language;
      readonly trouble?: string;
    }
  | { readonly do: 'yes' }
  | { readonly do: 'barKey'; readonly key: string }
  | { readonly do: 'asked'; readonly typed: string }
  /** `sure`: it was asked about, where it had to be. */
  | { readonly do: 'entry'; readonly what: 'check' | 'repeat' | 'forget' | 'undo'; readonly sure?: boolean }
  | { readonly do: 'profile'; readonly what: 'use' | 'new' | 'test' | 'remove' }
  | { readonly do: 'useProfile'; readonly name: string }
  | { readonly do: 'removeProfile'; readonly name: string }
  | {
      readonly do: 'fileRead';
      readonly name: string;
      readonly path: string;
      readonly content?: string;
      readonly problem?: string;
    }
  | { readonly do: 'toggle' }
  | { readonly do: 'reveal' }
  | { readonly do: 'copySecret' }
  | { readonly do: 'progress'; readonly id: string; readonly progress: Progress }
  | { readonly do: 'jobDone'; readonly id: string; readonly ok: boolean; readonly text: string; readonly made?: string }
  | { readonly do: 'cancelJob' }
  | { readonly do: 'jobs' }
  | { readonly do: 'shift'; readonly by: number }
  | { readonly do: 'saveOrder' }
  // the world
  | { readonly do: 'size'; readonly columns: number; readonly rows: number }
  | { readonly do: 'woke'; readonly sleptMs: number }
  /** Who I am has been answered; `trouble`: or why not. */
  | { readonly do: 'knewMe'; readonly trouble?: string }
  | { readonly do: 'arranged'; readonly list: string; readonly order: Order }
  | { readonly do: 'flash'; readonly flash: Flash }
  | { readonly do: 'unflash' }
  | { readonly do: 'performing'; readonly by: number }
  | {
      readonly do: 'performed';
      readonly pending: Pending;
      readonly results: readonly RowResult[];
      readonly problem?: Problem;
      readonly undo?: Undoable;
      readonly secret?: Secret;
      readonly made?: string;
    }
  | { readonly do: 'needed'; readonly pending: Pending; readonly known?: unknown; readonly problem?: Problem }
  | { readonly do: 'undone'; readonly it: Undoable; readonly problem?: Problem }
  | {
      readonly do: 'noted';
      readonly entries: readonly JournalEntry[];
      readonly unsettled: boolean;
      readonly trouble?: string | undefined;
    }
  | { readonly do: 'profileLines'; readonly items: readonly ProfileLine[]; readonly at?: string }
  | { readonly do: 'askKeys'; readonly name: string }
  | { readonly do: 'profileFailed'; readonly text: string }
  | { readonly do: 'redraw' }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit' }
  | { readonly do: 'interrupt' }
  | { readonly do: 'quitNow'; readonly code: number };

/** What the session asks of the world outside it. */
export type Effect =
  | { readonly ask: 'perform'; readonly pending: Pending }
  | { readonly ask: 'need'; readonly pending: Pending }
  | { readonly ask: 'undo'; readonly it: Undoable }
  | { readonly ask: 'refresh' }
  | { readonly ask: 'pause'; readonly on: boolean }
  | { readonly ask: 'copy'; readonly what: string; readonly text: string }
  | { readonly ask: 'redraw' }
  | { readonly ask: 'suspend' }
  | { readonly ask: 'quit'; readonly code: number }
  | { readonly ask: 'journal' }
  | { readonly ask: 'entry'; readonly id: string; readonly what: 'check' | 'repeat' | 'forget' | 'undo' }
  | { readonly ask: 'profiles' }
  | { readonly ask: 'useProfile' | 'testProfile' | 'removeProfile'; readonly name: string }
  | { readonly ask: 'giveKeys'; readonly name: string; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ask: 'addProfile'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ask: 'later'; readonly ms: number; readonly message: Message }
  | { readonly ask: 'edit'; readonly text: string; readonly ending: string; readonly name?: string }
  | { readonly ask: 'readFile'; readonly name: string; readonly path: string; readonly limit: number }
  | { readonly ask: 'job'; readonly id: string; readonly job: JobAsked; readonly of: readonly string[] }
  | { readonly ask: 'cancelJob'; readonly id: string };
