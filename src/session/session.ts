import type { Client } from '../client/client.ts';
import type { Screen } from '../describe/screen.ts';
import { plural } from '../lib/text.ts';
import { createJournalStart } from './journal-start.ts';
import type { Key } from './keyboard/keyboard.ts';
import { createInput } from './keys/key-input.ts';
import { questionOn } from './keys/question.ts';
import { createSleepDetector } from './list/sleep-detector.ts';
import { seedFrom, toSnapshot } from './list/snapshot.ts';
import type { SessionProfile } from './outside/outside.ts';
import { createLoop } from './session-loop.ts';
import { createWorld, type SessionParts, type World } from './session-world.ts';
import type { Message } from './state/message.ts';
import type { Moment } from './state/moment.ts';
import { createWatching } from './watch/watching.ts';

export interface Session {
  readonly store: World['store'];
  /** The present moment, for a frame or a step. */
  now(): Moment;
  press(key: Key): void;
  paste(text: string): void;
  /** How many times longer polls are apart because nobody presses a key. */
  idle(): number;
  /** What must be on the terminal before keys count, by identity: a question, a list that a layer has left. */
  undrawn(): readonly object[];
  /** The terminal has taken the frame that shows it: a person can read it from now on. */
  shown(undrawn: object): void;
  /**
   * Whether the next key would be no key of its own: dropped, because its person cannot have seen what it acts on, or read
   * together with the digit before it.
   */
  isUnread(): boolean;
  send(message: Message): void;
  /** Freshness and budget for the header. */
  readonly client: Client;
  readonly profile: SessionProfile;
  /** Ids of rows with an unconfirmed edit. */
  pending(): ReadonlySet<string>;
  readonly screens: readonly Screen[];
  start(): void;
  close(): void;
}

/**
 * The engine between keys, state, cache and client. Held outside React, so a key pressed before the next paint
 * meets the current state.
 */
export function createSession(given: SessionParts): Session {
  const { client, cache, profile, outside, clock } = given;
  const { pace } = cache;
  const world = createWorld(given, {
    send(message) {
      loop.send(message);
      if (message.type === 'ownerRead') journalStart.ownerIsRead();
    },
    frontReads: () => watching.front(),
    trend: (list, rowId) => watching.trend(list, rowId),
    seen: (listId) => watching.seen(listId),
  });
  const { screens, store, state, now, looks, owner, feeding } = world;
  const loop = createLoop(given, world, () => watching.follow());
  const { send, say, reading, burst, sortGuard } = loop;
  const pressed = { at: Number.NEGATIVE_INFINITY };
  const leftRows = seedFrom(given.snapshot ?? [], screens, cache.seed);
  const journalStart = createJournalStart({
    ...{ clock, send, say },
    unsettled: outside.unsettled,
    asksOwner: owner.asksMe,
    isBusy: () => state().layers.length > 0 || looks.saved().lastKey > world.startedAt,
    opened: burst.reordered,
    read: feeding.readEdits,
  });
  const sleepDetector = createSleepDetector(clock);
  const wake = () => {
    const sleptMs = sleepDetector.slept();
    if (sleptMs !== 0) send({ type: 'woke', sleptMs });
  };
  const watching = createWatching({
    ...{ ...given, ...world, send },
    aged() {
      wake();
      world.beat();
    },
    keyAt: () => pressed.at,
    rowsAreThere: journalStart.rowsAreThere,
    keepRows: (withinMs) => outside.keepRows?.(() => toSnapshot(state(), screens, world.readList, watching), withinMs),
  });
  const input = createInput({ now, state, reading, burst, sortGuard, send, say, clock });

  return {
    ...{ store, client, profile, screens, now, send, paste: input.paste, idle: pace.idle },
    pending: () => cache.overlays.pending(),
    press(key) {
      wake();
      looks.press();
      pressed.at = clock.now();
      loop.keep();
      const wasIdle = pace.idle() > 1;
      pace.touch();
      // What is in front may be two minutes old: whoever comes back reads it as of now.
      if (wasIdle && !pace.paused() && pace.holding() <= 0) cache.refresh();
      input.press(key);
    },
    undrawn: () => [questionOn(state()), burst.undrawn(), sortGuard.undrawn()].filter((one) => one !== undefined),
    shown(undrawn) {
      for (const part of [reading, burst, sortGuard]) part.shown(undrawn);
    },
    isUnread: () => reading.isUnread() || burst.isOn() || sortGuard.isOn() || input.isHolding(),
    start() {
      // Rows of the last run count as seen, so that what came since is marked.
      loop.rest();
      if (profile.isPaused) cache.pause(true);
      watching.follow();
      owner.read();
      journalStart.start();
      const rows = `${plural(leftRows, 'row')} of the last run cannot be read and ${leftRows === 1 ? 'is' : 'are'} left out`;
      if (leftRows > 0) say(rows, 'warn');
    },
    close() {
      world.end();
      for (const part of [journalStart, reading, owner, watching, cache]) part.close();
    },
  };
}
