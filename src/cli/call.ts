import type { Command } from 'commander';
import * as v from 'valibot';
import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import {
  type AnySchema,
  type Call,
  type Endpoint,
  entriesOf,
  isRead,
  pathNames,
  type QueryValue,
  rawCall,
} from '../api/endpoint.ts';
import { findItems, findPaging, withItems } from '../api/paging.ts';
import { type Result, toResult } from '../api/problem.ts';
import { findSecrets, hideParams, hideSecrets } from '../api/secrets.ts';
import { answersSecret } from '../api/vocabulary/schema-shape.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Client } from '../client/client.ts';
import { everyPage, lackingText } from '../describe/resource-spec.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { parseExact } from '../lib/json.ts';
import { readJsonLines } from '../lib/json-lines.ts';
import { plural } from '../lib/text.ts';
import { isObject } from '../lib/values.ts';
import type { Flags, ResolvedSettings } from '../profiles/resolve-settings.ts';
import { closestName } from '../query/closest-name.ts';
import { createSecretFile, printedInstead } from './actions/keep-secret.ts';
import { type Ports, wordsOf } from './command-ports.ts';
import { askQuestion, productionQuestion } from './edit-question.ts';
import { type CallFlags, endpointCommand } from './endpoint-command.ts';
import { readStandardInput, readTextFile } from './files.ts';
import { flagsIn, readFlags } from './flags.ts';
import {
  complain,
  type Exit,
  endWith,
  exits,
  failed,
  type Io,
  refuseReadOnly,
  safeJson,
  tellUnread,
  usage,
} from './io.ts';
import { untilSignal } from './output/progress.ts';

/** The call, checked against the endpoint's names and the types of its query; the body is the service's to judge. */
export function buildCall(
  endpoint: Endpoint,
  { values, body: typed }: Pick<CallFlags, 'values' | 'body'>,
  bodyText: string | undefined,
  env: NodeJS.ProcessEnv,
): ParseResult<Call> {
  const params: Record<string, string> = {};
  for (const name of pathNames(endpoint.path)) {
    const read = pathValue(endpoint, name, values.get(name)?.[0] ?? '', env);
    if (!read.ok) return read;
    params[name] = read.value;
  }
  const query: Record<string, QueryValue> = {};
  for (const [name, schema] of Object.entries(entriesOf(endpoint.query))) {
    const texts = values.get(name);
    if (texts === undefined) continue;
    const read = queryValue(name, schema, texts, endpoint.repeated?.includes(name) === true);
    if (!read.ok) return read;
    query[name] = read.value;
  }
  if (bodyText === undefined) return { ok: true, value: rawCall(endpoint, params, query) };
  try {
    const body = parseExact(bodyText);
    const isOnTheLine = typed !== '-' && !typed?.startsWith('@');
    if (isOnTheLine && hideSecrets(body, endpoint.secrets).count > 0)
      return unreadable(
        `the body holds a secret (${endpoint.secrets?.join(', ')}), which others can read on a command line: give it with --body -`,
      );
    return { ok: true, value: rawCall(endpoint, params, query, body) };
  } catch (error) {
    const read = readJsonLines(bodyText);
    if (!read.ok) return unreadable(`the body is not JSON: line ${read.line}, column ${read.column}: ${read.missing}`);
    return unreadable(
      `the body is not JSON that can be sent (${error instanceof Error ? error.message : 'unknown cause'})`,
    );
  }
}

/** A name of the path that is itself a secret is given by the name of a variable. */
function pathValue(endpoint: Endpoint, name: string, text: string, env: NodeJS.ProcessEnv): ParseResult<string> {
  if (!endpoint.secrets?.includes(`{${name}}`)) return { ok: true, value: text };
  const [, variable] = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? [];
  if (variable === undefined)
    return unreadable(
      `--${name} is a secret, which others can read on a command line: put it into a variable and give --${name} env:VARIABLE`,
    );
  const value = env[variable];
  return value ? { ok: true, value } : unreadable(`--${name}: the variable ${variable} is not set`);
}

/** Every candidate that a query text may stand for; the first that the schema takes is sent. */
function queryValue(
  name: string,
  schema: AnySchema,
  texts: readonly string[],
  isRepeated: boolean,
): ParseResult<QueryValue> {
  const [text = ''] = texts;
  const single =
    texts.length === 1 ? [text, asNumber(text), text === 'true' || text === 'false' ? text === 'true' : undefined] : [];
  const many = isRepeated ? [...texts] : texts.flatMap((text) => text.split(','));
  const candidates = [...single, many, many.map((candidate) => asNumber(candidate) ?? candidate)].filter(
    (candidate) => candidate !== undefined,
  );
  const read = candidates.map((candidate) => v.safeParse(schema, candidate));
  const at = read.findIndex(({ success }) => success);
  if (at >= 0) return { ok: true, value: candidates[at] as QueryValue };
  const [issue] = read[0]?.issues ?? [];
  // Of several forms: what is wrong with the one that is a text, as the typed one is.
  const inner = issue?.issues?.find(({ kind }) => kind === 'validation') ?? issue;
  return unreadable(`--${name}: ${inner?.message ?? 'cannot be read'}`);
}

function asNumber(text: string): number | bigint | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

/** Most bytes of a request body, which a person types or pipes. */
const largestBody = 8 * 1024 * 1024;
/** Most pages of `--paginate`, for services that never end a list. */
const mostPages = 10_000;

/** One answer, or several joined. */
interface Gathered {
  readonly answer: unknown;
  /** Why it is not everything; absent: it is. */
  readonly lacks?: string | undefined;
}

/**
 * `orgdeck call <operation-id> …`: makes the command of that one operation below `parent`, and runs it with the words
 * behind the id. Undefined: there is no such operation.
 */
export async function runEndpoint(
  ports: Ports,
  parent: Command,
  id: string,
  words: readonly string[],
  end: (exit: Exit) => void,
): Promise<void> {
  const endpoint = findEndpoint(id);
  if (!endpoint) return parent.error(`${unknownOperation(id)}`);
  const asksHelp = words.some((word) => word === '-h' || word === '--help');
  const command = endpointCommand(
    endpoint,
    async (flags, self) => end(await callOperation(ports, endpoint, flags, readFlags(self))),
    asksHelp ? await wordsOf(ports, { ...readFlags(parent), ...flagsIn(words) }) : undefined,
  ).copyInheritedSettings(parent);
  parent.addCommand(command);
  await command.parseAsync([...words], { from: 'user' });
}

/**
 * Sends one operation with the keys of the organization and prints the parsed answer as JSON with exact ids. Edits are
 * journaled as everywhere. Secrets are masked unless `--reveal`.
 */
async function callOperation(ports: Ports, endpoint: Endpoint, given: CallFlags, flags: Flags): Promise<Exit> {
  const { io } = ports;
  if (answersSecret(endpoint) && !given.reveal && given.secretFile === undefined && !flags.dryRun)
    return usage(
      io,
      `nothing was sent: the answer of ${endpoint.id} holds a secret that is shown once; --secret-file FILE keeps it in a new file, --reveal prints it`,
    );
  const paging = findPaging(endpoint);
  const pageFlag = paging?.chooses.find((name) => given.values.has(name));
  if (given.paginate && pageFlag !== undefined) return usage(io, `give --paginate or --${pageFlag}, not both`);
  const body = await readBody(io, given.body);
  if (!body.ok) return usage(io, body.text);
  const call = buildCall(endpoint, given, body.value, io.env);
  if (!call.ok) return usage(io, call.text);

  return ports.with(flags, async ({ client, settings }) => {
    const { deprecated } = endpoint;
    const { vocabulary } = client;
    if (deprecated) complain(io, `${endpoint.id} is deprecated: ${vocabulary?.says(deprecated) ?? deprecated}`);
    const refused = await refusalOf(io, call.value, settings);
    if (refused !== undefined) return refused;
    // Arguments and output are in the deployment's words, as on the wire.
    const typed = vocabulary ? toContractWords(call.value, vocabulary) : call.value;
    const file = given.secretFile === undefined || flags.dryRun ? undefined : await createSecretFile(given.secretFile);
    if (file && !file.ok) return usage(io, file.text);
    const send = async () => {
      const result = await sendCall(client, typed, given);
      if (!result.ok) {
        await file?.value.discard();
        return failed(io, result.problem);
      }
      tellUnread(io, result.unread);
      const unwritten = await file?.value.keep(findSecrets({ endpoint, params: {}, body: result.value.answer }));
      return printAnswer(io, endpoint, result.value, { vocabulary, reveal: given.reveal, unwritten });
    };
    return isRead(endpoint) ? send() : untilSignal(io, send);
  });
}

/** Prints an answer, and tells what is missing of it; `unwritten` says why its secret could not be kept in a file. */
async function printAnswer(
  io: Io,
  endpoint: Endpoint,
  { answer, lacks }: Gathered,
  {
    vocabulary,
    reveal,
    unwritten,
  }: { vocabulary: Translator | undefined; reveal: boolean; unwritten: string | undefined },
): Promise<Exit> {
  if (answer === undefined) return exits.done;
  const isHidden = !reveal && unwritten === undefined;
  const value = isHidden ? hideSecrets(answer, endpoint.secrets).value : answer;
  const shown = vocabulary ? vocabulary.out.answer(endpoint, value) : value;
  io.out(`${safeJson(lacks === undefined ? shown : withPartialNote(shown, lacks))}\n`);
  if (answersSecret(endpoint) && reveal && !(await io.written()))
    return endWith(io, exits.failed, 'the response could not be read: the object was created, but its secret is lost');
  if (unwritten !== undefined) return printedInstead(io, unwritten);
  return lacks === undefined ? exits.done : endWith(io, exits.partial, `incomplete result: ${lacks}`);
}

/** Sends a call and reads the answer, every page of it with `--paginate`; tells what the answer lacks. */
async function sendCall(client: Client, call: Call, { paginate, values }: CallFlags): Promise<Result<Gathered>> {
  const { endpoint } = call;
  const paging = findPaging(endpoint);
  if (paginate && paging) return gather(client, call);
  const target = { id: Object.values(call.params).join(' '), name: endpoint.id };
  const result = await client.send(call, { purpose: { action: 'call', target } });
  if (!result.ok) return result;
  const answer = result.value;
  const items = findItems(answer) ?? [];
  const isPage = paging?.chooses.some((name) => values.has(name));
  const lacks = isPage ? undefined : paging?.lacks(answer, items, call.query);
  const missing = lacks === undefined ? cappedText(endpoint, items.length) : `${lacks}; --paginate reads all of them`;
  return { ...result, value: { answer, ...(missing === undefined ? {} : { lacks: missing }) } };
}

/** All pages joined into one answer; what else an answer says is that of the last page. */
async function gather(client: Client, call: Call): Promise<Result<Gathered>> {
  const pages = await client.run(everyPage(call, mostPages));
  if (!pages.ok) return pages;
  const { items, included, last, end, unread } = pages.value;
  const all = withItems(last, items);
  const answer = included.length > 0 ? { ...(all as object), included } : all;
  const cut = end && `stopped after ${plural(end.pages, 'page')}`;
  const lacks = end?.problem
    ? `page ${end.pages + 1} was not read: ${end.problem.text}`
    : (cut ?? lackingText(pages.value));
  return { ...toResult({ answer, lacks }), unread };
}

/** A search of issues has no pages (docs/contract/error-tracking.md#operations): a full answer may lack some. */
const cappedText = ({ id }: Endpoint, count: number): string | undefined =>
  id === 'issues.search' && count >= 100
    ? 'a search answers 100 issues at most; narrow it, or use orgdeck issues list'
    : undefined;

/** The answer with a member that says what it lacks. */
const withPartialNote = (answer: unknown, partial: string): unknown =>
  isObject(answer) ? { ...answer, partial } : { items: answer, partial };

async function readBody(io: Io, typed: string | undefined): Promise<ParseResult<string | undefined>> {
  if (typed?.startsWith('@')) return readTextFile(typed.slice(1), largestBody);
  return typed === '-' ? readStandardInput(io, largestBody) : { ok: true, value: typed };
}

/**
 * How a call ends that is not sent: an edit of a profile that only reads, and one that production asks about and nobody confirms. No screen
 * shows the name of its object, so a deletion wants the id typed.
 */
async function refusalOf(io: Io, { endpoint, params }: Call, settings: ResolvedSettings): Promise<Exit | undefined> {
  if (isRead(endpoint)) return undefined;
  if (settings.readOnly && !settings.dryRun) return refuseReadOnly(io);
  const shown = Object.values(hideParams(params, endpoint.secrets).value);
  const typed = endpoint.verb === 'delete' ? (shown.at(-1) ?? endpoint.id) : undefined;
  return askQuestion(io, settings, productionQuestion(settings, [endpoint.id, ...shown].join(' '), typed));
}

/** Translates a call from the deployment's words into the specification's. */
const toContractWords = ({ endpoint, params, query, body }: Call, { back }: Translator): Call =>
  rawCall(endpoint, params, back.query(endpoint, query) as Call['query'], back.body(endpoint, body));

function unknownOperation(id: string): string {
  const domain = id.split('.')[0] ?? '';
  const ids = endpoints.map((endpoint) => endpoint.id);
  const meant = closestName(id, ids);
  const near = ids.filter((known) => known.split('.')[0] === domain || known.endsWith(`.${id}`));
  const there = near.length > 0 ? `there are ${near.join(', ')}` : 'orgdeck call --list shows them all';
  const hint = meant === undefined ? there : `did you mean ${meant}?`;
  return `no operation is called "${id.slice(0, 60)}": ${hint}`;
}
