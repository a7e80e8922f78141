import { readFileSync, writeFileSync } from 'node:fs';
import { screens } from '../../screens/index.ts';
import { endpoints } from '../../src/api/all-endpoints.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { exitTexts } from '../../src/cli/manual.ts';
import { manyField, queryField, textField } from '../../src/describe/field.ts';
import type { AnyList, Screen } from '../../src/describe/screen.ts';
import { formBindings } from '../../src/session/form/bindings.ts';
import { generalId, generalIds } from '../../src/session/keys/bindings.ts';
import { findKeys, turnKeys } from '../../src/session/keys/common.ts';
import { bindingSentence } from '../../src/session/state/moment.ts';
import { formLayer } from '../../src/session/state/state-changes.ts';
import { latestResults, pages, tablesFor } from '../bench/page.ts';
import { bindingsOfLists } from './bindings.ts';
import { emptyState } from './empty-world.ts';
import { brokenPromises, contractOfLists, fieldsOfLists } from './json-page.ts';
import { filled, markdownTable } from './markdown.ts';
import { contextOf } from './plans.ts';

/** One line of the keys table: where the keys work, as they are written, and what they do. */
export interface KeyRow {
  readonly where: string;
  readonly keys: readonly string[];
  readonly does: string;
}

const spelled: Readonly<Record<string, string>> = {
  return: 'Enter',
  space: 'Space',
  esc: 'Esc',
  backspace: 'Backspace',
  tab: 'Tab',
  'shift+tab': 'Shift-Tab',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};
const spell = (key: string) =>
  spelled[key] ??
  key
    .replace(/^ctrl\+(.+)$/, (_, text: string) => `Ctrl-${spelled[text] ?? text.toUpperCase()}`)
    .replace(/^alt\+(.+)$/, (_, text: string) => `Alt-${spelled[text] ?? text}`);
const code = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/**
 * The keys table, from the bindings: first those of every list, then those of several screens, then those of each; where the tabs of a
 * screen differ, those of each tab.
 */
export function keyRows(of: readonly Screen[]): KeyRow[] {
  const lists = bindingsOfLists(of);
  const rows = new Map<string, KeyRow & { readonly on: Set<string>; readonly group: string }>();
  for (const { list, bindings } of lists)
    for (const binding of [...bindings, ...actionsOfRows(list)]) {
      const does = bindingSentence(binding).replace(/; it is .* now$/, '');
      const name = JSON.stringify([binding.group, binding.keys, does]);
      const known = rows.get(name);
      if (known) known.on.add(list.id);
      else rows.set(name, { where: '', group: binding.group, keys: binding.keys, does, on: new Set([list.id]) });
    }
  const all = [...rows.values()];
  // A board has fewer keys than a list: what every list has is told once.
  const tables = lists.filter(({ list }) => !list.board).map(({ list }) => list.id);
  const isEverywhere = ({ on }: { readonly on: ReadonlySet<string> }) => tables.every((id) => on.has(id));
  const everywhere = all.filter(isEverywhere).map((value) => ({ ...value, where: value.group }));
  const groups = [...new Set(everywhere.map((entry) => entry.where))];
  const own = all.filter((entry) => !isEverywhere(entry)).map((entry) => ({ ...entry, where: placesOf(of, entry.on) }));
  const isShared = (place: string) => Number(place.includes('; '));
  const places = [...new Set(own.map((entry) => entry.where))].sort((a, b) => isShared(b) - isShared(a));
  return [
    ...groups.flatMap((group) => everywhere.filter((entry) => entry.where === group)),
    ...places.flatMap((place) => own.filter((entry) => entry.where === place)),
  ].map(({ where, keys, does }) => ({ where, keys, does }));
}

/** The actions on the rows of a derived list, which has no bindings for them before there is a row. */
const actionsOfRows = ({ derived, actions }: AnyList) =>
  actions
    .filter(({ on }) => derived !== undefined && on !== 'list')
    .map(({ key, title, help }) => ({ group: 'write', keys: key === undefined ? [] : [key], title, help }));

/** The screens, each with its tabs where not all of them have the key. */
const placesOf = (of: readonly Screen[], on: ReadonlySet<string>): string =>
  of
    .flatMap(({ title, lists }) => {
      const tabs = lists.filter(({ id }) => on.has(id)).map((list) => list.title);
      return tabs.length === 0 ? [] : tabs.length === lists.length ? title : `${title}: ${tabs.join(', ')}`;
    })
    .join('; ');

/** The keys that a detail has besides those of its list. */
export const detailKeyRows = (): KeyRow[] =>
  [...turnKeys({ tabs: [] }, () => true), ...findKeys({ wanted: 'text', found: [] })].map((binding) => ({
    where: 'a detail',
    keys: binding.keys,
    does: bindingSentence(binding),
  }));

/** The keys of a form and of a multi-line text, from the bindings. */
export function formKeyRows(): KeyRow[] {
  const fields = {
    name: textField('Name', ''),
    kind: manyField('Kind', [], ['a']),
    query: queryField('Query', '', async () => ({ check: () => [], complete: () => undefined })),
    last: textField('Last', ''),
  };
  const form = formLayer('', fields, { kind: 'search', list: '' });
  const completion = { start: 0, end: 0, items: [{ text: 'a' }] };
  const places = {
    'a form': form,
    'a choice': { ...form, focus: 1 },
    'a text on several lines': {
      ...form,
      focus: 2,
      written: { query: { diagnostics: [{ ...completion, verdict: 'wrong', message: '' }] } },
    },
    'words on offer': { ...form, focus: 2, written: { query: { diagnostics: [], offers: { completion, cursor: 0 } } } },
    'the difference': { ...form, review: [{ label: '', parts: [] }] },
  } as const;
  const listed = new Set<string>();
  return Object.entries(places).flatMap(([where, layer]) =>
    formBindings(layer, { state: emptyState(screens), context: contextOf() }).flatMap(
      ({ keys, title, help }): KeyRow[] => {
        const does = title === 'search' ? 'save, search or review' : help === undefined ? title : `${title}: ${help}`;
        const name = `${keys.join(' ')} ${does}`;
        if (listed.has(name)) return [];
        listed.add(name);
        return [{ where, keys, does }];
      },
    ),
  );
}

/** The keys as a Markdown table. */
export function keysTable(rows: readonly KeyRow[]): string {
  return markdownTable(
    ['where', 'keys', 'what happens'],
    rows.map((row, at) => [
      rows[at - 1]?.where === row.where ? '' : row.where,
      row.keys.length > 6
        ? `${code(spell(row.keys[0] as string))} to ${code(spell(row.keys.at(-1) as string))}`
        : row.keys.map((key) => code(spell(key))).join(' '),
      row.does,
    ]),
  );
}

/** Every operation as a Markdown table. */
export function endpointTable(all: readonly Endpoint[]): string {
  return markdownTable(
    ['operation', 'request', 'needs', 'from', 'in doubt'],
    all.map((endpoint) => [
      code(endpoint.id),
      `${code(`${endpoint.method} ${endpoint.path}`)}${endpoint.deprecated ? ' (deprecated)' : ''}`,
      endpoint.permission.map(code).join(' ') || 'valid keys',
      endpoint.origin,
      endpoint.repeat,
    ]),
  );
}

/** Every name that a configuration file may use, as a Markdown table. */
export const namesTable = (of: readonly Screen[]): string =>
  markdownTable(
    ['screen', 'list', 'columns', 'actions'],
    of.flatMap(({ id, lists }) =>
      lists
        .filter((list) => !list.board)
        .map((list) => [
          code(id),
          code(list.id),
          list.columns.map((column) => (column.flex ? `**${code(column.id)}**` : code(column.id))).join(' '),
          list.actions
            .filter((action) => action.id !== list.order?.save)
            .map((action) => [code(action.id), ...(action.key === undefined ? [] : [spell(action.key)])].join(' '))
            .join(', '),
        ]),
    ),
  );

/** The keys of every list that a configuration file may move, as a Markdown table. */
export function generalTable(of: readonly Screen[]): string {
  const bindings = bindingsOfLists(of).flatMap((list) => list.bindings);
  return markdownTable(
    ['id', 'key', 'what it does'],
    [...generalIds.keys()].map((id) => {
      const found = bindings.find((binding) => generalId(binding) === id);
      return [
        code(id),
        spell(found?.keys[0] ?? ''),
        (found?.help ?? found?.title ?? '').replace(/; it is .* now$/, ''),
      ];
    }),
  );
}

/** The pages that have a generated part, with the text of each part by the name of its markers. */
export const generated: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  'docs/keys.md': () => ({ keys: keysTable([...keyRows(screens), ...detailKeyRows(), ...formKeyRows()]) }),
  'docs/operations.md': () => ({ endpoints: endpointTable(endpoints) }),
  'docs/environment.md': () => ({
    exits: markdownTable(
      ['code', 'what happened'],
      exitTexts.map(([code, text]) => [String(code), text]),
    ),
  }),
  'docs/config.md': () => ({ general: generalTable(screens), names: namesTable(screens) }),
  ...Object.fromEntries(Object.keys(pages).map((path) => [path, () => tablesFor(path, latestResults())])),
  'docs/json.md': () => ({ fields: fieldsOfLists() }),
};

if (import.meta.main) {
  for (const [path, parts] of Object.entries(generated)) {
    const file = new URL(`../../${path}`, import.meta.url);
    writeFileSync(file, filled(readFileSync(file, 'utf8'), parts()));
  }
  const contract = new URL('fixtures/json-fields.json', import.meta.url);
  const now = contractOfLists();
  // New fields are stored. A field that is gone or of another type breaks scripts: a person has to take it out.
  if (brokenPromises(JSON.parse(readFileSync(contract, 'utf8')), now).length === 0)
    writeFileSync(contract, `${JSON.stringify(now, null, 2)}\n`);
}
