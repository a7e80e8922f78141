import type { Cache } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../describe/context.ts';
import type { Progress } from '../describe/job.ts';
import type { HandoverFacts } from '../journal/handover-report.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { capitalized, continued } from '../lib/text.ts';
import { thrownText } from '../lib/thrown-text.ts';
import type { Outside } from './outside/outside.ts';
import { type Pending, type Undoable, withContext } from './send/pending.ts';
import { createPerformer } from './send/perform.ts';
import { createUndoer, withSteps } from './send/undo.ts';
import { firstShift, type Shift } from './state/handover.ts';
import type { Effect, Message } from './state/message.ts';
import type { State } from './state/state.ts';

/** The effect of this name. */
type EffectOf<A extends Effect['ask']> = Effect & { readonly ask: A };

/** Runs the session's effects. Every result comes back as a message. */
export function createEffects(with_: {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Outside;
  readonly random: () => number;
  readonly state: () => State;
  readonly context: (state: State, subRowId?: string) => Context;
  readonly send: (message: Message) => void;
  /** What the hand-over report of the shift says besides the journal. */
  readonly handover: (shift: Shift) => HandoverFacts;
}): (effect: Effect) => void {
  const { client, cache, clock, outside, send } = with_;
  const jobs = new Map<string, AbortController>();

  const { overlays } = cache;
  const means = { client, overlays, random: with_.random, changed: cache.changed };
  const performer = createPerformer({ ...means, remember: outside.remember });
  const undoer = createUndoer({ ...means, journal: outside });

  const underWay = new Set<{ isStopped: boolean }>();
  /** Begins an edit, or its undo: where it is of several rows they are counted, and it can be stopped. */
  const begun = (rows: number) => {
    const held = { isStopped: false };
    if (rows < 2) return { counts: {}, of: undefined, end() {} };
    underWay.add(held);
    return {
      counts: { rows },
      of: { rowEnded: () => send({ do: 'rowEnded' }), isStopped: () => held.isStopped },
      end: () => void underWay.delete(held),
    };
  };

  const say = (text: string, tone: 'good' | 'bad' | 'warn' | 'info') =>
    send({ do: 'flash', flash: { text, tone, at: clock.now() } });
  const refreshJournal = async (shift: Shift = firstShift) => {
    const { entries, report, trouble } = await outside.journal(with_.handover(shift));
    send({ do: 'journalRead', entries, unsettled: false, trouble, report, shift });
  };

  /** A profile that is being opened is wanted until its waiting layer is left. */
  const openingOf = () => {
    const layer = with_.state().layers.at(-1);
    const isWaiting = layer?.kind === 'wait';
    const isWanted = () => !isWaiting || with_.state().layers.at(-1) === layer;
    return {
      isWanted,
      /** Closes that layer; false where it was left. */
      ended() {
        const was = isWanted();
        if (isWaiting && was) send({ do: 'pop' });
        return was;
      },
    };
  };

  const perform = (pending: Pending): void => {
    const context = with_.context(with_.state(), pending.subRowId);
    const sending = begun(pending.rows.length);
    const ended = () => {
      sending.end();
      send({ do: 'performing', by: -1, isUndoable: true });
    };
    send({ do: 'performing', by: 1, isUndoable: true, ...sending.counts });
    void performer(pending, context, sending.of).then(
      (performed) => {
        ended();
        send({ do: 'performed', pending, ...performed });
      },
      (error: unknown) => {
        ended();
        say(`The outcome of the edit is in the journal (H): ${thrownText(error)}`, 'bad');
      },
    );
  };

  const undo = (edit: Undoable): void => {
    const sending = begun(edit.steps.length);
    send({ do: 'performing', by: 1, ...sending.counts });
    void undoer(edit, sending.of).then(({ done, left, problem }) => {
      sending.end();
      send({ do: 'performing', by: -1 });
      if (left.length === 0 && done === 0)
        return say(`Nothing was sent, this was undone already: ${continued(edit.text)}`, 'warn');
      if (left.length === 0) return send({ do: 'undone', edit });
      // What was undone is not undone again.
      const open = left.map(({ step }) => step);
      send({
        do: 'undone',
        edit: withSteps(edit, open),
        done,
        left: left.map(({ step, text }) => ({ name: step.name, text })),
        ...present({ problem }),
      });
    });
  };

  const need = (pending: Pending): void => {
    const { action, rows, subRowId } = pending;
    const context = withContext(with_.context(with_.state(), subRowId), pending);
    const single = action.needs?.(rows[0], context);
    if (!single) return;
    void cache
      .ask({ key: single.key, of: single.of, plan: () => single.plan(context) })
      .then(({ value, problem }) => send({ do: 'needed', pending, ...(problem ? { problem } : { known: value }) }));
  };

  const runJob = ({ id, job, of }: EffectOf<'job'>): void => {
    const stop = new AbortController();
    jobs.set(id, stop);
    // A program edits nothing here, so no edit is under way.
    const counts = job.isProgram ? () => {} : (by: number) => send({ do: 'performing', by });
    counts(1);
    const progress = (progress: Progress) => send({ do: 'progress', id, progress });
    void outside.job(job, { signal: stop.signal, progress }).then((ended) => {
      jobs.delete(id);
      counts(-1);
      // The sentence of a program begins with the name that a person gave it.
      send({ do: 'jobDone', id, ...ended, text: job.isProgram ? ended.text : capitalized(ended.text) });
      cache.changed(of);
    });
  };

  const doEntry = async ({ id, what, name }: EffectOf<'entry'>): Promise<void> => {
    const isEdit = what === 'repeat' || what === 'undo';
    if (isEdit) send({ do: 'performing', by: 1 });
    const text = await outside.entry(id, what, name);
    if (isEdit) send({ do: 'performing', by: -1 });
    const top = with_.state().layers.at(-1);
    if (top?.kind === 'journal' && top.unsettled)
      send({ do: 'journalRead', ...(await outside.unsettled()), unsettled: true });
    else await refreshJournal(top?.kind === 'journal' ? top.shift : undefined);
    say(text, 'info');
    cache.refresh();
  };

  const sayDone = ({ text, ok }: { readonly text: string; readonly ok: boolean }) => say(text, ok ? 'good' : 'bad');
  const sayProblem = (problem: string | undefined) => {
    if (problem !== undefined) say(capitalized(problem), 'bad');
  };
  const failed = (text: string) => send({ do: 'profileFailed', text });
  /** Lists the profiles, with the cursor on this one. */
  const showProfiles = async (at?: string) =>
    send({ do: 'profileLines', items: await outside.profiles(), ...present({ at }) });

  const doers: { readonly [A in Effect['ask']]: (effect: EffectOf<A>) => unknown } = {
    perform: ({ pending }) => perform(pending),
    need: ({ pending }) => need(pending),
    undo: ({ edit }) => undo(edit),
    stopSending() {
      for (const sending of underWay) sending.isStopped = true;
    },
    later({ ms, message }) {
      if (ms <= 0) send(message);
      else clock.after(ms, () => send(message));
    },
    refresh: () => cache.refresh(),
    pause: ({ on }) => cache.pause(on),
    async copy({ text, what }) {
      const where = await outside.copy(text);
      if (where !== undefined) say(`Copied ${what} ${where}`, 'good');
      else send({ do: 'showText', title: `Copy ${what} by hand`, lines: text.split('\n') });
    },
    edit: async ({ text, ending, name }) => send({ do: 'edited', text: await outside.edit(text, ending), name }),
    async readFile({ name, path, limit }) {
      const read = await outside.readFile(path, limit);
      send({ do: 'fileRead', name, path, ...(read.ok ? { content: read.value } : { problem: read.text }) });
    },
    job: runJob,
    cancelJob: ({ id }) => jobs.get(id)?.abort(),
    theme: ({ name, isSaved }) => outside.theme?.(name, isSaved).then(sayDone),
    redraw: () => outside.redraw(),
    suspend: () => outside.suspend(),
    quit: ({ code }) => outside.quit(code),
    journal: ({ shift }) => refreshJournal(shift),
    saveReport: ({ text }) => outside.saveReport?.(text).then(sayDone),
    entry: doEntry,
    profileNames: async () => send({ do: 'profileNames', items: await outside.profiles() }),
    profiles: () => showProfiles(),
    async useProfile({ name }) {
      const opening = openingOf();
      const problem = await outside.switchProfile(name, opening.isWanted);
      if (!opening.ended() || !problem) return;
      if (problem.needsKeys) send({ do: 'askKeys', name });
      else sayProblem(problem.text);
    },
    async giveKeys({ name, values }) {
      const problem = await outside.giveKeys(name, values);
      if (problem !== undefined) failed(problem);
    },
    async testProfile({ name }) {
      const lines = await outside.testProfile(name);
      // No layer opens over a form or a list that a person is in by now: a message says it ended.
      if (with_.state().layers.at(-1)?.kind === 'profiles') send({ do: 'showText', title: `Test of ${name}`, lines });
      else say(`Test of ${name} ended · P t runs it again`, 'info');
    },
    async removeProfile({ name }) {
      const problem = await outside.removeProfile(name);
      await showProfiles();
      if (problem === undefined) say(`Removed profile ${name}`, 'good');
      else sayProblem(problem);
    },
    async addProfile({ values }) {
      const problem = await outside.addProfile(values);
      if (problem !== undefined) return failed(problem);
      await showProfiles(String(values.name ?? ''));
      say('Profile saved · t tests it, Enter uses it', 'good');
    },
    async editProfile({ name, values }) {
      const { ok, text } = await outside.editProfile(name, values);
      if (!ok) return failed(text);
      await showProfiles(String(values.name ?? name));
      say(`${text} · holds when it is opened again: Enter`, 'good');
    },
  };

  return (effect) => {
    // Each entry takes the effect of its own name; the compiler cannot follow that through a union.
    const act = doers[effect.ask] as (effect: Effect) => unknown;
    void act(effect);
  };
}
