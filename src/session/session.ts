import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Cache, Known, Question } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import type { Context, Person } from '../describe/context.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import type { Single } from '../describe/source.ts';
import { withLabels } from '../describe/with-labels.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { thrownText } from '../lib/thrown-text.ts';
import { flash } from './change.ts';
import { createEffects } from './effects.ts';
import { createLanguages } from './form/languages.ts';
import { guarded } from './guarded.ts';
import type { Binding } from './keys/binding.ts';
import { bindings, rescue } from './keys/bindings.ts';
import type { Key } from './keys/keyboard.ts';
import { keyName } from './keys/names.ts';
import { createReading, questionOn } from './keys/question.ts';
import { kindOf } from './layers/index.ts';
import type { Layer } from './layers/layer.ts';
import { geometry } from './list/geometry.ts';
import type { ListState } from './list/list-state.ts';
import { createSlumber } from './list/sleep.ts';
import type { Flash, Message } from './message.ts';
import type { Outside, Profile } from './outside.ts';
import { createReads } from './reads.ts';
import { front, initial, type State } from './state.ts';
import { update } from './update.ts';
import { createViewer, type View } from './view.ts';
import { createWatching } from './watching.ts';
import type { Next, World } from './world.ts';

export interface Session {
  readonly store: StoreApi<{ readonly state: State; readonly beat: number }>;
  /** The state, the reads and what the keyboard can do, all of this moment. */
  now(): {
    readonly state: State;
    readonly view: View;
    readonly context: Context;
    readonly bindings: readonly Binding[];
    readonly world: World;
  };
  press(key: Key): void;
  paste(text: string): void;
  /** The question on top, by identity; undefined when nothing is asked. */
  question(): object | undefined;
  /** The terminal has taken the frame that holds this question: from now on a person can read it. */
  shown(question: object): void;
  /** Whether an answer given now would come before the question could be read. */
  isUnread(): boolean;
  send(message: Message): void;
  /** Freshness and budget for the header. */
  readonly client: Client;
  readonly profile: Profile;
  readonly screens: readonly Screen[];
  start(): void;
  close(): void;
}

const takesText = (layer: Layer): boolean => kindOf(layer).takesText(layer);

/** Nothing but a sentence is drawn: what is typed now would be typed blind. */
const isTooSmall = (state: State): boolean => geometry(state.size, state.preview).kind === 'tooSmall';

/**
 * The engine between keys, state, cache and client. Held outside React, so a key pressed before the next paint
 * meets the current state.
 */
export function createSession(with_: {
  readonly screens: readonly Screen[];
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly zone: string;
  readonly ascii: boolean;
  readonly profile: Profile;
  readonly outside: Outside;
  readonly size: State['size'];
  readonly whoAmI?: Single<Person>;
  readonly knowMe?: (me: Person) => void;
}): Session {
  const { client, cache, clock, profile, outside } = with_;
  const screens = guarded(client.vocabulary ? withLabels(with_.screens, client.vocabulary.says) : with_.screens);
  const store = createStore<{ readonly state: State; readonly beat: number }>(() => ({
    state: initial(screens, with_.size),
    beat: 0,
  }));
  const viewer = createViewer();
  const held = {
    me: undefined as Person | undefined,
    asksMe: false,
    closed: false,
    flashTimer: () => {},
    ageTimer: () => {},
  };

  const contextOf = (state: State, subRowId?: string): Context => ({
    now: clock.now(),
    zone: with_.zone,
    ...present({ me: held.me, ends: client.ends(), subRowId }),
    asksMe: held.asksMe,
    recent: state.recent.map(({ id, label, hint }) => ({ id, name: label, ...present({ handle: hint }) })),
    profile: { name: profile.name, production: profile.production, readOnly: profile.readOnly },
    origin: client.origin,
    vocabulary: client.vocabulary,
    offered: (id) => client.offered(id),
    unfinished: outside.unfinished?.() ?? [],
    trend: (id) => watching.trend(screenList(state), id),
    rows: () => {
      const { list } = front(state, screens);
      return reads.rows(list, state.lists[list.id] as ListState).rows;
    },
    ascii: with_.ascii,
  });
  const screenList = (state: State): AnyList => front(state, screens).list;

  const reads = createReads({ cache, state: () => store.getState().state, context: contextOf });

  /** What was made last, and what it was made of: a key, its frame and its answer look at the same state several times. */
  const made: { view?: View; live?: readonly Binding[]; below?: readonly Binding[]; of: readonly unknown[] } = {
    of: [],
  };
  const now: Session['now'] = () => {
    const { state, beat } = store.getState();
    const of = [state, beat, cache.version(), held.me, held.asksMe];
    if (!of.every((value, at) => value === made.of[at]))
      Object.assign(made, { of, view: undefined, live: undefined, below: undefined });
    made.view ??= viewer(state, screens, reads, (subRowId) => contextOf(state, subRowId));
    const { view } = made;
    const context = contextOf(state, view.detail?.subRowId);
    const listed = (what: State) => {
      try {
        return bindings(what, view, context, screens);
      } catch (error) {
        return rescue(what, thrownText(error));
      }
    };
    // Kept only while this is the state: whoever holds on to an older world still gets what held then.
    const isNow = () => made.of === at;
    const at = made.of;
    const live = () => {
      const all = (isNow() ? made.live : undefined) ?? listed(state);
      if (isNow()) made.live = all;
      return all;
    };
    const below = () => {
      if (state.layers.length === 0) return live();
      const all = (isNow() ? made.below : undefined) ?? listed({ ...state, layers: [] });
      if (isNow()) made.below = all;
      return all;
    };
    const world: World = {
      view,
      context,
      screens,
      get bindings() {
        return live();
      },
      get below() {
        return below();
      },
      picks: (layer) => reads.picks(layer).value?.rows ?? [],
      pickTrouble: (layer) => reads.picks(layer).problem?.text,
    };
    return {
      state,
      view,
      context,
      get bindings() {
        return live();
      },
      world,
    };
  };

  /** What throws in a step is a mistake of ours: the step ends with a sentence, and nothing of it is sent. */
  const stepped = (before: State, message: Message): Next => {
    try {
      return update(before, message, now().world);
    } catch (error) {
      const isOver = message.do === 'performed' || message.do === 'undone';
      const what = isOver ? 'the edit has ended, H tells how, but this went wrong' : 'nothing was done';
      return { state: flash(before, `${what}: ${thrownText(error)}`, 'bad', clock.now()) };
    }
  };

  const send = (message: Message): void => {
    if (held.closed) return;
    const before = store.getState().state;
    const next = stepped(before, message);
    if (next.state !== before) {
      store.setState({ state: next.state });
      after(before, next.state);
    }
    if (message.do !== 'arranged') rest();
    for (const effect of next.effects ?? []) act(effect);
  };

  /** An order that was given up (another sort, `g`) is made again at once and then kept. */
  const rest = () => {
    const { view } = now();
    if (view.own.order === undefined && view.known.value && !view.known.partial)
      send({ do: 'arranged', list: view.list.id, order: view.order });
  };

  /** What a change of state asks for: the languages of a form, and to watch what is on screen and nothing else. */
  const after = (before: State, state: State) => {
    reading.follow(state);
    if (state.flash && state.flash !== before.flash) {
      held.flashTimer();
      const mine = state.flash;
      if (!mine.lasting)
        held.flashTimer = clock.after(mine.tone === 'bad' ? 20_000 : 8_000, () => {
          if (store.getState().state.flash === mine) send({ do: 'unflash' });
        });
    }
    if (before.layers !== state.layers) languages(state);
    if (
      before.screen !== state.screen ||
      before.tab !== state.tab ||
      before.lists !== state.lists ||
      before.layers !== state.layers
    )
      watching.watch();
  };

  const beat = () => {
    if (!held.closed) store.setState((before) => ({ beat: before.beat + 1 }));
  };

  const watching = createWatching({
    cache,
    clock,
    outside,
    profile,
    reads,
    now,
    front: screenList,
    context: contextOf,
    state: () => store.getState().state,
    send,
    beat,
  });

  const languages = createLanguages(send);
  const reading = createReading(clock);

  const act = createEffects({
    client,
    cache,
    clock,
    outside,
    random: with_.random,
    state: () => store.getState().state,
    context: contextOf,
    send,
  });

  const say = (text: string, tone: 'good' | 'bad' | 'warn' | 'info') =>
    send({ do: 'flash', flash: { text, tone, at: clock.now() } });

  /** Text for the answer of a question that nobody can have read. */
  const typedBefore = () => say('typed before the question could be read: type it again', 'warn');

  const slumber = createSlumber(clock);
  const wake = () => {
    const sleptMs = slumber.slept();
    if (sleptMs > 0) send({ do: 'woke', sleptMs });
  };

  /** Ages on screen move on: a frame is drawn when the unit of one may have changed, never more. */
  const grow = () => {
    held.ageTimer = clock.after(15_000, () => {
      wake();
      beat();
      grow();
    });
  };

  return {
    store,
    client,
    profile,
    screens,
    now,
    send,
    press(key) {
      wake();
      cache.pace.touch();
      const { state, bindings: live } = now();
      const binding = live.find((binding) => binding.keys.includes(key.name));
      const top = state.layers.at(-1);
      if (binding) {
        if (binding.deliberate && reading.isUnread())
          return say(`${keyName(key.name)} was pressed before the question could be read: press it again`, 'warn');
        if (binding.deliberate && !key.alone) return say('typed ahead: press it again to confirm', 'warn');
        if (binding.refused !== undefined) return say(`${binding.title}: ${binding.refused}`, 'warn');
        return send(binding.run.do === 'digit' ? { do: 'digit', digit: key.name } : binding.run);
      }
      if (!top || !takesText(top) || isTooSmall(state)) return;
      if (top.kind === 'confirm' && reading.isUnread()) return typedBefore();
      send({ do: 'type', key });
    },
    paste(text) {
      const { state } = store.getState();
      const top = state.layers.at(-1);
      if (top?.kind === 'confirm' && takesText(top) && reading.isUnread()) return typedBefore();
      if (top && takesText(top) && !isTooSmall(state)) send({ do: 'paste', text });
      else say('pasted text is not taken as keys here', 'info');
    },
    question: () => questionOn(store.getState().state),
    shown: (question) => reading.shown(question),
    isUnread: () => reading.isUnread(),
    start() {
      watching.watch();
      grow();
      if (with_.whoAmI) {
        held.asksMe = true;
        void cache.ask<Person>(watching.question(with_.whoAmI) as Question<Person>).then((known: Known<Person>) => {
          held.me = known.value;
          held.asksMe = false;
          if (known.value) with_.knowMe?.(known.value);
          send({ do: 'knewMe', ...present({ trouble: known.problem?.text }) });
          beat();
        });
      }
      void outside.unsettled().then(({ entries, trouble }) => {
        if (entries.length > 0) send({ do: 'noted', entries, unsettled: true });
        if (trouble === undefined) return;
        const flash: Flash = {
          text: `open edits cannot be listed: ${trouble}`,
          tone: 'bad',
          keys: 'H',
          at: clock.now(),
        };
        send({ do: 'flash', flash: { ...flash, lasting: true } });
      });
    },
    close() {
      held.closed = true;
      held.flashTimer();
      held.ageTimer();
      reading.close();
      watching.close();
      cache.close();
    },
  };
}
