import type { Bar, Confirm, Secret } from '../../describe/action.ts';
import type { Progress } from '../../describe/job.ts';
import type { Pick, Picker } from '../../describe/pick.ts';
import type { Source } from '../../describe/source.ts';
import type { Pending, RowResult } from '../edit/pending.ts';
import type { Form } from '../form/form-layer.ts';
import type { Line } from '../form/line.ts';
import type { Message } from '../message.ts';
import type { JournalEntry, ProfileLine } from '../outside.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly key?: string | undefined;
  /** Why it cannot be chosen. */
  readonly refused?: string | undefined;
  readonly run: Message;
}

/** What lies over the list, the last one on top. */
export type Layer =
  | Form
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
      readonly input?: { readonly name: string; readonly line: Line; readonly error?: string | undefined } | undefined;
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

/** The layer of one kind. */
export type LayerOf<K extends Layer['kind']> = Extract<Layer, { kind: K }>;
