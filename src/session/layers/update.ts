import { flash, formLayer, pop, push, swap, withOwn } from '../change.ts';
import { question } from '../edit/begin.ts';
import { handed, handedBack } from '../form/external.ts';
import { entered, fileRead, option, spoken, submit } from '../form/form.ts';
import { edit, insert, type Line } from '../form/line.ts';
import { keyFields, profileFields } from '../form/profile.ts';
import { closed } from '../form/query.ts';
import { scrolled } from '../form/review.ts';
import { focus, nextFinding, offer, stepRow, tookOffer, typedInto } from '../form/typing.ts';
import type { Message } from '../message.ts';
import type { Layer, State } from '../state.ts';
import type { Next, World } from '../world.ts';
import { unwished } from './assignee.ts';
import { choose as chosen } from './choose.ts';
import { jobDone, jobMoved, leaveJob } from './job.ts';
import { matchingHelp, matchingPalette, pickRows } from './matching.ts';
import { takeRows, toggled } from './take.ts';

/** Messages to whatever lies on top. */
export function updateLayer(state: State, message: Message, world: World): Next {
  const top = state.layers.at(-1);
  switch (message.do) {
    case 'push':
      return { state: push(state, message.layer) };
    case 'noted': {
      const { entries, unsettled, trouble } = message;
      const layer: Layer = { kind: 'journal', entries, cursor: 0, unsettled, trouble };
      return {
        state:
          top?.kind === 'journal'
            ? swap(state, { ...layer, cursor: Math.min(top.cursor, Math.max(0, layer.entries.length - 1)) })
            : push(state, layer),
      };
    }
    case 'profileLines': {
      const layer: Layer = {
        kind: 'profiles',
        items: message.items,
        cursor: Math.max(
          0,
          message.items.findIndex((it) => (message.at === undefined ? it.current : it.name === message.at)),
        ),
      };
      const kept = top?.kind === 'form' && top.for.kind === 'profile' ? pop(state) : state;
      return { state: kept.layers.at(-1)?.kind === 'profiles' ? swap(kept, layer) : push(kept, layer) };
    }
    case 'askKeys':
      return {
        state: push(state, formLayer(`Keys of ${message.name}`, keyFields(), { kind: 'keys', name: message.name })),
      };
    case 'profileFailed':
      return top?.kind === 'form'
        ? { state: swap(state, { ...top, busy: false, problem: message.text }) }
        : { state: flash(state, message.text, 'bad', world.context.now) };
    case 'useProfile':
      return { state: { ...state, layers: [] }, effects: [{ ask: 'useProfile', name: message.name }] };
    case 'removeProfile':
      return { state: pop(state), effects: [{ ask: 'removeProfile', name: message.name }] };
    // Work goes on whatever lies over the list, or nothing.
    case 'progress':
      return { state: jobMoved(state, message) };
    case 'language':
      return spoken(state, message, world);
    case 'jobDone':
      return jobDone(state, message, world);
    default:
      return top ? within(state, unwished(top, message), message, world) : { state };
  }
}

function within(state: State, top: Layer, message: Message, world: World): Next {
  switch (message.do) {
    case 'pop':
      return top.kind === 'job' ? { state: leaveJob(state, top) } : leave(state, top);
    case 'step':
      return stepped(state, top, message.by, world);
    case 'typing':
      if (top.kind === 'pick' || top.kind === 'take') return { state: swap(state, { ...top, typing: true }) };
      if (top.kind === 'help') return { state: swap(state, { ...top, searching: true, cursor: 0 }) };
      return { state };
    case 'type':
      return typed(state, top, message.key.text ?? '', message.key.name, world);
    case 'paste':
      return typed(state, top, message.text, '', world);
    case 'asked':
      return (top.kind === 'pick' || top.kind === 'take') && top.query.text === message.typed
        ? { state: swap(state, { ...top, asked: message.typed, cursor: 0 }) }
        : { state };
    case 'field':
      return top.kind === 'form' ? { state: swap(state, focus(top, message.by)) } : { state };
    case 'row':
      return top.kind === 'form' ? { state: swap(state, stepRow(top, message.by, state.size.columns)) } : { state };
    case 'offer':
      return top.kind === 'form' ? { state: swap(state, offer(top, message.by)) } : { state };
    case 'nextFinding':
      return top.kind === 'form' ? { state: swap(state, nextFinding(top)) } : { state };
    case 'takeOffer':
      return top.kind === 'form' ? { state: swap(state, tookOffer(top)) } : { state };
    case 'option':
      return top.kind === 'form' ? { state: swap(state, option(top, message.by)) } : { state };
    case 'submit':
      return top.kind === 'form' ? submit(state, top, world) : { state };
    case 'fileRead':
      return top.kind === 'form' ? fileRead(state, top, message, world) : { state };
    case 'toggle':
      return top.kind === 'take' ? { state: swap(state, toggled(top, world)) } : { state };
    case 'reveal':
      return top.kind === 'secret' ? { state: swap(state, { ...top, shown: !top.shown }) } : { state };
    case 'copySecret':
      return top.kind === 'secret'
        ? {
            state: swap(state, { ...top, copied: true }),
            effects: [{ ask: 'copy', what: top.secret.title, text: top.secret.value }],
          }
        : { state };
    case 'cancelJob':
      return top.kind === 'job'
        ? { state: swap(state, { ...top, stopping: true }), effects: [{ ask: 'cancelJob', id: top.id }] }
        : { state };
    case 'editRaw':
      return top.kind === 'form' ? { state, effects: [handed(top)] } : { state };
    case 'edited':
      return top.kind === 'form' ? { state: swap(state, handedBack(top, message)) } : { state };
    case 'choose':
    case 'barKey':
    case 'quickPick':
      if (top.kind === 'form') return entered(state, top, world);
      return chosen(state, top, message, world);
    case 'yes':
      if (top.kind !== 'confirm') return { state };
      if (top.confirm.typed !== undefined && top.typed.text.trim() !== top.confirm.typed.trim()) {
        return { state: flash(state, `type ${top.confirm.typed} to go on, or Esc`, 'warn', world.context.now) };
      }
      return { state: pop(state), effects: [{ ask: 'later', ms: 0, message: top.yes }] };
    case 'retry':
      if (top.kind !== 'results') return { state };
      return question(
        pop(state),
        { ...top.pending, rows: top.results.filter((it) => !it.ok).map((it) => it.row) },
        world,
      );
    case 'entry': {
      const entry = top.kind === 'journal' ? top.entries[top.cursor] : undefined;
      if (!entry) return { state };
      const { production, name } = world.context.profile;
      if (production && !message.sure && (message.what === 'undo' || message.what === 'repeat'))
        return {
          state: push(state, {
            kind: 'confirm',
            confirm: {
              question: `${message.what} ${entry.operation} ${entry.target} in production (${name})?`,
              details: [],
            },
            typed: { text: '', cursor: 0 },
            yes: { ...message, sure: true },
          }),
        };
      return { state, effects: [{ ask: 'entry', id: entry.id, what: message.what }] };
    }
    case 'profile': {
      if (top.kind !== 'profiles') return { state };
      if (message.what === 'new')
        return { state: push(state, formLayer('New profile', profileFields(), { kind: 'profile' })) };
      const name = top.items[top.cursor]?.name;
      if (name === undefined) return { state };
      if (message.what === 'use') return { state: { ...state, layers: [] }, effects: [{ ask: 'useProfile', name }] };
      if (message.what === 'test')
        return {
          state: flash(state, `testing ${name} …`, 'info', world.context.now),
          effects: [{ ask: 'testProfile', name }],
        };
      return {
        state: push(state, {
          kind: 'confirm',
          confirm: {
            question: `Remove profile ${name}?`,
            details: ['Its settings leave this machine; the organisation is not touched.'],
            destructive: true,
            typed: name,
          },
          typed: { text: '', cursor: 0 },
          yes: { do: 'removeProfile', name },
        }),
      };
    }
    default:
      return { state };
  }
}

function leave(state: State, top: Layer): Next {
  if (top.kind === 'form' && top.isChecking) return { state: swap(state, { ...top, busy: false, isChecking: false }) };
  if (top.kind === 'form' && closed(top) !== top) return { state: swap(state, closed(top)) };
  if (top.kind === 'form' && top.review) return { state: swap(state, { ...top, review: undefined }) };
  if (top.kind === 'secret' && !top.copied && !top.leaving) return { state: swap(state, { ...top, leaving: true }) };
  if (top.kind === 'form' && top.touched && !top.leaving && !top.busy)
    return { state: swap(state, { ...top, leaving: true }) };
  if (top.kind === 'bar' && top.input) return { state: swap(state, { ...top, input: undefined }) };
  if (top.kind === 'help' && top.searching)
    return { state: swap(state, { ...top, searching: false, query: { text: '', cursor: 0 }, cursor: 0 }) };
  if (top.kind === 'filter') {
    const before = state.lists;
    const id = Object.keys(before).find((it) => it === top.list);
    const own = id === undefined ? undefined : before[id];
    return { state: pop(own && id ? { ...state, lists: { ...before, [id]: { ...own, filter: '' } } } : state) };
  }
  return { state: pop(state) };
}

function stepped(state: State, top: Layer, by: number, world: World): Next {
  const to = (cursor: number, length: number) => Math.max(0, Math.min(length - 1, cursor + by));
  switch (top.kind) {
    case 'menu':
      return { state: swap(state, { ...top, cursor: to(top.cursor, top.items.length) }) };
    case 'results':
      return { state: swap(state, { ...top, cursor: to(top.cursor, top.results.length) }) };
    case 'journal':
      return { state: swap(state, { ...top, cursor: to(top.cursor, top.entries.length) }) };
    case 'profiles':
      return { state: swap(state, { ...top, cursor: to(top.cursor, top.items.length) }) };
    case 'pick':
      return { state: swap(state, { ...top, cursor: to(top.cursor, pickRows(top, world.picks(top)).length) }) };
    case 'take':
      return { state: swap(state, { ...top, cursor: to(top.cursor, takeRows(top, world.picks(top)).length) }) };
    case 'help':
      return {
        state: swap(state, { ...top, cursor: to(top.cursor, matchingHelp(state, top.query.text, world).length) }),
      };
    case 'palette':
      return {
        state: swap(state, { ...top, cursor: to(top.cursor, matchingPalette(state, top.query.text, world).length) }),
      };
    case 'form':
      return { state: top.review ? swap(state, scrolled(top, by, state.size)) : state };
    case 'text':
      return { state: swap(state, { ...top, top: Math.max(0, Math.min(top.lines.length - 1, top.top + by)) }) };
    case 'filter':
      return { state: withOwn(state, world.view.list, cursorAt(world, world.view.at + by)) };
    default:
      return { state };
  }
}

function cursorAt(world: World, place: number) {
  const at = Math.max(0, Math.min(world.view.ids.length - 1, place));
  return { cursor: world.view.ids[at], cursorAt: at };
}

/** Text typed or pasted, or an editing key, into the layer's line. */
function typed(state: State, top: Layer, text: string, key: string, world: World): Next {
  const change = (line: Line): Line => (text !== '' ? insert(line, text) : (edit(line, key) ?? line));
  switch (top.kind) {
    case 'form':
      return { state: swap(state, typedInto(top, text, key, state.size.columns)) };
    case 'confirm':
      return { state: swap(state, { ...top, typed: change(top.typed) }) };
    case 'bar':
      return top.input
        ? { state: swap(state, { ...top, input: { ...top.input, line: change(top.input.line), error: undefined } }) }
        : { state };
    case 'pick':
    case 'take': {
      const query = change(top.query);
      if (query.text === top.query.text) return { state: swap(state, { ...top, query }) };
      return {
        state: swap(state, { ...top, query, typing: true, cursor: 0 }),
        effects: [{ ask: 'later', ms: 250, message: { do: 'asked', typed: query.text } }],
      };
    }
    case 'filter': {
      const line = change(top.line);
      const next = swap(state, { ...top, line });
      return { state: withOwn(next, world.view.list, { filter: line.text, cursorAt: 0 }) };
    }
    case 'help':
      return { state: swap(state, { ...top, query: change(top.query), cursor: 0 }) };
    case 'palette':
      return top.query.text === '' && key === 'backspace'
        ? { state: pop(state) }
        : { state: swap(state, { ...top, query: change(top.query), cursor: 0 }) };
    default:
      return { state };
  }
}
