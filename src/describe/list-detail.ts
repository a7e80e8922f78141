import { inside, type Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import { stringifyExact } from '../lib/json.ts';
import { capitalized } from '../lib/text.ts';
import { type DetailLine, type Section, section, type Tab, textLine, toLines } from './column.ts';
import type { Context } from './context.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import { type Detail, type List, list } from './screen.ts';

type Derived = 'load' | 'idOf' | 'nameOf' | 'noun' | 'output';

/**
 * Declares the list of a kind: its rows, their names, how they are printed for a program, and, where one row can be read
 * by its id, the read of some rows and the command that shows one. Whatever `spec` says takes the place of that.
 */
export const listOf = <R extends Resource>(
  kind: ResourceKind<R>,
  spec: Omit<List<NoInfer<R>>, Derived> & Partial<Pick<List<NoInfer<R>>, Derived>>,
): List<R> =>
  list<R>({
    load: kind.load,
    idOf: (row) => row.id,
    nameOf: kind.nameOf,
    noun: kind.short,
    output: () => kind.output(),
    ...kindReads(kind),
    ...spec,
  });

function kindReads<R extends Resource>({ get, find }: ResourceKind<R>): Pick<List<R>, 'find' | 'command'> {
  return get ? { find, command: (row) => get(row.id, row) } : {};
}

/** The current row, the resource object as read, and further data of the detail. */
interface Whole<R, M> {
  readonly row: R;
  readonly resource?: object | undefined;
  readonly more: M;
}

/** The object as it was read, as lines. */
const rawLines = (resource: unknown): readonly DetailLine[] =>
  stringifyExact(resource, 2)
    .split('\n')
    .map((line) => textLine(line));

/** The last tab of a detail: the object as it was read. */
export const rawTab = (resource: unknown): Tab => tabOfLines('raw', rawLines(resource));

/** A tab that is one text. */
export const tabOfLines = (id: string, lines: readonly DetailLine[]): Tab => ({
  kind: 'page',
  id,
  title: capitalized(id),
  sections: [section(id, '', lines)],
});

/** Every tab of a detail: its page first. `whole` is what its `load` brought. */
export function detailTabs<R>(detail: Detail<R>, row: R, whole: unknown, context: Context): readonly [Tab, ...Tab[]] {
  const sections = detail.sections(row, whole, context);
  const aside = detail.neighbors?.(row, whole, context) ?? [];
  const page: Tab = { kind: 'page', id: 'page', title: 'Overview', sections, aside };
  return [page, ...(detail.tabs?.(row, whole, context) ?? [])];
}

/** The unread paths of a row, as lines of its detail. */
export const unreadLines = (row: Resource): readonly DetailLine[] =>
  row.unread.slice(0, 3).map((place) => textLine(`Could not be read: ${place}`, 'warn'));

/**
 * The detail of a kind: the row is read again as a whole, its own tabs stand between the page and the raw one, and edits on their way are
 * shown in it. `more` is a further read, shown as it comes; its failure must be part of its value: only the first read can
 * fail a detail.
 */
export function detailOf<R extends Resource, M = undefined>(
  kind: ResourceKind<R, object>,
  spec: {
    /** `more` is undefined until it has been read. */
    sections(row: R, more: M | undefined, context: Context): readonly Section[];
    tabs?(row: R, more: M | undefined, context: Context): readonly Tab[];
    /** The lines of its sections when absent. */
    preview?: NonNullable<Detail<R>['preview']>;
    readonly previewLines?: number;
    readonly more?: { readonly of: readonly string[]; read(row: R, context: Context): Plan<Result<M>, M> };
  },
): Detail<R> {
  const { more } = spec;
  // Only the list tells the place.
  const nowOf = (row: R, whole: Whole<R, M> | undefined): R => ({ ...(whole?.row ?? row), place: row.place });
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
    sections: (row, whole: Whole<R, M> | undefined, context) => spec.sections(nowOf(row, whole), whole?.more, context),
    tabs(row, whole: Whole<R, M> | undefined, context) {
      const now = nowOf(row, whole);
      const { place: _, unread: __, ...listed } = now;
      const raw = rawTab(kind.inWords(whole?.resource ?? listed, context));
      return [...(spec.tabs?.(now, whole?.more, context) ?? []), raw];
    },
    preview: spec.preview ?? ((row, context) => toLines(spec.sections(row, undefined, context))),
    ...(spec.previewLines !== undefined && { previewLines: spec.previewLines }),
  };
}
