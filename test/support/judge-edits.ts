import { endpoints } from '../../src/api/all-endpoints.ts';
import type { Call, Repeat } from '../../src/api/endpoint.ts';
import { createJournalAccess } from '../../src/cli/journal-access.ts';
import { checkEdit, compareWithRead } from '../../src/client/check-edit.ts';
import type { CallOutcome, Client } from '../../src/client/client.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import type { Random } from '../../src/simulator/server/random.ts';
import type { fastClock } from './scripted-server.ts';
import type { Simulator } from './simulator.ts';

/** What became of the edits of a run. */
export interface Tally {
  /** Edits by class, as the client sent them. */
  readonly edits: Record<Repeat | 'part', number>;
  /** Edits by what was told of them. */
  readonly told: Record<CallOutcome['state'], number>;
  /** Edits that made no more than one request, and plans that made several. */
  plans: number;
  /** Of the unknown: what the key that checks said. */
  readonly checked: Record<'applied' | 'not applied' | 'look yourself', number>;
  /** Sentences, one for each edit that was lost, doubled or wrongly reported; empty is what is promised. */
  readonly wrong: string[];
}

/** One edit that the client was about to send, and what the service did with it. */
export interface Sent {
  readonly id: string;
  readonly call: Call;
  readonly before: unknown;
  outcome?: CallOutcome;
  /** Nobody applied it, and yet the service has what it asks for: it had that before. */
  isSo?: boolean;
  /** Who had it applied, in order. */
  readonly applied: { readonly by: 'caller' | 'other operator'; readonly body: unknown }[];
}

/** One run against one simulator. */
export interface Run {
  readonly service: Simulator;
  readonly at: { readonly url: string };
  readonly clock: ReturnType<typeof fastClock>;
  readonly journal: Journal;
  readonly random: Random;
  readonly sent: Sent[];
  readonly seed: number;
  readonly tally: Tally;
}

/** Compares what was told of every edit with what the service did. */
export async function judge(run: Run): Promise<void> {
  const { sent, journal, tally } = run;
  const written = await journal.entries();
  const known = new Map((written.ok ? written.value : []).map((entry) => [entry.id, entry]));
  for (const one of sent) {
    const { call, outcome, applied } = one;
    const { repeat } = call.endpoint;
    tally.edits[repeat] += 1;
    const times = applied.filter(({ by }) => by === 'caller').length;
    const isRivalled = applied.some(({ by }) => by === 'other operator');
    const entry = known.get(one.id);
    const isWritten = entry?.outcome?.state === outcome?.state || entry?.settled?.by === 'check';
    if (outcome === undefined || !isWritten) wrongly(run, one, 'lost');
    if (outcome === undefined) continue;
    tally.told[outcome.state] += 1;
    if (outcome.state === 'applied' && times === 0 && !isRivalled && !one.isSo) wrongly(run, one, 'it was not applied');
    if (outcome.state === 'refused' && times > 0) wrongly(run, one, 'it was applied');
    if ((repeat === 'once' || repeat === 'replace') && times > 1) wrongly(run, one, 'doubled');
    if (outcome.state === 'applied' && hasOverwritten(one)) wrongly(run, one, "it overwrote another operator's");
  }
}

/** Whether ours was applied over another operator's, who had set something else than what was there before or what we set. */
function hasOverwritten({ call, before, applied }: Sent): boolean {
  const rival = applied.find(({ by }) => by === 'other operator');
  if (!rival || applied.at(-1)?.by !== 'caller' || stringifyExact(rival.body) === stringifyExact(call.body))
    return false;
  return compareWithRead({ ...call, body: rival.body }, before, undefined) !== 'ours';
}

/** Presses the key that checks for each edit of unknown outcome, and compares what it says with what the service did. */
export async function checkUnknown(run: Run, client: Client, sent: readonly Sent[]): Promise<void> {
  const { journal, tally } = run;
  for (const one of sent.filter(({ outcome, applied }) => outcome?.state === 'applied' && applied.length === 0)) {
    const checks = checkEdit(one.call, endpoints);
    one.isSo = checks?.find(await client.send(checks.look), undefined) === 'ours';
  }
  const unknown = sent.filter(({ outcome }) => outcome?.state === 'unknown');
  if (unknown.length === 0) return;
  if (unknown.some(({ outcome }) => outcome?.attempts !== 1 || /in time/.test(outcome.text ?? ''))) await delaysOver();
  const port = createJournalAccess({ journal, client });
  const noted = new Map((await port.journal()).entries.map((entry) => [entry.id, entry]));
  for (const one of unknown) {
    const { endpoint } = one.call;
    if (noted.get(one.id)?.checkable !== true) {
      // Such a key is named by the key itself, which the journal does not keep.
      if (!endpoint.secrets?.includes('{key}')) wrongly(run, one, 'no key checks it');
      continue;
    }
    const text = await port.entry(one.id, 'check', '');
    const times = one.applied.filter(({ by }) => by === 'caller').length;
    const isRivalled = one.applied.some(({ by }) => by === 'other operator');
    if (/it was applied|like it (is|are) there now/.test(text)) {
      tally.checked.applied += 1;
      // What is as it was asked for may have been so before; what was deleted was there.
      if (times === 0 && !isRivalled && endpoint.repeat === 'delete') wrongly(run, one, `checked: "${text}"`);
    } else if (/it was not applied|none like it is listed/.test(text)) {
      tally.checked['not applied'] += 1;
      if (times > 0 && !isRivalled) wrongly(run, one, `checked: "${text}"`);
    } else {
      tally.checked['look yourself'] += 1;
      if (!/x: dismiss it|^Re-check failed: refused \(403\)/.test(text)) wrongly(run, one, `checked: "${text}"`);
    }
  }
}

function wrongly({ tally, seed }: Run, { call, before, outcome, applied }: Sent, what: string): void {
  const { id, repeat } = call.endpoint;
  const by = applied.map((one) => one.by).join(', ') || 'nobody';
  tally.wrong.push(
    `${id} (${repeat}): ${what}; told ${JSON.stringify(outcome)}, applied by ${by} (seed ${seed}, ${call.key.slice(0, 300)}, before ${stringifyExact(before)?.slice(0, 300)})`,
  );
}

/** Requests that were delayed are handled by now. */
export const delaysOver = () => new Promise((done) => setTimeout(done, 200));
