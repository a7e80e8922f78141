import { expect } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { openJournalFile } from '../../src/journal/journal-file.ts';
import type { Clock } from '../../src/lib/time.ts';
import type { Pending } from '../../src/session/send/pending-edit.ts';
import { createSession } from '../../src/session/session.ts';
import { notedOutside } from './bare-session.ts';
import { connected, type Place } from './connected.ts';

export const listOf = (id: string): AnyList => {
  const found = screens.flatMap(({ lists }) => lists).find((list) => list.id === id);
  if (!found) throw new Error(`no list ${id}`);
  return found;
};

export const actionOf = (list: AnyList, id: string): AnyAction => {
  const found = list.actions.find((one) => one.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};

/** A dashboard on the journal of this directory, as a process of its own, whose disk may take no more lines. */
export function undoingDashboard(
  at: Place,
  how: {
    readonly directory: string;
    readonly pid: number;
    readonly clock: Clock;
    readonly disk?: { readonly isFull: boolean };
    readonly screen?: string;
  },
) {
  const { directory, pid, clock, disk, screen = 'issues' } = how;
  const run = { host: 'elsewhere', pid, began: 'then' };
  const open = (path: string) => (disk?.isFull ? Promise.reject(new Error('no space is left')) : openJournalFile(path));
  const setting = { name: 'test', screens, directory, clock, readOnly: false, run, open };
  const { client, journal, cache, outside } = connected(at, setting);
  const session = createSession({
    ...{ screens, client, cache, clock, random: Math.random, zone: 'UTC', ascii: false, screen },
    profile: { name: 'test', environment: 'dev', production: false, readOnly: false, pollMs: 15_000 },
    outside: { ...notedOutside().outside, ...outside },
    size: { columns: 100, rows: 30 },
  });
  cache.pause(true);
  const state = () => session.store.getState().state;
  /** Does something and waits until it has been answered for: by a message, or by a question. */
  const does = async (begin: () => void) => {
    const before = state().flash;
    begin();
    const isOver = () => {
      const { flash, layers, underWay } = state();
      return layers.at(-1)?.kind === 'confirm' || (flash !== undefined && flash !== before && underWay.length === 0);
    };
    await expect.poll(isOver, { interval: 1, timeout: 10_000 }).toBe(true);
    await journal.written();
  };
  const closes = () => {
    for (let left = 5; state().layers.length > 0 && left > 0; left -= 1) session.send({ type: 'closeLayer' });
  };
  return {
    ...{ client, journal, does, says: () => state().flash?.text },
    hasRedo: () => state().redo !== undefined,
    async edits(pending: Pending) {
      await does(() => session.send({ type: 'editConfirmed', pending }));
      closes();
    },
    /** Presses a key, and says yes where it asks; whether it has asked. */
    async presses(type: 'askUndo' | 'askRedo') {
      await does(() => session.send({ type }));
      const asks = state().layers.at(-1)?.kind === 'confirm';
      if (asks) await does(() => session.send({ type: 'answerYes' }));
      return asks;
    },
    async closes() {
      session.close();
      await client.close();
    },
  };
}
