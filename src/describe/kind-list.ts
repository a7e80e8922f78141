import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import { type List, list } from './screen.ts';

type Derived = 'load' | 'idOf' | 'nameOf' | 'noun' | 'output';

/**
 * Declares the list of a kind: its rows, their names, how they are printed for a program, and, where one row can be read
 * by its id, the read of some rows and the command that shows one. Whatever `spec` says takes the place of that.
 */
export const listOf = <R extends Resource>(
  kind: ResourceKind<R>,
  spec: Omit<List<NoInfer<R>>, Derived> & Partial<Pick<List<NoInfer<R>>, Derived>>,
): List<R> =>
  list<R>({
    load: kind.load,
    idOf: (row) => row.id,
    nameOf: kind.nameOf,
    noun: kind.short,
    output: () => kind.output(),
    ...kindReads(kind),
    ...spec,
  });

function kindReads<R extends Resource>({ get, find }: ResourceKind<R>): Pick<List<R>, 'find' | 'command'> {
  return get ? { find, command: (row) => get(row.id, row) } : {};
}
