import { attempt } from '../../lib/attempt.ts';
import { thrownText } from '../../lib/thrown-text.ts';
import { editSentence } from '../edit/begin-edit.ts';
import { type Pending, type Undoing, withContext } from '../send/pending-edit.ts';
import { createPerformer } from '../send/perform.ts';
import { createUndoer } from '../send/undo.ts';
import { type Doers, type EffectPorts, say } from './ports.ts';

/** Sends edits and undoes them, and reads what an action needs. */
export function createEditEffects(
  ports: EffectPorts,
): Doers<'perform' | 'need' | 'offerUndo' | 'undo' | 'stopSending'> {
  const { client, cache, outside, send } = ports;
  const { overlays } = cache;
  const means = { client, overlays, random: ports.random, changed: cache.changed };
  const performer = createPerformer({ ...means, remember: outside.remember });
  const undoer = createUndoer({ ...means, journal: outside });

  const underWay = new Set<{ isStopped: boolean }>();
  /** Begins an edit, or its undo: where it is of several rows they are counted, and it can be stopped. */
  const begun = (title: string, rows: number) => {
    const held = { isStopped: false };
    const requestsBegan = (requests: readonly string[]) => send({ type: 'requestsBegan', title, requests });
    if (rows < 2) return { counts: {}, of: { requestsBegan, rowEnded() {}, isStopped: () => false }, end() {} };
    underWay.add(held);
    return {
      counts: { rows, title },
      of: { rowEnded: () => send({ type: 'rowDone' }), isStopped: () => held.isStopped },
      end: () => void underWay.delete(held),
    };
  };

  const faulty = (error: unknown) =>
    say(ports, `The outcome of the edit is in the journal (H): ${thrownText(error)}`, 'bad');

  const perform = (pending: Pending): void => {
    const context = ports.context(ports.state(), pending.subRowId);
    const title = attempt(
      () => editSentence(pending),
      () => pending.action.title,
    );
    const sending = begun(title, pending.rows.length);
    const ended = () => {
      sending.end();
      send({ type: 'sendingChanged', by: -1, isUndoable: true });
    };
    send({ type: 'sendingChanged', by: 1, isUndoable: true, ...sending.counts });
    void performer(pending, context, sending.of).then(
      (performed) => {
        ended();
        send({ type: 'performDone', pending, ...performed });
      },
      (error: unknown) => {
        ended();
        faulty(error);
      },
    );
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
    const sending = begun(`Undo: ${undoing.text}`, undoing.entries.length);
    send({ type: 'sendingChanged', by: 1, ...sending.counts });
    const ended = () => {
      sending.end();
      send({ type: 'sendingChanged', by: -1 });
    };
    turns.undo = undoer(undoing, sending.of)
      .finally(ended)
      .then((undone) => send({ type: 'undoDone', undoing, ...undone }))
      .catch(faulty);
  };

  return {
    perform: ({ pending }) => perform(pending),
    need: ({ pending }) => readNeed(ports, pending),
    offerUndo: ({ confirmed }) => offerUndo(confirmed),
    undo: ({ undoing }) => undo(undoing),
    stopSending() {
      for (const sending of underWay) sending.isStopped = true;
    },
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
