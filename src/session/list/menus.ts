import { columnName, sortedWords } from '../../describe/column.ts';
import { commandLine } from '../../describe/command.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { rowsInWords } from '../../describe/vocabulary-words.ts';
import { whyNoLinks } from '../../describe/web-link.ts';
import { type Copied, copiedExactly, copiedJson, copiedLines } from '../../lib/copied-text.ts';
import type { Acting } from '../rows/acting-rows.ts';
import type { ListState, Row } from '../rows/list-state.ts';
import { rowsMarkdown } from '../rows/row-markdown.ts';
import type { Layer, MenuItem } from '../state/layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { LastAction } from '../state/state.ts';
import { formatCurl } from './format-curl.ts';

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
