import { age } from '../lib/time.ts';
import { asking, flash, formLayer, pop, popConfirm, push, withOwn } from './change.ts';
import { begin, confirmed, needed } from './edit/begin.ts';
import { movedOn, performed, undone } from './edit/result.ts';
import { line } from './form/line.ts';
import { knewMe } from './layers/assignee.ts';
import { openJob } from './layers/job.ts';
import { copies, linkOf, rangeMenu, sortMenu, verbMenu } from './layers/menus.ts';
import { updateLayer } from './layers/update.ts';
import { back, look, moveDetail, moveTo, steps } from './list/cursor.ts';
import { geometry } from './list/geometry.ts';
import { newOrder, shifted } from './list/reorder.ts';
import { isFromBeforeSleep } from './list/sleep.ts';
import type { Message } from './message.ts';
import type { State } from './state.ts';
import { troubleLines } from './trouble.ts';
import type { Next, World } from './world.ts';

/** The session's only way to change. Pure: the same state, message and world give the same next state. */
export function update(state: State, message: Message, world: World): Next {
  const { view, context } = world;
  const { list, own, detail } = view;
  if (isFromBeforeSleep(state, message, view)) {
    const text = 'the rows are from before the sleep: wait until they are read again';
    return { state: flash(state, text, 'warn', context.now) };
  }
  switch (message.do) {
    case 'move':
      return detail
        ? { state: moveDetail(state, view, message.by) }
        : { state: moveTo(state, view, view.at + message.by * steps(own)) };
    case 'page': {
      const room = geometry(state.size, state.preview);
      if (detail) return { state: moveDetail(state, view, message.by * Math.max(1, Math.floor(room.detailRows / 2))) };
      return {
        state: moveTo(state, view, view.at + message.by * Math.max(1, Math.floor(room.listRows / 2)) * steps(own)),
      };
    }
    case 'end':
      if (detail) return { state: moveDetail(state, view, message.last ? 1e9 : -1e9) };
      return message.last
        ? { state: moveTo(state, view, view.ids.length - 1) }
        : { state: look(moveTo(withOwn(state, list, { order: undefined }), view, 0), view) };
    case 'digit':
      return { state: withOwn(state, list, { count: (own.count + message.digit).slice(0, 5) }) };
    case 'scroll':
      return {
        state: withOwn(state, list, {
          hscroll: Math.max(0, Math.min(list.columns.length - 1, own.hscroll + message.by)),
        }),
      };
    case 'preview':
      return { state: { ...state, preview: !state.preview } };
    case 'open':
      return view.cursor === undefined || !list.detail
        ? { state }
        : { state: withOwn(state, list, { detail: { id: view.cursor, tab: 0, top: 0 }, cursor: view.cursor }) };
    case 'tab':
      if (detail && own.detail) {
        const tab = (detail.tabAt + message.by + detail.tabs.length) % detail.tabs.length;
        return { state: withOwn(state, list, { detail: { id: own.detail.id, tab, top: 0 } }) };
      }
      return {
        state: {
          ...state,
          tab: {
            ...state.tab,
            [view.screen.id]:
              ((state.tab[view.screen.id] ?? 0) + message.by + view.screen.lists.length) % view.screen.lists.length,
          },
        },
      };
    case 'screen':
      return message.id === state.screen
        ? { state }
        : { state: { ...look(state, view), screen: message.id, flash: undefined } };
    case 'back':
      return back(state, view);
    case 'shift':
      return shifted(state, view, message.by, context);
    case 'saveOrder':
      return list.order && own.moving ? begin(state, list.order.save, newOrder(view, own.moving), world) : { state };
    case 'mark': {
      if (view.cursor === undefined) return { state };
      const marks = new Set(own.marks);
      if (!marks.delete(view.cursor)) marks.add(view.cursor);
      return { state: moveTo(withOwn(state, list, { marks }), view, view.at + 1) };
    }
    case 'range':
      return own.anchor === undefined
        ? view.cursor === undefined
          ? { state }
          : {
              state: withOwn(state, list, {
                anchor: view.cursor,
                count: '',
                marks: new Set([...own.marks, view.cursor]),
              }),
            }
        : { state: withOwn(state, list, { anchor: undefined, count: '' }) };
    case 'markAll':
      return { state: withOwn(state, list, { marks: new Set(view.ids) }) };
    case 'refresh':
      // The order is made anew when the answer comes, not before: what is new must find its place too.
      return {
        state: look(withOwn(state, list, { order: { key: '', ids: [] } }), view),
        effects: [{ ask: 'refresh' }],
      };
    case 'pause':
      return {
        state: flash(
          { ...state, paused: !state.paused },
          state.paused ? 'polling again' : 'polling paused · Z polls again',
          'info',
          context.now,
        ),
        effects: [{ ask: 'pause', on: !state.paused }],
      };
    case 'filter':
      return { state: push(state, { kind: 'filter', list: list.id, line: line(own.filter) }) };
    case 'search':
      return {
        state: list.search
          ? push(
              state,
              formLayer('Search', list.search.form(own.asked.search, context), { kind: 'search', list: list.id }),
            )
          : state,
      };
    case 'ranges':
      return { state: push(state, rangeMenu(list, own)) };
    case 'setRange':
      return { state: asking(pop(state), list, { ...own.asked, range: message.range }) };
    case 'sorts':
      return { state: push(state, sortMenu(list, own)) };
    case 'sort': {
      const now = own.sort ?? list.sorted;
      const down =
        now?.by === message.by ? !now.down : (list.columns.find((it) => it.id === message.by)?.downwards ?? false);
      return { state: withOwn(pop(state), list, { sort: { by: message.by, down }, order: undefined }) };
    }
    case 'copyId':
      return view.targets.length === 0
        ? { state }
        : {
            state,
            effects: [
              {
                ask: 'copy',
                what: view.targets.length > 1 ? `${view.targets.length} ids` : 'the id',
                text: view.targets.map(list.idOf).join('\n'),
              },
            ],
          };
    case 'copies':
      return view.targets[0] === undefined
        ? { state }
        : { state: push(state, copies(list, view.targets, context, state.last)) };
    case 'copy':
      return {
        state: state.layers.at(-1)?.kind === 'menu' ? pop(state) : state,
        effects: [{ ask: 'copy', what: message.what, text: message.text }],
      };
    case 'link': {
      const row = view.targets[0] ?? view.row;
      const link = row === undefined ? undefined : linkOf(list, row, context);
      return {
        state: push(state, { kind: 'text', title: 'link', lines: [link ?? 'there is no link for this row'], top: 0 }),
      };
    }
    case 'verbs':
      return { state: push(state, verbMenu(world)) };
    case 'action':
      return begin(state, message.id, message.values, world);
    case 'again':
      return state.last ? begin(state, state.last.action, state.last.values, world, state.last.picked) : { state };
    case 'perform':
      return confirmed(state, message.pending, world);
    case 'undo': {
      const last = state.undo.at(-1);
      if (!last) return { state };
      const comparable = (row: unknown) => (row === undefined ? row : (list.comparable?.(row, context) ?? row));
      const changed =
        last.list === list.id
          ? last.steps.filter((it) =>
              movedOn(comparable(it.before), comparable(it.after), comparable(view.rows.get(it.id))),
            )
          : [];
      const { production, name } = context.profile;
      if (changed.length === 0 && !production) return update(state, { do: 'undoNow', it: last }, world);
      const who = changed.length === 1 ? (changed[0]?.name ?? '') : `${changed.length} rows`;
      const where = production ? ` in production (${name})` : '';
      const asks = changed.length > 0 ? `${who} has changed since. Undo${where} all the same?` : `undo${where}?`;
      return {
        state: push(state, {
          kind: 'confirm',
          confirm: { question: asks, details: [last.text] },
          typed: { text: '', cursor: 0 },
          yes: { do: 'undoNow', it: last },
        }),
      };
    }
    case 'undoNow':
      return {
        state: { ...popConfirm(state), undo: state.undo.filter((it) => it !== message.it), flash: undefined },
        effects: [{ ask: 'undo', it: message.it }],
      };
    case 'help':
      return { state: push(state, { kind: 'help', query: { text: '', cursor: 0 }, cursor: 0, searching: false }) };
    case 'palette':
      return { state: push(state, { kind: 'palette', query: { text: '', cursor: 0 }, cursor: 0 }) };
    case 'lastProblem': {
      const lines = troubleLines(state, view);
      return { state: lines.length > 0 ? push(state, { kind: 'text', title: 'last problem', lines, top: 0 }) : state };
    }
    case 'journal':
      return { state, effects: [{ ask: 'journal' }] };
    case 'profiles':
      return { state, effects: [{ ask: 'profiles' }] };
    case 'size':
      return { state: { ...state, size: { columns: message.columns, rows: message.rows } } };
    case 'woke': {
      const text = `slept for ${age(context.now - message.sleptMs, context.now)}: reading again`;
      return {
        state: flash({ ...state, wokeAt: context.now }, text, 'info', context.now),
        effects: [{ ask: 'refresh' }],
      };
    }
    case 'arranged': {
      const to = state.lists[message.list];
      if (!to) return { state };
      const seen = to.seen ?? new Set(message.order.ids);
      // From now on the cursor is on a row and no longer on a place.
      const cursor = to.cursor ?? message.order.ids[0];
      const own = { ...to, order: message.order, seen, cursor };
      return { state: { ...state, lists: { ...state.lists, [message.list]: own } } };
    }
    case 'flash':
      return { state: { ...state, flash: message.flash } };
    case 'unflash':
      return { state: { ...state, flash: undefined } };
    case 'performing':
      return { state: { ...state, flying: Math.max(0, state.flying + message.by) } };
    case 'performed':
      return { state: performed(state, message, context) };
    case 'needed':
      return needed(state, message, world);
    case 'undone':
      return { state: undone(state, message, world) };
    case 'jobs':
      return { state: openJob(state) };
    case 'redraw':
      return { state, effects: [{ ask: 'redraw' }] };
    case 'suspend':
      return { state, effects: [{ ask: 'suspend' }] };
    case 'quit':
      return state.flying > 0 && !state.warnedQuit
        ? {
            state: flash(
              { ...state, warnedQuit: true },
              'an edit is under way: press it again to quit all the same',
              'warn',
              context.now,
            ),
          }
        : { state, effects: [{ ask: 'quit', code: 0 }] };
    case 'interrupt':
      return state.flying > 0 && !state.warnedQuit
        ? {
            state: flash(
              { ...state, warnedQuit: true },
              'an edit is under way: Ctrl-C again quits all the same',
              'warn',
              context.now,
            ),
          }
        : { state, effects: [{ ask: 'quit', code: 130 }] };
    case 'quitNow':
      return { state, effects: [{ ask: 'quit', code: message.code }] };
    case 'knewMe':
      return knewMe(state, message, world);
    default:
      return updateLayer(state, message, world);
  }
}
