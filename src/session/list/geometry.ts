/** The layout on a terminal of this size (design: screens, layouts). */
export interface Geometry {
  readonly kind: 'tooSmall' | 'narrow' | 'list' | 'split' | 'rail';
  /** Cells of the rail of screens, 0 without one. */
  readonly rail: number;
  readonly listWidth: number;
  /** Cells of the preview beside the list, 0 without one. */
  readonly previewWidth: number;
  /** Lines of the preview below the list, 0 without one. */
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

/** Header, flash line and hints line. */
const around = 3;
/** Two borders and the column titles. */
const frame = 3;

/** The place of the preview on a terminal of this size; undefined where there is no room. */
function previewPlace({ columns, rows }: { columns: number; rows: number }): 'beside' | 'below' | undefined {
  if (columns >= 100) return 'beside';
  return columns >= 80 && rows >= 30 ? 'below' : undefined;
}

export const roomForPreview = (size: { columns: number; rows: number }): boolean => previewPlace(size) !== undefined;

/** The sizes that have room for a preview, as shown to a person. */
export const previewNeeds = '100 columns, or 80 and 30 rows';

export function geometry(size: { columns: number; rows: number }, preview: boolean): Geometry {
  const { columns, rows } = size;
  const bodyRows = Math.max(1, rows - around);
  const rail = columns >= 120 ? 16 : 0;
  const room = columns - rail;
  const place = previewPlace(size);
  const beside = preview && place === 'beside';
  const below = preview && place === 'below';
  const previewWidth = beside ? Math.floor(room * 0.4) : 0;
  const previewRows = below ? Math.floor(bodyRows * 0.35) : 0;
  const kind =
    columns < smallest.columns || rows < smallest.rows
      ? 'tooSmall'
      : columns < 80
        ? 'narrow'
        : columns < 100
          ? 'list'
          : columns < 120
            ? 'split'
            : 'rail';
  return {
    kind,
    rail,
    listWidth: room - previewWidth,
    previewWidth,
    previewRows,
    bodyRows,
    listRows: Math.max(1, bodyRows - previewRows - frame),
    detailRows: Math.max(1, bodyRows - 3),
    detailWidth: room,
  };
}

/** Width in cells of a multi-line field: inside the form's frame, indented by four. */
export const queryWidth = (columns: number): number => Math.max(1, columns - 2 - 4);

/**
 * The first row to draw so that the cursor is visible. Scrolls by half a window: scrolling by one line would repaint
 * every row on every key.
 */
export function windowTop(top: number, at: number, height: number, count: number): number {
  const last = Math.max(0, count - height);
  const half = Math.max(1, Math.floor(height / 2));
  const now = Math.min(Math.max(0, top), last);
  if (at >= now && at < now + height) return now;
  const beyond = at < now ? now - at : at - (now + height - 1);
  const moved = beyond > half ? at - half : at < now ? now - half : now + half;
  return Math.min(Math.max(0, at - height + 1, Math.min(moved, at)), last);
}
