import { type Endpoint, isRead } from '../../src/api/endpoint.ts';
import type { AnyList, Screen } from '../../src/describe/screen.ts';
import { plainFacts } from '../support/bindings.ts';

const ids = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;

/** Faults against the rules common to all screens. `known`: all operations. */
export function screenFaults(screens: readonly Screen[], known: readonly Endpoint[]): string[] {
  const lists = screens.flatMap((it) => it.lists);
  return [
    ...twice(screens.map((it) => it.id)).map((id) => `two screens have the id ${id}`),
    ...twice(screens.flatMap((it) => it.key ?? [])).map((key) => `two screens have the key ${key}`),
    ...screens
      .filter((it) => it.key !== undefined && !/^[0-9]$/.test(it.key))
      .map((it) => `screen ${it.id}: its key is no digit`),
    ...screens.filter((it) => it.lists.length === 0).map((it) => `screen ${it.id} has no list`),
    ...twice(lists.map((it) => it.id)).map((id) => `two lists have the id ${id}`),
    ...lists.flatMap((it) => listFaults(it, known)),
    ...lists.flatMap((it) => actionFaults(it, known)),
    ...crowded(lists),
  ];
}

function listFaults(list: AnyList, known: readonly Endpoint[]): string[] {
  const sorted = list.sorted && list.columns.find((it) => it.id === list.sorted?.by);
  const asked = { search: list.search?.initial ?? {}, range: list.ranges?.initial ?? '' };
  const strange = list.load(asked, plainFacts).of.filter((kind) => !known.some((it) => it.of === kind));
  return [
    ...strange.map((kind) => `${list.id}: no operation is about its kind ${kind}, so no edit can make it stale`),
    ...twice(list.columns.map((it) => it.id)).map((id) => `${list.id}: two columns have the id ${id}`),
    ...(list.columns.some((it) => it.priority === 1) ? [] : [`${list.id}: no column stays on a narrow terminal`]),
    ...(list.sorted && !sorted?.sort
      ? [`${list.id}: it is sorted by ${list.sorted.by}, which cannot be sorted by`]
      : []),
    ...(list.empty === '' ? [`${list.id}: it says nothing when it is empty`] : []),
  ];
}

function actionFaults(list: AnyList, known: readonly Endpoint[]): string[] {
  return list.actions.flatMap((it) => {
    const say = (wrong: boolean, text: string) => (wrong ? [`${it.id}: ${text}`] : []);
    const edits = it.uses.filter((one) => !isRead(one));
    const asks = [it.form, it.pick, it.bar].filter((one) => one !== undefined).length;
    return [
      ...say(!ids.test(it.id), 'an id is domain.verb in lower case'),
      ...say(it.uses.length === 0, 'it does not say which operations it uses'),
      ...say(
        it.uses.some((one) => !known.includes(one)),
        'it uses an operation that is not in src/api/all-endpoints.ts',
      ),
      // A job behind a bar has asked: nothing goes on before one of its keys is pressed.
      ...say(
        edits.length > 0 && !it.undo && !it.confirm && !(it.job && it.bar),
        'it can neither be undone nor asks first',
      ),
      ...say(asks > 1, 'it asks for its values in two ways'),
      ...say(it.title === '' || it.title !== it.title.toLowerCase(), 'a title is a verb in lower case'),
      ...say(it.help === '' || it.help.endsWith('.'), 'its help is one sentence without a full stop'),
    ];
  });
}

/** Actions with equal ids that are not the same object. */
function crowded(lists: readonly AnyList[]): string[] {
  const seen = new Map<string, unknown>();
  return lists.flatMap((list) =>
    list.actions.flatMap((it) => {
      const other = seen.get(it.id);
      seen.set(it.id, it);
      return other !== undefined && other !== it ? [`two actions have the id ${it.id}`] : [];
    }),
  );
}

/** Operations without a screen, each with its reason. `orgdeck call` offers all of them. */
export const apart: Readonly<Record<string, string>> = {
  'current-user.get': 'asked at the start of every session: who I am',
  'keys.validate': 'asked by the test of a profile: P t',
  'keys.validate-both': 'asked by the test of a profile: P t',
  'monitors.search-groups': 'a detail shows the groups of its monitor',
  'monitors.mute-all': 'silences everything: nothing that one key should do',
  'monitors.unmute-all': 'ends what mutes everything, and only that',
  'monitors.downtimes': 'says no more than the downtimes of the list',
  'downtimes-v1.cancel-by-scope': 'ends every downtime of a scope, whatever it silences besides',
};

/** Operations that no screen uses without a reason, and outdated reasons. */
export function unreached(
  screens: readonly Screen[],
  known: readonly Endpoint[],
  reasons: Readonly<Record<string, string>>,
): string[] {
  const lists = screens.flatMap((it) => it.lists);
  const used = new Set(lists.flatMap((it) => [...(it.reads ?? []), ...it.actions.flatMap((one) => one.uses)]));
  const ids = new Set([...used].map((it) => it.id));
  return [
    ...known.filter((it) => !ids.has(it.id) && !(it.id in reasons)).map((it) => `no screen uses ${it.id}`),
    ...Object.keys(reasons)
      .filter((id) => ids.has(id) || !known.some((it) => it.id === id))
      .map((id) => `${id} needs no reason`),
  ];
}

/** Keys with two meanings at once on one list. */
export function keyFaults(
  lists: readonly {
    readonly list: { readonly id: string };
    readonly bindings: readonly { readonly keys: readonly string[]; readonly title: string }[];
  }[],
): string[] {
  return lists.flatMap(({ list, bindings }) =>
    twice(bindings.flatMap((it) => it.keys)).map((key) => {
      const means = bindings.filter((it) => it.keys.includes(key)).map((it) => it.title);
      return `${list.id}: ${key} is ${means.join(' and ')}`;
    }),
  );
}

/**
 * Files of `screens/` that are no tab: the index imports each file, and each folder belongs to the file
 * of its name.
 */
export function tabFaults(paths: readonly string[], index: string): string[] {
  return paths
    .filter((it) => it.startsWith('screens/') && it !== 'screens/index.ts')
    .filter((it) => {
      const name = (it.split('/')[1] as string).replace(/\.tsx?$/, '');
      return !new RegExp(`from '\\./${name}\\.tsx?'`).test(index);
    })
    .map((it) => `${it} belongs to no tab of screens/index.ts`);
}

function twice(all: readonly string[]): string[] {
  return [...new Set(all.filter((it, at) => all.indexOf(it) !== at))];
}
