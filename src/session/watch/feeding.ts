import type { Cache } from '../../cache/cache.ts';
import type { FedRead } from '../../describe/derived.ts';
import type { LoggedEdit } from '../../describe/logged-edit.ts';

/** What derived lists are made of: which of their reads are due, and the edits of the journal. */
export interface Feeding {
  /** The feeds to poll now: all main ones, and when those have answered the spare ones, one after the other. */
  due(feeds: readonly FedRead[]): readonly FedRead[];
  edits(): readonly LoggedEdit[];
  /** The edits once the journal has been read, each one that has ended included. */
  knownEdits(): Promise<readonly LoggedEdit[]>;
  /** Reads the edits: at the start, and when one has ended, because a bell may need it on any screen. */
  readEdits(): void;
}

export function createFeeding(with_: {
  readonly cache: Cache;
  /** Whether the rate limits leave room for reads that can wait. */
  readonly hasRoom: () => boolean;
  readonly journal: () => Promise<readonly LoggedEdit[]>;
  /** What is kept has changed. */
  readonly changed: () => void;
}): Feeding {
  const { cache } = with_;
  const first = Promise.withResolvers<void>();
  const log = { edits: [] as readonly LoggedEdit[], reads: 0, read: first.promise };

  const isAnswered = ({ source }: FedRead) => {
    const { value, problem, partial } = cache.known(source.key);
    return (value !== undefined && !partial) || problem !== undefined;
  };

  return {
    due(all) {
      const main = all.filter(({ feed }) => !feed.spare);
      if (!main.every(isAnswered) || !with_.hasRoom()) return main;
      const spare = all.filter(({ feed }) => feed.spare);
      const next = spare.findIndex((one) => !isAnswered(one));
      return [...main, ...(next < 0 ? spare : spare.slice(0, next + 1))];
    },
    edits: () => log.edits,
    async knownEdits() {
      let read: Promise<void> | undefined;
      while (read !== log.read) {
        read = log.read;
        await read;
      }
      return log.edits;
    },
    readEdits() {
      log.reads += 1;
      const read = log.reads;
      log.read = with_.journal().then((edits) => {
        if (read !== log.reads || (edits.length === 0 && log.edits.length === 0)) return;
        log.edits = edits;
        with_.changed();
      });
      first.resolve(log.read);
    },
  };
}
