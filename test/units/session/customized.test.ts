import { expect, test } from 'vitest';
import { screens } from '../../../screens/index.ts';
import { programsKind } from '../../../src/describe/job.ts';
import { type AnyList, shownColumns } from '../../../src/describe/screen.ts';
import type { Custom, CustomCommand } from '../../../src/session/custom/custom.ts';
import { commandAction, customized, listedBindings } from '../../../src/session/custom/customized.ts';
import { keyFaults } from '../../laws/screens.ts';
import { bindingsOfLists, plainFacts } from '../../support/bindings.ts';
import { contextOf } from '../../support/plans.ts';

const nothing: Custom = { keys: {}, columns: {}, commands: [] };
const made = (custom: Partial<Custom>) => customized(screens, { ...nothing, ...custom });
const told = (custom: Partial<Custom>) => made(custom).unused.map(({ path, text }) => `${path.join(' ')}: ${text}`);
const listOf = (id: string, custom: Partial<Custom>) => {
  const list = made(custom)
    .screens.flatMap((screen) => screen.lists)
    .find((one) => one.id === id);
  if (!list) throw new Error(`there is no list ${id}`);
  return list;
};
const keyOn = (list: string, id: string, custom: Partial<Custom>) =>
  listOf(list, custom).actions.find((action) => action.id === id)?.key;
const command = (more: Partial<CustomCommand>): CustomCommand => ({
  key: 'L',
  title: 'logs',
  argv: ['logs', '{name}'],
  confirm: false,
  output: 'view',
  at: 0,
  ...more,
});

test('an action has the key that it is given, on every list that offers it', () => {
  const custom = { keys: { 'issues.resolve': 'R', 'monitors.mute': 'alt+m' } };
  expect(told(custom)).toEqual([]);
  expect(keyOn('issues', 'issues.resolve', custom)).toBe('R');
  expect(keyOn('monitors', 'monitors.mute', custom)).toBe('alt+m');
  expect(keyOn('monitors', 'monitors.unmute', custom)).toBe('M');
  expect(keyFaults(bindingsOfLists(made(custom).screens))).toEqual([]);
});

test('two actions may exchange their keys', () => {
  const custom = { keys: { 'issues.resolve': 'i', 'issues.ignore': 'r' } };
  expect(told(custom)).toEqual([]);
  expect([keyOn('issues', 'issues.resolve', custom), keyOn('issues', 'issues.ignore', custom)]).toEqual(['i', 'r']);
});

test('a clash is refused with both names, and the key stays as it was', () => {
  expect(told({ keys: { 'issues.resolve': 'i' } })).toEqual([
    'keys issues.resolve: issues.resolve cannot be on i: on Issues that key is "ignore" (issues.ignore): give one of them another key',
  ]);
  expect(keyOn('issues', 'issues.resolve', { keys: { 'issues.resolve': 'i' } })).toBe('r');
  expect(told({ keys: { 'issues.resolve': '/' } })[0]).toContain(
    'on Issues that key is "filter": give one of them another key',
  );
  expect(told({ keys: { 'issues.resolve': '3' } })[0]).toContain('that key is "keys"');
  expect(told({ keys: { 'retention.toggle': 'J' } })[0]).toContain('"move down"');
  expect(told({ keys: { 'issues.resolve': 'W' } })[0]).toContain('"jobs"');
  // Of two that are given the same key, the later one keeps its own.
  const both = { keys: { 'issues.resolve': 'R', 'issues.ignore': 'R' } };
  expect(told(both)).toHaveLength(1);
  expect([keyOn('issues', 'issues.resolve', both), keyOn('issues', 'issues.ignore', both)]).toEqual(['R', 'i']);
  // The second is refused, so the key that the first wanted is not free after all.
  const chain = { keys: { 'issues.resolve': 'i', 'issues.ignore': '/' } };
  expect(told(chain)).toHaveLength(2);
  expect(keyFaults(bindingsOfLists(made(chain).screens))).toEqual([]);
});

test('a key that another list offers on its derived rows is refused there too', () => {
  expect(told({ keys: { 'monitors.unmute': 'T' } })[0]).toContain('on Monitors, Mutes that key is "time range"');
  expect(told({ keys: { 'monitors.unmute': '/' } })[0]).toContain('on Monitors that key is "filter"');
});

test('unknown actions, lists and columns are told with those that there are', () => {
  expect(told({ keys: { 'issues.close': 'R', nonsense: 'R' } })).toEqual([
    expect.stringMatching(/^keys issues\.close: there is no action issues\.close: there are issues\.assign, /),
    expect.stringMatching(/^keys nonsense: there is no action nonsense: ids begin with issues, monitors, /),
  ]);
  expect(told({ columns: { issue: ['state'], monitors: ['state', 'color', 'state'] } })).toEqual([
    expect.stringMatching(/^columns issue: there is no list issue: there are issues, monitors, mutes/),
    expect.stringMatching(/^columns monitors 1: monitors has no column color: it has state, /),
    'columns monitors 2: the column state of monitors is named twice',
  ]);
});

test('columns are shown as chosen; the flex column stays, and sorting knows the others', () => {
  const list = listOf('monitors', { columns: { monitors: ['muted', 'state'] } });
  expect(shownColumns(list).map(({ id }) => id)).toEqual(['muted', 'state', 'name']);
  expect(list.columns.map(({ id }) => id)).toContain('priority');
  const first = listOf('monitors', { columns: { monitors: ['name', 'state'] } });
  expect(shownColumns(first).map(({ id }) => id)).toEqual(['name', 'state']);
  expect(listOf('monitors', { columns: { monitors: ['color'] } }).shown).toBeUndefined();
});

test('a command is offered on its screens, on the lines of Home that stand for their rows, and nowhere else', () => {
  const custom = { commands: [command({ screens: ['monitors'] })] };
  expect(told(custom)).toEqual([]);
  expect(keyOn('monitors', 'command.logs', custom)).toBe('L');
  expect(keyOn('issues', 'command.logs', custom)).toBeUndefined();
  expect(listOf('home', custom).derived?.offers).toContain('command.logs');
  const everywhere = { commands: [command({ key: 'ctrl+o' })] };
  expect(told(everywhere)).toEqual([]);
  expect(keyOn('archives', 'command.logs', everywhere)).toBe('ctrl+o');
  expect(keyFaults(bindingsOfLists(made(everywhere).screens))).toEqual([]);
});

test('a command on a taken key, of an unknown screen or with the title of another one is left out', () => {
  expect(
    told({
      commands: [
        command({ key: 't' }),
        command({ key: 'm', screens: ['monitors'], at: 1, title: 'a' }),
        command({ screens: ['moniter'], at: 2, title: 'b' }),
        command({ screens: ['issues'], at: 3, title: 'c' }),
        command({ screens: ['issues'], at: 4, title: 'd' }),
        command({ key: 'B', screens: ['issues'], at: 5, title: 'c' }),
        command({ key: '+', screens: ['issues'], at: 6, title: 'e' }),
      ],
    }),
  ).toEqual([
    'commands 0 key: the command logs cannot be on t: on Keys, Users that key is "disable": write another key, or name its screens',
    'commands 1 key: the command a cannot be on m: on Home that key is "mute": write another key, or name its screens',
    expect.stringMatching(/^commands 2 screens: there is no screen moniter: there are home, issues, monitors, /),
    'commands 4 key: the command d cannot be on L: on Issues that key is "c": write another key, or name its screens',
    'commands 5 title: two commands are called c: write another title',
  ]);
});

test('a key given to an action is not free for a command', () => {
  const custom = { keys: { 'issues.resolve': 'R' }, commands: [command({ key: 'R', screens: ['issues'] })] };
  expect(told(custom)[0]).toContain('that key is "resolve"');
  expect(told({ ...custom, commands: [command({ key: 'r', screens: ['issues'] })] })).toEqual([]);
});

/** The title of what a key does on a list, with these keys. */
const doesOn = (list: string, key: string, custom: Partial<Custom>) => {
  const { screens: own, moved } = made(custom);
  const found = listedBindings(own, plainFacts, moved).find((one) => one.list.id === list);
  return found?.bindings.find(({ keys }) => keys.includes(key))?.title;
};

test('a key of every list moves by its id: the old one does nothing, or what takes it', () => {
  const custom = {
    keys: { filter: 'F', help: 'ctrl+g', palette: ',', mark: 'alt+a', quit: 'ctrl+q', 'issues.resolve': '/' },
  };
  expect(told(custom)).toEqual([]);
  const seen = ['F', 'ctrl+g', ',', 'ctrl+p', 'alt+a', 'ctrl+q'].map((key) => doesOn('issues', key, custom));
  expect(seen).toEqual(['filter', 'help', 'palette', 'palette', 'mark', 'quit']);
  expect(['?', ':', 'space', 'Q'].map((key) => doesOn('issues', key, custom))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([doesOn('issues', '/', custom), doesOn('monitors', '/', custom)]).toEqual(['resolve', undefined]);
  const { screens: own, moved } = made(custom);
  expect(keyFaults(listedBindings(own, plainFacts, moved))).toEqual([]);
});

test('two keys of every list may change places; a clash is refused with both names', () => {
  const exchanged = { keys: { filter: 's', search: '/' } };
  expect(told(exchanged)).toEqual([]);
  expect([doesOn('issues', 's', exchanged), doesOn('issues', '/', exchanged)]).toEqual(['filter', 'search']);
  expect(told({ keys: { filter: 'u' } })[0]).toMatch(/filter cannot be on u: on .* that key is "undo", which stays/);
  expect(told({ keys: { filter: 'b' } })[0]).toMatch(/"views": give one of them another key/);
  expect(told({ keys: { views: 'r' } })[0]).toMatch(/"resolve" \(issues\.resolve\)/);
  expect(told({ keys: { filter: 'W' } })[0]).toContain('"jobs", which stays');
  expect(doesOn('issues', '/', { keys: { filter: 'b' } })).toBe('filter');
  // A command meets the keys as they are then.
  expect(told({ keys: { views: 'B' }, commands: [command({ key: 'b' })] })).toEqual([]);
  expect(told({ keys: { views: 'B' }, commands: [command({ key: 'B' })] })[0]).toContain('that key is "views"');
});

test('a command runs with what its row has, once for each, and asks where it is told to or for several', () => {
  const log = command({ title: 'open log', argv: ['less', '{id}:{name}', '{service}', '{link}'] });
  const logs = {
    ...{ id: 'logs', title: 'Logs', columns: [], actions: [], empty: '', load: () => ({}) },
    ...{ idOf: (row: { id: string }) => row.id, nameOf: (row: { id: string }) => `log ${row.id}` },
    link: (row: { id: string }, { web }: { web?: string }) => web && `${web}/${row.id}`,
    services: (row: { id: string }) => (row.id === 'a' ? ['web'] : []),
  } as unknown as AnyList;
  const act = commandAction(log, logs);
  const context = contextOf({ web: 'https://example.com' });
  const able = (id: string, of = context) => act.enabled?.({ id }, of);
  expect([able('a'), able('b')]).toEqual([true, 'this row has no service']);
  expect(able('a', contextOf())).toMatch(/web/);
  expect(commandAction(log, { ...logs, link: undefined } as never).enabled?.({ id: 'a' }, contextOf())).toBe(
    'this row has no link',
  );
  const rows = [{ id: 'a' }, { id: 'a b' }];
  const values = act.values?.(rows, context);
  expect(values).toEqual({
    ...{ title: 'open log', isShown: true },
    runs: [
      { name: 'log a', argv: ['less', 'a:log a', 'web', 'https://example.com/a'] },
      { name: 'log a b', argv: ['less', 'a b:log a b', '', 'https://example.com/a b'] },
    ],
  });
  expect(act.confirm?.(rows.slice(1), values, context)).toBeUndefined();
  expect(act.confirm?.(rows, values, context)).toMatchObject({
    question: 'open log: run it 2 times?',
    details: ["less 'a:log a' web https://example.com/a", expect.anything()],
  });
  const asking = commandAction({ ...log, confirm: true, output: 'none' }, logs);
  expect(asking.confirm?.(rows.slice(1), values, context)?.question).toBe('open log: run it?');
  expect(act.job?.(rows[0], values, context)).toEqual({
    kind: programsKind,
    title: 'open log',
    values,
    isProgram: true,
  });
  const aside = asking.values?.(rows, context);
  expect(asking.job?.(rows[0], aside, context)).toMatchObject({ isProgram: true, isAside: true });
});
