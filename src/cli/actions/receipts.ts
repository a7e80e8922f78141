import type { PreviewedRequest } from '../../client/preview-edit.ts';
import { timestamp } from '../../describe/column.ts';
import { parseExact } from '../../lib/json.ts';
import { present } from '../../lib/values.ts';
import { complain, failed, safeJson, tell } from '../command-messages.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { jsonVersion } from '../output/formats.ts';
import type { OpenConnection } from '../start.ts';
import type { OutcomeWord, ReceiptValue } from './receipt-value.ts';

/** Where the secret of a receipt went. */
export type SecretPlace =
  | { readonly where: 'shown'; readonly value: string }
  | { readonly where: 'file'; readonly path: string };

/** How receipts are told. */
interface Telling {
  readonly isJson: boolean;
  readonly connection: Pick<OpenConnection, 'settings' | 'actor'>;
  readonly secret?: SecretPlace | undefined;
  /** What a dry run would have sent. */
  readonly requests?: readonly PreviewedRequest[] | undefined;
}

const good: readonly OutcomeWord[] = ['done', 'already', 'planned'];

/** What a receipt is as JSON, field by field as docs/json.md has it. */
const receiptJson = (receipt: ReceiptValue, { connection, secret }: Telling) => {
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
    ...(outcome === 'done' && present({ secret })),
  };
};

/**
 * Tells a receipt for each row: what is true on stdout, what failed on stderr; as JSON all of them on stdout. The exit code
 * is that of the failure; `partial` where some rows were done and others were not, and where something still stands that was
 * to end.
 */
export function tellReceipts(io: Pick<Io, 'out' | 'err'>, receipts: readonly ReceiptValue[], telling: Telling): Exit {
  const planned = receipts.filter(({ outcome }) => outcome === 'planned');
  const shown = receipts.filter(({ outcome }) => outcome !== 'planned');
  if (planned.length > 0) {
    const notes = new Set(planned.flatMap(({ problem }) => problem?.messages ?? []));
    complain(io, ['nothing was sent', ...notes].join('; '));
  }
  const isTrue = shown.filter(({ outcome }) => good.includes(outcome));
  const count = `${isTrue.length} of ${shown.length} were done`;
  const isPart = isTrue.length > 0 && isTrue.length < shown.length;
  if (telling.isJson && receipts.length > 0) {
    const items = receipts.map((receipt) => receiptJson(receipt, telling));
    const requests = telling.requests?.map(({ method, url, body }) => ({
      method,
      url,
      body: body === undefined ? null : parseExact(body),
    }));
    io.out(
      `${safeJson({ version: jsonVersion, items, partial: isPart ? [count] : null, ...present({ requests }) })}\n`,
    );
  } else
    tell(
      io,
      isTrue.map(({ text }) => text),
    );
  const codes = shown.flatMap((receipt) =>
    good.includes(receipt.outcome) ? [] : [tellFailure(io, receipt, shown.length > 1)],
  );
  if (isPart) complain(io, count);
  if (codes.includes(exits.unknown)) return exits.unknown;
  if (isPart || shown.some(({ outcome, leaves }) => outcome === 'partly' || leaves.length > 0)) return exits.partial;
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
  complain(io, text.includes(name) ? text : `${name}: ${text}`);
  return exits.failed;
}
