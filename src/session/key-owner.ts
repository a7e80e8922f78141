import type { Cache, CachedRead } from '../cache/cache.ts';
import type { Person } from '../describe/context.ts';
import type { Single } from '../describe/source.ts';
import type { Clock } from '../lib/clock.ts';
import { createRights } from './rights.ts';

/** Who owns the keys, and which permissions they lack. */
export interface Owner {
  /** Undefined until it is known. */
  me(): Person | undefined;
  /** Whether the service is still being asked. */
  asksMe(): boolean;
  /** Names of permissions, as the service writes them; none while they are unknown. */
  missing(): ReadonlySet<string>;
  /** Reads who it is. */
  read(): void;
  /** Reads again what they lack, where they lacked something: roles may have changed. */
  refresh(): void;
  close(): void;
}

export function createOwner(with_: {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly whoAmI: Single<Person> | undefined;
  readonly question: <T>(of: Single<T>) => CachedRead<T>;
  readonly hasRoom: () => boolean;
  /** Ends when what is on screen has been read. */
  readonly front: () => Promise<unknown>;
  readonly changed: () => void;
  /** The read of the owner has ended; `trouble`: why it failed. */
  readonly ended: (me: Person | undefined, trouble: string | undefined) => void;
}): Owner {
  const { cache, clock, whoAmI, question, hasRoom, front, changed } = with_;
  const owner: { me?: Person | undefined; asksMe: boolean } = { asksMe: false };
  const rights = createRights({ cache, clock, question, hasRoom, front, changed });

  return {
    me: () => owner.me,
    asksMe: () => owner.asksMe,
    missing: rights.missing,
    read() {
      if (!whoAmI) return;
      owner.asksMe = true;
      void cache.ask(question(whoAmI)).then(({ value, problem }) => {
        owner.me = value;
        owner.asksMe = false;
        if (value) rights.read(value.id);
        with_.ended(value, problem?.text);
      });
    },
    refresh() {
      if (owner.me && rights.missing().size > 0) rights.read(owner.me.id);
    },
    close: rights.close,
  };
}
