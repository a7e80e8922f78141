import { screens } from '../../screens/index.ts';
import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { type Endpoint, rawCall } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Client } from '../client/client.ts';
import { type Link, probeLink } from '../client/connection.ts';
import type { Environment } from '../client/transport.ts';
import { lacking, notOfferedHere, permissionNames } from '../describe/context.ts';
import { type Screen, withLabels } from '../describe/screen.ts';
import { type Clock, spans } from '../lib/time.ts';
import { field } from '../lib/values.ts';
import type { OpenConnection } from './start.ts';

/** `bad`: something does not work. `warn`: it works less well than it could, or a permission is missing. */
type FactState = 'ok' | 'warn' | 'bad';

/** One thing that was looked at: how it is, and what to do where it is not well. Texts may hold the service's words. */
export interface DoctorFact {
  /** Stays the same: scripts read it. */
  readonly id: string;
  readonly state: FactState;
  readonly title: string;
  readonly text: string;
  /** What to do, one step a line. */
  readonly advice?: readonly string[];
}

/** The worst of several states; `ok` of none. */
export const worstFact = (states: readonly FactState[]): FactState =>
  states.includes('bad') ? 'bad' : states.includes('warn') ? 'warn' : 'ok';

/** Makes what is said of one thing, by the state that it is in; `advice` is what to do, one step each. */
export function factAbout(id: string, title: string) {
  const inState =
    (state: FactState) =>
    (text: string, ...advice: readonly string[]): DoctorFact => ({
      ...{ id, title, state, text },
      ...(advice.length > 0 && { advice }),
    });
  return { ok: inState('ok'), warn: inState('warn'), bad: inState('bad') };
}

/** A cheap read that did not work. */
interface Failed {
  readonly screen: string;
  readonly title: string;
  readonly text: string;
  readonly state: DoctorFact['state'];
}

type CheapRead = readonly [
  screen: string,
  title: string,
  id: string,
  query: Record<string, string | number>,
  body?: unknown,
];

/** Cheap reads for every screen, with what each is called. */
function reads(now: number): readonly CheapRead[] {
  const minute = {
    data: { type: 'search_request', attributes: { query: '*', from: now - 60_000, to: now, persona: 'ALL' } },
  };
  return [
    ['issues', 'issues', 'issues.search', {}, minute],
    ['monitors', 'monitors', 'monitors.list', { page: 0, page_size: 1 }],
    ['monitors', 'downtimes', 'downtimes.list', { 'page[limit]': 1 }],
    ['keys', 'users', 'users.list', { 'page[size]': 1 }],
    ['keys', 'own application keys', 'keys.list-own', { 'page[size]': 1 }],
    ['keys', 'application keys', 'keys.list-org', { 'page[size]': 1 }],
    ['keys', 'API keys', 'api-keys.list', { 'page[size]': 1 }],
    ['roles', 'roles', 'roles.list', { 'page[size]': 1 }],
    ['mappings', 'mappings', 'mappings.list', { 'page[size]': 1 }],
    ['integrations', 'provider_a', 'integrations.list-a', {}],
    ['integrations', 'provider_b', 'integrations.list-b', {}],
    ['tables', 'tables', 'tables.list', { 'page[limit]': 1 }],
    ['retention', 'retention', 'retention.list', {}],
    ['archives', 'archives', 'archives.list', {}],
  ];
}

/** The operation with an id that stands in this file. */
const operation = (id: string) => findEndpoint(id) as Endpoint;

/** The flag that leads to these settings again. */
const flagOf = ({ profile, demo, baseUrl }: OpenConnection['settings']): string =>
  demo ? '--demo' : profile ? `--profile ${profile.name}` : `--base-url ${baseUrl}`;

/**
 * The keys, and for each screen what it may read and what the roles of the person lack for its edits. Sends reads alone. Texts hold the
 * service's words: paint them.
 */
export async function accessFacts({ client, settings }: OpenConnection, now: number): Promise<readonly DoctorFact[]> {
  const { permission, says: describe } = client.vocabulary ?? { permission: same, says: same };
  const send = (id: string, params = {}, query = {}, body?: unknown): Promise<Result<unknown>> =>
    client.send(rawCall(operation(id), params, query, body));
  const advice = `see where it comes from: orgdeck info ${flagOf(settings)}`;
  const key = (title: string, result: Result<unknown>, whose: string): DoctorFact => {
    const isInvalid = result.ok && field(result.value, 'valid') === false;
    const text = isInvalid ? 'refused' : result.ok ? `accepted${whose}` : became(result.problem);
    const isRefused = isInvalid || (!result.ok && result.problem.kind === 'forbidden');
    const state = isRefused ? 'bad' : stateOf(result);
    return factAbout(title.toLowerCase().replaceAll(' ', '-'), title)[state](text, ...(state === 'ok' ? [] : [advice]));
  };

  const valid = await send('keys.validate');
  const apiKey = key('API key', valid, '');
  // Without any answer the other reads would only run into the client's timeouts.
  if (!valid.ok && valid.problem.kind === 'unreachable') return [apiKey];
  const me = await send('current-user.get');
  const user = me.ok ? field(me.value, 'data') : undefined;
  const appKey = key('application key', me, `, of ${nameOf(user)}`);

  const userId = field(user, 'id');
  const granted = typeof userId === 'string' ? await send('users.permissions', { user_id: userId }) : undefined;
  const held = new Set(granted?.ok ? permissionNames(granted.value) : []);
  const failed: Failed[] = [];
  for (const [screen, title, id, query, body] of reads(now)) {
    const result = await send(id, {}, query, body);
    if (!result.ok)
      failed.push({ screen, title: describe(title), text: became(result.problem, held), state: stateOf(result) });
    // A read that works shows that its permission is there: some come without a role (docs/contract/roles.md#operations).
    else for (const name of operation(id).permission) held.add(permission(name));
  }
  const missing = granted?.ok ? missingPermissions(held, permission) : undefined;
  return [
    apiKey,
    appKey,
    ...withLabels(screens, client.vocabulary)
      .filter(({ lists }) => lists.some((list) => !list.board))
      .map((screen) => screenFact(screen, failed, missing, client)),
    ...(granted ? [permissionsFact(granted, missing)] : []),
  ];
}

/** Whether a key does not work: it was refused, or nothing answers that could accept it. */
export const keysFail = (facts: readonly DoctorFact[]): boolean =>
  facts.some(({ id, state }) => ['api-key', 'application-key'].includes(id) && state === 'bad');

/** The permissions that operations need and the roles of the person lack, as the service writes them. */
function missingPermissions(held: ReadonlySet<unknown>, permission: (name: string) => string): ReadonlySet<string> {
  // The admin permission stands for all others (docs/contract/roles.md#default-permissions).
  if (held.has(permission('admin'))) return new Set();
  return new Set(
    endpoints.flatMap((endpoint) => endpoint.permission.map(permission)).filter((name) => !held.has(name)),
  );
}

function permissionsFact(granted: Result<unknown>, missing: ReadonlySet<string> | undefined): DoctorFact {
  const fact = factAbout('permissions', 'permissions');
  const advice = 'users who may edit roles can grant them: orgdeck roles grant --help';
  if (!granted.ok) return fact.bad(became(granted.problem), advice);
  return missing?.size === 0
    ? fact.ok('your roles have every permission that orgdeck uses')
    : fact.warn('some are missing, see above', advice);
}

function screenFact(
  { id, title, lists }: Screen,
  failed: readonly Failed[],
  missing: ReadonlySet<string> | undefined,
  client: Client,
): DoctorFact {
  const troubles = failed.filter(({ screen }) => screen === id);
  const used = lists.flatMap((list) => [...(list.reads ?? []), ...list.actions.flatMap((action) => action.uses)]);
  const names = missing ? used.flatMap((endpoint) => lacking(endpoint, missing, client)?.split(' and ') ?? []) : [];
  const lacks = [...new Set(names)].sort();
  const texts = [
    ...troubles.map((trouble) =>
      lacks.some((name) => trouble.text.includes(name))
        ? `${trouble.title} cannot be read`
        : `${trouble.title}: ${trouble.text}`,
    ),
    ...(lacks.length > 0 ? [`your roles lack ${lacks.join(', ')}`] : []),
  ];
  const worst = worstFact([...troubles.map(({ state }) => state), ...(lacks.length > 0 ? (['warn'] as const) : [])]);
  return factAbout(`screen-${id}`, title)[worst](
    texts.length > 0 ? texts.join('; ') : missing ? 'read and edit' : 'read; what you can edit is unknown',
  );
}

function stateOf(result: Result<unknown>): DoctorFact['state'] {
  if (result.ok || result.problem.kind === 'notOffered') return 'ok';
  return result.problem.kind === 'forbidden' && result.problem.permission ? 'warn' : 'bad';
}

const same = (text: string): string => text;

function became(problem: Problem, held: ReadonlySet<unknown> = new Set()): string {
  const { permission: needs = [] } = problem;
  if (problem.kind === 'notOffered') return notOfferedHere;
  if (problem.kind === 'forbidden') {
    const isHeld = needs.every((name) => held.has(name));
    const why = isHeld ? ` although your roles hold ${needs.join(', ')}` : ` (needs ${needs.join(', ')})`;
    return `refused${needs.length > 0 ? why : ''}: ${problem.messages.join(' ') || problem.text}`;
  }
  return problem.text;
}

function nameOf(user: unknown): string {
  const attributes = field(user, 'attributes');
  const names = ['name', 'email', 'handle'].map((name) => field(attributes, name));
  const name = [...names, field(user, 'id')].find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name : 'a user without a name';
}

/** Milliseconds that a response may take before it is called slow. */
const slowMs = 2000;

/** Milliseconds that clocks may differ: unnoticed, and before times of mutes are wrong by minutes. */
const [sameMs, wrongMs] = [5000, 60_000] as const;

/** The way to the service, without keys: its address, certificate, time and clock. */
export async function linkFacts(
  to: { readonly baseUrl: string; readonly words?: Translator | undefined },
  with_: { readonly environment: Environment; readonly clock: Clock },
): Promise<{ readonly facts: readonly DoctorFact[]; readonly isReachable: boolean }> {
  const link = await probeLink(operation('keys.validate'), { origin: to.baseUrl, vocabulary: to.words, ...with_ });
  const { hostname } = new URL(to.baseUrl);
  const fact = factAbout('link', 'link');
  if (!link.ok) {
    const advice = `check the address (orgdeck info), the network, the proxy and the name ${hostname}`;
    return { isReachable: false, facts: [fact.bad(link.text, advice)] };
  }
  const how = to.baseUrl.startsWith('https:') ? ', its certificate is trusted' : ', without TLS on this machine';
  const text = `${to.baseUrl} answers in ${link.ms} ms${how}`;
  const isSlow = link.ms > slowMs;
  const way = isSlow ? fact.warn(text, 'give a longer --poll, and look at the network or the proxy') : fact.ok(text);
  return { isReachable: true, facts: [way, clockFact(link)] };
}

/** Our clock beside the one of the service. */
export function clockFact({ aheadMs }: Pick<Extract<Link, { ok: true }>, 'aheadMs'>): DoctorFact {
  const fact = factAbout('clock', 'clock');
  if (aheadMs === undefined) return fact.ok('the service does not report its time');
  const apart = Math.abs(aheadMs);
  if (apart <= sameMs) return fact.ok('within a few seconds of the service');
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  return fact[apart > wrongMs ? 'bad' : 'warn'](
    `${spans(apart)} ${which} that of the service: ages and ends of mutes are off by as much`,
    'set the clock of this machine (timedatectl set-ntp true)',
  );
}
