import { layoutLines } from '../../lib/detail-lines.ts';
import { push, withOwn } from '../change.ts';
import type { State } from '../state.ts';
import type { View } from '../view.ts';
import type { Next } from '../world.ts';
import { geometry, windowTop } from './geometry.ts';
import type { ListState, SeenRows } from './list-state.ts';

/** Rows for one move: the count typed while a range is chosen, else 1. */
export const steps = (own: ListState): number =>
  own.anchor !== undefined && own.count !== '' ? Math.max(1, Number(own.count)) : 1;

/** Moves the cursor to a place, scrolls to it, and marks the range up to it. */
export function moveTo(state: State, view: View, place: number): State {
  const at = Math.max(0, Math.min(place, view.ids.length - 1));
  const id = view.ids[at];
  const own = state.lists[view.list.id] as ListState;
  const height = geometry(state.size, state.preview).listRows;
  const marks = own.anchor === undefined ? own.marks : ranged(view, own.anchor, at, own.marks);
  const seen = id === undefined ? own.seen : seenAlso(view, id);
  return withOwn(state, view.list, {
    cursor: id,
    cursorAt: at,
    top: windowTop(own.top, at, height, view.ids.length),
    marks,
    count: '',
    seen,
  });
}

function ranged(view: View, anchor: string, at: number, before: ReadonlySet<string>): ReadonlySet<string> {
  const from = view.places.get(anchor) ?? at;
  const marks = new Set(before);
  for (let place = Math.min(from, at); place <= Math.max(from, at); place += 1) marks.add(view.ids[place] as string);
  return marks;
}

export function moveDetail(state: State, view: View, by: number): State {
  const { detail, own, list } = view;
  if (!detail || !own.detail) return state;
  if (detail.tab.kind === 'rows') {
    const at = Math.max(0, Math.min(detail.tab.rows.length - 1, detail.subRowAt + by));
    return withOwn(state, list, { detail: { ...own.detail, subRowId: detail.tab.rows[at]?.id, top: at } });
  }
  const room = geometry(state.size, state.preview);
  const most = layoutLines(detail.tab.lines, room.detailWidth - 2).length - room.detailRows;
  const top = Math.max(0, Math.min(own.detail.top + by, most));
  return withOwn(state, list, { detail: { ...own.detail, top } });
}

/** These rows as they are now, as what a person saw of them. */
export const seenNow = ({ counts }: View, ids: readonly string[]): SeenRows =>
  new Map(ids.map((id) => [id, counts.labels.get(id) ?? '']));

/** What was seen, and this row with it. */
function seenAlso({ own, counts }: View, id: string): SeenRows | undefined {
  if (!own.seen || !counts.fresh.has(id)) return own.seen;
  return new Map([...own.seen, [id, counts.labels.get(id) ?? '']]);
}

/** Marks all shown rows as seen; rows that are not shown yet stay new. Before the first read nobody has looked. */
export function look(state: State, view: View): State {
  return view.own.order === undefined ? state : withOwn(state, view.list, { seen: seenNow(view, view.order.ids) });
}

export function back(state: State, view: View): Next {
  const { own, list } = view;
  if (own.moving !== undefined) return { state: withOwn(state, list, { moving: undefined }) };
  if (own.anchor !== undefined) return { state: withOwn(state, list, { anchor: undefined, count: '' }) };
  if (view.detail && own.detail) return { state: withOwn(state, list, { detail: undefined }) };
  if (own.marks.size > 0) return { state: withOwn(state, list, { marks: new Set() }) };
  if (own.filter !== '') return { state: withOwn(state, list, { filter: '' }) };
  return {
    state: push(state, {
      kind: 'confirm',
      confirm: { question: 'Quit orgdeck?' },
      typed: { text: '', cursor: 0 },
      yes: { do: 'quit' },
    }),
  };
}
