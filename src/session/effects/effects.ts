import type { Cache } from '../../cache/cache.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../describe/context.ts';
import type { Progress } from '../../describe/job.ts';
import type { HandoverFacts } from '../../journal/handover-report.ts';
import { attemptOr, thrownText } from '../../lib/function-results.ts';
import { capitalized, continued } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { editSentence } from '../edit/begin-edit.ts';
import { firstShift, type Outside, type Shift } from '../outside/outside.ts';
import {
  createUndoer,
  type Pending,
  type Sending,
  type UnderWay,
  type Undoing,
  withContext,
} from '../send/pending-edit.ts';
import { createPerformer } from '../send/perform.ts';
import type { FormFor } from '../state/form-layer.ts';
import type { Effect, Flash, ListedChange, Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { State } from '../state/state.ts';

/** The effect of this name. */
type EffectOf<A extends Effect['ask']> = Effect & { readonly ask: A };

/** What runs each of these effects. */
type Doers<A extends Effect['ask']> = { readonly [K in A]: (effect: EffectOf<K>) => unknown };

/** What effects are run with. */
interface EffectPorts {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Outside;
  readonly random: () => number;
  readonly state: () => State;
  readonly now: () => Moment;
  readonly context: (state: State, subRowId?: string) => Context;
  readonly send: (message: Message) => void;
  /** The changes of states that the reads have shown, the newest first. */
  readonly changes: () => readonly ListedChange[];
  /** What the handover of the shift says besides the journal. */
  readonly handover: (shift: Shift) => Promise<HandoverFacts>;
}

/** Says a sentence in the line of messages. */
const say = ({ clock, send }: EffectPorts, text: string, tone: Flash['tone']): void =>
  send({ type: 'showFlash', flash: { text, tone, at: clock.now() } });

const sayDone = (ports: EffectPorts, { text, ok }: { readonly text: string; readonly ok: boolean }): void =>
  say(ports, text, ok ? 'good' : 'bad');

const sayProblem = (ports: EffectPorts, problem: string): void => say(ports, capitalized(problem), 'bad');

/** Counts something as being sent, until `ended`. */
function beginSending({ state, send }: EffectPorts, begun: Partial<UnderWay>) {
  const of = {};
  const changed = (change?: Partial<UnderWay>) => send({ type: 'sendingChanged', of, ...present({ change }) });
  changed(begun);
  return { now: () => state().underWay.find((edit) => edit.of === of), changed, ended: () => changed() };
}

/** Sends edits and undoes them, and reads what an action needs. */
function createEditEffects(ports: EffectPorts): Doers<'perform' | 'need' | 'offerUndo' | 'undo'> {
  const { client, cache, outside, send } = ports;
  const { overlays } = cache;
  const means = { client, overlays, random: ports.random, changed: cache.changed };
  const performer = createPerformer({ ...means, remember: outside.remember });
  const undoer = createUndoer({ ...means, journal: outside });

  /** Sends an edit, or its undo: it counts as under way until it has ended, and can be stopped between two rows. */
  const sent = <Done>(begun: Partial<UnderWay>, work: (sending: Sending) => Promise<Done>): Promise<Done> => {
    const { now, changed, ended } = beginSending(ports, begun);
    const sending: Sending = {
      rowEnded: () => changed({ ended: (now()?.ended ?? 0) + 1 }),
      requestsBegan: (requests) => changed({ requests }),
      isStopped: () => now()?.isStopping === true,
    };
    return work(sending).finally(ended);
  };

  const faulty = (error: unknown) =>
    say(ports, `The outcome of the edit is in the journal (H): ${thrownText(error)}`, 'bad');

  const perform = (pending: Pending): void => {
    const { action, rows, subRowId } = pending;
    const context = ports.context(ports.state(), subRowId);
    const title = attemptOr(action.title, () => editSentence(pending));
    const hasSecret = action.secret !== undefined;
    sent({ title, rows: rows.length, isUndoable: true, hasSecret }, (sending) => performer(pending, context, sending))
      .then((performed) => send({ type: 'performDone', pending, ...performed }))
      .catch(faulty);
  };

  // The journal says what is next when the undo before it has ended.
  const turns = { offer: Promise.resolve(), undo: Promise.resolve() };
  const offerUndo = (confirmed: string | undefined): void => {
    const offered = async () => {
      await turns.undo;
      const offer = await outside.undoOffer();
      // Read when it is needed: no start does.
      const { undoStep } = await import('../edit/offered-undo.ts');
      send(undoStep(offer, confirmed, ports.now()));
    };
    turns.offer = turns.offer.then(offered).catch(faulty);
  };

  const undo = (undoing: Undoing): void => {
    const { text, entries } = undoing;
    turns.undo = sent({ title: `Undo: ${text}`, rows: entries.length }, (sending) => undoer(undoing, sending))
      .then((undone) => send({ type: 'undoDone', undoing, ...undone }))
      .catch(faulty);
  };

  return {
    perform: ({ pending }) => perform(pending),
    need: ({ pending }) => readNeed(ports, pending),
    offerUndo: ({ confirmed }) => offerUndo(confirmed),
    undo: ({ undoing }) => undo(undoing),
  };
}

/** Reads what an action needs before its form opens. */
function readNeed({ cache, context: contextOf, state, send }: EffectPorts, pending: Pending): void {
  const { action, rows, subRowId } = pending;
  const context = withContext(contextOf(state(), subRowId), pending);
  const single = action.needs?.(rows[0], context);
  if (!single) return;
  void cache
    .ask({ key: single.key, of: single.of, plan: () => single.plan(context) })
    .then(({ value, problem }) => send({ type: 'needDone', pending, ...(problem ? { problem } : { known: value }) }));
}

/** Runs long jobs, and stops them. */
function createJobEffects(ports: EffectPorts): Doers<'job' | 'cancelJob'> {
  const { cache, outside, send } = ports;
  const jobs = new Map<string, AbortController>();

  const runJob = ({ id, job, of: subject }: EffectOf<'job'>): void => {
    const stop = new AbortController();
    jobs.set(id, stop);
    // A program edits nothing here, so no edit is under way.
    const sending = job.isProgram ? undefined : beginSending(ports, { title: job.title });
    const progress = (progress: Progress) => send({ type: 'jobProgressed', id, progress });
    const failed = (error: unknown) => ({ ok: false, text: `${job.title}: ${thrownText(error)}` });
    const run = outside.job(job, { signal: stop.signal, progress }).catch(failed);
    void run.then((ended) => {
      jobs.delete(id);
      sending?.ended();
      // The sentence of a program begins with the name that a person gave it.
      send({ type: 'jobDone', id, ...ended, text: job.isProgram ? ended.text : capitalized(ended.text) });
      cache.changed(subject);
    });
  };

  return { job: runJob, cancelJob: ({ id }) => jobs.get(id)?.abort() };
}

/** Reads the journal and its handover, and does what is asked about an edit of it. */
function createJournalEffects(ports: EffectPorts): Doers<'journal' | 'saveReport' | 'entry'> {
  const { cache, clock, outside, send } = ports;

  const refreshJournal = async (shift: Shift = firstShift) => {
    const { entries, report, trouble } = await outside.journal(await ports.handover(shift));
    send({ type: 'journalRead', entries, changes: ports.changes(), unsettled: false, trouble, report, shift });
  };

  const doEntry = async ({ id, what, name }: EffectOf<'entry'>): Promise<void> => {
    const isEdit = what === 'repeat' || what === 'undo';
    const sending = isEdit ? beginSending(ports, { title: name }) : undefined;
    const text = await outside.entry(id, what, name).finally(() => sending?.ended());
    const top = ports.state().layers.at(-1);
    if (top?.kind === 'timeline' && top.unsettled)
      send({ type: 'journalRead', ...(await outside.unsettled()), unsettled: true });
    else await refreshJournal(top?.kind === 'timeline' ? top.shift : undefined);
    // What can be done about it is done in the journal.
    const keys = top?.kind === 'timeline' ? undefined : 'H';
    send({ type: 'showFlash', flash: { text, tone: 'info', at: clock.now(), ...present({ keys }) } });
    cache.refresh();
  };

  return {
    journal: ({ shift }) => refreshJournal(shift),
    saveReport: ({ text }) => outside.saveReport?.(text).then((saved) => sayDone(ports, saved)),
    entry: doEntry,
  };
}

type ProfileEffect =
  | 'profileNames'
  | 'profiles'
  | 'useProfile'
  | 'giveKeys'
  | 'testProfile'
  | 'removeProfile'
  | 'addProfile'
  | 'editProfile';

/** Lists, opens, tests and changes the profiles of this machine. */
function createProfileEffects(ports: EffectPorts): Doers<ProfileEffect> {
  const { outside, send } = ports;
  const failed = (of: FormFor, text: string) => send({ type: 'profileFailed', of, text });
  /** Lists the profiles, with the cursor on this one. */
  const showProfiles = async (at?: string) =>
    send({ type: 'profilesRead', items: await outside.profiles(), ...present({ at }) });

  return {
    profileNames: async () => send({ type: 'profileNamesRead', items: await outside.profiles() }),
    profiles: () => showProfiles(),
    async useProfile({ name }) {
      const opening = openingOf(ports);
      const problem = await outside.switchProfile(name, opening.isWanted);
      if (!opening.ended() || !problem) return;
      if (problem.needsKeys) send({ type: 'askKeys', name });
      else sayProblem(ports, problem.text);
    },
    async giveKeys({ of, name, values }) {
      const problem = await outside.giveKeys(name, values, openingOf(ports).isWanted);
      if (problem !== undefined) failed(of, problem);
    },
    async testProfile({ name }) {
      const lines = await outside.testProfile(name);
      // No layer opens over a form or a list that a person is in by now: a message says it ended.
      if (ports.state().layers.at(-1)?.kind === 'profiles') send({ type: 'showText', title: `Test of ${name}`, lines });
      else say(ports, `Test of ${name} ended · P t runs it again`, 'info');
    },
    async removeProfile({ name }) {
      const problem = await outside.removeProfile(name);
      await showProfiles();
      if (problem === undefined) say(ports, `Removed profile ${name}`, 'good');
      else sayProblem(ports, problem);
    },
    async addProfile({ of, values }) {
      const problem = await outside.addProfile(values);
      if (problem !== undefined) return failed(of, problem);
      await showProfiles(String(values.name ?? ''));
      say(ports, 'Profile saved · t tests it, Enter uses it', 'good');
    },
    async editProfile({ of, name, values }) {
      const { ok, text } = await outside.editProfile(name, values);
      if (!ok) return failed(of, text);
      await showProfiles(String(values.name ?? name));
      say(ports, `${text} · takes effect when it is opened again: Enter`, 'good');
    },
  };
}

/** A profile that is being opened is wanted until its waiting layer, or the form of its keys, is left. */
function openingOf({ state, send }: EffectPorts) {
  const asking = () => {
    const top = state().layers.at(-1);
    return top?.kind === 'form' ? top.for : top;
  };
  const begun = asking();
  const isWaiting = begun?.kind === 'wait';
  const isWanted = () => (!isWaiting && begun?.kind !== 'keys') || asking() === begun;
  return {
    isWanted,
    /** Closes that layer; false where it was left. */
    ended() {
      const was = isWanted();
      if (isWaiting && was) send({ type: 'closeLayer' });
      return was;
    },
  };
}

/** Runs the session's effects. Every result comes back as a message. */
export function createEffects(ports: EffectPorts): (effect: Effect) => void {
  const { cache, clock, outside, send } = ports;
  const doers: Doers<Effect['ask']> = {
    ...createEditEffects(ports),
    ...createJobEffects(ports),
    ...createJournalEffects(ports),
    ...createProfileEffects(ports),
    later({ ms, message }) {
      if (ms <= 0) send(message);
      else clock.after(ms, () => send(message));
    },
    refresh: () => cache.refresh('whole'),
    pause: ({ on }) => cache.pause(on),
    async copy({ text, what }) {
      const where = await outside.copy(text);
      if (where !== undefined) say(ports, `Copied ${what} ${where}`, 'good');
      else send({ type: 'showText', title: `Copy ${what} by hand`, lines: text.split('\n') });
    },
    async browse({ name, url }) {
      const problem = await outside.browse?.(url);
      if (problem === undefined) say(ports, `Opened ${continued(name)} in the browser`, 'good');
      else send({ type: 'showText', title: `Not opened: ${problem}`, lines: [url] });
    },
    async edit({ of, text, ending, name }) {
      const edited = await outside.edit(text, ending);
      send({ type: 'editorDone', of, name, ...(edited.ok ? { text: edited.value } : { problem: edited.text }) });
    },
    async readFile({ of, name, path, limit }) {
      const read = await outside.readFile(path, limit);
      send({ type: 'fileRead', of, name, path, ...(read.ok ? { content: read.value } : { problem: read.text }) });
    },
    theme: ({ name, isSaved }) => outside.theme?.(name, isSaved).then((done) => sayDone(ports, done)),
    redraw: () => outside.redraw(),
    suspend: () => outside.suspend(),
    quit: ({ code }) => outside.quit(code),
  };

  return async (effect) => {
    // Each entry takes the effect of its own name; the compiler cannot follow that through a union.
    const act = doers[effect.ask] as (effect: Effect) => unknown;
    try {
      await act(effect);
    } catch (error) {
      say(ports, `This failed: ${thrownText(error)}`, 'bad');
    }
  };
}

/** Has the fleet read while the list of profiles is open, and no longer. */
export function createFleet({ watchFleet }: Pick<Outside, 'watchFleet'>, send: (message: Message) => void) {
  let stop: (() => void) | undefined;
  return ({ layers }: Pick<State, 'layers'>): void => {
    const isOpen = layers.some(({ kind }) => kind === 'profiles');
    if (isOpen) stop ??= watchFleet?.((name, standing) => send({ type: 'fleetRead', name, standing }));
    else {
      stop?.();
      stop = undefined;
    }
  };
}

/** Loads the languages of each form once, when it is opened. Every result comes back as a message. */
export function createLanguages(send: (message: Message) => void): (state: State) => void {
  const requested = new WeakSet<FormFor>();
  return (state) => {
    for (const layer of state.layers) {
      if (layer.kind !== 'form' || requested.has(layer.for)) continue;
      const subject = layer.for;
      requested.add(subject);
      for (const [name, field] of Object.entries(layer.fields)) {
        if (!field.language) continue;
        const failed = (why: unknown) =>
          send({ type: 'languageRead', of: subject, name, trouble: why instanceof Error ? why.message : String(why) });
        field.language().then((language) => send({ type: 'languageRead', of: subject, name, language }), failed);
      }
    }
  };
}
