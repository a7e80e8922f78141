/** Location in a query in UTF-16 units; `end` is exclusive. */
export interface QuerySpan {
  readonly start: number;
  readonly end: number;
}

/** A word as it is written. */
export interface Word extends QuerySpan {
  readonly text: string;
}

/** Text in quotes: `text` is what stands between them, escapes kept; `quote` is empty where there were none. */
export interface Quoted extends Word {
  readonly quote: '"' | "'" | '';
}

/** A number as it is written; NaN where it is none. */
export interface Numeral extends Word {
  readonly value: number;
}

/** `> 90`: what every query but a composite and a service check ends with (docs/contract/monitor-queries.md#common-rules). */
export interface Comparison extends QuerySpan {
  readonly operator: Word;
  readonly threshold: Numeral;
}

/** Common members of every tree. */
export interface Tree extends QuerySpan {
  readonly kind: string;
  readonly comparison?: Comparison | undefined;
}
