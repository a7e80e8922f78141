import type { Cache } from '../cache/cache.ts';
import type { CachedRead } from '../cache/entries.ts';
import type { Person } from '../describe/context.ts';
import { readRights } from '../describe/rights.ts';
import type { Single } from '../describe/source.ts';
import type { Clock } from '../lib/clock.ts';

/** Milliseconds until another look whether the rate limits leave room. */
const retryMs = 60_000;
const none: ReadonlySet<string> = new Set();

/** Who owns the keys, and which permissions they lack. */
export interface Owner {
  /** Undefined until it is known. */
  me(): Person | undefined;
  /** Whether the service is still being asked. */
  asksMe(): boolean;
  /** Names of permissions, as the service writes them; none while they are unknown. */
  missing(): ReadonlySet<string>;
  /** Reads who it is, and what they lack: after what is on screen, while the rate limits leave room. */
  read(): void;
  /** Reads again what they lack, where they lacked something: roles may have changed. */
  refresh(): void;
  close(): void;
}

export function createOwner(with_: {
  readonly cache: Pick<Cache, 'ask'>;
  readonly clock: Clock;
  readonly question: <T>(of: Single<T>) => CachedRead<T>;
  readonly hasRoom: () => boolean;
  /** Ends when what is on screen has been read. */
  readonly front: () => Promise<unknown>;
  readonly changed: () => void;
  readonly whoAmI: Single<Person> | undefined;
  /** The read of the owner has ended; `trouble`: why it failed. */
  readonly ended: (me: Person | undefined, trouble: string | undefined) => void;
}): Owner {
  const { cache, clock, whoAmI, question } = with_;
  const owner = {
    me: undefined as Person | undefined,
    asksMe: false,
    missing: none,
    cancel() {},
  };
  const readRightsOf = async (person: Person): Promise<void> => {
    owner.cancel();
    await with_.front();
    if (!with_.hasRoom()) {
      owner.cancel = clock.after(retryMs, () => void readRightsOf(person));
      return;
    }
    const { value, problem } = await cache.ask(question(readRights(person.id)), 0);
    owner.missing = value && !problem ? new Set(value.missing) : none;
    with_.changed();
  };

  return {
    me: () => owner.me,
    asksMe: () => owner.asksMe,
    missing: () => owner.missing,
    read() {
      if (!whoAmI) return;
      owner.asksMe = true;
      void cache.ask(question(whoAmI)).then(({ value, problem }) => {
        owner.me = value;
        owner.asksMe = false;
        if (value) void readRightsOf(value);
        with_.ended(value, problem?.text);
      });
    },
    refresh() {
      if (owner.me && owner.missing.size > 0) void readRightsOf(owner.me);
    },
    close: () => owner.cancel(),
  };
}
