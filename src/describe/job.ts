/** A long-running job, by the name of its kind. */
export interface JobRequest {
  readonly kind: 'upload' | 'abandon-upload' | typeof programsKind;
  readonly title: string;
  readonly values: unknown;
  /** A program of this machine: it edits nothing that we know of, and it ends when we end. */
  readonly isProgram?: true;
  /** Whether the job runs without a layer; `W` opens one. */
  readonly isAside?: true;
  /** What happens when it has ended well. */
  readonly after?: string;
}

/** The kind of job that runs programs one after the other; its values are `Programs`. */
export const programsKind = 'programs';

/** Programs with their arguments, started without a shell. */
export interface Programs {
  /** What a person calls them. */
  readonly title: string;
  readonly runs: readonly { readonly name: string; readonly argv: readonly string[] }[];
  /** What they print is kept and shown. */
  readonly isShown: boolean;
}

/** How far such work is. */
export interface Progress {
  /** What is being done, in a few words. */
  readonly step: string;
  /** 0 to 1, where known. */
  readonly share?: number;
  /** Everything that the work goes through, each with what is known of it. */
  readonly stages?: readonly (readonly [name: string, says: string])[];
  /** How many of these have ended: the next one is under way. */
  readonly stagesDone?: number;
  /** True sentences: rate, time left, what is tried again. */
  readonly notes: readonly string[];
}

/** How a job ended: a sentence that is true then. */
export interface JobEnd {
  readonly ok: boolean;
  readonly text: string;
  /** Id of the row that it has created, if any. */
  readonly made?: string;
  /** What the job printed, to be shown. */
  readonly lines?: readonly string[];
}

/** Long work that a run before this one has begun and not ended. */
export interface Unfinished {
  /** One sentence: what it was, and how far it came. */
  readonly says: string;
  /** Whether it can go on; else all that is left is to start it again. */
  readonly goesOn: boolean;
  /** Goes on with it, or starts it again. */
  readonly resume: JobRequest;
  /** Discards it for good. */
  readonly abandon: JobRequest;
}
