import type { Bar, Confirmation, Secret } from '../../describe/action.ts';
import type { Progress } from '../../describe/job.ts';
import type { Pick, Picker } from '../../describe/pick.ts';
import type { Source } from '../../describe/source.ts';
import type { EditedLine } from '../keyboard/line.ts';
import type { FleetStanding, ProfileLine } from '../outside/outside.ts';
import type { SavedDraft } from '../outside/saved-session.ts';
import type { OpenDetail } from '../rows/list-state.ts';
import type { Pending, RowResult } from '../send/pending-edit.ts';
import type { OpenForm } from './form-layer.ts';
import type { JournalReading, Message, TimelineView } from './message.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
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
      readonly ended?: { readonly ok: boolean; readonly text: string };
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

/** The layer of this kind. */
export type LayerOf<K extends Layer['kind']> = Extract<Layer, { kind: K }>;
