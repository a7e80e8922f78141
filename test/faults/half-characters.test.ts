import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { pathNames, rawCall } from '../../src/api/endpoint.ts';
import { toWireRequest } from '../../src/client/wire-request.ts';
import type { Rows } from '../../src/describe/context.ts';
import { initialQuery } from '../../src/describe/screen.ts';
import { formatCurl } from '../../src/session/list/menus.ts';
import { clientAt } from '../support/client-at.ts';
import { contextOf } from '../support/plans.ts';
import { servedCommands } from '../support/served-commands.ts';

const half = '\ud800';
const isId = /^(id|key|handle|email|name|uuid|identifier)$|_(id|key|name|identifier)$/;

/** The value with half a character in each id and name that is a text or a number. */
function halved(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => halved(one, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, halved(inside, key)]));
  return isId.test(name) && ['string', 'number', 'bigint'].includes(typeof value) ? `${value}${half}` : value;
}

const { simulator, there, orgdeck } = servedCommands({
  monitors: 8,
  issues: 6,
  rate: 0,
  around(incoming, _, next) {
    const answer = next(incoming);
    return { ...answer, body: halved(answer.body) };
  },
});
const lists = screens.flatMap((screen) => screen.lists).filter(({ derived }) => !derived);

test('a request has no half of a character, whatever its ids, its query and its body are', () => {
  for (const endpoint of endpoints) {
    const whole = Object.fromEntries(pathNames(endpoint.path).map((name) => [name, 'a']));
    const base = new URL(there.url);
    const call = rawCall(endpoint, whole, { [`a${half}`]: [half, `b${half}`], c: half }, { [half]: half });
    const written = toWireRequest(call, base);
    if (!written.ok) throw new Error(`${endpoint.id}: ${written.problem.text}`);
    expect([written.wired.path, written.wired.body].every((text) => text?.isWellFormed())).toBe(true);
    for (const name of Object.keys(whole))
      expect(toWireRequest(rawCall(endpoint, { ...whole, [name]: half }), base)).toMatchObject({
        problem: { kind: 'invalid', text: `${name} holds half a character` },
      });
  }
});

test('rows with half a character in each id and name have links, commands and requests', async () => {
  const client = clientAt(there);
  const context = contextOf({ now: simulator.now(), origin: there.url, web: 'https://web.example.test' });
  for (const list of lists) {
    const read = await client.run(list.load(initialQuery(list), context).plan(context));
    if (!read.ok) throw new Error(`${list.id}: ${read.problem.text}`);
    for (const row of (read.value as Rows<unknown>).rows) {
      const detail = list.detail?.load?.(row, context);
      if (detail) await client.run(detail.plan(context));
      const texts = [list.link?.(row, context), formatCurl(list, row, context)];
      for (const text of texts) expect(text?.isWellFormed() ?? true, `${list.id}: ${text}`).toBe(true);
    }
  }
  await client.close();
});

const commands = lists.filter(({ search }) => !search?.subject).map(({ id }) => id.replace('.', ' '));
test.each(commands)('%s lists rows with half a character in each id and name', async (words) => {
  for (const format of ['table', 'json', 'csv']) {
    const { err, exit } = await orgdeck([...words.split(' '), 'list', '--output', format]);
    expect(err).not.toContain('its own mistake');
    expect(exit, err).toBeOneOf([0, 3]);
  }
});
