import { type AnyList, initialQuery } from '../../describe/screen.ts';
import type { ListQuery } from '../../describe/source.ts';
import type { Anchor } from '../../lib/detail-page.ts';
import type { PreviewPlace, PreviewWish } from './geometry.ts';

/** A row of any list. Only the functions of its list read its members. */
export type Row = unknown;

/** What a person saw of each row: its id, and the label of its state; empty where no state counts it. */
export type SeenRows = ReadonlyMap<string, string>;

/** The kept order of a list: polls do not change it. */
export interface Order {
  readonly key: string;
  readonly ids: readonly string[];
}

/** Where a person is in the detail of a row. */
export interface OpenDetail extends Anchor {
  readonly id: string;
  readonly tab: number;
  /** Row under the cursor of a rows tab. */
  readonly subRowId?: string | undefined;
  /** The text that is searched for, and at which of its matches the person is; -1 for none. */
  readonly find?: { readonly text: string; readonly at: number } | undefined;
}

/** A watched row in another state than the one last told. */
export interface StateChange {
  readonly id: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** A person's state of one list. Rows are identified by id, never by index. */
export interface ListState {
  readonly asked: ListQuery;
  readonly filter: string;
  readonly sort?: { readonly by: string; readonly down: boolean };
  readonly cursor?: string | undefined;
  /** Place of the cursor, for when its row is gone. */
  readonly cursorAt: number;
  readonly order?: Order | undefined;
  /**
   * Rows that our edits made or brought back, until they have been read. Of a derived list also the rows of other lists
   * that they were made on, until it is left. These and what is derived of them do not wait for the next order as other
   * new rows do.
   */
  readonly made?: readonly string[] | undefined;
  /** Ids of marked rows. */
  readonly marks: ReadonlySet<string>;
  /** Row where `v` was pressed. */
  readonly anchor?: string | undefined;
  /** The rows that were shown then: a range marks no others. */
  readonly anchored?: readonly string[] | undefined;
  /** Digits typed while a range is being chosen: `v4j`. */
  readonly count: string;
  readonly top: number;
  readonly hscroll: number;
  /** Where `p` put the preview; where it fits best when absent. */
  readonly preview?: PreviewPlace | undefined;
  /** Ids in the order made with J and K, until it is saved or dropped. */
  readonly moving?: readonly string[] | undefined;
  /** The rows that are not new; undefined until the first read. */
  readonly seen?: SeenRows | undefined;
  /** They are those of a snapshot that did not keep all. */
  readonly isSeenPartly?: boolean | undefined;
  /** Rows whose changes of state a person is told of, each with the state last told. */
  readonly watched?: ReadonlyMap<string, string> | undefined;
  /** The detail that is open: of which row, which of its tabs, and how far it is scrolled. */
  readonly detail?: OpenDetail | undefined;
}

/** What rows are new against; undefined as long as nothing tells. */
export const seenWhole = ({ seen, isSeenPartly }: ListState): SeenRows | undefined => (isSeenPartly ? undefined : seen);

/** Lines that a preview needs where its description names none. */
const usualLines = 4;

/** The preview that a list wants: what was chosen, its lines and cells. */
export const previewWish = (list: AnyList, own: ListState): PreviewWish => ({
  place: own.preview,
  lines: list.detail?.preview === undefined ? 0 : (list.detail.previewLines ?? usualLines),
  cells: list.detail?.previewCells,
});

/** A list before anything was done to it. */
export const untouched = (list: AnyList): ListState => ({
  asked: initialQuery(list),
  filter: '',
  cursorAt: 0,
  marks: new Set(),
  count: '',
  top: 0,
  hscroll: 0,
});
