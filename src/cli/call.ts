import { screens } from '../../screens/index.ts';
import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { type Call, type Endpoint, isRead, rawCall } from '../api/endpoint.ts';
import { hideParams, hideSecrets } from '../api/secrets.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Flags, Settings } from '../profiles/resolve-settings.ts';
import { callOf, readCallArgs, usageOf } from './callargs.ts';
import type { House } from './house.ts';
import { type Exit, exits } from './io.ts';
import { asked, productionQuestion, type Question } from './question.ts';
import { complain, failed, safeJson, tell, tellUnread } from './say.ts';

/** Most bytes of a request body, which a person types or pipes. */
const largestBody = 8 * 1024 * 1024;

/** `orgdeck call --list`: every operation with its origin, screens and permission; as JSON with all that is known of it. */
export async function listOperations(house: House, flags: Flags, asJson: boolean): Promise<Exit> {
  const { io } = house;
  const here = endpoints.map(await namedFor(house, flags));
  if (asJson) {
    io.out(`${safeJson(here.map(operation))}\n`);
    return exits.done;
  }
  const rows = here.map((endpoint) => [
    endpoint.id,
    endpoint.method,
    endpoint.origin,
    screensOf(endpoint).join(',') || '-',
    endpoint.permission.join(',') || '-',
    endpoint.path,
    endpoint.title,
  ]);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  tell(
    io,
    rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ')),
  );
  return exits.done;
}

/** An operation with path, permissions and title in the deployment's words; its id is not translated. */
async function namedFor({ io, resolve }: House, flags: Flags): Promise<(endpoint: Endpoint) => Endpoint> {
  const settings = await resolve(flags);
  if (!settings.ok) complain(io, settings.text);
  const words = settings.ok ? settings.value.words : undefined;
  if (!words) return (endpoint) => endpoint;
  const { path, permission, says } = words;
  return (endpoint) => ({
    ...endpoint,
    path: path(endpoint),
    permission: endpoint.permission.map(permission),
    title: says(endpoint.title),
  });
}

/** The screens whose lists read with an operation, or whose actions use it. */
function screensOf({ id }: Endpoint): string[] {
  const has = (some: readonly Endpoint[] = []) => some.some((endpoint) => endpoint.id === id);
  return screens
    .filter((screen) => screen.lists.some((list) => has(list.reads) || list.actions.some((one) => has(one.uses))))
    .map((screen) => screen.id);
}

const operation = (endpoint: Endpoint) => ({
  id: endpoint.id,
  title: endpoint.title,
  method: endpoint.method,
  path: endpoint.path,
  permission: endpoint.permission,
  origin: endpoint.origin,
  repeat: endpoint.repeat,
  screens: screensOf(endpoint),
  usage: usageOf(endpoint),
  ...(endpoint.deprecated ? { deprecated: endpoint.deprecated } : {}),
});

/**
 * `orgdeck call <operation-id> …`: sends one operation with the keys of the organisation and prints the parsed answer
 * as JSON with exact ids. Edits are journalled as everywhere. Secrets are masked unless `--reveal`.
 */
export async function callOperation(house: House, id: string, words: readonly string[], flags: Flags): Promise<Exit> {
  const { io } = house;
  const usage = (text: string): Exit => {
    complain(io, text);
    return exits.usage;
  };
  const endpoint = findEndpoint(id);
  if (!endpoint) return usage(unknownOperation(id));
  const args = readCallArgs(endpoint, words);
  if (!args.ok) return usage(args.text);
  if (args.value.help) {
    const { title, method, path } = (await namedFor(house, { ...flags, ...args.value.flags }))(endpoint);
    tell(io, [`${title}: ${method} ${path}`, usageOf(endpoint)]);
    return exits.done;
  }
  const body = args.value.body === '-' ? await io.stdin(largestBody) : args.value.body;
  if (args.value.body === '-' && body === undefined) return usage(`standard input is over ${largestBody} bytes`);
  const call = callOf(endpoint, args.value, body, io.env);
  if (!call.ok) return usage(call.text);
  return house.with({ ...flags, ...args.value.flags }, async ({ client, settings }) => {
    if (endpoint.deprecated) complain(io, `${endpoint.id} is deprecated: ${endpoint.deprecated}`);
    const target = { id: Object.values(call.value.params).join(' '), name: endpoint.id };
    const refused = isRead(endpoint) ? undefined : await asked(io, settings, questionOf(call.value, settings));
    if (refused !== undefined) return refused;
    const { vocabulary } = client;
    // Arguments and output are in the deployment's words, as on the wire.
    const typed = vocabulary ? understood(call.value, vocabulary) : call.value;
    const result = await client.send(typed, { purpose: { action: 'call', target } });
    if (!result.ok) return failed(io, result.problem);
    tellUnread(io, result.unread);
    if (result.value === undefined) return exits.done;
    const value = args.value.reveal ? result.value : hideSecrets(result.value, endpoint.secrets).value;
    io.out(`${safeJson(vocabulary ? vocabulary.out.answer(endpoint, value) : value)}\n`);
    return exits.done;
  });
}

/** What production asks before a bare edit; nothing shows its object's name, so a deletion wants the id typed. */
function questionOf(call: Call, settings: Settings): Question | undefined {
  const { endpoint } = call;
  const params = Object.values(hideParams(call.params, endpoint.secrets).value);
  const typed = endpoint.verb === 'delete' ? (params.at(-1) ?? endpoint.id) : undefined;
  return productionQuestion(settings, [endpoint.id, ...params].join(' '), typed);
}

/** Translates a call from the deployment's words into the specification's. */
const understood = ({ endpoint, params, query, body }: Call, { back }: Translator): Call =>
  rawCall(endpoint, params, back.query(endpoint, query) as Call['query'], back.body(endpoint, body));

function unknownOperation(id: string): string {
  const domain = id.split('.')[0] ?? '';
  const near = endpoints
    .filter((endpoint) => endpoint.id.split('.')[0] === domain || endpoint.id.endsWith(`.${id}`))
    .map((endpoint) => endpoint.id);
  const there = near.length > 0 ? `there are ${near.join(', ')}` : 'orgdeck call --list shows them all';
  return `no operation is called "${id.slice(0, 60)}": ${there}`;
}
