import type { Fields } from '../../describe/field.ts';
import type { Completion, Finding, Language } from '../../describe/language.ts';
import type { Pending } from '../edit/pending.ts';
import type { Editor } from './editor.ts';
import type { Line } from './line.ts';

/** Who gets the values of a form. */
export type FormFor =
  | { readonly kind: 'action'; readonly pending: Pending }
  | { readonly kind: 'search'; readonly list: string }
  | { readonly kind: 'profile' }
  | { readonly kind: 'keys'; readonly name: string };

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

/** A form on the screen: its fields, what stands in them, and what is known of that. */
export interface Form {
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
  readonly problem?: string | undefined;
  readonly leaving: boolean;
  /** What would change, shown before it is sent. */
  readonly review?: readonly Difference[] | undefined;
  /** Lines that the review was scrolled down. */
  readonly reviewTop?: number;
  /** What picked ids are called, by field. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What files held when they were read, by field. */
  readonly files: Readonly<Record<string, { readonly path: string; readonly content: string }>>;
  readonly for: FormFor;
}
