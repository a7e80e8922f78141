import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { watch } from '../../src/cli/print-list.ts';
import { outputFields } from '../../src/describe/screen.ts';
import { cells } from '../../src/lib/text.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createTestClock } from '../support/clock.ts';
import type { More } from '../support/commands.ts';
import { readYaml } from '../support/read-yaml.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, machine, orgdeck } = servedCommands({ monitors: 40, issues: 30 });

type Item = Readonly<Record<string, unknown>>;
const itemsIn = (out: string): readonly Item[] => JSON.parse(out).items;

const isTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(value);
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string',
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  time: isTime,
  'list of texts': (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
  'list of objects': (value) => Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  any: () => true,
};

const lists = screens.flatMap((screen) => screen.lists);

/** What the rows of a list are of, where a command names it. */
async function subjectOf(id: string): Promise<readonly string[]> {
  const [words, field] =
    id === 'tables.rows' ? (['tables', 'id'] as const) : id === 'service' ? (['issues', 'service'] as const) : [];
  if (!words) return [];
  const [first] = itemsIn((await orgdeck([words, 'list', '--json'])).out);
  return [String(first?.[field])];
}

test.each(lists.map((list) => [list.id, list] as const))('%s prints its contract', async (id, list) => {
  const line = [...id.split('.'), 'list', ...(await subjectOf(id))];
  const json = await orgdeck([...line, '--json']);
  expect(json, json.err).toMatchObject({ exit: 0 });
  const object = JSON.parse(json.out);
  expect(Object.keys(object)).toEqual(['version', 'list', 'items', 'partial']);
  expect(object).toMatchObject({ version: 1, list: id, partial: null });
  const items = itemsIn(json.out);
  expect(items.length).toBeGreaterThan(0);
  const fields = outputFields(list);
  for (const item of items) {
    expect(Object.keys(item)).toEqual(fields.map(({ name }) => name));
    for (const { name, type } of fields)
      if (item[name] !== null) expect([id, name, type, fits[type]?.(item[name])]).toEqual([id, name, type, true]);
    expect(item.id).not.toBe('');
  }
  // A time of day has its zone beside it.
  const wide = (await orgdeck([...line, '-o', 'wide'])).out.split('\n');
  expect(wide.filter((text) => /(?<![\d:.])\d\d:\d\d(?![\d:])(?! UTC)/.test(text))).toEqual([]);
});

test('every format prints equal rows, without times relative to now', async () => {
  const line = ['tables', 'list'];
  const items = itemsIn((await orgdeck([...line, '--json'])).out);
  const names = Object.keys(items[0] ?? {});
  const [head, ...rows] = parse((await orgdeck([...line, '-o', 'csv'])).out) as string[][];
  expect(head).toEqual(names);
  expect(rows.map(([id]) => id)).toEqual(items.map(({ id }) => id));
  // A pipe gets what `-o tsv` prints, its first line on demand.
  const tsv = (await orgdeck([...line, '-o', 'tsv'])).out;
  expect(tsv.split('\n')[0]).toBe(names.join('\t'));
  expect((await orgdeck(line)).out).toBe(tsv.slice(tsv.indexOf('\n') + 1));
  expect((await orgdeck([...line, '--header'])).out).toBe(tsv);
  expect((await orgdeck([...line, '--fields', 'id'])).out).toBe(items.map(({ id }) => `${id}\n`).join(''));
});

test('of no rows a pipe gets nothing, and not an empty line', async () => {
  expect(await orgdeck(['monitors', 'list', '--query', 'no-such-monitor', '--quiet'])).toMatchObject({
    exit: 0,
    out: '',
  });
});

test('formats, fields, order and number are those asked for', async () => {
  const line = ['monitors', 'list', '--limit', '3', '--sort', 'name:desc'];
  const items = itemsIn((await orgdeck([...line, '--json', 'name,id'])).out);
  expect(items.map((item) => Object.keys(item))).toEqual([
    ['name', 'id'],
    ['name', 'id'],
    ['name', 'id'],
  ]);
  const names = items.map((item) => String(item.name).toLowerCase());
  expect(names).toEqual(names.toSorted().reverse());
  expect(itemsIn((await orgdeck([...line.with(-1, '-name'), '--json', 'name,id'])).out)).toEqual(items);
  expect(readYaml((await orgdeck([...line, '-o', 'yaml', '--json', 'name,id'])).out)).toMatchObject({ items });
  expect((await orgdeck([...line, '-o', 'jsonl'])).out.trimEnd().split('\n')).toHaveLength(3);
  expect((await orgdeck([...line, '-o', 'tsv', '--json', 'id'])).out).toBe(
    `id\n${items.map((item) => `${item.id}\n`).join('')}`,
  );
  for (const [flags, said] of [
    [['-o', 'xml'], '"xml" is not a format'],
    [['--json', 'id,color'], 'there is no field color'],
    [['--json', 'idd'], 'there is no field idd: there are id, name, state, '],
    [['--json', 'id', '--fields', 'name'], 'not to both'],
    [['--limit', '0'], '--limit'],
    [['--sort', 'color'], '--sort: write a field, and :desc for the greatest first; there are id, name, '],
    [['--sort', 'name:up'], '--sort'],
    [['--watch', '-o', 'csv'], '--watch prints lines of JSON'],
    [['--watch', '--poll', 'off'], '--watch reads at the pace of --poll: give it seconds, not off'],
    [['stray'], 'takes no argument'],
  ] as const)
    expect(await orgdeck(['monitors', 'list', ...flags])).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringContaining(said),
    });
  expect(await orgdeck(['tables', 'rows', 'list'])).toMatchObject({ exit: 2, err: expect.stringContaining("'table'") });
  expect(await orgdeck(['mutes', 'list', '--range', 'soon'])).toMatchObject({ exit: 2 });
});

test('a muted monitor is muted however it was read; what a search does not tell is null', async () => {
  const id = simulator.has('monitor', { name: 'web is slow', options: { silenced: { '*': null } } });
  const mutedOf = (item: Item | undefined) => [item?.muted, item?.muted_until, item?.mutes];
  const forever = [expect.objectContaining({ scope: '*', until: null, forever: true })];
  const find = (out: string) => itemsIn(out).find((item) => item.id === id);
  expect(mutedOf(find((await orgdeck(['monitors', 'list', '--json'])).out))).toEqual([true, null, forever]);
  const search = ['monitors', 'list', '--json', '--query', '"web is slow"'];
  expect(mutedOf(find((await orgdeck(search)).out))).toEqual([true, null, forever]);
  expect(mutedOf(find((await orgdeck(['monitors', 'get', id, '--json'])).out))).toEqual([true, null, forever]);
  simulator.withdraws(['monitors.list']);
  const [, , mutes] = mutedOf(find((await orgdeck(search)).out));
  expect(mutes).toBeNull();
});

test('rows are got by id and by name, as a page and as fields', async () => {
  const id = simulator.has('monitor', { name: 'disk of web-1', query: 'avg(last_5m):avg:disk{*} > 1' });
  const page = await orgdeck(['monitors', 'get', 'name:disk of web-1']);
  expect(page).toMatchObject({ exit: 0, out: expect.stringContaining('disk of web-1\n') });
  expect(page.out).toContain('avg(last_5m):avg:disk{*} > 1');
  expect(page.out).not.toContain('\u001b');
  expect(itemsIn((await orgdeck(['monitors', 'get', '--json', id])).out)).toMatchObject([
    { id, name: 'disk of web-1' },
  ]);
  const several = await orgdeck(['monitors', 'get', '-', '-o', 'jsonl'], { stdin: `${id}\tx\n` });
  expect(several.out.trimEnd().split('\n')).toHaveLength(1);
  expect(await orgdeck(['monitors', 'get', '1'])).toMatchObject({ exit: 1, out: '' });
  expect(await orgdeck(['monitors', 'get'])).toMatchObject({ exit: 2 });
});

test('every list with a read by id gets its rows, also those that the list does not show', async () => {
  const resolved = itemsIn((await orgdeck(['issues', 'list', '--states', 'resolved', '--range', '7d', '--json'])).out);
  const id = String(resolved[0]?.id);
  const got = itemsIn((await orgdeck(['issues', 'get', id, '--json'])).out);
  expect(got).toMatchObject([{ id, state: 'RESOLVED', count: null }]);
  const [table] = itemsIn((await orgdeck(['tables', 'list', '--json'])).out);
  const rows = ['tables', 'rows', 'get', String(table?.id)];
  const [row] = itemsIn((await orgdeck(['tables', 'rows', 'list', String(table?.id), '--json'])).out);
  expect(itemsIn((await orgdeck([...rows, `id:${row?.id}`, '--json'])).out)).toEqual([row]);
  for (const word of [`name:${table?.name}`, `id:${table?.id}`])
    expect(itemsIn((await orgdeck(['tables', 'rows', 'list', word, '--json'])).out)[0]).toEqual(row);
  const others = ['issues', 'monitors', 'mutes', 'tables.rows'];
  for (const list of lists.filter((one) => one.find && !others.includes(one.id))) {
    const [first] = itemsIn((await orgdeck([...list.id.split('.'), 'list', '--json'])).out);
    simulator.forgets();
    const alone = await orgdeck([...list.id.split('.'), 'get', `id:${first?.id}`, '--json', 'id,name']);
    expect(itemsIn(alone.out), list.id).toEqual([{ id: first?.id, name: first?.name }]);
    expect(simulator.received(), list.id).toHaveLength(1);
  }
});

test('what of a monitor could not be read is told where its fields are, and before it is edited', async () => {
  const id = simulator.has('monitor', { name: 'disk' });
  simulator.refuses(400, { match: 'monitors.downtime-matches', times: 9 });
  const told = expect.stringMatching(/^its downtimes .* could not be read/);
  const got = await orgdeck(['monitors', 'get', id, '--json', 'mutes']);
  expect([got.exit, got.err, JSON.parse(got.out).partial]).toEqual([3, told, [told]]);
  expect(await orgdeck(['monitors', 'get', id])).toMatchObject({ exit: 3, err: told });
  expect(await orgdeck(['monitors', 'delete', id, '--end-mutes', '--yes'])).toMatchObject({ exit: 0, err: told });
});

test('a list made of several reads is partial where one of them failed, and fails where all did', async () => {
  simulator.refuses(400, { match: 'downtimes.list', times: 9 });
  const some = await orgdeck(['mutes', 'list', '--json', 'id']);
  expect(some.exit).toBe(3);
  expect(JSON.parse(some.out)).toMatchObject({ partial: [expect.any(String)] });
  simulator.refuses(400, { times: 99 });
  expect(await orgdeck(['mutes', 'list'])).toMatchObject({ exit: 1, out: '' });
});

test('a search takes names, words in any case, and me', async () => {
  const [person] = itemsIn((await orgdeck(['people', 'list', '--json', '--limit', '1'])).out);
  const owned = (word: string) => orgdeck(['keys-org', 'list', '--json', 'id', '--owner', word]);
  const byId = await owned(String(person?.id));
  expect(byId.exit).toBe(0);
  expect((await owned(`name:${person?.name}`)).out).toBe(byId.out);
  expect(await owned('name:Nobody')).toMatchObject({ exit: 2, err: expect.stringContaining('Nobody') });
  // Whoever a picker would find by typing more is found, too, and so is a second one of the name.
  const join = (name: string) => simulator.has('users', { name, email: `${name.toLowerCase()}@example.test` });
  for (let at = 1; at <= 20; at += 1) join(`Ann Vale ${at}`);
  const vale = join('Vale');
  expect((await owned('name:Vale')).out).toBe((await owned(vale)).out);
  for (let at = 1; at <= 19; at += 1) join(`Bo Zorn ${at}`);
  join('Zorn');
  join('Zorn');
  expect(await owned('name:Zorn')).toMatchObject({ exit: 2, err: expect.stringContaining('2 owners have the name') });
  const mine = await orgdeck(['issues', 'list', '--assignee', 'me', '--states', 'open, Resolved', '--json', 'state']);
  expect(mine).toMatchObject({ exit: 0, err: expect.not.stringContaining('unknown') });
  expect(simulator.received().map(({ operation }) => operation)).toContain('current-user.get');
});

test('a terminal gets a table of its width, and a pager what is longer than it', async () => {
  const shown: { readonly words: readonly string[]; readonly text: string; readonly env: object }[] = [];
  // One moment for all runs: an age that turns between two of them is another table.
  const now = Date.now();
  const terminal = (rows: number, more: Record<string, string> = {}, columns = 80): More => ({
    terminal: true,
    env: { TERM: 'xterm-256color', ...more },
    io: {
      clock: { ...systemClock, now: () => now },
      size: () => ({ columns, rows }),
      page: async (words, text, env) => {
        shown.push({ words, text, env });
        return words[0] !== 'missing';
      },
    },
  });
  const all = await orgdeck(['monitors', 'list'], terminal(100));
  const bare = all.out.replaceAll(/\u001b\[[\d;]*m/g, '');
  expect(all.out).toContain('\u001b[33mWARN');
  expect(bare.split('\n')[0]).toMatch(/^ID +STATE +P NAME/);
  expect(bare.split('\n').every((line) => cells(line) <= 80)).toBe(true);
  expect(shown).toEqual([]);
  const home = (await orgdeck(['home', 'list'], terminal(100, { NO_COLOR: '1' }, 40))).out;
  expect(home.replaceAll(/\u001b\[[\d;]*m/g, '')).toMatch(/^BLOCK {4}TEXT +\nnow {6}WARN.{26}…\n/);
  writeFileSync(join(machine.directory, 'config.json'), '{"columns":{"monitors":["name","type"]}}');
  expect((await orgdeck(['monitors', 'list'], terminal(100))).out.split('\n')[0]).toMatch(/ID.*NAME.*TYPE/);
  expect((await orgdeck(['monitors', 'list'])).out).toMatch(/^\d+\t[^\t]+\tAlert\t/);
  rmSync(join(machine.directory, 'config.json'));
  const long = await orgdeck(['monitors', 'list'], terminal(10, { PAGER: 'less -S' }));
  expect(long.out).toBe('');
  expect(shown[0]).toMatchObject({ words: ['less', '-S'], text: all.out });
  expect(Object.keys(shown[0]?.env ?? {}).filter((name) => name.startsWith('ORGDECK'))).toEqual([]);
  for (const [line, more] of [
    [['--no-pager'], {}],
    [[], { PAGER: 'cat' }],
    [[], { PAGER: 'missing' }],
  ] as const)
    expect((await orgdeck(['monitors', 'list', ...line], terminal(10, more))).out).toBe(all.out);
  expect((await orgdeck(['monitors', 'list'], terminal(99, { NO_COLOR: '1' }))).out).not.toContain('\u001b[33m');
});

test('a list is watched until Ctrl-C: each row is told, and nothing listens after', async () => {
  const id = simulator.has('monitor', { name: 'watched alone' });
  const before = process.listeners('SIGINT');
  const lines: string[] = [];
  const out = (text: string) => {
    lines.push(text);
    for (const hear of process.listeners('SIGINT')) if (!before.includes(hear)) hear('SIGINT');
  };
  const line = ['monitors', 'list', '--query', 'watched alone', '--watch', '--json', 'id'];
  expect((await orgdeck(line, { io: { out } })).exit).toBe(130);
  expect(lines.map((text) => JSON.parse(text))).toMatchObject([{ change: 'present', item: { id } }]);
  expect(process.listeners('SIGINT')).toEqual(before);
});

test('a watch that is stopped while it tells a row waits for no further read', async () => {
  const stop = new AbortController();
  const ended = watch(
    { out: () => stop.abort(), err() {}, clock: createTestClock(), random: () => 0.5 },
    { holdBack: () => 0, slowdown: () => 1, keysRefused: () => false },
    { everyMs: 20_000, stop: stop.signal, read: async () => ({ ok: true, items: new Map([['1', {}]]), missing: [] }) },
  );
  expect(await ended).toBe(130);
});

test('a watch reads at the pace of polls until it is stopped, and tells a failure and its end once', async () => {
  const clock = createTestClock();
  const said: { readonly out: string[]; readonly err: string[] } = { out: [], err: [] };
  const stop = new AbortController();
  const reads: number[] = [];
  const problem = { kind: 'server', text: 'no answer', messages: [] } as unknown as never;
  const states = ['OK', undefined, undefined, 'Alert'];
  const ended = watch(
    { out: (text) => said.out.push(text), err: (text) => said.err.push(text), clock, random: () => 0.5 },
    { holdBack: () => 0, slowdown: () => 1, keysRefused: () => false },
    {
      everyMs: 20_000,
      stop: stop.signal,
      async read() {
        const state = states[reads.length];
        reads.push(clock.now());
        if (reads.length > 4) stop.abort();
        if (state === undefined) return { ok: false, problem };
        return { ok: true, items: new Map([['1', { id: '1', state }]]), missing: [] };
      },
    },
  );
  await clock.passes('0s');
  for (let step = 0; step < 6; step += 1) await clock.passes('30s');
  expect(await ended).toBe(130);
  expect(reads.slice(1).map((at, turn) => Math.round((at - (reads[turn] ?? 0)) / 1000))).toEqual([20, 30, 30, 20]);
  expect(said.err).toEqual(['no answer\n', 'everything is read again\n']);
  expect(said.out.map((line) => JSON.parse(line).change)).toEqual(['present', 'changed']);
});
