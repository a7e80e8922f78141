import { type AnyAction, type JobAction, quoteWord } from '../../describe/action.ts';
import type { Column } from '../../describe/column.ts';
import { type Context, helpContext } from '../../describe/context.ts';
import { type Programs, programsKind } from '../../describe/job.ts';
import { type AnyList, type Screen, whyNoLinks } from '../../describe/screen.ts';
import { plural } from '../../lib/text.ts';
import { keyLabel } from '../keyboard/keyboard.ts';
import { bindings, generalId, generalIds, type MovedKeys } from '../keys/bindings.ts';
import type { Row } from '../rows/list-state.ts';
import type { Binding } from '../state/moment.ts';
import { initial } from '../state/state.ts';
import { createViewer } from '../state/view.ts';
import { type Custom, type CustomCommand, isCustom, type Unused } from './custom.ts';

/** The bindings of each list of each screen before anything is read. */
export function listedBindings(
  screens: readonly Screen[],
  context: Context,
  moved?: MovedKeys,
): { readonly screen: Screen; readonly list: AnyList; readonly bindings: readonly Binding[] }[] {
  const size = { columns: 120, rows: 40 };
  const nothing = { asking: false, partial: false };
  const reads = {
    rows: () => ({ key: '', known: nothing, rows: [], removed: new Set<string>() }),
    whole: () => nothing,
  };
  return screens.flatMap((screen) =>
    screen.lists.map((list, tab) => {
      const state = { ...initial(screens, size), screen: screen.id, tab: { [screen.id]: tab } };
      const view = createViewer()(state, screens, reads, () => context);
      return { screen, list, bindings: bindings(state, view, context, screens, moved) };
    }),
  );
}

const placeholder = /\{(id|name|link|service)\}/g;

/** What a placeholder stands for on a row; undefined where the row has none. */
function placed(name: string, list: AnyList, row: Row, context: Context): string | undefined {
  if (name === 'id') return list.idOf(row);
  if (name === 'name') return list.nameOf(row);
  return name === 'link' ? list.link?.(row, context) : list.services?.(row, context)[0];
}

/** Why a command cannot run on a row: the first placeholder that the row has nothing for. */
function lacking(argv: CustomCommand['argv'], list: AnyList, row: Row, context: Context): string | undefined {
  for (const [, name = ''] of argv.join('\n').matchAll(placeholder))
    if (placed(name, list, row, context) === undefined)
      return (name === 'link' && whyNoLinks(list, context)) || `this row has no ${name}`;
  return undefined;
}

/** The program and its arguments for a row. Each stays one argument, whatever the row's texts have in them. */
const argvFor = (argv: CustomCommand['argv'], list: AnyList, row: Row, context: Context): readonly string[] =>
  argv.map((part) => part.replace(placeholder, (_, name: string) => placed(name, list, row, context) ?? ''));

/** A command of a person's own as an action of a list: it sends nothing and runs its program once for each row. */
export function commandAction(command: CustomCommand, list: AnyList): AnyAction {
  const { argv, title } = command;
  const action: JobAction<Row, Programs> = {
    id: `command.${title}`,
    key: command.key,
    title,
    help: `run ${argv.map(quoteWord).join(' ')}`,
    uses: [],
    enabled: (row, context) => lacking(argv, list, row, context) ?? true,
    values: (rows, context) => ({
      title,
      runs: rows.map((row) => ({ name: list.nameOf(row), argv: argvFor(argv, list, row, context) })),
      isShown: command.output === 'view',
    }),
    confirm(rows, { runs }) {
      if (!command.confirm && rows.length < 2) return undefined;
      return {
        question: rows.length > 1 ? `${title}: run it ${plural(rows.length, 'time')}?` : `${title}: run it?`,
        details: runs.slice(0, mostDetails).map((run) => run.argv.map(quoteWord).join(' ')),
      };
    },
    job: (_, values) => ({
      kind: programsKind,
      title,
      values,
      isProgram: true,
      ...(values.isShown ? {} : { isAside: true }),
    }),
  };
  return action;
}

/** Command lines that a question shows. */
const mostDetails = 5;

/** The screens as a person has made them, and what of it cannot be used. */
export interface Customized {
  readonly screens: readonly Screen[];
  /** Keys of every list that a person has moved. */
  readonly moved: MovedKeys;
  readonly unused: readonly Unused[];
}

/** Gives the screens the keys, columns and commands of a person; what is wrong is left out and told. */
export function customized(screens: readonly Screen[], custom: Custom): Customized {
  if (!isCustom(custom)) return { screens, moved: new Map(), unused: [] };
  const taken = generalKeys(screens);
  const keys = usableKeys(screens, custom.keys, taken);
  const rebound = screens.map((screen) => ({
    ...screen,
    lists: screen.lists.map((list) => ({ ...list, actions: list.actions.map((action) => onKey(action, keys.used)) })),
  }));
  const columns = usableColumns(screens, custom.columns);
  const commands = usableCommands(rebound, custom.commands, taken, keys.used);
  return {
    screens: rebound.map((screen) => ({
      ...screen,
      lists: screen.lists.map((list) => {
        const shown = columns.used.get(list.id);
        return withCommands({ ...list, ...(shown ? { shown } : {}) }, screen, commands.used);
      }),
    })),
    moved: keys.used,
    unused: [...keys.unused, ...columns.unused, ...commands.unused],
  };
}

const onKey = (action: AnyAction, keys: ReadonlyMap<string, string>): AnyAction => {
  const key = keys.get(action.id);
  return key === undefined ? action : { ...action, key };
};

/** What keys do on a list besides its actions; `id`: a person may move them. */
interface General {
  readonly id: string | undefined;
  readonly keys: readonly string[];
  readonly title: string;
}
type Taken = ReadonlyMap<string, readonly General[]>;

/** Keys that a list has at times only: while an order is unsaved, work goes on, or a detail is open. */
const atTimes: readonly General[] = [
  { id: undefined, keys: ['ctrl+s'], title: 'save order' },
  { id: undefined, keys: ['W'], title: 'jobs' },
  { id: undefined, keys: ['J'], title: 'move down' },
  { id: undefined, keys: ['K'], title: 'move up' },
  { id: undefined, keys: ['[', 'shift+tab'], title: 'previous tab' },
  { id: undefined, keys: [']', 'tab'], title: 'next tab' },
];

function generalKeys(screens: readonly Screen[]): Taken {
  const bare = screens.map((screen) => ({
    ...screen,
    lists: screen.lists.map((list) => ({ ...list, actions: [] })),
  }));
  return new Map(
    listedBindings(bare, helpContext).map(({ list, bindings }) => [
      list.id,
      [
        ...atTimes,
        ...bindings.map((binding) => ({ id: generalId(binding), keys: binding.keys, title: binding.title })),
      ],
    ]),
  );
}

/** What a key does on a list, besides its actions and besides `id` itself, once keys have moved. */
const generalOn = (taken: Taken, list: AnyList, key: string, used: MovedKeys, id?: string): General | undefined =>
  taken.get(list.id)?.find((general) => {
    if (id !== undefined && general.id === id) return false;
    const moved = used.get(general.id ?? '');
    return (moved === undefined ? general.keys : [moved, ...general.keys.slice(1)]).includes(key);
  });

/**
 * The actions that a list offers: of a derived list those of the lists that its rows stand for. A row stands for one of them: `isOf`
 * says which are meant.
 */
function offeredOn(
  list: AnyList,
  screens: readonly Screen[],
  isOf: (source: AnyList, screen: Screen) => boolean,
): readonly AnyAction[] {
  const { derived } = list;
  if (!derived?.subject) return list.actions;
  const all = new Map(
    everyList(screens)
      .filter((one) => isOf(one.list, one.screen))
      .flatMap((one) => one.list.actions.map((action) => [action.id, action] as const)),
  );
  return derived.offers ? derived.offers.flatMap((id) => all.get(id) ?? []) : [...all.values()];
}

const everyList = (screens: readonly Screen[]) =>
  screens.flatMap((screen) => screen.lists.map((list) => ({ screen, list })));

const placeOf = (screen: Screen, list: AnyList): string =>
  screen.lists.length > 1 && list.title !== screen.title ? `${screen.title}, ${list.title}` : screen.title;

/** The rebound keys that clash with nothing; of two that clash the one that stands later is left out. */
function usableKeys(screens: readonly Screen[], requested: Custom['keys'], taken: Taken) {
  const lists = everyList(screens);
  // Ctrl-S saves an order; its action has no key of its own.
  const actionIds = new Set(
    lists.flatMap(({ list }) => list.actions.map(({ id }) => id).filter((id) => id !== list.order?.save)),
  );
  const unused: Unused[] = [];
  const used = new Map<string, string>();
  for (const [id, key] of Object.entries(requested)) {
    if (actionIds.has(id) || generalIds.has(id)) used.set(id, key);
    else unused.push({ path: ['keys', id], text: `there is no action ${id}${like(id, [...actionIds])}` });
  }
  const hasAction = (id: string) => (source: AnyList) =>
    generalIds.has(id) || source.actions.some((action) => action.id === id);
  const keyOf = (action: AnyAction) => used.get(action.id) ?? action.key;
  const isOnList = (id: string, list: AnyList) => {
    const all: readonly Partial<General>[] = generalIds.has(id)
      ? (taken.get(list.id) ?? [])
      : offeredOn(list, screens, () => true);
    return all.some((one) => one.id === id);
  };
  const clashOf = (id: string): string | undefined => {
    const key = used.get(id);
    if (key === undefined) return undefined;
    for (const { screen, list } of lists.filter((one) => isOnList(id, one.list))) {
      const action = offeredOn(list, screens, hasAction(id)).find((one) => one.id !== id && keyOf(one) === key);
      const target = generalOn(taken, list, key, used, id) ?? action;
      if (target === undefined) continue;
      const clash = `${id} cannot be on ${keyLabel(key)}: on ${placeOf(screen, list)} that key is "${target.title}"`;
      return target.id === undefined
        ? `${clash}, which stays: write another key`
        : `${clash}${target.id === target.title ? '' : ` (${target.id})`}: give one of them another key`;
    }
    return undefined;
  };
  // Without one of two that clash, the key of a third may be free or taken again: looked at anew after each.
  for (;;) {
    const clash = [...used.keys()]
      .toReversed()
      .map((id) => ({ id, text: clashOf(id) }))
      .find(({ text }) => text !== undefined);
    if (clash?.text === undefined) return { used, unused };
    unused.push({ path: ['keys', clash.id], text: clash.text });
    used.delete(clash.id);
  }
}

/** The chosen columns of each list in their order; the flex column comes last where it was not chosen. */
function usableColumns(screens: readonly Screen[], asked: Custom['columns']) {
  const lists = new Map(everyList(screens).flatMap(({ list }) => (list.board ? [] : [[list.id, list] as const])));
  const unused: Unused[] = [];
  const used = new Map<string, readonly Column<unknown>[]>();
  for (const [id, names] of Object.entries(asked)) {
    const list = lists.get(id);
    if (!list) {
      unused.push({ path: ['columns', id], text: `there is no list ${id}: there are ${[...lists.keys()].join(', ')}` });
      continue;
    }
    const found: Column<unknown>[] = [];
    names.forEach((name, at) => {
      const column = list.columns.find((one) => one.id === name);
      const path = ['columns', id, at];
      if (!column)
        unused.push({
          path,
          text: `${id} has no column ${name}: it has ${list.columns.map((one) => one.id).join(', ')}`,
        });
      else if (found.includes(column)) unused.push({ path, text: `the column ${name} of ${id} is named twice` });
      else found.push(column);
    });
    const flex = list.columns.filter((column) => column.flex && !found.includes(column));
    if (found.length > 0) used.set(id, [...found, ...flex]);
  }
  return { used, unused };
}

/** The commands whose screens exist and whose keys are free there. */
function usableCommands(
  screens: readonly Screen[],
  requested: readonly CustomCommand[],
  taken: Taken,
  moved: MovedKeys,
) {
  const unused: Unused[] = [];
  const used: CustomCommand[] = [];
  const lists = everyList(screens);
  const titles = new Set<string>();
  for (const command of requested) {
    const refused = (member: string | undefined, text: string) =>
      unused.push({ path: ['commands', command.at, ...(member === undefined ? [] : [member])], text });
    const strange = command.screens?.find((id) => !screens.some((screen) => screen.id === id));
    if (strange !== undefined) {
      refused('screens', `there is no screen ${strange}: there are ${screens.map(({ id }) => id).join(', ')}`);
      continue;
    }
    if (titles.has(command.title)) {
      refused('title', `two commands are called ${command.title}: write another title`);
      continue;
    }
    const key = command.key;
    const clash = lists.flatMap(({ screen, list }) => {
      if (!isOffered(command, screen, list, screens)) return [];
      const rival =
        generalOn(taken, list, key, moved)?.title ??
        offeredOn(list, screens, (source, of) => isOn(command, of, source)).find((action) => action.key === key)
          ?.title ??
        used.find((before) => before.key === key && isOffered(before, screen, list, screens))?.title;
      return rival === undefined ? [] : [`on ${placeOf(screen, list)} that key is "${rival}"`];
    })[0];
    if (clash !== undefined) {
      refused(
        'key',
        `the command ${command.title} cannot be on ${keyLabel(key)}: ${clash}: write another key, or name its screens`,
      );
      continue;
    }
    titles.add(command.title);
    used.push(command);
  }
  return { used, unused };
}

/** Whether a list offers the command itself: derived rows have those of the rows that they stand for. */
const isOn = ({ screens }: CustomCommand, screen: Screen, list: AnyList): boolean =>
  !list.board && !list.derived?.subject && (screens === undefined || screens.includes(screen.id));

/** Whether a command is offered on a list; on a derived one, by one of the lists that its rows stand for. */
function isOffered(command: CustomCommand, screen: Screen, list: AnyList, screens: readonly Screen[]): boolean {
  if (!list.derived?.subject) return isOn(command, screen, list);
  const offers = new Set(list.derived.offers);
  return everyList(screens).some(
    ({ screen: of, list: source }) => isOn(command, of, source) && source.actions.some(({ id }) => offers.has(id)),
  );
}

function withCommands(list: AnyList, screen: Screen, commands: readonly CustomCommand[]): AnyList {
  const { derived } = list;
  if (derived?.offers)
    return {
      ...list,
      derived: {
        ...derived,
        offers: [...derived.offers, ...commands.map((command) => commandAction(command, list).id)],
      },
    };
  const own = commands.filter((command) => isOn(command, screen, list)).map((command) => commandAction(command, list));
  return own.length === 0 ? list : { ...list, actions: [...list.actions, ...own] };
}

/** The names that begin like an unknown one, to choose from. */
function like(id: string, known: readonly string[]): string {
  const alike = known.filter((one) => one.split('.')[0] === id.split('.')[0]);
  return alike.length > 0
    ? `: there are ${alike.join(', ')}`
    : `: ids begin with ${[...new Set(known.map((one) => one.split('.')[0]))].join(', ')}, or are ${[...generalIds.keys()].join(', ')}`;
}
