import { keyHeaders } from '../../api/secrets.ts';
import { commandLine } from '../../describe/action.ts';
import { columnName, sortedWords } from '../../describe/column.ts';
import { type Context, rowsInWords } from '../../describe/context.ts';
import { textField } from '../../describe/field.ts';
import { type AnyList, type Screen, whyNoLinks } from '../../describe/screen.ts';
import {
  type Copied,
  copiedExactly,
  copiedJson,
  copiedLines,
  markdownLink,
  markdownText,
  percentEncoded,
} from '../../lib/paint.ts';
import { absolute } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import type { SavedView } from '../outside/saved-session.ts';
import type { Acting, ListState, Row } from '../rows/list-state.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import { front, type LastAction, type Layer, type MenuItem, type State } from '../state/state.ts';
import { flash, formLayer, pop, push } from '../state/state-changes.ts';
import { resumedList, toSavedList } from './resume-session.ts';

/**
 * Rows as Markdown for an incident channel: when they were copied, then a bullet for each row with its name and what its
 * columns say. Names are links where the profile has a web address. `readAt`: when the rows were read.
 */
export function rowsMarkdown(
  list: AnyList,
  rows: readonly Row[],
  context: Context,
  readAt: number | undefined,
): string {
  const title = `**${markdownText(`${list.title} of ${context.profile.name}`)}**`;
  const when = readAt === undefined ? '' : ` as of ${absolute(readAt, context.zone)}`;
  return [`${title}${when}`, '', ...rows.map((row) => rowMarkdown(list, row, context))].join('\n');
}

function rowMarkdown(list: AnyList, row: Row, context: Context): string {
  const name = list.nameOf(row);
  const address = list.link?.(row, context);
  const facts = [...list.columns]
    .sort((one, other) => one.priority - other.priority)
    .map((column) => ({ title: column.title.toLowerCase(), text: column.text(row, context) }))
    .filter(({ title, text }) => title !== '' && text.trim() !== '' && text !== '–' && !name.includes(text))
    .map(({ title, text }) => `${title} ${markdownText(text)}`);
  return `- **${markdownLink(name, address)}** · ${facts.join(' · ')}`;
}

/** The detail's read as a curl command in the deployment's vocabulary; the keys are environment variables. */
export function formatCurl(list: AnyList, row: Row, context: Context): string | undefined {
  const { vocabulary } = context;
  const first = list.detail?.load?.(row, context).plan(context).next();
  if (!first || first.done || !('endpoint' in first.value)) return undefined;
  const { endpoint, params, query } = first.value;
  const template = vocabulary ? vocabulary.path(endpoint) : endpoint.path;
  // A secret in the path becomes a shell variable.
  const path = template.replace(/\{([^}]+)\}/g, (place, name: string) =>
    endpoint.secrets?.includes(place) ? `'"$${name.toUpperCase()}"'` : encoded(params[name] ?? ''),
  );
  const names = vocabulary ? vocabulary.out.query(endpoint, query) : query;
  const asked = Object.entries(names).filter(([, value]) => value != null);
  const search = asked.map(
    ([name, value]) => `${encoded(name)}=${encoded(Array.isArray(value) ? value.join(',') : String(value))}`,
  );
  const url = `${context.origin}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  const { apiKey, appKey } = vocabulary?.headers ?? keyHeaders;
  return `curl -s -H "${apiKey}: $ORGDECK_API_KEY" -H "${appKey}: $ORGDECK_APP_KEY" '${url}'`;
}

/** Encodes for a URL inside single quotes of a shell. */
const encoded = (text: string): string => percentEncoded(text).replaceAll("'", '%27');

const digits = '123456789';
/** Characters of a text that a menu shows at most: more than the widest terminal has. */
const mostPreview = 600;

/** Which of several services is meant. */
export const subjectMenu = (subjects: readonly string[]): Layer => ({
  kind: 'menu',
  title: 'Everything about',
  items: subjects.map((subject, at) => ({
    id: subject,
    key: digits[at],
    label: subject.replace(/^service:/, ''),
    run: { type: 'openSubject', subjects: [subject] },
  })),
  cursor: 0,
});

/** All actions on the row, each with its key and, if refused, the reason. */
export const verbMenu = (world: Moment): Layer => ({
  ...{ kind: 'menu', title: 'Actions', cursor: 0 },
  items: actionItems(world).map(({ keys: [key], item }) => ({ ...item, key })),
});

/** These actions, each with a digit. */
export const choiceMenu = (world: Moment, title: string, ids: readonly string[]): Layer => ({
  ...{ kind: 'menu', title, cursor: 0 },
  items: actionItems(world, ids).map(({ item }, at) => ({ ...item, key: digits[at] })),
});

/** The actions on the row, or those with these ids. */
function actionItems({ bindings }: Moment, ids?: readonly string[]) {
  return bindings.flatMap(({ group, run, keys, title, help, refused, doubt }) => {
    if (group !== 'write' || run.type !== 'startAction' || (ids && !ids.includes(run.id))) return [];
    const item: MenuItem = { id: run.id, label: title, hint: help, refused, doubt, run };
    return [{ keys, item }];
  });
}

export function rangeMenu(list: AnyList, listState: ListState): Layer {
  const options = list.ranges?.options ?? [];
  return {
    kind: 'menu',
    title: 'Time range',
    items: options.map((option, at) => ({
      id: option,
      key: digits[at],
      label: option,
      hint: option === listState.asked.range ? 'current' : undefined,
      run: { type: 'setTimeRange', range: option },
    })),
    cursor: Math.max(0, options.indexOf(listState.asked.range)),
  };
}

export function sortMenu(list: AnyList, own: ListState): Layer {
  const now = own.sort ?? list.sorted;
  const columns = list.columns.filter((column) => column.sort);
  return {
    kind: 'menu',
    title: 'Sort by',
    items: columns.map((column, at) => ({
      id: column.id,
      key: digits[at],
      label: columnName(column),
      hint:
        column.id === now?.by
          ? `current, ${sortedWords(column, now.down)}; again: ${sortedWords(column, !now.down)}`
          : sortedWords(column, column.downward ?? false),
      run: { type: 'setSort', by: column.id },
    })),
    cursor: Math.max(
      0,
      columns.findIndex((column) => column.id === now?.by),
    ),
  };
}

/** The copy menu: link, rows as Markdown, row as JSON, command, curl line without secrets, name. */
export function copies(
  { list, rows }: Pick<Acting, 'list' | 'rows'>,
  context: Context,
  more: { readonly last?: LastAction | undefined; readonly readAt?: number | undefined } = {},
): Layer {
  const { last, readAt } = more;
  const ofRows = (says: (row: Row) => string | undefined) => rows.flatMap((row) => says(row) ?? []);
  const items: MenuItem[] = [];
  const add = (key: string, label: string, text: Copied, hint = text.split('\n')[0]) => {
    if (text !== '') items.push({ id: key, key, label, hint, run: { type: 'copyText', what: label, text } });
  };
  const links = ofRows((row) => list.link?.(row, context));
  add('l', 'link', copiedLines(links));
  const markdown = rowsMarkdown(list, rows, context, readAt);
  const facts = links.length > 0 ? 'name, facts and link' : 'name and facts';
  add('m', 'Markdown', copiedLines(markdown.split('\n')), `${facts}, for a channel`);
  const told = rowsInWords(list, rows, context);
  const json = copiedJson(told.length === 1 ? told[0] : told);
  add('r', 'row as JSON', json, json.slice(0, mostPreview));
  const commands = ofRows((row) => {
    const command = list.command?.(row);
    return command && commandLine(command, context);
  });
  add('c', 'command', copiedExactly(commands.join('\n')));
  add('u', 'curl', copiedExactly(ofRows((row) => formatCurl(list, row, context)).join('\n')));
  add('n', 'name', copiedLines(rows.map(list.nameOf)));
  const verbs = verbCommands({ list, rows }, context, last);
  if (verbs.length > 0)
    items.push({
      id: 'v',
      key: 'v',
      label: 'an action as a command',
      hint: verbs[0]?.hint,
      run: { type: 'openCommandMenu' },
    });
  // Last, so that the menu opens on what works.
  if (links.length === 0 && list.link && context.web === undefined) {
    const refused = whyNoLinks(list, context);
    items.push({ id: 'l', key: 'l', label: 'link', refused, run: { type: 'showLink' } });
  }
  return { kind: 'menu', title: 'Copy', items, cursor: 0 };
}

/** Shell commands that perform the list's actions on these rows: with the values of the last edit, else the defaults. */
export function verbCommands(
  { list, rows }: Pick<Acting, 'list' | 'rows'>,
  context: Context,
  last: LastAction | undefined,
): MenuItem[] {
  return list.actions.flatMap((action): MenuItem[] => {
    if (!action.command) return [];
    const able = rows.filter((row) => (action.enabled?.(row, context) ?? true) === true);
    if (able.length === 0) return [];
    const done = last?.list === list.id && last.action === action.id ? last : undefined;
    const fullContext = { ...context, picked: done?.picked };
    const asks = [action.first, action.needs, action.form, action.pick, action.bar].some((one) => one !== undefined);
    const own = action.values?.(able, fullContext) ?? action.bar?.(able, fullContext).values;
    const values = done?.values ?? own ?? (asks ? undefined : {});
    if (values === undefined) return [];
    const commands = able.map((row) => commandLine(action.command?.(row, values, fullContext) ?? '', context));
    const text = copiedExactly(commands.join('\n'));
    if (text.trim() === '') return [];
    const copy: Message = { type: 'copyText', what: `${action.title} as a command`, text };
    return [{ id: action.id, key: action.key, label: action.title, hint: text.split('\n')[0], run: copy }];
  });
}

const longestName = 40;

/** The views with the digits that choose them. */
const viewItems = ({ views }: State, command: 'openView' | 'deleteView'): MenuItem[] =>
  views.map(({ name, screen }, at) => ({
    id: name,
    key: digits[at],
    label: name,
    hint: screen,
    run: { type: command, name },
  }));

/** The menu of named views: save, open, delete. */
export function viewMenu(state: State): Layer {
  const none = state.views.length === 0 ? 'no saved views' : undefined;
  return {
    kind: 'menu',
    title: 'Views',
    items: [
      ...viewItems(state, 'openView'),
      {
        id: 's',
        key: 's',
        label: 'save this view…',
        hint: 'screen, filter, search, range, sort',
        run: { type: 'openViewForm' },
      },
      { id: 'd', key: 'd', label: 'delete a view…', refused: none, run: { type: 'openViewDeletion' } },
    ],
    cursor: 0,
  };
}

/** The menu that deletes: choosing a view deletes it. */
export function deleteMenu(state: State): Layer {
  return { kind: 'menu', title: 'Delete a view', items: viewItems(state, 'deleteView'), cursor: 0 };
}

/** Asks for the name of the view in front. A name that exists is replaced. */
export function nameForm(state: State): State {
  const name = textField('Name', '', {
    required: true,
    hint: 'replaces a view of this name',
    check: (text) => [...text].length <= longestName || `at most ${longestName} characters`,
  });
  return push(state, formLayer('Save view', { name }, { kind: 'view' }));
}

/** Saves the view in front under this name. */
export function saveView(state: State, name: string, screens: readonly Screen[], now: number): State {
  const { screen, list } = front(state, screens);
  const own = state.lists[list.id];
  if (!own) return state;
  const { cursor: _, cursorAt: __, watched: ___, ...kept } = toSavedList(list, own);
  const view: SavedView = { name, at: now, screen: screen.id, tab: state.tab[screen.id] ?? 0, list: kept };
  const views = [...state.views.filter((other) => other.name !== name), view];
  return flash({ ...pop(state), views }, `Saved view ${name}`, 'good', now, 'b views');
}

export function deleteView(state: State, name: string, now: number): State {
  const views = state.views.filter((view) => view.name !== name);
  return flash({ ...state, views }, `Deleted view ${name}`, 'good', now);
}

/** Opens a view: its screen, tab, filter, search, range, sort and columns. Marks and an open detail go. */
export function openView(state: State, name: string, screens: readonly Screen[], now: number): State {
  const view = state.views.find((one) => one.name === name);
  const screen = screens.find((one) => one.id === view?.screen);
  const list = screen?.lists[view?.tab ?? 0];
  if (!view || !screen || !list) {
    const names = state.views.map((one) => one.name).join(', ');
    const why = names === '' ? 'b saves the first one' : `there are ${names}`;
    return flash(state, `No view is called ${name}: ${why}`, 'warn', now);
  }
  return {
    ...state,
    screen: screen.id,
    tab: { ...state.tab, [screen.id]: view.tab },
    lists: {
      ...state.lists,
      [list.id]: { ...resumedList(list, view.list), ...present({ watched: state.lists[list.id]?.watched }) },
    },
    flash: undefined,
  };
}
