import type { FileHandle } from 'node:fs/promises';
import { underLock } from '../lib/private-file.ts';
import { plural } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { redactTexts } from '../lib/values.ts';
import { withIdsNow } from './ids-now.ts';
import { type Entry, type FollowUp, type Intent, toEntries } from './journal-entry.ts';
import { append, fileSize, openEditLines, type Reach, readLines, rotate, syncDirectory } from './journal-file.ts';

/** Reads and writes of the journal's file, one after the other, so that an outcome never precedes its intent. */
export interface JournalTurns {
  /** Throws where the line is not on the disk. */
  write(line: Intent | FollowUp): Promise<void>;
  /** Reads that are asked for at once are one. */
  read(reach: Reach): Promise<Entry[]>;
  /** Resolves when every write so far has succeeded or failed. */
  ended(): Promise<void>;
  /** Which lines the last read has left out, as a sentence. */
  skipped(): string | undefined;
}

export function createJournalTurns(options: {
  readonly path: string;
  readonly clock: Clock;
  /** Removes known secrets from a text. */
  readonly redact: (text: string) => string;
  /** Size in bytes at which the file is rotated; open edits are carried over. */
  readonly turnOverAt: number;
  readonly open: (path: string) => Promise<FileHandle>;
}): JournalTurns {
  const { path, clock, redact, turnOverAt, open } = options;
  const state = { turn: Promise.resolve() as Promise<unknown>, skipped: undefined as string | undefined, made: false };
  /** The reads that wait for their turn, with nothing to be written between them and what comes next. */
  const reading: { [R in Reach]?: Promise<Entry[]> } = {};

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    delete reading.whole;
    delete reading.recent;
    const next = state.turn.then(work, work);
    state.turn = next.catch(() => undefined);
    return next;
  }

  async function write(line: Intent | FollowUp): Promise<void> {
    const file = await open(path);
    let size: number;
    try {
      ({ size } = await append(file, [redactTexts(line, redact) as typeof line]));
    } finally {
      await file.close();
    }
    if (!state.made) await syncDirectory(path);
    state.made = true;
    if (size > turnOverAt) await beginAnew();
  }

  /** Rotates the journal, unless another process does or did. Otherwise, and after a failure, the file only stays long for a while. */
  const beginAnew = async () => {
    await underLock(path, clock.now(), async () => {
      if ((await fileSize(path)) > turnOverAt) await rotate(path, clock.now(), await openEditLines(path));
    }).catch(() => undefined);
  };

  async function read(reach: Reach): Promise<Entry[]> {
    if ((await fileSize(path)) > turnOverAt) await beginAnew();
    const { lines, skipped } = await readLines(path, reach);
    state.skipped = skippedText(skipped);
    return withIdsNow(toEntries(lines));
  }

  return {
    write: (line) => inTurn(() => write(line)),
    read(reach) {
      const shared =
        reading[reach] ??
        inTurn(() => {
          // What is asked for from now on may be written after it.
          delete reading[reach];
          return read(reach);
        });
      reading[reach] = shared;
      return shared;
    },
    async ended() {
      await state.turn;
    },
    skipped: () => state.skipped,
  };
}

function skippedText(skipped: ReadonlyMap<string, number>): string | undefined {
  if (skipped.size === 0) return undefined;
  const each = [...skipped].map(([path, count]) => `${plural(count, 'line')} of ${path}`).join(' and ');
  return `Left out, because they cannot be read as edits: ${each}`;
}
