import { present } from '../../lib/present-members.ts';
import type { RowResult } from '../../session/send/pending-edit.ts';
import { complain, failed, safeJson, tell } from '../command-messages.ts';
import { type Exit, exits, type Io } from '../io.ts';
import type { ActionCommand } from './shape.ts';

/** What a receipt is as JSON. */
const receiptJson = ({ made, id, name, ok, text, receipt, problem }: RowResult, secret: string | undefined) => ({
  id: made?.id ?? id,
  name: made?.name ?? name,
  ok,
  text,
  ...present({
    warning: receipt?.isWarning === true ? true : undefined,
    leaves: receipt?.leaves ?? problem?.leaves,
    secret: ok ? secret : undefined,
    problem: problem?.kind,
    status: problem?.status,
  }),
});

/**
 * Tells a receipt for each row: what was done on stdout, what failed on stderr; as JSON all of them on stdout. The exit
 * code is that of the failure; `partial` where some rows were done and others were not, and where something still
 * stands that was to end. `secret`: what the JSON shows of it.
 */
export function tellReceipts(
  io: Pick<Io, 'out' | 'err'>,
  { action }: ActionCommand,
  results: readonly RowResult[],
  isJson: boolean,
  secret?: string,
): Exit {
  const shown = results.filter(({ problem }) => problem?.kind !== 'dryRun');
  const done = shown.filter(({ ok }) => ok);
  if (shown.length < results.length) {
    const notes = new Set(results.flatMap(({ problem }) => (problem?.kind === 'dryRun' ? problem.messages : [])));
    complain(io, ['nothing was sent', ...notes].join('; '));
  }
  if (isJson && shown.length > 0)
    io.out(
      `${safeJson({ version: 1, action: action.id, receipts: shown.map((result) => receiptJson(result, secret)) })}\n`,
    );
  else
    tell(
      io,
      done.map(({ text }) => text),
    );
  const codes = shown.flatMap((result) => (result.ok ? [] : [tellFailure(io, result, shown.length > 1)]));
  if (codes.length === 0) return done.some(({ receipt }) => receipt?.leaves) ? exits.partial : exits.done;
  if (done.length === 0) return codes[0] ?? exits.failed;
  complain(io, `${done.length} of ${shown.length} were done`);
  return exits.partial;
}

function tellFailure(io: Pick<Io, 'err'>, { name, text, problem }: RowResult, isOneOfSeveral: boolean): Exit {
  if (!problem) {
    complain(io, `${name}: ${text}`);
    return exits.failed;
  }
  const exit = failed(
    io,
    isOneOfSeveral && !problem.text.startsWith(name) ? { ...problem, text: `${name}: ${problem.text}` } : problem,
  );
  return problem.leaves ? exits.partial : exit;
}
