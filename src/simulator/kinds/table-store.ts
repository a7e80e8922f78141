/** One column: `STRING` or `INT32`. */
export interface TableField {
  readonly name: string;
  readonly type: string;
}

/** What a row holds, in the order of the table's columns; undefined = it came before the column. */
export type Values = readonly (string | number | undefined)[];

/** New data on its way into a table: it becomes readable at `done`. Times are epoch milliseconds. */
export interface Loading {
  readonly begun: number;
  readonly done: number;
  /** Processing starts here; before it the table says `INITIALIZED`. */
  readonly seen: number;
  readonly outcome: Outcome;
}

/** What came of reading the data. `rows` null = the rows stay as they were. */
export interface Outcome {
  readonly status: string;
  readonly rows: Map<string, Values> | null;
  readonly errors: { readonly type: string | null; readonly message: string; readonly rows: number };
}

/** A reference table. */
export interface Table {
  readonly id: string;
  readonly name: string;
  description: string;
  readonly source: string;
  fields: readonly TableField[];
  readonly key: string;
  tags: string[] | null;
  readonly creator: string;
  updater: string;
  updated: number;
  rows: Map<string, Values>;
  /** Rows that are counted and not held: no test reads millions of them. */
  readonly unheld: number;
  status: string;
  errors: Outcome['errors'];
  access: Record<string, unknown> | null;
  sync: boolean;
  loading: Loading | null;
  /** Nobody but its owners may look into it: reads and writes of it are refused. */
  readonly restricted: boolean;
  overrides: Readonly<Record<string, unknown>>;
  /** Lists of all rows under way, so that a token stays on what it began with. */
  readonly snapshots: Map<string, readonly Values[]>;
}

/** One part that arrived. `bytes` go when the table was made; size and hashes stay. */
export interface Part {
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
  bytes: Buffer;
}

/** A bulk upload: its parts, and whether a table was made from it. */
export interface Upload {
  readonly id: string;
  readonly table: string;
  readonly headers: readonly string[];
  readonly partSize: number;
  readonly parts: (Part | undefined)[];
  readonly created: number;
  /** The hash of the whole, once a table was made from it. */
  sha256: string | null;
}

/** The tables and uploads of an organisation, by id. */
export interface Library {
  readonly tables: Map<string, Table>;
  readonly uploads: Map<string, Upload>;
}

export const createLibrary = (): Library => ({ tables: new Map(), uploads: new Map() });

/** A table with what is usual filled in. */
export function makeTable(known: Partial<Table> & Pick<Table, 'id' | 'name' | 'updated'>): Table {
  return {
    description: '',
    source: 'LOCAL_FILE',
    fields: [{ name: 'id', type: 'STRING' }],
    key: 'id',
    tags: null,
    creator: '',
    updater: known.creator ?? '',
    rows: new Map(),
    unheld: 0,
    status: 'DONE',
    errors: { type: null, message: '', rows: 0 },
    access: null,
    sync: false,
    loading: null,
    restricted: false,
    overrides: {},
    snapshots: new Map(),
    ...known,
  };
}
