/** Something that is said of a part of a text. `start` and `end` count UTF-16 units; `end` is behind the last one. */
export interface FieldDiagnostic {
  /** `wrong`: the service is sure to refuse it. `doubtful`: it may; a warning, never a block. */
  readonly verdict: 'wrong' | 'doubtful';
  /** One sentence: what is wrong with this part. */
  readonly message: string;
  /** What to write instead, where that is known. */
  readonly hint?: string | undefined;
  readonly start: number;
  readonly end: number;
  /** The field that it is about, where that is another one of the form: this text may be right as it is. */
  readonly field?: string | undefined;
}

/** What may be written at a place, in place of the letters from `start` to `end`. */
export interface FieldCompletion {
  readonly start: number;
  readonly end: number;
  readonly items: readonly {
    /** The text that is put in. */
    readonly text: string;
    readonly hint?: string | undefined;
    /** Where the cursor goes, counted from the start of `text`; its end when absent. */
    readonly cursor?: number | undefined;
  }[];
}

/**
 * A language that a field is written in. All functions take the texts of the form's other fields, are pure, never throw,
 * and must take well under 10 ms for 2,000 characters: they are called for every key.
 */
export interface FieldLanguage {
  /** Diagnostics of the text, most severe first; empty when it is fine. */
  check(text: string, texts: Readonly<Record<string, string>>): readonly FieldDiagnostic[];
  /** What may follow at `at`, a place in UTF-16 units; undefined when nothing is known. `begun`: only for a word that has begun. */
  complete(
    text: string,
    at: number,
    texts: Readonly<Record<string, string>>,
    begun?: boolean,
  ): FieldCompletion | undefined;
  /** What the text means, a sentence a line, for the pane beside the form; empty where that is not known. */
  says?(text: string, texts: Readonly<Record<string, string>>): readonly string[];
}
