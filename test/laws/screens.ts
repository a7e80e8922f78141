import { type Endpoint, isRead } from '../../src/api/endpoint.ts';
import { columnName } from '../../src/describe/column.ts';
import { type AnyList, initialQuery, type Screen } from '../../src/describe/screen.ts';
import { plainFacts } from '../support/bindings.ts';

const ids = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;

/** Faults against the rules common to all screens. `known`: all operations. */
export function screenFaults(screens: readonly Screen[], known: readonly Endpoint[]): string[] {
  const lists = screens.flatMap((screen) => screen.lists);
  return [
    ...twice(screens.map((screen) => screen.id)).map((id) => `two screens have the id ${id}`),
    ...twice(screens.flatMap((screen) => screen.key ?? [])).map((key) => `two screens have the key ${key}`),
    ...screens
      .filter((screen) => screen.key !== undefined && !/^[0-9]$/.test(screen.key))
      .map((screen) => `screen ${screen.id}: its key is no digit`),
    ...screens.filter((screen) => screen.lists.length === 0).map((screen) => `screen ${screen.id} has no list`),
    ...twice(lists.map((list) => list.id)).map((id) => `two lists have the id ${id}`),
    ...lists.flatMap((list) => listFaults(list, known)),
    ...lists.flatMap((list) => actionFaults(list, known)),
    ...crowded(lists),
  ];
}

function listFaults(list: AnyList, known: readonly Endpoint[]): string[] {
  const sorted = list.sorted && list.columns.find((column) => column.id === list.sorted?.by);
  const asked = initialQuery(list);
  const looked = new Set<string>();
  const watched = new Proxy(plainFacts, {
    get(facts, name) {
      looked.add(String(name));
      return Reflect.get(facts, name);
    },
  });
  const strange = list.load(asked, watched).of.filter((kind) => !known.some((endpoint) => endpoint.of === kind));
  return [
    ...[...looked]
      .filter((name) => name !== 'me' && !list.derived)
      .map((name) => `${list.id}: its read depends on ${name}, so it must not be kept`),
    ...strange.map((kind) => `${list.id}: no operation is about its kind ${kind}, so no edit can make it stale`),
    ...twice(list.columns.map((column) => column.id)).map((id) => `${list.id}: two columns have the id ${id}`),
    ...(list.columns.some((column) => column.priority === 1)
      ? []
      : [`${list.id}: no column stays on a narrow terminal`]),
    ...(list.sorted && !sorted?.sort
      ? [`${list.id}: it is sorted by ${list.sorted.by}, which cannot be sorted by`]
      : []),
    ...list.columns.flatMap((column) => {
      const says = columnName(column);
      return column.sort && (says.length < 3 || /[^\w ]/.test(says))
        ? [`${list.id}: the sort menu calls a column "${says}": say in words what it is called`]
        : [];
    }),
    ...(list.empty === '' ? [`${list.id}: it says nothing when it is empty`] : []),
  ];
}

function actionFaults(list: AnyList, known: readonly Endpoint[]): string[] {
  return list.actions.flatMap((action) => {
    const say = (wrong: boolean, text: string) => (wrong ? [`${action.id}: ${text}`] : []);
    const edits = action.uses.filter((one) => !isRead(one));
    const asks = [action.form, action.pick, action.bar].filter((one) => one !== undefined).length;
    return [
      ...say(!ids.test(action.id), 'an id is domain.verb in lower case'),
      ...say(action.uses.length === 0, 'it does not say which operations it uses'),
      ...say(
        action.uses.some((one) => !known.includes(one)),
        'it uses an operation that is not in src/api/all-endpoints.ts',
      ),
      // A bar is a question already: the job starts with one of its keys.
      ...say(
        edits.length > 0 && !action.undo && !action.confirm && !(action.job && action.bar),
        'it can neither be undone nor asks first',
      ),
      ...say(asks > 1, 'it asks for its values in two ways'),
      ...say(action.title === '' || action.title !== action.title.toLowerCase(), 'a title is a verb in lower case'),
      ...say(action.help === '' || action.help.endsWith('.'), 'its help is one sentence without a full stop'),
    ];
  });
}

/** Actions with equal ids that are not the same object. */
function crowded(lists: readonly AnyList[]): string[] {
  const seen = new Map<string, unknown>();
  return lists.flatMap((list) =>
    list.actions.flatMap((action) => {
      const other = seen.get(action.id);
      seen.set(action.id, action);
      return other !== undefined && other !== action ? [`two actions have the id ${action.id}`] : [];
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
  const lists = screens.flatMap((screen) => screen.lists);
  const used = new Set(lists.flatMap((list) => [...(list.reads ?? []), ...list.actions.flatMap((one) => one.uses)]));
  const ids = new Set([...used].map((endpoint) => endpoint.id));
  return [
    ...known
      .filter((endpoint) => !ids.has(endpoint.id) && !(endpoint.id in reasons))
      .map((endpoint) => `no screen uses ${endpoint.id}`),
    ...Object.keys(reasons)
      .filter((id) => ids.has(id) || !known.some((endpoint) => endpoint.id === id))
      .map((id) => `${id} needs no reason`),
  ];
}

/**
 * Actions of a list that share a key, where both may be possible at once and one would hide the other: neither is about a line of the
 * detail, not both need no row, and not both say what makes them needless.
 */
export const sharedKeyFaults = (screens: readonly Screen[]): string[] =>
  screens
    .flatMap(({ lists }) => lists)
    .flatMap(({ id, actions }) =>
      actions.flatMap((one, at) =>
        actions.slice(at + 1).flatMap((other) => {
          const isShared = one.key !== undefined && one.key === other.key;
          const isApart =
            (one.onLine ?? other.onLine) !== undefined ||
            (one.on === 'list' && other.on === 'list') ||
            (one.already !== undefined && other.already !== undefined);
          return isShared && !isApart ? [`${id}: ${one.key} is ${one.title} and ${other.title}`] : [];
        }),
      ),
    );

/** Keys with two meanings at once on one list. */
export function keyFaults(
  lists: readonly {
    readonly list: { readonly id: string };
    readonly bindings: readonly { readonly keys: readonly string[]; readonly title: string }[];
  }[],
): string[] {
  return lists.flatMap(({ list, bindings }) =>
    twice(bindings.flatMap((binding) => binding.keys)).map((key) => {
      const means = bindings.filter((binding) => binding.keys.includes(key)).map((binding) => binding.title);
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
    .filter((path) => path.startsWith('screens/') && path !== 'screens/index.ts')
    .filter((path) => {
      const name = (path.split('/')[1] as string).replace(/\.tsx?$/, '');
      return !new RegExp(`from '\\./${name}\\.tsx?'`).test(index);
    })
    .map((path) => `${path} belongs to no tab of screens/index.ts`);
}

function twice(all: readonly string[]): string[] {
  return [...new Set(all.filter((item, at) => all.indexOf(item) !== at))];
}
