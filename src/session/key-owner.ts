import type { Person } from '../describe/context.ts';
import type { Single } from '../describe/source.ts';
import { createRights, type RightsOptions } from './rights.ts';

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

export function createOwner(
  with_: RightsOptions & {
    readonly whoAmI: Single<Person> | undefined;
    /** The read of the owner has ended; `trouble`: why it failed. */
    readonly ended: (me: Person | undefined, trouble: string | undefined) => void;
  },
): Owner {
  const { cache, whoAmI, question } = with_;
  const owner: { me?: Person | undefined; asksMe: boolean } = { asksMe: false };
  const rights = createRights(with_);

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
