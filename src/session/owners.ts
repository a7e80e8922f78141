import type { Known, Question } from '../cache/cache.ts';
import type { Context, Person } from '../describe/context.ts';
import type { Single } from '../describe/source.ts';
import type { Clock } from '../lib/clock.ts';
import type { Owner, Part } from './organisations/organisations.ts';
import { createRights } from './rights.ts';

/** Who owns the keys of each organisation, and which permissions they lack. */
export interface Owners {
  of(part: Part): Owner;
  /** Names of permissions, as the service writes them; none while they are unknown. */
  missing(part: Part): ReadonlySet<string>;
  /** Reads who they are, each by itself. */
  read(): void;
  /** Reads again what they lack, where they lacked something: roles may have changed. */
  refresh(): void;
  close(): void;
}

const none: ReadonlySet<string> = new Set();

export function createOwners(with_: {
  readonly parts: readonly Part[];
  readonly clock: Clock;
  readonly context: (part: Part) => Context;
  readonly hasRoom: (part: Part) => boolean;
  /** Ends when what is on screen has been read. */
  readonly front: () => Promise<unknown>;
  readonly changed: () => void;
  /** The read of an owner has ended; `trouble`: why it failed. */
  readonly ended: (trouble: string | undefined) => void;
}): Owners {
  const { parts, clock, changed } = with_;
  const questionOf = <T>(part: Part, of: Single<T>): Question<T> => ({
    ...of,
    plan: () => of.plan(with_.context(part)),
  });
  const each = new Map(
    parts.map((part) => {
      const owner: Owner = { me: undefined, asksMe: false };
      const rights = createRights({
        cache: part.cache,
        clock,
        question: (of) => questionOf(part, of),
        hasRoom: () => with_.hasRoom(part),
        front: with_.front,
        changed,
      });
      return [part, { owner, rights }] as const;
    }),
  );
  const all = () => [...each.values()];

  const readOne = (part: Part) => {
    const known = each.get(part);
    if (!known || !part.whoAmI) return;
    const { owner, rights } = known;
    owner.asksMe = true;
    void part.cache.ask(questionOf(part, part.whoAmI)).then(({ value, problem }: Known<Person>) => {
      owner.me = value;
      owner.asksMe = false;
      if (value) {
        part.knowMe?.(value);
        rights.read(value.id);
      }
      with_.ended(problem?.text);
    });
  };

  return {
    of: (part) => each.get(part)?.owner ?? { me: undefined, asksMe: false },
    missing: (part) => each.get(part)?.rights.missing() ?? none,
    read() {
      for (const part of parts) readOne(part);
    },
    refresh() {
      for (const { owner, rights } of all()) if (owner.me && rights.missing().size > 0) rights.read(owner.me.id);
    },
    close() {
      for (const { rights } of all()) rights.close();
    },
  };
}
