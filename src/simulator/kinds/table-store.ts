/** One column: `STRING` or `INT32`. */
export interface TableField {
  readonly name: string;
  readonly type: string;
}

/** The cells of a row in column order; undefined for columns added after the row. */
export type StoredCells = readonly (string | number | undefined)[];

/** Data being loaded into a table; readable at `done`. Times are epoch milliseconds. */
export interface Loading {
  readonly begun: number;
  readonly done: number;
  /** When processing starts; the status is `INITIALIZED` before. */
  readonly seen: number;
  readonly outcome: LoadOutcome;
}

/** The result of loading. `rows` null = the old rows stay. */
export interface LoadOutcome {
  readonly status: string;
  readonly rows: Map<string, StoredCells> | null;
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
  rows: Map<string, StoredCells>;
  /** Rows that only count toward `row_count` and are not stored. */
  readonly unstoredRows: number;
  status: string;
  errors: LoadOutcome['errors'];
  access: Record<string, unknown> | null;
  sync: boolean;
  loading: Loading | null;
  /** Access is restricted: reads and writes are refused. */
  readonly restricted: boolean;
  overrides: Readonly<Record<string, unknown>>;
  /** Snapshots of row lists by token, so that later pages are consistent. */
  readonly snapshots: Map<string, readonly StoredCells[]>;
}

/** One received part. `bytes` are dropped once the table is created; size and hashes stay. */
interface Part {
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
  /** SHA-256 of the whole file; null until a table is created from it. */
  sha256: string | null;
}

/** The tables and uploads of an organization, by id. */
export interface TableStore {
  readonly tables: Map<string, Table>;
  readonly uploads: Map<string, Upload>;
}

export const createTableStore = (): TableStore => ({ tables: new Map(), uploads: new Map() });

/** A table with defaults. */
export function storeTable(given: Partial<Table> & Pick<Table, 'id' | 'name' | 'updated'>): Table {
  return {
    description: '',
    source: 'LOCAL_FILE',
    fields: [{ name: 'id', type: 'STRING' }],
    key: 'id',
    tags: null,
    creator: '',
    updater: given.creator ?? '',
    rows: new Map(),
    unstoredRows: 0,
    status: 'DONE',
    errors: { type: null, message: '', rows: 0 },
    access: null,
    sync: false,
    loading: null,
    restricted: false,
    overrides: {},
    snapshots: new Map(),
    ...given,
  };
}
