import { keyHeaders } from '../../api/secrets.ts';
import { toWireRequest } from '../../client/wire-request.ts';
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
import { type Acting, type ListState, type Row, untouched } from '../rows/list-state.ts';
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
    .filter(({ title, text }) => title !== '' && text.trim() !== '' && text !== '–' && !isSaid(name, text))
    .map(({ title, text }) => `${title} ${markdownText(text)}`);
  return `- **${markdownLink(name, address)}** · ${facts.join(' · ')}`;
}

/** Whether a name says a fact, in words of its own; a number in it may be any. */
const isSaid = (name: string, text: string): boolean =>
  name === text || (!/^\d/.test(text) && ` ${name} `.includes(` ${text} `));

/**
 * The first read of the detail as a curl command, in the deployment's vocabulary; undefined where it reads nothing or cannot
 * be sent. The keys are environment variables, a secret in the path is a shell variable: `"$KEY"`.
 */
export function formatCurl(list: AnyList, row: Row, context: Context): string | undefined {
  const { vocabulary, origin } = context;
  const first = list.detail?.load?.(row, context).plan(context).next();
  if (!first || first.done || !('endpoint' in first.value)) return undefined;
  const { params, endpoint } = first.value;
  const secrets = Object.keys(params).filter((name) => endpoint.secrets?.includes(`{${name}}`));
  const hidden = Object.fromEntries(secrets.map((name) => [name, `{${name}}`]));
  const request = toWireRequest({ ...first.value, params: { ...params, ...hidden } }, new URL(origin), vocabulary);
  if (!request.ok) return undefined;
  // Inside single quotes of a shell.
  const path = secrets.reduce(
    (text, name) => text.replace(percentEncoded(`{${name}}`), `'"$${name.toUpperCase()}"'`),
    request.wired.path.replaceAll("'", '%27'),
  );
  const { apiKey, appKey } = vocabulary?.headers ?? keyHeaders;
  const url = `${new URL(origin).origin}${path}`;
  return `curl -s -H "${apiKey}: $ORGDECK_API_KEY" -H "${appKey}: $ORGDECK_APP_KEY" '${url}'`;
}

/** A menu; of its items those that have no key are chosen by digits. */
export const digitMenu = (title: string, items: readonly MenuItem[], cursor = 0): Layer => ({
  ...{ kind: 'menu', title, cursor },
  items: items.map((item, at) => ({ key: '123456789'[at], ...item })),
});

/** Characters of a text that a menu shows at most: more than the widest terminal has. */
const maxPreview = 600;

/** Asks which of several services is meant. */
export const subjectMenu = (subjects: readonly string[]): Layer =>
  digitMenu(
    'Everything about',
    subjects.map((subject) => ({
      id: subject,
      label: subject.replace(/^service:/, ''),
      run: { type: 'openSubject', subjects: [subject] },
    })),
  );

/** All actions on the row, each with its key and, if refused, the reason. */
export function actionMenu(world: Moment): Layer {
  const items = actionItems(world).map(({ keys: [key], item }) => ({ ...item, key }));
  return { kind: 'menu', title: 'Actions', items, cursor: 0 };
}

/** The actions with these ids, each with a digit. */
export const choiceMenu = (world: Moment, title: string, ids: readonly string[]): Layer =>
  digitMenu(
    title,
    actionItems(world, ids).map(({ item }) => item),
  );

/** The actions on the row, or those with these ids. */
function actionItems({ bindings }: Moment, ids?: readonly string[]) {
  return bindings.flatMap(({ group, run, keys, title, help, refused, doubt }) => {
    if (group !== 'write' || run.type !== 'startAction' || (ids && !ids.includes(run.id))) return [];
    const item: MenuItem = { id: run.id, label: title, hint: help, refused, doubt, run };
    return [{ keys, item }];
  });
}

/** The time ranges of a list, with the cursor on the present one. */
export function rangeMenu(list: AnyList, listState: ListState): Layer {
  const options = list.ranges?.options ?? [];
  const items = options.map(
    (option): MenuItem => ({
      id: option,
      label: option,
      hint: option === listState.asked.range ? 'current' : undefined,
      run: { type: 'setTimeRange', range: option },
    }),
  );
  return digitMenu('Time range', items, Math.max(0, options.indexOf(listState.asked.range)));
}

/** The columns that a list can be sorted by, with the cursor on the present one; choosing that turns its direction. */
export function sortMenu(list: AnyList, listState: ListState): Layer {
  const sort = listState.sort ?? list.sorted;
  const columns = list.columns.filter((column) => column.sort);
  const items = columns.map(
    (column): MenuItem => ({
      id: column.id,
      label: columnName(column),
      hint:
        column.id === sort?.by
          ? `current, ${sortedWords(column, sort.down)}; again: ${sortedWords(column, !sort.down)}`
          : sortedWords(column, column.downward ?? false),
      run: { type: 'setSort', by: column.id },
    }),
  );
  const at = columns.findIndex((column) => column.id === sort?.by);
  return digitMenu('Sort by', items, Math.max(0, at));
}

/** What can be copied of these rows. `last`: the last edit, `readAt`: when the rows were read. */
export function copyMenu(
  { list, rows }: Pick<Acting, 'list' | 'rows'>,
  context: Context,
  { last, readAt }: { readonly last?: LastAction | undefined; readonly readAt?: number | undefined } = {},
): Layer {
  const forRows = (textOf: (row: Row) => string | undefined) => rows.flatMap((row) => textOf(row) ?? []);
  const items: MenuItem[] = [];
  const add = (key: string, label: string, text: Copied, hint = text.split('\n')[0]) => {
    if (text !== '') items.push({ id: key, key, label, hint, run: { type: 'copyText', what: label, text } });
  };
  const links = forRows((row) => list.link?.(row, context));
  add('l', 'link', copiedLines(links));
  const markdown = rowsMarkdown(list, rows, context, readAt);
  const facts = links.length > 0 ? 'name, facts and link' : 'name and facts';
  add('m', 'Markdown', copiedLines(markdown.split('\n')), `${facts}, for a channel`);
  const objects = rowsInWords(list, rows, context);
  const json = copiedJson(objects.length === 1 ? objects[0] : objects);
  add('r', 'row as JSON', json, json.slice(0, maxPreview));
  const commands = forRows((row) => {
    const command = list.command?.(row);
    return command && commandLine(command, context);
  });
  add('c', 'command', copiedExactly(commands.join('\n')));
  add('u', 'curl', copiedExactly(forRows((row) => formatCurl(list, row, context)).join('\n')));
  add('n', 'name', copiedLines(rows.map(list.nameOf)));
  const actions = commandItems({ list, rows }, context, last);
  if (actions.length > 0)
    items.push({
      id: 'v',
      key: 'v',
      label: 'an action as a command',
      hint: actions[0]?.hint,
      run: { type: 'openCommandMenu' },
    });
  // Last, so that the menu opens on what works.
  if (links.length === 0 && list.link && context.web === undefined) {
    const refused = whyNoLinks(list, context);
    items.push({ id: 'l', key: 'l', label: 'link', refused, run: { type: 'showLink' } });
  }
  return { kind: 'menu', title: 'Copy', items, cursor: 0 };
}

/** Copies the list's actions on these rows as shell commands: with the values of the last edit, else the defaults. */
export function commandItems(
  { list, rows }: Pick<Acting, 'list' | 'rows'>,
  context: Context,
  last: LastAction | undefined,
): MenuItem[] {
  return list.actions.flatMap((action): MenuItem[] => {
    if (!action.command) return [];
    const able = rows.filter((row) => (action.enabled?.(row, context) ?? true) === true);
    if (able.length === 0) return [];
    const lastOfAction = last?.list === list.id && last.action === action.id ? last : undefined;
    const fullContext = { ...context, picked: lastOfAction?.picked };
    // Without its values, an action that asks for some cannot be written as a command.
    const asks = [action.first, action.needs, action.form, action.pick, action.bar].some((one) => one !== undefined);
    const defaults = action.values?.(able, fullContext) ?? action.bar?.(able, fullContext).values;
    const values = lastOfAction?.values ?? defaults ?? (asks ? undefined : {});
    if (values === undefined) return [];
    const commands = able.map((row) => commandLine(action.command?.(row, values, fullContext) ?? '', context));
    const text = copiedExactly(commands.join('\n'));
    if (text.trim() === '') return [];
    const copy: Message = { type: 'copyText', what: `${action.title} as a command`, text };
    return [{ id: action.id, key: action.key, label: action.title, hint: text.split('\n')[0], run: copy }];
  });
}

/** Characters of the name of a view. */
const maxNameLength = 40;

/** The views, to be chosen. */
const viewItems = ({ views }: State, screens: readonly Screen[], command: 'openView' | 'deleteView'): MenuItem[] =>
  views.map(({ name, screen }) => ({
    id: name,
    label: name,
    hint: screens.find(({ id }) => id === screen)?.title,
    run: { type: command, name },
  }));

/** The menu of named views: save, open, delete. */
export function viewMenu(state: State, screens: readonly Screen[]): Layer {
  const none = state.views.length === 0 ? 'no saved views' : undefined;
  return digitMenu('Views', [
    ...viewItems(state, screens, 'openView'),
    {
      id: 's',
      key: 's',
      label: 'save this view…',
      hint: 'screen, filter, search, range, sort',
      run: { type: 'openViewForm' },
    },
    { id: 'd', key: 'd', label: 'delete a view…', refused: none, run: { type: 'openViewDeletion' } },
  ]);
}

/** The views to delete. */
export const viewDeletionMenu = (state: State, screens: readonly Screen[]): Layer =>
  digitMenu('Delete a view', viewItems(state, screens, 'deleteView'));

/** Asks for the name under which the view in front is saved. */
export function askViewName(state: State): State {
  const name = textField('Name', '', {
    required: true,
    hint: 'replaces a view of this name',
    check: (text) => [...text].length <= maxNameLength || `at most ${maxNameLength} characters`,
  });
  return push(state, formLayer('Save view', { name }, { kind: 'view' }));
}

/** Saves the view in front under this name, in place of one of the same name. */
export function saveView(state: State, name: string, screens: readonly Screen[], now: number): State {
  const { screen, list } = front(state, screens);
  const own = state.lists[list.id];
  if (!own) return state;
  const { cursor: _, cursorAt: __, watched: ___, ...kept } = toSavedList(list, own);
  const view: SavedView = { name, at: now, screen: screen.id, tab: state.tab[screen.id] ?? 0, list: kept };
  const views = [...state.views.filter((other) => other.name !== name), view];
  return flash({ ...pop(state), views }, `Saved view ${name}`, 'good', now, 'b views');
}

/** Deletes the view with this name. */
export function deleteView(state: State, name: string, now: number): State {
  const views = state.views.filter((view) => view.name !== name);
  return flash({ ...state, views }, `Deleted view ${name}`, 'good', now);
}

/** Opens a view: its screen, tab, filter, search, range, sort and columns. Marks and an open detail go. */
export function openView(state: State, name: string, screens: readonly Screen[], now: number): State {
  const view = state.views.find((one) => one.name === name);
  if (!view) {
    const names = state.views.map((one) => one.name).join(', ');
    const why = names === '' ? 'b saves the first one' : `there are ${names}`;
    return flash(state, `No view is called ${name}: ${why}`, 'warn', now);
  }
  const list = screens.find(({ id }) => id === view.screen)?.lists[view.tab];
  if (!list) return flash(state, `View ${name} is of a list that is gone: b d deletes it`, 'warn', now);
  const opened = resumedList(list, view.list);
  const { asked, watched, seen, isSeenPartly } = state.lists[list.id] ?? untouched(list);
  // What is new stays new, unless other rows are asked for.
  const isSame = JSON.stringify(asked) === JSON.stringify(opened.asked);
  return {
    ...state,
    screen: view.screen,
    tab: { ...state.tab, [view.screen]: view.tab },
    lists: {
      ...state.lists,
      [list.id]: { ...opened, ...present({ watched }), ...(isSame ? { seen, isSeenPartly } : {}) },
    },
    flash: undefined,
  };
}
