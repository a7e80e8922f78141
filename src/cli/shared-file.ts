import { same } from '../lib/merge.ts';
import type { ProfileFile } from '../profiles/profile-file.ts';

/**
 * A file that several dashboards of one profile keep, as named values: a write carries over what this process has changed
 * since its last one, and leaves what others have written meanwhile. `begun`: what was read at the start.
 */
export function sharedFile<T>(
  file: ProfileFile<T>,
  begun: T | undefined,
  as: { readonly named: (value: T) => ReadonlyMap<string, unknown>; readonly whole: (named: Named) => T },
): Pick<ProfileFile<T>, 'write'> {
  const held = { last: begun, turn: Promise.resolve() as Promise<unknown> };

  const write = async (mine: T) => {
    const now = await file.read();
    const theirs = now.ok ? now.value : undefined;
    const base = held.last === undefined ? new Map<string, unknown>() : as.named(held.last);
    const value = theirs === undefined ? mine : as.whole(carried(base, as.named(mine), as.named(theirs)));
    const problem = await file.write(value);
    if (problem === undefined) held.last = mine;
    return problem;
  };

  return {
    write(value) {
      const next = held.turn.then(() => write(value));
      held.turn = next;
      return next;
    },
  };
}

type Named = ReadonlyMap<string, unknown>;

/** Theirs, with what ours changed of the base. */
function carried(base: Named, ours: Named, theirs: Named): Named {
  const changed = [...new Set([...base.keys(), ...ours.keys()])].filter(
    (name) => !same(base.get(name), ours.get(name)),
  );
  const kept = [...theirs].filter(([name]) => !changed.includes(name));
  return new Map([...kept, ...[...ours].filter(([name]) => changed.includes(name))]);
}
