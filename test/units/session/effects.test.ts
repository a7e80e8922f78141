import { expect, test } from 'vitest';
import { call } from '../../../src/api/endpoint.ts';
import { problemResult, toResult } from '../../../src/api/problem.ts';
import { action } from '../../../src/describe/action.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import type { Entry } from '../../../src/journal/journal-entry.ts';
import { createEffects } from '../../../src/session/effects/effects.ts';
import { firstShift } from '../../../src/session/outside/outside.ts';
import type { Pending, Undoable } from '../../../src/session/send/pending-edit.ts';
import type { Effect, Message } from '../../../src/session/state/message.ts';
import type { State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { heldCache, notedClient, notedOutside, type OutsideAnswers } from '../../support/bare-session.ts';
import { setThing } from '../../support/calls.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';
import { createSteppedClock, settled } from '../../support/steppedclock.ts';
import { thingsNamed } from '../../support/things.ts';

/** What each effect asks of outside, and the messages that come back. */

interface Thing {
  readonly id: string;
}
const set = (id: string) => call(setThing, { thing_id: id, body: { data: { attributes: {} } } });
const turn = action<Thing>({
  id: 'things.turn',
  key: 't',
  title: 'turn on',
  help: '',
  uses: [setThing],
  send: (row) => set(row.id),
  done: (row) => `${row.id} is on`,
  undo: (row) => [set(row.id)],
});
const things: AnyList = { ...thingsNamed(({ id }) => id), actions: [turn] };
const pendingOf = (list: AnyList, ...ids: string[]): Pending => ({
  ...{ action: turn, list, rows: ids.map((id) => ({ id })), values: {} },
});
const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
const empty = emptyState(screens);

/** Runs effects one after the other, each to its end. */
async function act(
  effects: Effect | readonly Effect[],
  { answers, state = empty, refused }: { answers?: OutsideAnswers; state?: State; refused?: readonly string[] } = {},
) {
  const clock = createSteppedClock();
  const { outside, asked } = notedOutside(answers);
  const cache = heldCache(clock);
  const reads: string[] = [];
  const watched = {
    key: 'k',
    of: ['thing'],
    // biome-ignore lint/correctness/useYield: it calls nothing
    *plan() {
      reads.push('k');
      return toResult(reads.length);
    },
  };
  cache.watch(watched, { everyMs: 60_000 }, () => {});
  await settled();
  const { client, sent } = notedClient(({ params }) =>
    refused?.includes(String(params.thing_id)) ? problemResult('conflict', 'changed meanwhile') : toResult({}),
  );
  const told: Message[] = [];
  const run = createEffects({
    client,
    cache,
    clock,
    outside,
    random: () => 0.5,
    state: () => state,
    now: () => emptyWorld(screens, state),
    context: () => contextOf(),
    changes: () => [],
    send: (message) => told.push(message),
    handover: (shift) => ({ shift }) as never,
  });
  for (const effect of [effects].flat()) {
    run(effect);
    await settled();
  }
  return { told, asked, sent: sent.map(({ call }) => call.params.thing_id), clock, cache, reads };
}

/** That something is being sent, or, without a change, has ended. */
const sending = (change?: object) => ({ type: 'sendingChanged', of: expect.any(Object), ...(change && { change }) });
const said = (text: string, tone: string) => ({ type: 'showFlash', flash: { text, tone, at: Date.UTC(2026, 10, 21) } });
const on = (kind: 'timeline' | 'profiles' | 'help', more = {}): State => ({
  ...empty,
  layers: [{ kind, ...more } as never],
});
const entries = [{ id: 'e' }];

/** An effect of `ask`, what outside answers it, and the messages that come back of it. */
const tells = async (effect: Effect, answers: OutsideAnswers, messages: readonly unknown[], state: State = empty) => {
  const done = await act(effect, { answers, state });
  expect(done.told).toEqual(messages);
  return done.asked;
};
const read = (shift: object, more = {}) => ({
  ...{ type: 'journalRead', entries: [], changes: [], unsettled: false, trouble: undefined, report: undefined, shift },
  ...more,
});

/** The form that asks. */
const of = { kind: 'view' } as const;

test('texts are copied, edited and read', async () => {
  const copy: Effect = { ask: 'copy', what: 'ids', text: 'a\nb' as never };
  await tells(copy, { copy: 'to the clipboard' }, [said('Copied ids to the clipboard', 'good')]);
  await tells(copy, {}, [{ type: 'showText', title: 'Copy ids by hand', lines: ['a', 'b'] }]);
  const edit: Effect = { ask: 'edit', of, text: 'a', ending: '.json', name: 'query' };
  expect(
    await tells(edit, { edit: { ok: true, value: 'b' } }, [{ type: 'editorDone', of, text: 'b', name: 'query' }]),
  ).toEqual([['edit', 'a', '.json']]);
  await tells(edit, { edit: { ok: false, text: 'no' } }, [{ type: 'editorDone', of, problem: 'no', name: 'query' }]);
  const file: Effect = { ask: 'readFile', of, name: 'f', path: '/p', limit: 9 };
  const done = { type: 'fileRead', of, name: 'f', path: '/p' };
  expect(await tells(file, { readFile: { ok: true, value: 'x' } }, [{ ...done, content: 'x' }])).toEqual([
    ['readFile', '/p', 9],
  ]);
  await tells(file, { readFile: { ok: false, text: 'no' } }, [{ ...done, problem: 'no' }]);
});

test('the terminal is drawn on, left and closed; a theme is kept, or it is said why not', async () => {
  expect(await tells({ ask: 'redraw' }, {}, [])).toEqual([['redraw']]);
  expect(await tells({ ask: 'suspend' }, {}, [])).toEqual([['suspend']]);
  expect(await tells({ ask: 'quit', code: 130 }, {}, [])).toEqual([['quit', 130]]);
  const theme: Effect = { ask: 'theme', name: 'mono', isSaved: true };
  expect(await tells(theme, { theme: { ok: true, text: 'theme mono' } }, [said('theme mono', 'good')])).toEqual([
    ['theme', 'mono', true],
  ]);
  await tells(theme, { theme: { ok: false, text: 'no' } }, [said('no', 'bad')]);
});

test('the journal is read with its shift, also after something was done about an edit', async () => {
  const journal = { entries, report: undefined, trouble: 'no' };
  expect(await tells({ ask: 'journal' }, { journal }, [read(firstShift, journal)])).toEqual([
    ['journal', { shift: firstShift }],
  ]);
  const shift = { since: 5 };
  expect(await tells({ ask: 'journal', shift }, {}, [read(shift)])).toEqual([['journal', { shift }]]);
  await tells({ ask: 'saveReport', text: 'r' }, { saveReport: { ok: true, text: 'in f' } }, [said('in f', 'good')]);
  await tells({ ask: 'saveReport', text: 'r' }, { saveReport: { ok: false, text: 'no' } }, [said('no', 'bad')]);
  const entry: Effect = { ask: 'entry', id: 'e', what: 'undo', name: 'n' };
  const told = said('undone', 'info');
  const counts = [sending({ title: 'n' }), sending()];
  expect(await tells(entry, { entry: 'undone' }, [...counts, read(shift), told], on('timeline', { shift }))).toEqual([
    ['entry', 'e', 'undo', 'n'],
    ['journal', { shift }],
  ]);
  // What it has changed is read again.
  expect((await act(entry, { answers: { entry: 'undone' } })).reads).toHaveLength(2);
  const earlier = { entry: 'undone', unsettled: { entries } };
  await tells(
    entry,
    earlier,
    [...counts, { type: 'journalRead', entries, unsettled: true }, told],
    on('timeline', { unsettled: true }),
  );
  // Elsewhere it is told how to get there.
  const away = { ...told, flash: { ...told.flash, keys: 'H' } };
  // A look changes nothing at the service.
  await tells({ ...entry, what: 'check' }, earlier, [read(firstShift), away]);
  // The journal was left meanwhile.
  await tells(entry, earlier, [...counts, read(firstShift), away], on('help', { unsettled: true, shift }));
});

test('what fails outside is said, and nothing counts as under way any more', async () => {
  const fails = () => {
    throw new Error('no space left');
  };
  const why = 'an internal error of orgdeck (Error: no space left)';
  const failed = said(`This failed: ${why}`, 'bad');
  await tells({ ask: 'copy', text: 'a' as never, what: 'the id' }, { copy: fails }, [failed]);
  await tells({ ask: 'entry', id: 'e', what: 'undo', name: 'it' }, { entry: fails }, [
    sending({ title: 'it' }),
    sending(),
    failed,
  ]);
  const job = { kind: 'upload', title: 'upload', values: {} } as const;
  await tells({ ask: 'job', id: 'j', job, of: [] }, { job: fails }, [
    ...[sending({ title: 'upload' }), sending()],
    { type: 'jobDone', id: 'j', ok: false, text: `Upload: ${why}` },
  ]);
});

test('profiles are opened, or it is said why not', async () => {
  await tells({ ask: 'profiles' }, { profiles: ['p'] }, [{ type: 'profilesRead', items: ['p'] }]);
  const use: Effect = { ask: 'useProfile', name: 'p' };
  expect(await tells(use, {}, [])).toEqual([['switchProfile', 'p', expect.any(Function)]]);
  await tells(use, { switchProfile: { text: 'k', needsKeys: true } }, [{ type: 'askKeys', name: 'p' }]);
  await tells(use, { switchProfile: { text: 'no', needsKeys: false } }, [said('No', 'bad')]);
  // The layer that waits for the keys is closed first.
  const waiting = { ...empty, layers: [{ kind: 'wait', title: 'Opening p' } as const] };
  await tells(
    use,
    { switchProfile: { text: 'no', needsKeys: false } },
    [{ type: 'closeLayer' }, said('No', 'bad')],
    waiting,
  );
  const keys: Effect = { ask: 'giveKeys', of, name: 'p', values: { a: 1 } };
  expect(await tells(keys, {}, [])).toEqual([['giveKeys', 'p', { a: 1 }, expect.any(Function)]]);
  const failed = { type: 'profileFailed', of, text: 'no' };
  await tells(keys, { giveKeys: 'no' }, [failed]);
  // Whoever has left the form stays where they are.
  const form = formLayer('Keys of p', {}, { kind: 'keys', name: 'p' });
  const state: { -readonly [K in keyof State]: State[K] } = { ...empty, layers: [form] };
  const wanted: boolean[] = [];
  const giveKeys = (_: string, __: object, isWanted: () => boolean) => {
    for (const layers of [[{ ...form, busy: true }], [formLayer('', {}, { kind: 'profile' })]]) {
      state.layers = layers;
      wanted.push(isWanted());
    }
    return 'no';
  };
  await tells(keys, { giveKeys }, [failed], state);
  expect(wanted).toEqual([true, false]);
});

test('profiles are tested, removed, made and changed, and listed again', async () => {
  const check: Effect = { ask: 'testProfile', name: 'p' };
  await tells(
    check,
    { testProfile: ['fine'] },
    [{ type: 'showText', title: 'Test of p', lines: ['fine'] }],
    on('profiles'),
  );
  await tells(check, { testProfile: ['fine'] }, [said('Test of p ended · P t runs it again', 'info')], on('help'));
  const lines = { type: 'profilesRead', items: [] };
  await tells({ ask: 'removeProfile', name: 'p' }, {}, [lines, said('Removed profile p', 'good')]);
  await tells({ ask: 'removeProfile', name: 'p' }, { removeProfile: 'no' }, [lines, said('No', 'bad')]);
  const failed = { type: 'profileFailed', of, text: 'no' };
  const made = said('Profile saved · t tests it, Enter uses it', 'good');
  await tells({ ask: 'addProfile', of, values: { name: 'p' } }, {}, [{ ...lines, at: 'p' }, made]);
  await tells({ ask: 'addProfile', of, values: {} }, { addProfile: 'no' }, [failed]);
  const change = (values: object): Effect => ({ ask: 'editProfile', of, name: 'p', values: { ...values } });
  const editProfile = { ok: true, text: 'saved' };
  const saved = said('saved · takes effect when it is opened again: Enter', 'good');
  expect(await tells(change({}), { editProfile }, [{ ...lines, at: 'p' }, saved])).toEqual([
    ['editProfile', 'p', {}],
    ['profiles'],
  ]);
  await tells(change({ name: 'q' }), { editProfile }, [{ ...lines, at: 'q' }, saved]);
  await tells(change({}), { editProfile: { ok: false, text: 'no' } }, [failed]);
});

test('an edit counts as under way until it has ended', async () => {
  const pending = pendingOf(things, 'a');
  const { told, sent, asked, reads } = await act({ ask: 'perform', pending });
  expect(sent).toEqual(['a']);
  expect(told).toMatchObject([
    sending({ title: 'Turn on a', rows: 1, isUndoable: true }),
    sending({ ended: 1 }),
    sending(),
    { type: 'performDone', pending, results: [{ id: 'a', ok: true }], undo: { list: 'things' } },
  ]);
  expect(told.at(-1)).not.toHaveProperty('receipt');
  // What it has changed is read again.
  expect(reads).toHaveLength(2);
  expect(asked).toMatchObject([
    ['remember', expect.any(String), 'a', [set('a')], { said: 'a is on', consequences: { facts: {}, leaves: [] } }],
  ]);
  const nameOf = () => {
    throw new TypeError('planted');
  };
  const broken = await act({ ask: 'perform', pending: { ...pending, list: { ...things, nameOf } } });
  expect(broken.told).toMatchObject([
    sending({ title: 'turn on', rows: 1, isUndoable: true }),
    sending(),
    { flash: { text: expect.stringContaining('The outcome of the edit is in the journal (H): '), tone: 'bad' } },
  ]);
});

test('an undo is sent for each row; what could not be taken back is left to be undone', async () => {
  const step = (id: string) => ({ calls: [set(id)], id, name: id, before: { id }, after: { id } });
  const edit: Undoable = {
    ...{ group: 'g', text: 'turned on 2 things', list: 'things', forward: pendingOf(things, 'a', 'b') },
    steps: [step('a'), step('b')],
  };
  const entry = (id: string) => ({ id: `e${id}`, target: { id, name: id }, undo: [set(id)] }) as unknown as Entry;
  const undoing = { entries: [entry('b'), entry('a'), entry('c')], text: 'turned on 2 things', edit, isInFront: true };
  const whole = await act({ ask: 'undo', undoing });
  expect(whole.sent).toEqual(['b', 'a']);
  // What this run does not know is undone as the journal has it.
  expect(whole.asked.toSorted()).toEqual([
    ['takeBack', entry('c'), expect.any(Function)],
    ['undoEnded', 'ea', undefined],
    ['undoEnded', 'eb', undefined],
  ]);
  expect(whole.told).toEqual([
    sending({ title: 'Undo: turned on 2 things', rows: 3 }),
    ...Array.from({ length: 3 }, () => sending({ ended: 1 })),
    sending(),
    { type: 'undoDone', undoing, done: 3, left: [] },
  ]);
  const half = await act({ ask: 'undo', undoing }, { refused: ['b'] });
  const problem = expect.objectContaining({ text: 'changed meanwhile' });
  expect(half.asked).toContainEqual(['undoEnded', 'eb', problem]);
  expect(half.told.at(-1)).toEqual({
    ...{ type: 'undoDone', undoing, done: 2, left: [{ id: 'b', name: 'b', text: 'changed meanwhile' }], problem },
  });
});

test('what is undone next is asked of the journal when the undo before it has ended', async () => {
  const steps: string[] = [];
  const answers = {
    undoOffer() {
      steps.push('offer');
      return toResult({ kind: 'none' });
    },
    takeBack: async () => {
      await Promise.resolve();
      steps.push('undo');
    },
  };
  const undoing = { entries: [{ id: 'e', target: { id: 'a', name: 'a' }, undo: [] } as unknown as Entry], text: '' };
  const { told } = await act(
    [
      { ask: 'undo', undoing },
      { ask: 'offerUndo', confirmed: 'e' },
    ],
    { answers },
  );
  expect(steps).toEqual(['undo', 'offer']);
  // What answers is loaded only then.
  await expect.poll(() => told.at(-1)).toMatchObject({ flash: { text: 'Undo: nothing to undo', tone: 'warn' } });
});

test('what an action needs is read; its trouble is told', async () => {
  const needing = (answer: object) => ({
    ...turn,
    needs: (row: Thing) => ({
      key: `need ${row.id}`,
      of: [],
      // biome-ignore lint/correctness/useYield: it calls nothing
      *plan() {
        return answer;
      },
    }),
  });
  const need = async (list: AnyList, what: object) => {
    const pending = { ...pendingOf(list, 'a'), action: what } as Pending;
    return { pending, ...(await act({ ask: 'need', pending })) };
  };
  const known = await need(things, needing(toResult('known')));
  expect(known.told).toEqual([{ type: 'needDone', pending: known.pending, known: 'known' }]);
  expect(known.cache.known('need a').value).toBe('known');
  const failed = await need(things, needing(problemResult('forbidden', 'no')));
  expect(failed.told).toEqual([
    { type: 'needDone', pending: failed.pending, problem: expect.objectContaining({ text: 'no' }) },
  ]);
  expect((await need(things, turn)).told).toEqual([]);
});

test('a job tells its progress and its end, and counts as an edit unless it is a program; it can be canceled', async () => {
  const ended = { ok: true, text: 'done' };
  const job = { kind: 'upload', title: 'upload', values: {} } as const;
  const runs = (_: unknown, { signal, progress }: { signal: AbortSignal; progress: (at: object) => void }) => {
    progress({ step: 'one', notes: [] });
    return new Promise((done) => {
      if (signal.aborted) done(ended);
      signal.addEventListener('abort', () => done({ ok: false, text: 'canceled' }));
    });
  };
  const begin: Effect = { ask: 'job', id: 'j', job, of: ['thing'] };
  const open = await act(begin, { answers: { job: runs } });
  expect(open.told).toEqual([
    sending({ title: 'upload' }),
    { type: 'jobProgressed', id: 'j', progress: { step: 'one', notes: [] } },
  ]);
  const canceled = await act([begin, { ask: 'cancelJob', id: 'other' }, { ask: 'cancelJob', id: 'j' }], {
    answers: { job: runs },
  });
  expect(canceled.told.slice(2)).toEqual([sending(), { type: 'jobDone', id: 'j', ok: false, text: 'Canceled' }]);
  // What it has changed is read again.
  expect(canceled.reads).toHaveLength(2);
  const signals: AbortSignal[] = [];
  const program = await act(
    [
      { ...begin, job: { ...job, isProgram: true as const } },
      { ask: 'cancelJob', id: 'j' },
    ],
    {
      answers: { job: (_: unknown, { signal }: { signal: AbortSignal }) => signals.push(signal) && ended },
    },
  );
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  expect(program.told).toEqual([{ type: 'jobDone', id: 'j', ok: true, text: 'done' }]);
});
