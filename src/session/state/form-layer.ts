import type { Fields } from '../../describe/field.ts';
import type { FieldCompletion, FieldDiagnostic, FieldLanguage } from '../../describe/language.ts';
import type { ChangedPart } from '../../lib/changed-parts.ts';
import type { Editor } from '../keyboard/editor.ts';
import type { EditedLine } from '../keyboard/line.ts';
import type { FilePath } from '../outside/path.ts';
import type { SavedDraft } from '../outside/saved-session.ts';
import type { Pending } from '../send/pending-edit.ts';

/** What a form's values are for. */
export type FormFor =
  | { readonly kind: 'action'; readonly pending: Pending }
  | { readonly kind: 'search'; readonly list: string }
  | { readonly kind: 'view' }
  /** A new profile, or the one of this name. */
  | { readonly kind: 'profile'; readonly name?: string }
  | { readonly kind: 'keys'; readonly name: string };

/** One value that an edit would change. */
export interface ValueDifference {
  readonly label: string;
  /** One side and the other, or, of `several` values or lines, what is removed, what is added and what stays beside it. */
  readonly parts: readonly ChangedPart[];
  readonly several?: boolean;
}

/** The state of a query field besides its text. */
export interface Written {
  /** Undefined until it has been loaded. */
  readonly language?: FieldLanguage;
  /** Why it could not be loaded: the field works without checks. */
  readonly trouble?: string;
  /** Diagnostics about the present text, the most severe first. */
  readonly diagnostics: readonly FieldDiagnostic[];
  /** What the text means, a sentence a line. */
  readonly says?: readonly string[];
  /** The texts of the form that the diagnostics are about. */
  readonly about?: Readonly<Record<string, string>>;
  /** Completions offered, and which one is selected. */
  readonly offers?: { readonly completion: FieldCompletion; readonly cursor: number } | undefined;
  /** The diagnostic that stopped a save: saving the same text again sends it. */
  readonly refused?: { readonly text: string; readonly message: string };
}

/** A form on the screen: its fields, their texts, and what is known about them. */
export interface OpenForm {
  readonly kind: 'form';
  readonly title: string;
  readonly fields: Fields;
  readonly lines: Readonly<Record<string, EditedLine | Editor>>;
  /** Derived fields that a person wrote into; they no longer follow. */
  readonly own: readonly string[];
  /** State of the query fields, by name. */
  readonly written: Readonly<Record<string, Written>>;
  readonly focus: number;
  readonly errors: Readonly<Record<string, string>>;
  readonly touched: boolean;
  readonly busy: boolean;
  /** Waits for the languages of its fields, to be saved then. */
  readonly isChecking?: boolean;
  readonly problem?: string | undefined;
  readonly leaving: boolean;
  /** The changes to review before they are sent. */
  readonly review?: readonly ValueDifference[] | undefined;
  /** The request of the review, as lines of text; undefined where it is not known before it is sent. */
  readonly request?: readonly string[] | undefined;
  /** Lines scrolled in the review. */
  readonly reviewTop?: number;
  /** Labels of picked ids, by field. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Content of files as they were read, by field. */
  readonly files: Readonly<Record<string, { readonly path: string; readonly content: string }>>;
  /** What is known of the paths in its fields. */
  readonly paths?: Readonly<Record<string, FilePath>>;
  /** Of a search: which earlier one is shown, 1 the newest. */
  readonly recalled?: number;
  readonly for: FormFor;
  /** What was typed into it before, offered until a person goes on with it or starts anew. */
  readonly draft?: SavedDraft;
}
