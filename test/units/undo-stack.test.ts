import { expect, test } from 'vitest';
import type { Problem } from '../../src/api/problem.ts';
import { isRefusal } from '../../src/cli/journal-access.ts';
import { type Entry, type SavedCall, undoGroup } from '../../src/journal/journal-entry.ts';
import { withIdsNow } from '../../src/journal/journal-file.ts';
import { type Asker, undoOffer } from '../../src/journal/undo-stack.ts';

/** What is undone next, from entries in the order of their lines. */

const hour = 3_600_000;
const now = 100 * hour;
const here = { host: 'h', pid: 1, began: 'b' };
const back: SavedCall = { endpoint: 'monitors.unmute', params: {}, query: {} };

type Given = Partial<Omit<Entry, 'outcome'>> & { readonly is?: 'applied' | 'refused' | 'unknown' | 'sending' | 'open' };

/** An edit of this run that was applied and has a way back. */
function entry(id: string, { is = 'applied', ...more }: Given = {}): Entry {
  const hasOutcome = is !== 'sending' && is !== 'open';
  return {
    ...{ kind: 'intent', id, at: now - hour, run: here, org: 'acme', origin: 'o', actor: 'kim', key: 'abcd' },
    ...{ program: 'dashboard', action: 'monitors.mute', target: { id: `t${id}`, name: id }, call: back },
    ...{ undo: [back], undone: false, forgotten: false },
    ...(hasOutcome && { outcome: { state: is, attempts: 1 } }),
    ...(is === 'sending' && { isSending: true }),
    ...(is === 'open' && { isOpen: true }),
    ...more,
  };
}
const run = (pid: number) => ({ run: { ...here, pid } });
const other = run(2);
const undoOf = (id: string, more: Given = {}) =>
  entry(`u${id}`, { action: 'undo', group: undoGroup(id), target: { id: `t${id}`, name: id }, undo: [], ...more });

/** `undo b (c)`: what is offered, behind it in brackets what is passed; `?` where another run made it. */
function offered(entries: readonly Entry[], program: 'dashboard' | 'command' = 'dashboard', more: Partial<Asker> = {}) {
  const isOwn = (one: Entry) => program === 'dashboard' && one.run.pid === here.pid;
  const asker = {
    program,
    profile: 'acme',
    organization: '1',
    actor: 'kim',
    key: 'abcd',
    now,
    isOwn,
    isRunning: () => false,
    ...more,
  };
  const offer = undoOffer(entries, asker);
  const ids = (edit: readonly Entry[]) => edit.map(({ id }) => id).join('+');
  if (offer.kind === 'none') return 'none';
  if (offer.kind === 'check' || offer.kind === 'wait') return `${offer.kind} ${offer.entry.id}`;
  const passed = offer.passed.length > 0 ? ` (${offer.passed.map(ids).join(' ')})` : '';
  if (offer.kind === 'noWayBack') return `noWayBack${passed}`;
  return `undo ${ids(offer.edit)}${passed}${offer.isOwn ? '' : '?'}`;
}

const deleted = (id: string, more: Given = {}) => entry(id, { undo: [], ...more });
const group = { group: 'g' };

test.each<readonly [says: string, entries: readonly Entry[], is: string]>([
  ['no edit at all', [], 'none'],
  ['the newest line, whatever clocks say', [entry('a', { at: now }), entry('b', { at: now - 9 * hour })], 'undo b'],
  ['what is undone is off', [entry('a'), entry('b', { undone: true })], 'undo a'],
  ['an undo is a mark', [entry('a'), entry('b'), undoOf('b')], 'undo a'],
  ['a refused undo without a mark changes nothing', [entry('a'), entry('b'), undoOf('b', { is: 'refused' })], 'undo b'],
  ['a delete is named', [entry('a'), deleted('b')], 'undo a (b)'],
  ['two deletes are named', [entry('a'), deleted('b'), deleted('c')], 'undo a (c b)'],
  ['a refusal makes way', [entry('a'), entry('b', { notUndone: 'gone' })], 'undo a (b)'],
  ['with nothing before it', [deleted('a')], 'noWayBack (a)'],
  ['a failed edit is off', [entry('a'), entry('b', { is: 'refused' })], 'undo a'],
  ['a dismissed edit is off', [entry('a'), entry('b', { is: 'unknown', forgotten: true })], 'undo a'],
  ['a bulk is one', [entry('a', group), entry('b', group), entry('c', { ...group, is: 'refused' })], 'undo b+a'],
  ['the rest of a bulk', [entry('a', group), entry('b', { ...group, undone: true })], 'undo a'],
  ['the rest that is refused', [entry('a', { ...group, notUndone: 'x' }), entry('b', group)], 'undo b'],
  ['a bulk refused', [entry('z'), entry('a', { ...group, notUndone: 'x' }), deleted('b', group)], 'undo z (b+a)'],
  ['one being sent waits', [entry('a'), entry('b', { is: 'sending' })], 'wait b'],
  ['an unknown one is checked', [entry('a'), entry('b', { is: 'unknown' })], 'check b'],
  ['one without an outcome is checked', [entry('a', other), entry('b', { is: 'open', ...other })], 'check b'],
  [
    'an unknown one of that row',
    [entry('a', { is: 'unknown' }), entry('b', { target: { id: 'ta', name: '' } })],
    'check a',
  ],
  ['an unknown one of another row', [entry('a', { is: 'unknown' }), entry('b')], 'undo b'],
  ['an unknown undo is checked', [entry('a'), entry('b'), undoOf('b', { is: 'unknown' })], 'check ub'],
  ['own ones first', [entry('a'), entry('b', other)], 'undo a'],
  ['then those of the same person', [entry('a', { undone: true }), entry('b', other)], 'undo b?'],
  ['behind own ones without a way back', [entry('a', other), deleted('b')], 'undo a (b)?'],
  ['of a day', [entry('b', { ...other, at: now - 24 * hour - 1 })], 'none'],
  ['of the same key', [entry('b', { ...other, actor: 'application key, ends in abcd' })], 'undo b?'],
  ['of nobody else', [entry('b', { ...other, actor: 'lee', key: 'efgh' })], 'none'],
  ['short keys are nobody', [entry('b', { ...other, actor: 'lee', key: '' })], 'none'],
  [
    'of no other organization',
    [entry('a', { organization: '2' }), entry('b', { ...other, organization: '2' })],
    'none',
  ],
  [
    'of a profile under another name',
    [entry('a', { org: 'x' }), entry('b', { organization: '1', org: 'x' })],
    'undo b',
  ],
  ['of no other keys, while the organization is unknown', [entry('b', { key: 'efgh' })], 'none'],
  ['of another process when it has ended', [entry('a', other), entry('b', { ...other, is: 'sending' })], 'undo a?'],
])('u: %s', (_, entries, is) => {
  expect(offered(entries, 'dashboard', { key: entries[0]?.key === '' ? '' : 'abcd' })).toBe(is);
});

test('a command leaves the edits of a running dashboard alone', () => {
  const [dashboard, command] = [entry('d', other), entry('c', { ...run(3), program: 'command' })];
  const old = entry('o', other);
  const { program: _, ...untold } = old;
  const isRunning = () => true;
  expect(offered([command, dashboard], 'command', { isRunning })).toBe('undo c?');
  expect(offered([command, untold], 'command', { isRunning })).toBe('undo c?');
  expect(offered([command, dashboard], 'command')).toBe('undo d?');
  expect(offered([command, dashboard], 'dashboard', { isRunning })).toBe('undo d?');
});

test('only a definite refusal makes way', () => {
  const problem = (kind: Problem['kind'], status?: number) => ({ kind, status, text: '', messages: [] });
  for (const kind of ['notFound', 'forbidden', 'invalid', 'conflict'] as const)
    expect(isRefusal(problem(kind)), kind).toBe(true);
  for (const kind of ['unreachable', 'tooMany', 'unknown', 'readOnly', 'dryRun', 'unrecorded', 'canceled'] as const)
    expect(isRefusal(problem(kind)), kind).toBe(false);
  expect([isRefusal(problem('forbidden', 401)), isRefusal(problem('forbidden', 403))]).toEqual([false, true]);
});

test('ids follow what an undo has created again, wherever they name it, and through each further time', () => {
  const edit = (id: string, endpoint: string, of: string, more: Given = {}) =>
    entry(id, {
      ...{
        call: { endpoint, params: { thing_id: of }, query: {}, body: { data: { id: of } } },
        target: { id: of, name: id },
      },
      ...{ undo: [{ endpoint, params: { thing_id: of }, query: {} }], ...more },
    });
  const restored = (of: string, made: string) => {
    const create = entry(`u${of}`, {
      action: 'undo',
      group: undoGroup(of),
      call: { ...back, endpoint: 'things.create' },
    });
    return { ...create, outcome: { state: 'applied', attempts: 1, made } } as const;
  };
  const lines = [
    edit('named', 'things.rename', 'a'),
    edit('other', 'monitors.mute', '7', { call: { ...back, params: { monitor_id: '7' } }, undo: [] }),
    edit('member', 'mappings.edit', 'm', {
      undo: [
        {
          endpoint: 'mappings.edit',
          params: {},
          query: {},
          body: {
            data: {
              query: 'a',
              relationships: { thing: { data: { id: 'a' } } },
              thing_ids: ['x', 'a'],
              thing_id: 7,
              restricted_roles: ['a'],
            },
          },
        },
      ],
    }),
    edit('first', 'things.delete', 'a'),
    restored('first', 'b'),
    edit('second', 'things.delete', 'b'),
    restored('second', 'c'),
    edit('number', 'things.delete', '7'),
    restored('number', '9007199254740993'),
  ];
  const [named, other, member] = withIdsNow(lines);
  expect(named).toMatchObject({
    target: { id: 'c' },
    call: { params: { thing_id: 'c' }, body: { data: { id: 'c' } } },
    undo: [{ params: { thing_id: 'c' } }],
  });
  // A number is the id of one domain; a query is no id.
  expect(other).toEqual(lines[1]);
  expect(member?.undo[0]?.body).toEqual({
    data: {
      query: 'a',
      relationships: { thing: { data: { id: 'c' } } },
      thing_ids: ['x', 'c'],
      thing_id: 9007199254740993n,
      restricted_roles: ['c'],
    },
  });
  // A damaged journal ends nothing.
  expect(withIdsNow([...lines, edit('third', 'things.delete', 'c'), restored('third', 'a')])).toHaveLength(11);
});

test('numbers of downtimes of the first version follow, too, though its operations have another name', () => {
  const at = (endpoint: string, id?: string): SavedCall => ({
    endpoint: `downtimes-v1.${endpoint}`,
    params: id === undefined ? {} : { downtime_id: id },
    query: {},
  });
  const again = entry('u', { action: 'undo', group: undoGroup('ended'), call: at('create') });
  const [muted] = withIdsNow([
    entry('muted', { call: at('create'), undo: [at('delete', '812')] }),
    entry('ended', { call: at('delete', '812'), undo: [at('create')] }),
    { ...again, outcome: { state: 'applied', attempts: 1, made: '813' } },
  ]);
  expect(muted?.undo).toEqual([at('delete', '813')]);
});

test('what has its way back at a thing that is gone is passed, by name', () => {
  const at = (endpoint: string, id: string): SavedCall => ({ endpoint, params: { thing_id: id }, query: {} });
  const gone = (id: string, more: Given = {}) =>
    deleted(`d${id}`, { call: at('things.delete', id), target: { id, name: `thing ${id}` }, ...more });
  const lines = (more: Given = {}) => [
    entry('before'),
    entry('made', { call: at('things.create', ''), undo: [at('things.delete', '7')] }),
    entry('member', { undo: [at('things.remove-user', '7')] }),
    entry('other', { undo: [at('others.remove-user', '7')] }),
    entry('unmuted', { undo: [{ ...back, body: { data: { of: { thing_id: 7n, thing_ids: ['8'] } } } }] }),
    entry('part', { undo: [at('things.mute', '7'), at('things.mute', '8')] }),
    gone('7', more),
  ];
  const words = (all: readonly Entry[]) => withIdsNow(all).map(({ notUndone }) => notUndone);
  const why = 'thing 7 was deleted since';
  expect(words(lines())).toEqual([undefined, why, why, undefined, why, undefined, undefined]);
  expect(offered(withIdsNow(lines().filter(({ id }) => id !== 'other' && id !== 'part')))).toBe(
    'undo before (d7 unmuted member made)',
  );
  for (const more of [
    { undone: true },
    { is: 'refused' as const },
    { origin: 'elsewhere' },
    { call: at('things.delete-rows', '7') },
    { target: { id: '1', name: 'what it is about' } },
    { call: at('things.rename', '7') },
    { call: { ...at('things.delete', '7'), params: { thing_id: '7', part_id: '1' } } },
  ])
    expect(words(lines(more)), JSON.stringify(more)).toEqual(lines().map(() => undefined));
  // Of an undo that has begun nothing is left to be done.
  const begun = undoOf('unmuted', { call: back });
  const [rest] = withIdsNow([...lines(), begun]).filter(({ id }) => id === 'unmuted');
  expect([rest?.undo, rest?.begun]).toEqual([[], undefined]);
  // What is there again has another id, however much of it.
  const again = entry('u', { action: 'undo', group: undoGroup('d7'), call: at('things.create', '') });
  expect(words([...lines(), { ...again, outcome: { state: 'applied', attempts: 1, made: '9' } }])).not.toContain(why);
});
