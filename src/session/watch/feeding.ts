import type { Cache } from '../../cache/cache.ts';
import type { FedRead, Material } from '../../describe/derived.ts';
import type { LoggedEdit } from '../../describe/logged-edit.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Rows } from '../../describe/source.ts';
import type { Row } from '../rows/list-state.ts';

/** Changes that are kept for a log. */
const mostChanges = 200;

/** Follows the reads of derived lists: which are due, and what one has shown since the one before. */
export interface Feeding {
  /** The feeds to poll now: all main ones, and when those have answered the spare ones, one after the other. */
  due(feeds: readonly FedRead[]): readonly FedRead[];
  /** A read of a feed has ended: keeps what has changed since the one before. */
  follow(list: AnyList, fed: FedRead): void;
  changes(listId: string): Material['changes'];
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
  readonly now: () => number;
  /** What is kept has changed. */
  readonly changed: () => void;
}): Feeding {
  const { cache } = with_;
  const changes = new Map<string, Material['changes']>();
  const before = new Map<string, readonly Row[]>();
  const first = Promise.withResolvers<void>();
  const log = { edits: [] as readonly LoggedEdit[], reads: 0, read: first.promise };
  const none: Material['changes'] = [];

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
    follow(list, { name, feed, source }) {
      const known = cache.known<Rows<Row>>(source.key);
      if (!known.value || known.partial) return;
      const { rows } = known.value;
      const id = `${list.id} ${name} ${source.key}`;
      const last = before.get(id);
      before.set(id, rows);
      if (!last || last === rows) return;
      const found = feed.changes?.(last, rows) ?? [];
      if (found.length === 0) return;
      const now = found.map((change) => ({ ...change, at: change.at ?? with_.now() }));
      const all = [...now, ...(changes.get(list.id) ?? [])].toSorted((one, other) => other.at - one.at);
      changes.set(list.id, all.slice(0, mostChanges));
    },
    changes: (listId) => changes.get(listId) ?? none,
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
