/** Where the preview lies. */
export const previewPlaces = ['below', 'right', 'off'] as const;
export type PreviewPlace = (typeof previewPlaces)[number];

/** What of a list decides about its preview. */
export interface PreviewWish {
  /** What its person chose; the place with the most room when absent. */
  readonly place?: PreviewPlace | undefined;
  /** Lines that it needs below the list; 0 for a list without one. */
  readonly lines: number;
  /** Rows of the list as it was read; unknown while it is being read. What a short list does not need is the preview's. */
  readonly rows?: number | undefined;
  /** Cells that are enough for it beside the list: a wider terminal gives the others to the list. */
  readonly cells?: number | undefined;
  /** Lines above the list, for what waits to be gone on with. */
  readonly above?: number | undefined;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The layout on a terminal of this size (docs/design/screens.md#layout). */
export interface Geometry {
  readonly listWidth: number;
  /** Cells of the preview beside the list, 0 without one. */
  readonly previewWidth: number;
  /** Lines of the preview below the list, with its borders; 0 without one. */
  readonly previewRows: number;
  /** Lines of the body with its borders: everything but header, flash and hints. */
  readonly bodyRows: number;
  /** Rows of the list that can be seen at once. */
  readonly listRows: number;
  /** Lines inside a detail. */
  readonly detailRows: number;
  readonly detailWidth: number;
}

export const smallest = { columns: 60, rows: 16 } as const;

/** Whether there is only room for the sentence that says so. */
export const isTooSmall = ({ columns, rows }: Size): boolean => columns < smallest.columns || rows < smallest.rows;

/** Header, flash line and hints line. */
const around = 3;
/** Two borders and the column titles. */
const frame = 3;
/** Share of the columns that a preview beside the list gets, as long as the list has as many as it has on a terminal of 120. */
const besideShare = 0.35;
const leastBeside = 120;

/** Cells of a page inside a detail of this width: without borders and the blank cell on both sides. */
export const insideDetail = (width: number): number => Math.max(1, width - 4);

/** Lines that a preview has below a short list at least, with its borders. */
const leastBelow = 5;

/** Lines of the body with its borders. */
const bodyOf = ({ rows }: Size): number => Math.max(1, rows - around);

/** Lines of the body that the list does not need; none where its rows are not known. */
const spareLines = (size: Size, { above = 0, rows = bodyOf(size) }: Pick<PreviewWish, 'above' | 'rows'>): number =>
  bodyOf(size) - above - frame - rows;

/** Cells of a preview beside the list under which one below a short list is roomier. */
const roomyBeside = 50;

const cellsBeside = ({ columns }: Size, { cells = columns }: Pick<PreviewWish, 'cells'> = {}): number =>
  Math.min(cells, Math.floor(columns * besideShare), columns - leastBeside);

/** The places that have room for a preview on a terminal of this size, the roomier one first. */
export function previewRoom(size: Size, wish: PreviewWish): readonly ('right' | 'below')[] {
  const spare = spareLines(size, wish);
  const isShort = spare >= wish.lines + 2;
  const below = size.columns >= 80 && (size.rows >= 30 || spare >= leastBelow) ? (['below'] as const) : [];
  const right = size.columns >= 160 ? (['right'] as const) : [];
  return isShort && cellsBeside(size) < roomyBeside ? [...below, ...right] : [...right, ...below];
}

/** The sizes that have room for a preview, as shown to a person. */
export const previewNeeds = '80 columns and 30 rows, or 160 columns';

/** The place of the preview: the chosen one where it has room. */
function placeOf(size: Size, wish: PreviewWish): PreviewPlace {
  const { place, lines } = wish;
  const free = previewRoom(size, wish);
  if (lines === 0 || place === 'off') return 'off';
  return free.find((one) => one === place) ?? free[0] ?? 'off';
}

/** The place after this one: below, right, off, without those that have no room. */
export function nextPlace(size: Size, wish: PreviewWish): PreviewPlace {
  const now = placeOf(size, wish);
  const free = previewPlaces.filter((place) => place === 'off' || previewRoom(size, wish).includes(place));
  return free[(free.indexOf(now) + 1) % free.length] ?? 'off';
}

/** Lines that a preview below has of the list, with its borders: on a low terminal none. */
export const ownRows = (size: Size, { lines }: PreviewWish): number =>
  size.rows >= 30 ? Math.min(lines + 2, Math.floor(bodyOf(size) / 3)) : 0;

export function geometry(size: Size, preview: PreviewWish): Geometry {
  const { columns } = size;
  const bodyRows = bodyOf(size);
  const place = placeOf(size, preview);
  const previewWidth = place === 'right' ? cellsBeside(size, preview) : 0;
  const { above = 0 } = preview;
  const previewRows = place === 'below' ? Math.max(ownRows(size, preview), spareLines(size, preview)) : 0;
  return {
    listWidth: columns - previewWidth,
    previewWidth,
    previewRows,
    bodyRows,
    listRows: Math.max(1, bodyRows - above - previewRows - frame),
    detailRows: Math.max(1, bodyRows - 3),
    detailWidth: columns,
  };
}

/**
 * The first row to draw so that the cursor is visible. Scrolls by half a window: scrolling by one line would repaint
 * every row on every key.
 */
export function windowTop(top: number, index: number, height: number, count: number): number {
  const last = Math.max(0, count - height);
  const half = Math.max(1, Math.floor(height / 2));
  const now = Math.min(Math.max(0, top), last);
  if (index >= now && index < now + height) return now;
  const beyond = Math.max(now - index, index - (now + height - 1));
  const moved = beyond > half ? index - half : index < now ? now - half : now + half;
  return Math.min(Math.max(0, index - height + 1, Math.min(moved, index)), last);
}
