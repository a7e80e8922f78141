import { areAlike } from '../lib/alike.ts';
import { attempt } from '../lib/attempt.ts';
import { present } from '../lib/present-members.ts';
import { createEffects } from './effects/effects.ts';
import { createFleet } from './effects/fleet.ts';
import { createLanguages } from './form/languages.ts';
import { createPaths } from './form/paths.ts';
import { createBurst } from './keys/burst.ts';
import { createReading } from './keys/question.ts';
import { createSortGuard } from './keys/sort-guard.ts';
import { resting } from './list/cursor.ts';
import { hasGoneBack } from './list/go-to-place.ts';
import { savedSession } from './list/resume-session.ts';
import { topAfterSort } from './list/row-places.ts';
import type { SessionParts, World } from './session-world.ts';
import { logged } from './state/log.ts';
import type { Flash, Message } from './state/message.ts';
import type { Moment, Next } from './state/moment.ts';
import type { State } from './state/state.ts';
import { flash } from './state/state-changes.ts';
import type { View } from './state/view.ts';
import { update } from './update.ts';
import { wantsAlike } from './watch/watching.ts';

/** Step by step: a message changes the state, what follows from that is done, and so is what the step asks for. */
export function createLoop(given: SessionParts, world: World, watch: () => void) {
  const { clock, outside } = given;
  const { screens, store, state: stateNow, now, owner } = world;
  const languages = createLanguages(send);
  const paths = createPaths(outside.files, send);
  const fleet = createFleet(outside, send);
  const reading = createReading(clock);
  const burst = createBurst(clock);
  const sortGuard = createSortGuard(clock);
  const act = createEffects({
    ...{ ...given, ...world, send },
    async handover(shift) {
      const { handoverFacts } = await import('./state/handover-facts.ts');
      return handoverFacts(shift, screens, world.context(stateNow()), world.readOf, stateNow().note);
    },
  });

  function send(message: Message): void {
    if (world.hasEnded()) return;
    const before = stateNow();
    const shown = message.type === 'moveToEnd' || message.type === 'sortDone' ? now().view : undefined;
    const step = stepped(before, message, now, clock.now);
    const state = logged(before, step.state);
    if (state !== before) {
      burst.follow(before, state);
      store.setState({ state });
      after(before, state);
    }
    if (message.type === 'performDone' || message.type === 'undoDone') world.feeding.readEdits();
    if (message.type !== 'sortDone' && message.type !== 'cursorPlaced') rest();
    if (shown) afterOrder(shown, message);
    for (const effect of step.effects ?? [])
      attempt(
        () => act(effect),
        (fault) => say(`This failed: ${fault}`, 'bad'),
      );
    // Roles may have changed since.
    if (message.type === 'refresh') owner.refresh();
  }

  /** Makes a dropped order (after another sort, or `g`) again at once, and keeps the cursor on its row. */
  function rest(): void {
    const { state, view } = now();
    const message = resting(state, view);
    if (message) send(message);
  }

  /**
   * After `g` and after a sort: keys that did not know of other rows are guarded against, and a list that was sorted is scrolled
   * no further than its cursor asks.
   */
  function afterOrder(before: View, message: Message): void {
    const { state, view } = now();
    const { list, ids, cursor, cursorAt } = view;
    const isByItself = message.type === 'sortDone' && message.byItself && before.ids.length > 0;
    if ((isByItself || message.type === 'moveToEnd') && !areAlike(before.ids, ids)) {
      if (isByItself) sortGuard.sorted(before.cursor !== cursor);
      else burst.reordered();
      // Listeners read undrawn() on a change: the change was told before this.
      store.setState({ state });
    }
    if (message.type !== 'sortDone') return;
    const top = topAfterSort(before.listState.top, cursorAt, view.room.listRows, ids.length);
    const isTyped = state.layers.at(-1)?.kind === 'filter';
    if (cursor !== undefined && !list.board && !isTyped && top !== view.top)
      send({ type: 'cursorPlaced', list: list.id, cursor, at: cursorAt, top });
  }

  /** Follows a change of state: keeps drafts and views, loads languages of new forms, watches what is on screen. */
  function after(before: State, state: State): void {
    reading.follow(state);
    if (before.drafts !== state.drafts || before.views !== state.views || before.note !== state.note) keep();
    if (before.layers !== state.layers) {
      languages(state);
      paths(state);
      fleet(state);
      if (opensEdit(before, state)) given.client.expectEdit();
    }
    if (!wantsAlike(before, state)) watch();
    const left = world.front(before);
    if (left !== world.front(state) && !hasGoneBack(before, state)) send({ type: 'listEntered', left });
  }

  const say = (text: string, tone: Flash['tone'], keys?: string) =>
    send({ type: 'showFlash', flash: { text, tone, at: clock.now(), ...present({ keys }) } });

  const keep = () =>
    outside.keep?.(
      () => savedSession(stateNow(), screens, world.looks.saved()),
      (problem) => send({ type: 'saveDone', problem }),
    );

  return { send, rest, say, keep, reading, burst, sortGuard };
}

/** Whether a layer was opened whose end may be an edit. */
function opensEdit({ layers: before }: State, { layers }: State): boolean {
  const top = layers.at(-1);
  if (!top || before.at(-1)?.kind === top.kind) return false;
  if (top.kind === 'menu') return top.items.some(({ run }) => run.type === 'valuesChosen');
  return top.kind === 'form' ? top.for.kind === 'action' : ['bar', 'pick', 'confirm', 'wait'].includes(top.kind);
}

/** One step of the state. A step that throws (a bug) ends with a flash and sends nothing. */
const stepped = (before: State, message: Message, now: () => Moment, time: () => number): Next =>
  attempt(
    () => update(before, message, now()),
    (fault) => {
      const isOver = message.type === 'performDone' || message.type === 'undoDone';
      const what = isOver ? 'The edit ended (H: outcome), but this failed' : 'Nothing was done';
      return { state: flash(before, `${what}: ${fault}`, 'bad', time()) };
    },
  );
