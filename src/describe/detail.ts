import { inside, type Plan } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';
import { stringifyExact } from '../lib/json.ts';
import { type Line, type Tab, text } from './column.ts';
import type { Context } from './context.ts';
import type { Kind, Resource } from './resource.ts';
import type { Detail } from './screen.ts';

/** The current row, the resource object as read, and further data of the detail. */
export interface Whole<R, M> {
  readonly row: R;
  readonly resource?: object | undefined;
  readonly more: M;
}

/** The object as it was read, as lines. */
export const rawLines = (resource: unknown): readonly Line[] =>
  stringifyExact(resource, 2)
    .split('\n')
    .map((line) => text(line));

/** The last tab of a detail: the object as it was read. */
export const rawTab = (resource: unknown): Tab => ({
  kind: 'lines',
  id: 'raw',
  title: 'raw',
  lines: rawLines(resource),
});

/** The unread paths of a row, as lines of its detail. */
export const unreadLines = (row: Resource): readonly Line[] =>
  row.unread.slice(0, 3).map((place) => text(`could not be read: ${place}`, 'warn'));

/**
 * The detail of a kind: the row is read again as a whole, its own tabs stand before the raw one, and edits on their way are
 * shown in it. `more` is a further read, shown as it comes; its failure must be part of its value: only the first read can
 * fail a detail.
 */
export function detailOf<R extends Resource, M = undefined>(
  kind: Kind<R, object>,
  spec: {
    /** `more` is undefined until it has been read. */
    tabs(row: R, more: M | undefined, context: Context): readonly Tab[];
    preview?: NonNullable<Detail<R>['preview']>;
    readonly previewLines?: number;
    readonly more?: { readonly of: readonly string[]; read(row: R, context: Context): Plan<Result<M>, M> };
  },
): Detail<R> {
  const { more } = spec;
  return {
    load: (row) => ({
      key: `${kind.key} ${row.id}`,
      of: [...kind.of, ...(more?.of ?? [])],
      *plan(context): Plan<Result<Whole<R, M | undefined>>, Whole<R, M | undefined>> {
        const now = yield* kind.read(row);
        if (!now.ok || !more) return now.ok ? { ...now, value: { ...now.value, more: undefined } } : now;
        const whole = (read: M) => ({ ...now.value, more: read });
        const read = yield* inside(more.read(now.value.row, context), whole);
        return read.ok ? { ...now, value: whole(read.value) } : read;
      },
    }),
    inside: {
      get: (whole: Whole<R, M>) => whole.row,
      set: (whole: Whole<R, M>, row) => ({ ...whole, row }),
    },
    tabs(row, whole: Whole<R, M> | undefined, context) {
      // Only the list tells the place.
      const now: R = { ...(whole?.row ?? row), place: row.place };
      const { place: _, unread: __, ...listed } = now;
      return [...spec.tabs(now, whole?.more, context), rawTab(kind.inWords(whole?.resource ?? listed, context))];
    },
    ...(spec.preview && { preview: spec.preview }),
    ...(spec.previewLines !== undefined && { previewLines: spec.previewLines }),
  };
}
