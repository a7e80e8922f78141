import { type AppKeyRow, isKeyInUse, ownActions } from '../../screens/keys/application-key-edit.ts';
import { ownKeyList } from '../../screens/keys/application-keys.ts';
import type { PreviewedRequest } from '../client/send-once.ts';
import { timestamp } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { splitCommand } from '../lib/setting-values.ts';
import { present } from '../lib/values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { runProgram } from '../terminal/programs.ts';
import { type Keeper, keeperFor } from './actions/keep-secret.ts';
import { type ReceiptValue, receiptValue, tellReceipts } from './actions/receipts.ts';
import { performAll } from './actions/run-action.ts';
import type { ActionCommand } from './actions/shape.ts';
import type { Ports } from './command-ports.ts';
import { programEnvironment } from './config.ts';
import { askQuestion, productionQuestion } from './edit-question.ts';
import { factsFor, findRows } from './find-rows.ts';
import { complain, type Exit, exits, refuseReadOnly, usage } from './io.ts';
import { stopOnSignals } from './output/progress.ts';
import type { OpenConnection } from './start.ts';

/** What `keys-own rotate` is given. */
export interface RotateFlags {
  readonly reveal?: boolean;
  readonly secretFile?: string;
  /** Deletes the old key when this command has succeeded. */
  readonly after?: string;
  readonly json?: boolean;
}

const create: ActionCommand = { list: ownKeyList, action: ownActions.create };
const rename: ActionCommand = { list: ownKeyList, action: ownActions.edit };
const remove: ActionCommand = { list: ownKeyList, action: ownActions.remove };

/** A rotation at work. */
interface Rotation {
  readonly ports: Ports;
  readonly connection: OpenConnection;
  readonly context: Context;
  readonly old: AppKeyRow;
  readonly keeper: Keeper;
  /** Of a dry run whose receipts are JSON: the requests, as they come. */
  readonly requests: readonly PreviewedRequest[] | undefined;
  readonly isJson: boolean;
  readonly after: readonly string[] | undefined;
}

/**
 * `keys-own rotate`: creates a key like the old one, keeps its secret, and deletes the old one after a yes or after a command
 * has succeeded. The old key stays where anything before its delete fails, and where this profile would be left without a key.
 */
export async function rotateKey(ports: Ports, word: string, flags: Flags & RotateFlags): Promise<Exit> {
  const { io } = ports;
  const after = flags.after === undefined ? undefined : splitCommand(flags.after);
  if (flags.after !== undefined && !after?.length) return usage(io, '--after: write a command; a quote needs its end');
  if (flags.json && flags.reveal) return usage(io, '--json needs --secret-file: it prints everything at the end');
  return ports.with(flags, async (connection) => {
    const { settings } = connection;
    if (settings.readOnly && !settings.dryRun) return refuseReadOnly(io);
    if (!after && !settings.yes && !settings.dryRun && !io.answer)
      return usage(
        io,
        'nothing was sent: without a terminal --yes or --after COMMAND says when the old key is deleted',
      );
    const context = factsFor(io, connection);
    const found = await findRows(io, connection, context, {
      list: ownKeyList,
      words: [word],
      asked: { search: {}, range: '' },
    });
    if (!found.ok) return found.exit;
    const old = found.rows[0] as AppKeyRow;
    if (old.attributes.scopes === undefined)
      return usage(io, `nothing was sent: the scopes of ${ownKeyList.nameOf(old)} are unknown`);
    const question = productionQuestion(settings, `rotate ${ownKeyList.nameOf(old)}`);
    const refused = await askQuestion(io, settings, question);
    if (refused !== undefined) return refused;
    const isJson = flags.json === true;
    const given = { secretFile: flags.secretFile, isRevealed: flags.reveal === true, isJson };
    const keeper = await keeperFor({ io, connection, verb: create, given });
    if (!keeper.ok) return keeper.exit;
    const requests = isJson && settings.dryRun ? ports.keepPreviews() : undefined;
    return rotating({ ports, connection, context, old, keeper, requests, isJson, after });
  });
}

async function rotating(rotation: Rotation): Promise<Exit> {
  const { ports, connection, context, old, keeper, requests, isJson } = rotation;
  const { io } = ports;
  const { name, scopes } = old.attributes;
  const perform = async (verb: ActionCommand, rows: readonly unknown[], values: unknown) => {
    const done = await performAll(io, connection, [{ ...verb, rows, values }], context);
    const outcomes = done.flatMap((performed) => performed.outcomes);
    return { done, receipts: outcomes.map((outcome) => receiptValue(verb, outcome, context)) };
  };
  // Two keys of one person cannot have one name (docs/contract/keys.md#choices): the new one gets it in the end.
  const unique = `${name} (${timestamp(io.clock.now())})`;
  // Nobody is left with a new key whose secret is kept nowhere.
  const stopping = stopOnSignals();
  const creation = await perform(create, [undefined], { name: unique, ...(scopes && { scopes }) });
  const keeping = await keeper.keep(creation.done);
  const created = creation.receipts.map((receipt) => ({ ...receipt, ...present({ secret: keeping.place }) }));
  const tell = (receipts: readonly ReceiptValue[]) => tellReceipts(io, receipts, { isJson, connection, requests });
  const { dryRun } = connection.settings;
  const hasSecret = creation.done.some((performed) => performed.secret !== undefined);
  if (!hasSecret && !dryRun) {
    stopping.end();
    return tell(created) || exits.failed;
  }
  if (!isJson) tell(created);
  const secretExit = keeping.tell();
  stopping.end();
  const stopped = stopping.exit();
  const why = secretExit !== exits.done ? 'its secret was not kept' : stopped ? 'stopped' : await whyKept(rotation);
  const deleted = why === undefined ? (await perform(remove, [old], {})).receipts : [];
  const isGone = deleted.every(({ outcome }) => outcome === 'done') && deleted.length > 0;
  const fresh = creation.done.flatMap(({ outcomes }) => outcomes.flatMap(({ after }) => after ?? []));
  const isLast = isGone && isKeyInUse(old, context);
  const renamed = isGone && !isLast && fresh.length > 0 ? (await perform(rename, fresh, { name })).receipts : [];
  const exit = tell([...(isJson ? created : []), ...deleted, ...renamed]);
  if (why !== undefined) complain(io, `the old key stays beside the new one: ${why}`);
  if (isLast) complain(io, `the new key keeps the name ${unique}: no key of this profile is left to rename it`);
  if (why === undefined && !isLast && [exits.done, exits.unknown].some((one) => one === exit)) return exit;
  return stopped ?? exits.partial;
}

/** Why the old key is not deleted; undefined: it is. */
async function whyKept({ ports, connection, context, old, after }: Rotation): Promise<string | undefined> {
  const { io } = ports;
  if (connection.settings.dryRun) return undefined;
  if (after) {
    const env = await programEnvironment(ports, io.env);
    const end = await runProgram(after, { env, signal: new AbortController().signal, keepsOutput: true, process });
    if (end.printed.trim() !== '') complain(io, end.printed.trimEnd());
    return end.ok ? undefined : `${after[0]} ${end.says}`;
  }
  if (isKeyInUse(old, context)) return 'this profile uses it; give the profile the new one, then delete the old one';
  const question = `Delete the old key ${ownKeyList.nameOf(old)}, which ends in ${old.attributes.last4 ?? '?'}?`;
  const confirm = { question, details: ['What still uses it gets 401 or 403 at once'] };
  const words = { withoutTerminal: '', yes: 'y deletes it', no: 'it was not deleted' };
  const stopped = await askQuestion(io, connection.settings, confirm, words);
  return stopped === undefined ? undefined : 'the answer was not yes';
}
