import type { Binding } from '../state/binding.ts';
import type { Message } from '../state/message.ts';

/**
 * Keys of every list that a person may move, by the id that the configuration file names them by, with what they do. Those
 * that receipts and notices name (`u`, Ctrl-Y, `!`, `H`, Ctrl-R), that move, and that open screens stay.
 */
export const generalIds: ReadonlyMap<string, readonly Message['type'][]> = new Map<string, readonly Message['type'][]>([
  ['filter', ['openFilter', 'openFind']],
  ['search', ['openSearch']],
  ['time-range', ['openTimeMenu']],
  ['sort', ['openSortMenu']],
  ['mark', ['toggleMark']],
  ['range', ['toggleRange']],
  ['mark-all', ['markAll']],
  ['service', ['openSubject']],
  ['preview', ['togglePreview']],
  ['watch', ['toggleWatch']],
  ['views', ['openViewMenu']],
  ['copy-id', ['copyId']],
  ['copy', ['openCopyMenu']],
  ['link', ['showLink']],
  ['repeat', ['repeatAction']],
  ['actions', ['openActionMenu']],
  ['palette', ['openPalette']],
  ['pause', ['togglePause']],
  ['profiles', ['openProfiles']],
  ['help', ['openHelp']],
  ['quit', ['askQuit']],
]);

const idsByMessage = new Map([...generalIds].flatMap(([id, all]) => all.map((name) => [name, id] as const)));

/** The id of what a binding of a list does; undefined where its key stays. */
export const generalId = ({ run }: Pick<Binding, 'run'>): string | undefined => idsByMessage.get(run.type);

/** Keys that a person has moved, by the id of what they do. */
export type MovedKeys = ReadonlyMap<string, string>;

/** The keys of a binding: of several (`:` and Ctrl-P) the first one moves. */
export const movedKeys = (binding: Pick<Binding, 'run' | 'keys'>, moved: MovedKeys): readonly string[] => {
  const key = moved.get(generalId(binding) ?? '');
  return key === undefined ? binding.keys : [key, ...binding.keys.slice(1)];
};
