import type { Cache } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../describe/context.ts';
import type { Progress } from '../describe/job.ts';
import type { AnyList } from '../describe/screen.ts';
import type { HandoverFacts } from '../journal/handover-report.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { capitalized, continued } from '../lib/text.ts';
import { thrownText } from '../lib/thrown-text.ts';
import { allRows, editsOf, joinEdits, joinPerformed, pendingParts, withSteps } from './edit/parts.ts';
import { withContext } from './edit/pending.ts';
import { createPerformer } from './edit/perform.ts';
import { createUndoer } from './edit/undo.ts';
import { firstShift, type Shift } from './handover.ts';
import type { Effect, Message } from './message.ts';
import type { Outside } from './outside.ts';
import type { State } from './state.ts';

/** What edits of one organisation are sent with. */
export interface Editing {
  readonly client: Client;
  readonly cache: Cache;
  readonly journal: Pick<Outside, 'remember' | 'waysBack' | 'undone'>;
}

/** Runs the session's effects. Every result comes back as a message. */
export function createEffects(with_: {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Outside;
  /** Where several are open, each by its name. */
  readonly organisations?: ReadonlyMap<string, Editing>;
  readonly random: () => number;
  readonly state: () => State;
  readonly context: (state: State, subRowId?: string) => Context;
  readonly send: (message: Message) => void;
  /** What the hand-over report of the shift says besides the journal. */
  readonly handover: (shift: Shift) => HandoverFacts;
}): (effect: Effect) => void {
  const { client, cache, clock, outside, send } = with_;
  const jobs = new Map<string, AbortController>();

  const editorOf = ({ client, cache, journal }: Editing) => {
    const means = {
      client,
      random: with_.random,
      overlays: cache.overlays,
      changed: (kinds: readonly string[]) => cache.changed(kinds),
    };
    const { remember } = journal;
    return { perform: createPerformer({ ...means, remember }), undo: createUndoer({ ...means, journal }) };
  };
  const own = editorOf({ client, cache, journal: outside });
  const others = new Map([...(with_.organisations ?? [])].map(([name, editing]) => [name, editorOf(editing)]));
  /** Edits of a list are sent to the organisation that its rows are of. */
  const editor = ({ organisation }: AnyList) => (organisation ? others.get(organisation.name) : own);

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
    const { entries, reports, trouble } = await outside.journal(with_.handover(shift));
    send({ do: 'journalRead', entries, unsettled: false, trouble, reports, shift });
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

  return (effect: Effect): void => {
    switch (effect.ask) {
      case 'perform': {
        const { pending } = effect;
        const each = pendingParts(pending).map((part) => ({ part, to: editor(part.list) }));
        const ready = each.flatMap(({ part, to }) => (to ? [{ part, to }] : []));
        if (ready.length < each.length) {
          say('Nothing was sent: the profile of this row is not open', 'bad');
          return;
        }
        const context = with_.context(with_.state(), pending.subRowId);
        const sending = begun(allRows(pending).length);
        send({ do: 'performing', by: 1, isUndoable: true, ...sending.counts });
        void Promise.all(ready.map(({ part, to }) => to.perform(part, context, sending.of))).then(
          ([first, ...others]) => {
            sending.end();
            send({ do: 'performing', by: -1, isUndoable: true });
            if (!first) return;
            const performed = others.length > 0 ? joinPerformed(pending, [first, ...others]) : first;
            send({ do: 'performed', pending, ...performed });
          },
          (error: unknown) => {
            sending.end();
            send({ do: 'performing', by: -1, isUndoable: true });
            say(`The outcome of the edit is in the journal (H): ${thrownText(error)}`, 'bad');
          },
        );
        return;
      }
      case 'need': {
        const { action, list, rows, subRowId } = effect.pending;
        const context = withContext(with_.context(with_.state(), subRowId), effect.pending);
        const need = action.needs?.(rows[0], context);
        if (!need) return;
        const single = list.organisation?.read(need) ?? need;
        const question = { key: single.key, of: single.of, plan: () => single.plan(context) };
        void cache
          .ask(question)
          .then(({ value, problem }) =>
            send({ do: 'needed', pending: effect.pending, ...(problem ? { problem } : { known: value }) }),
          );
        return;
      }
      case 'undo': {
        const each = editsOf(effect.edit).map((edit) => ({ edit, to: editor(edit.forward.list) }));
        const ready = each.flatMap(({ edit, to }) => (to ? [{ edit, to }] : []));
        if (ready.length < each.length) {
          say('Nothing was undone: the profile of this row is not open', 'bad');
          return;
        }
        const sending = begun(each.reduce((sum, { edit }) => sum + edit.steps.length, 0));
        send({ do: 'performing', by: 1, ...sending.counts });
        const undoing = ready.map(async ({ edit, to }) => ({ edit, ended: await to.undo(edit, sending.of) }));
        void Promise.all(undoing).then((undone) => {
          sending.end();
          send({ do: 'performing', by: -1 });
          const left = undone.flatMap(({ ended }) => ended.left);
          const done = undone.reduce((sum, { ended }) => sum + ended.done, 0);
          if (left.length === 0 && done === 0) {
            say(`Nothing was sent, this was undone already: ${continued(effect.edit.text)}`, 'warn');
            return;
          }
          if (left.length === 0) return send({ do: 'undone', edit: effect.edit });
          // What was undone is not undone again.
          const open = undone.flatMap(({ edit, ended }) => {
            const steps = ended.left.map(({ step }) => step);
            return steps.length > 0 ? [withSteps(edit, steps)] : [];
          });
          send({
            do: 'undone',
            edit: joinEdits(open) ?? effect.edit,
            done,
            left: left.map(({ step, text }) => ({ name: step.name, text })),
            ...present({ problem: undone.find(({ ended }) => ended.problem)?.ended.problem }),
          });
        });
        return;
      }
      case 'stopSending':
        for (const sending of underWay) sending.isStopped = true;
        return;
      case 'later':
        if (effect.ms <= 0) send(effect.message);
        else clock.after(effect.ms, () => send(effect.message));
        return;
      case 'refresh':
        cache.refresh();
        return;
      case 'pause':
        cache.pause(effect.on);
        return;
      case 'copy': {
        const { text } = effect;
        void outside.copy(text).then((where) => {
          if (where !== undefined) say(`Copied ${effect.what} ${where}`, 'good');
          else send({ do: 'showText', title: `Copy ${effect.what} by hand`, lines: text.split('\n') });
        });
        return;
      }
      case 'edit':
        void outside.edit(effect.text, effect.ending).then((text) => send({ do: 'edited', text, name: effect.name }));
        return;
      case 'readFile':
        void outside
          .readFile(effect.path, effect.limit)
          .then((read) =>
            send(
              read.ok
                ? { do: 'fileRead', name: effect.name, path: effect.path, content: read.value }
                : { do: 'fileRead', name: effect.name, path: effect.path, problem: read.text },
            ),
          );
        return;
      case 'job': {
        const stop = new AbortController();
        jobs.set(effect.id, stop);
        // A program edits nothing here, so no edit is under way.
        const counts = effect.job.isProgram ? () => {} : (by: number) => send({ do: 'performing', by });
        counts(1);
        const progress = (progress: Progress) => send({ do: 'progress', id: effect.id, progress: progress });
        void outside.job(effect.job, { signal: stop.signal, progress }).then((ended) => {
          jobs.delete(effect.id);
          counts(-1);
          // The sentence of a program begins with the name that a person gave it.
          const text = effect.job.isProgram ? ended.text : capitalized(ended.text);
          send({ do: 'jobDone', id: effect.id, ...ended, text });
          cache.changed(effect.of);
        });
        return;
      }
      case 'cancelJob':
        jobs.get(effect.id)?.abort();
        return;
      case 'theme':
        void outside.theme?.(effect.name, effect.isSaved).then((done) => say(done.text, done.ok ? 'good' : 'bad'));
        return;
      case 'redraw':
        outside.redraw();
        return;
      case 'saveViews':
        void outside
          .saveViews?.(effect.views)
          .then((problem) => problem !== undefined && say(capitalized(problem), 'bad'));
        return;
      case 'suspend':
        outside.suspend();
        return;
      case 'quit':
        outside.quit(effect.code);
        return;
      case 'journal':
        void refreshJournal(effect.shift);
        return;
      case 'saveReport':
        void outside.saveReport?.(effect.text).then((saved) => say(saved.text, saved.ok ? 'good' : 'bad'));
        return;
      case 'entry': {
        const isEdit = effect.what === 'repeat' || effect.what === 'undo';
        if (isEdit) send({ do: 'performing', by: 1 });
        void outside.entry(effect.id, effect.what, effect.name).then(async (text) => {
          if (isEdit) send({ do: 'performing', by: -1 });
          const top = with_.state().layers.at(-1);
          if (top?.kind === 'journal' && top.unsettled)
            send({ do: 'journalRead', ...(await outside.unsettled()), unsettled: true });
          else await refreshJournal(top?.kind === 'journal' ? top.shift : undefined);
          say(text, 'info');
          cache.refresh();
        });
        return;
      }
      case 'profileNames':
        void outside.profiles().then((items) => send({ do: 'profileNames', items }));
        return;
      case 'profiles':
        void outside.profiles().then((items) => send({ do: 'profileLines', items }));
        return;
      case 'useProfile': {
        const opening = openingOf();
        void outside.switchProfile(effect.name, opening.isWanted).then((problem) => {
          if (!opening.ended() || !problem) return;
          if (problem.needsKeys) send({ do: 'askKeys', name: effect.name });
          else say(capitalized(problem.text), 'bad');
        });
        return;
      }
      case 'combineProfiles': {
        const opening = openingOf();
        void outside.combineProfiles(effect.names, opening.isWanted).then((problem) => {
          if (opening.ended() && problem !== undefined) say(capitalized(problem), 'bad');
        });
        return;
      }
      case 'giveKeys':
        void outside
          .giveKeys(effect.name, effect.values)
          .then((problem) => problem !== undefined && send({ do: 'profileFailed', text: problem }));
        return;
      case 'testProfile':
        void outside.testProfile(effect.name).then((lines) => {
          // No layer opens over a form or a list that a person is in by now: a message says it ended.
          if (with_.state().layers.at(-1)?.kind === 'profiles')
            send({ do: 'showText', title: `Test of ${effect.name}`, lines });
          else say(`Test of ${effect.name} ended · P t runs it again`, 'info');
        });
        return;
      case 'removeProfile':
        void outside.removeProfile(effect.name).then(async (problem) => {
          send({ do: 'profileLines', items: await outside.profiles() });
          say(capitalized(problem ?? `Removed profile ${effect.name}`), problem === undefined ? 'good' : 'bad');
        });
        return;
      case 'addProfile':
        void outside.addProfile(effect.values).then(async (problem) => {
          if (problem !== undefined) return send({ do: 'profileFailed', text: problem });
          send({ do: 'profileLines', items: await outside.profiles(), at: String(effect.values.name ?? '') });
          say('Profile saved · t tests it, Enter uses it', 'good');
        });
        return;
      case 'editProfile':
        void outside.editProfile(effect.name, effect.values).then(async ({ ok, text }) => {
          if (!ok) return send({ do: 'profileFailed', text });
          const name = String(effect.values.name ?? effect.name);
          send({ do: 'profileLines', items: await outside.profiles(), at: name });
          say(`${text} · holds when it is opened again: Enter`, 'good');
        });
        return;
      default:
        effect satisfies never;
    }
  };
}
