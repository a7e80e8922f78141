import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { type Call, rawCall } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { field, items } from '../lib/unchecked.ts';

/** One thing that was checked. Its texts hold the service's words: paint them. */
interface Finding {
  readonly title: string;
  readonly text: string;
  /** `warn`: a permission is missing. `bad`: something does not work. */
  readonly state: 'ok' | 'warn' | 'bad';
  /** Id of the screen that it is about; absent for keys and permissions. */
  readonly screen?: string;
}

/** The result of a check. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** False when a key itself was refused. */
  readonly keysWork: boolean;
  /** The permissions that operations need and the roles of the person lack, as the service writes them; undefined = not known. */
  readonly lacking?: ReadonlySet<string>;
}

/** The findings, a line each. */
export const checkLines = ({ findings }: Checked): string[] =>
  findings.map(({ title, text }) => `${title.padEnd(22)} ${text}`);

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

/**
 * The credential check, then a cheap read of each domain, then what the person's roles lack for the edits. Sends no
 * edit.
 */
export async function checkKeys(client: Pick<Client, 'send' | 'vocabulary'>, now: number): Promise<Checked> {
  const send = (id: string, params = {}, query = {}, body?: unknown): Promise<Result<unknown>> | undefined => {
    const endpoint = findEndpoint(id);
    return endpoint && client.send(rawCall(endpoint, params, query, body) as Call);
  };
  const { permission, says } = client.vocabulary ?? { permission: same, says: same };
  const findings: Finding[] = [];
  const say = (title: string, state: Finding['state'], text: string) => findings.push({ title, text, state });

  const valid = await send('keys.validate');
  const apiKeyWorks = !valid || (valid.ok ? field(valid.value, 'valid') !== false : valid.problem.kind !== 'forbidden');
  const isChecked = valid === undefined || valid.ok;
  say('API key', stateOf(valid, apiKeyWorks), isChecked ? (apiKeyWorks ? 'ok' : 'refused') : became(valid.problem));
  // Without any answer the other reads would only run into the client's timeouts.
  if (valid && !valid.ok && valid.problem.kind === 'unreachable') return { findings, keysWork: false };

  const me = await send('current-user.get');
  const meWorks = !me || me.ok || me.problem.kind !== 'forbidden';
  const user = me?.ok ? field(me.value, 'data') : undefined;
  const whose = me === undefined || me.ok ? `ok, of ${nameOf(user)}` : became(me.problem);
  say('application key', stateOf(me, meWorks), whose);

  const userId = field(user, 'id');
  const granted = typeof userId === 'string' ? await send('users.permissions', { user_id: userId }) : undefined;
  const names = new Set(granted?.ok ? permissionNames(granted.value) : []);
  for (const [screen, title, id, query, body] of reads(now)) {
    const result = await send(id, {}, query, body);
    const needs = findEndpoint(id)?.permission.map(permission) ?? [];
    const text = !result || result.ok ? 'OK (read)' : became(result.problem, names);
    if (result) findings.push({ title: says(title), text, state: stateOf(result), screen });
    // A read that works shows that its permission is there: some come without a role (docs/contract/roles.md#operations).
    if (result?.ok) for (const name of needs) names.add(name);
  }

  if (!granted?.ok) {
    if (granted) say('permissions', 'bad', became(granted.problem));
    return { findings, keysWork: apiKeyWorks && meWorks };
  }
  const needed = [...new Set(endpoints.flatMap((endpoint) => endpoint.permission.map(permission)))];
  // It stands for all others (docs/contract/roles.md#default-permissions).
  const lacking = names.has(permission('admin')) ? [] : needed.filter((name) => !names.has(name)).sort();
  if (lacking.length === 0) say('permissions', 'ok', 'your roles hold all that this program can use');
  else say('permissions', 'warn', `your roles lack ${lacking.join(', ')}`);
  return { findings, keysWork: apiKeyWorks && meWorks, lacking: new Set(lacking) };
}

/** `works`: whether an answer that is no problem is a good one. */
function stateOf(result: Result<unknown> | undefined, works = true): Finding['state'] {
  if (!works) return 'bad';
  if (!result || result.ok || result.problem.kind === 'notOffered') return 'ok';
  return result.problem.kind === 'forbidden' && result.problem.permission ? 'warn' : 'bad';
}

const same = (text: string): string => text;

function became(problem: Problem, held: ReadonlySet<unknown> = new Set()): string {
  const { permission: needs = [] } = problem;
  if (problem.kind === 'notOffered') return 'not offered by this deployment';
  if (problem.kind === 'forbidden') {
    const isHeld = needs.length > 0 && needs.every((name) => held.has(name));
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

function permissionNames(answer: unknown): Set<unknown> {
  return new Set(items(field(answer, 'data')).map((permission) => field(field(permission, 'attributes'), 'name')));
}
