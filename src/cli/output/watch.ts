import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../api/problem.ts';
import { createPace, failureOf } from '../../cache/pace.ts';
import type { Client } from '../../client/client.ts';
import { timestamp } from '../../describe/column.ts';
import type { Item } from '../../describe/screen.ts';
import { keepAwake } from '../../lib/time.ts';
import { complain, failed, safeJson } from '../command-messages.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { jsonVersion } from './formats.ts';

/** One read of what is watched. */
export type WatchRead =
  | { readonly ok: true; readonly items: ReadonlyMap<string, Item>; readonly missing: readonly string[] }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Lines of JSON about what has changed since the read before; without one all rows are present. A row that a partial
 * read does not have is not removed: it may be among those that are missing.
 */
export function watchedChanges(
  before: ReadonlyMap<string, Item> | undefined,
  now: ReadonlyMap<string, Item>,
  { at, isWhole }: { readonly at: number; readonly isWhole: boolean },
): readonly string[] {
  const line = (change: string, item: Item, more: object = {}) =>
    safeJson({ version: jsonVersion, at: timestamp(at), change, ...more, item }, 0);
  const lines: string[] = [];
  for (const [id, item] of now) {
    const old = before?.get(id);
    if (!old) lines.push(line(before ? 'added' : 'present', item));
    else if (!isDeepStrictEqual(old, item)) {
      const fields = Object.keys(item).filter((name) => !isDeepStrictEqual(item[name], old[name]));
      lines.push(line('changed', item, { fields }));
    }
  }
  if (isWhole) for (const [id, item] of before ?? []) if (!now.has(id)) lines.push(line('removed', item));
  return lines;
}

/**
 * Reads again and again, at the pace of the dashboard's polls, and prints what changed, until `stop`. A read that fails is
 * told once and tried again, and so is the next that works; keys that are refused end it, and so does a first read that fails.
 */
export async function watch(
  io: Pick<Io, 'out' | 'err' | 'clock' | 'random'>,
  client: Pick<Client, 'holdBack' | 'slowdown' | 'keysRefused'>,
  {
    read,
    everyMs,
    stop,
  }: { readonly read: () => Promise<WatchRead>; readonly everyMs: number; readonly stop: AbortSignal },
): Promise<Exit> {
  const { clock, random } = io;
  // A person need not touch it to stay awake, as at a dashboard.
  const pace = createPace({ clock, random, holdBack: client.holdBack, slowdown: client.slowdown });
  let itemsById: ReadonlyMap<string, Item> | undefined;
  let told = '';
  const tellOnce = (trouble: string) => {
    if (trouble !== told) complain(io, trouble === '' ? 'everything is read again' : trouble);
    told = trouble;
  };
  const rest = keepAwake();
  try {
    while (!stop.aborted) {
      const now = await read();
      if (stop.aborted) break;
      if (now.ok) {
        const isWhole = now.missing.length === 0;
        for (const line of watchedChanges(itemsById, now.items, { at: clock.now(), isWhole })) io.out(`${line}\n`);
        itemsById = isWhole ? now.items : new Map([...(itemsById ?? []), ...now.items]);
        tellOnce(now.missing.join('; '));
      } else {
        if (!itemsById || client.keysRefused()) return failed(io, now.problem);
        tellOnce(now.problem.text);
      }
      pace.touch();
      await slept(clock, pace.gap(everyMs, failureOf(now.ok ? undefined : now.problem)), stop);
    }
    return exits.interrupted;
  } finally {
    rest();
  }
}

function slept(clock: Io['clock'], ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    const cancel = clock.after(ms, done);
    function done() {
      stop.removeEventListener('abort', done);
      cancel();
      wake();
    }
    stop.addEventListener('abort', done);
  });
}
