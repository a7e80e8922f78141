import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { type Call, rawCall } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Client } from '../client/client.ts';

/** The result of a check: lines to print, and the exit code. */
export interface Checked {
  readonly lines: readonly string[];
  /** False when a key itself was refused. */
  readonly keysWork: boolean;
}

/** One cheap read for each domain: what it is called, and its names. */
function reads(
  now: number,
): readonly (readonly [title: string, id: string, query: Record<string, string | number>, body?: unknown])[] {
  const minute = {
    data: { type: 'search_request', attributes: { query: '*', from: now - 60_000, to: now, persona: 'ALL' } },
  };
  return [
    ['issues', 'issues.search', {}, minute],
    ['monitors', 'monitors.list', { page: 0, page_size: 1 }],
    ['downtimes', 'downtimes.list', { 'page[limit]': 1 }],
    ['users', 'users.list', { 'page[size]': 1 }],
    ['own application keys', 'keys.list-own', { 'page[size]': 1 }],
    ['application keys', 'keys.list-org', { 'page[size]': 1 }],
    ['API keys', 'api-keys.list', { 'page[size]': 1 }],
    ['roles', 'roles.list', { 'page[size]': 1 }],
    ['mappings', 'mappings.list', { 'page[size]': 1 }],
    ['provider_a', 'integrations.list-a', {}],
    ['provider_b', 'integrations.list-b', {}],
    ['tables', 'tables.list', { 'page[limit]': 1 }],
    ['retention', 'retention.list', {}],
    ['archives', 'archives.list', {}],
  ];
}

/**
 * The credential check, then a cheap read of each domain, then what the person's roles lack for the edits. Sends no
 * edit. Sentences hold the service's words: paint them.
 */
export async function checkKeys(client: Pick<Client, 'send' | 'vocabulary'>, now: number): Promise<Checked> {
  const send = (id: string, params = {}, query = {}, body?: unknown): Promise<Result<unknown>> | undefined => {
    const endpoint = findEndpoint(id);
    return endpoint && client.send(rawCall(endpoint, params, query, body) as Call);
  };
  const { permission, says } = client.vocabulary ?? { permission: same, says: same };
  const lines: string[] = [];
  const say = (title: string, text: string) => lines.push(`${title.padEnd(22)} ${text}`);

  const valid = await send('keys.validate');
  const apiKeyWorks = !valid || (valid.ok ? field(valid.value, 'valid') !== false : valid.problem.kind !== 'forbidden');
  say('API key', valid === undefined || valid.ok ? (apiKeyWorks ? 'ok' : 'refused') : became(valid.problem));
  // Without any answer the other reads would only run into the client's timeouts.
  if (valid && !valid.ok && valid.problem.kind === 'unreachable') return { lines, keysWork: false };

  const me = await send('current-user.get');
  const meWorks = !me || me.ok || me.problem.kind !== 'forbidden';
  const user = me?.ok ? field(me.value, 'data') : undefined;
  say('application key', me === undefined || me.ok ? `ok, of ${nameOf(user)}` : became(me.problem));

  const userId = field(user, 'id');
  const granted = typeof userId === 'string' ? await send('users.permissions', { user_id: userId }) : undefined;
  const names = new Set(granted?.ok ? permissionNames(granted.value) : []);
  for (const [title, id, query, body] of reads(now)) {
    const result = await send(id, {}, query, body);
    const needs = findEndpoint(id)?.permission.map(permission) ?? [];
    if (result) say(says(title), result.ok ? 'OK (read)' : became(result.problem, names));
    // A read that works shows that its permission is there: some come without a role (contract/roles.md 2).
    if (result?.ok) for (const name of needs) names.add(name);
  }

  if (granted?.ok) {
    const lacking = [...new Set(endpoints.flatMap((endpoint) => endpoint.permission.map(permission)))]
      .filter((name) => !names.has(name))
      .sort();
    say(
      'permissions',
      lacking.length === 0 ? 'your roles hold all that this program can use' : `your roles lack ${lacking.join(', ')}`,
    );
  } else if (granted) say('permissions', became(granted.problem));
  return { lines, keysWork: apiKeyWorks && meWorks };
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
  const data = field(answer, 'data');
  return new Set(Array.isArray(data) ? data.map((permission) => field(field(permission, 'attributes'), 'name')) : []);
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
