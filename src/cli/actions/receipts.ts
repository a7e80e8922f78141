import { isRead } from '../../api/endpoint.ts';
import type { Problem } from '../../api/problem.ts';
import type { PreviewedRequest } from '../../client/send-once.ts';
import { timestamp } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import type { Consequences } from '../../journal/journal-entry.ts';
import { parseExact } from '../../lib/json.ts';
import { present } from '../../lib/values.ts';
import type { RowOutcome, Step } from '../../session/send/perform.ts';
import { complain, type Exit, endWith, exits, failed, type Io, safeJson, tell } from '../io.ts';
import { envelope } from '../output/formats.ts';
import type { OpenConnection } from '../start.ts';
import type { ActionCommand } from './shape.ts';

/** Where the secret of a receipt went. */
export type SecretPlace =
  | { readonly where: 'shown'; readonly value: string }
  | { readonly where: 'file'; readonly path: string };

/** How receipts are told. */
interface Telling {
  readonly isJson: boolean;
  readonly connection: Pick<OpenConnection, 'settings' | 'actor'>;
  /** What a dry run would have sent. */
  readonly requests?: readonly PreviewedRequest[] | undefined;
}

const good: readonly OutcomeWord[] = ['done', 'already', 'planned'];

/** What a receipt is as JSON, field by field as docs/json.md has it. */
const receiptJson = (receipt: ReceiptValue, { connection }: Telling) => {
  const { entry, group, at, action, target, outcome, changes, facts, leaves, undo, text, isWarning, problem } = receipt;
  return {
    entry,
    group,
    at: timestamp(at),
    organization: connection.settings.name,
    actor: connection.actor(),
    action,
    target,
    outcome,
    ...present({ steps: receipt.steps }),
    changes,
    facts,
    leaves,
    undo,
    ...present({ undoes: receipt.undoes }),
    text,
    warning: isWarning,
    problem: problem && {
      kind: problem.kind,
      status: problem.status ?? null,
      text: problem.text,
      messages: problem.messages,
      permission: problem.permission ?? [],
    },
    ...(outcome === 'done' && present({ secret: receipt.secret })),
  };
};

/**
 * Tells a receipt for each row: what is true on stdout, what failed on stderr; as JSON all of them on stdout. The exit code
 * is that of the failure; `partial` where some rows were done and others were not, and where something still stands that was
 * to end.
 */
export function tellReceipts(io: Pick<Io, 'out' | 'err'>, receipts: readonly ReceiptValue[], telling: Telling): Exit {
  const planned = receipts.filter(({ outcome }) => outcome === 'planned');
  if (planned.length > 0) {
    const notes = new Set(planned.flatMap(({ problem }) => problem?.messages ?? []));
    complain(io, ['nothing was sent', ...notes].join('; '));
  }
  const isGood = receipts.filter(({ outcome }) => good.includes(outcome));
  const count = `${isGood.length} of ${receipts.length} ${planned.length > 0 ? 'would be' : 'were'} done`;
  const isPart = isGood.length > 0 && isGood.length < receipts.length;
  if (telling.isJson && receipts.length > 0) {
    const items = receipts.map((receipt) => receiptJson(receipt, telling));
    const requests = telling.requests?.map(({ method, url, body }) => ({
      method,
      url,
      body: body === undefined ? null : parseExact(body),
    }));
    const partial = isPart ? [count] : null;
    io.out(`${safeJson(envelope(items, { partial, ...present({ requests }) }))}\n`);
  } else
    tell(
      io,
      isGood.flatMap(({ outcome, text }) => (outcome === 'planned' ? [] : [text])),
    );
  const codes = receipts.flatMap((receipt) =>
    good.includes(receipt.outcome) ? [] : [tellFailure(io, receipt, receipts.length > 1)],
  );
  if (isPart) complain(io, count);
  if (codes.includes(exits.unknown)) return exits.unknown;
  if (isPart || receipts.some(({ outcome, leaves }) => outcome === 'partly' || leaves.length > 0)) return exits.partial;
  return codes[0] ?? exits.done;
}

function tellFailure(
  io: Pick<Io, 'err'>,
  { target: { name }, outcome, text, problem }: ReceiptValue,
  isOneOfSeveral: boolean,
): Exit {
  if (problem) {
    const isNamed = !isOneOfSeveral || problem.text.startsWith(name);
    return failed(io, isNamed ? problem : { ...problem, text: `${name}: ${problem.text}` });
  }
  // What is wrong is named, alone.
  if (outcome === 'notSent') return exits.partial;
  return endWith(io, exits.failed, text.includes(name) ? text : `${name}: ${text}`);
}

/**
 * What became of an edit of one row. `planned`: shown instead of sent. `partly`: one of its requests was applied, a later one
 * was not. `already`: it was so before, and nothing was sent. `unknown`: it may have been applied.
 */
export type OutcomeWord = 'planned' | 'done' | 'partly' | 'already' | 'failed' | 'unknown' | 'notSent';

/** The receipt of one row as a value, from which programs read what a sentence says to a person. */
export interface ReceiptValue extends Consequences {
  /** Id of its last request in the journal; null where nothing was sent. */
  readonly entry: string | null;
  /** What the journal knows all rows of the edit by; null where nothing was sent. */
  readonly group: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly action: string;
  /** What was edited; of a create and a copy, what was made. */
  readonly target: { readonly kind: string; readonly id: string | null; readonly name: string };
  readonly outcome: OutcomeWord;
  /** Of an edit that sent several requests. */
  readonly steps?: readonly Step[];
  readonly undo:
    | { readonly kind: 'undo' }
    /** What was deleted is created again, by so many requests; `lost` is what it has no more. */
    | { readonly kind: 'recreate'; readonly lost: readonly string[]; readonly steps: number }
    | { readonly kind: 'none'; readonly why: string };
  /** Of an undo: the id of the edit in the journal that it undid. */
  readonly undoes?: string;
  /** Of what the service shows once. */
  readonly secret?: SecretPlace;
  /** The sentence. */
  readonly text: string;
  /** It tells something else than was asked for. */
  readonly isWarning: boolean;
  readonly problem: Problem | null;
}

function wordOf({ action }: ActionCommand, { result, isSent, isApplied }: RowOutcome): OutcomeWord {
  const { ok, isUnsent, problem } = result;
  if (result.receipt?.isIgnored) return 'failed';
  if (ok) return isSent || action.uses.every(isRead) ? 'done' : 'already';
  if (isUnsent) return 'notSent';
  if (problem?.kind === 'dryRun') return 'planned';
  if (problem?.kind === 'unknown') return 'unknown';
  return isApplied ? 'partly' : 'failed';
}

/** The receipt of one row, from what became of it. */
export function receiptValue({ list, action }: ActionCommand, ended: RowOutcome, context: Context): ReceiptValue {
  const { result, entry, group, step, consequences, steps = [] } = ended;
  const word = wordOf({ list, action }, ended);
  const { made: thing } = result;
  return {
    entry: entry ?? null,
    group: (entry === undefined ? undefined : group) ?? null,
    at: context.now,
    action: action.id,
    target: {
      kind: (thing && action.makesKind) ?? list.id,
      id: (thing?.id ?? result.id) || null,
      name: thing?.name || result.name,
    },
    outcome: word,
    ...(steps.length > 1 && { steps }),
    ...{ changes: [], facts: {}, leaves: result.problem?.leaves ?? [] },
    ...consequences,
    undo: !step
      ? { kind: 'none', why: whyNone({ list, action }, word) }
      : action.restore
        ? { kind: 'recreate', lost: action.restore.lost, steps: step.calls.length }
        : { kind: 'undo' },
    text: result.text,
    isWarning: result.receipt?.isWarning === true,
    problem: result.problem ?? null,
  };
}

function whyNone({ action }: ActionCommand, word: OutcomeWord): string {
  if (word !== 'done' && word !== 'partly') return 'nothing was changed';
  return action.undo ? 'what was there before is unknown' : 'no operation undoes it';
}
