import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { endpoints, findEndpoint } from '../../../src/api/all-endpoints.ts';
import type { AnySchema } from '../../../src/api/endpoint.ts';
import { parseExact, stringifyExact } from '../../../src/lib/json.ts';
import { asList, asObject } from '../../../src/simulator/server/handler.ts';
import { type Simulated, simulated } from '../../support/simulated.ts';
import { there } from '../../support/there.ts';

/**
 * Requests to the simulator stand above its answers in `support/stored/simulator`: add a line, run `npm run stored`, and read what came.
 *
 * - `# TITLE {…}` begins a new organization, with these options of the simulator
 * - `METHOD /path {body} -> name=path | path path`: of the answer a name may be kept and parts shown, all of it without `|`. A path is
 *   `data[].attributes.name`, or a header behind `^`. The answer comes behind ` => `, a long one below
 * - `has KIND {…} -> name`, `passes MS`, `turns MONITOR STATE GROUP`, `uploads TABLE "csv" -> name`
 * - `as WHO`: who asks from now on, one of `callers`, `key=NAME`, or `permissions=… scopes=… user=…`; `key NAME of USER` makes a key
 * - `; …` is a comment
 * - `{name}` is what was kept, `{roles:On call}` the id of a row of the organization by its name or its place
 *
 * A good answer has to fit the schema of the contract, and a refusal leaves as many rows as there were.
 */
const folder = fileURLToPath(new URL('../../support/stored/simulator/', import.meta.url));
const files = readdirSync(folder).map((file) => [file, readFileSync(folder + file, 'utf8')] as const);

interface Story extends Simulated {
  readonly names: Map<string, string>;
  readonly keys: Map<string, string>;
}

function callerOf({ at, keys, service }: Story, words: string): Parameters<Simulated['as']>[0] {
  const callers = new Map<string, Parameters<Simulated['as']>[0]>([
    ['admin', at],
    ['reader', { apiKey: at.apiKey, appKey: at.readOnlyAppKey }],
    ['nobody', {}],
    ['an API key alone', { apiKey: at.apiKey }],
    ['a wrong API key', { apiKey: 'wrong', appKey: at.appKey }],
    ['a wrong application key', { apiKey: at.apiKey, appKey: 'wrong' }],
  ]);
  const caller = callers.get(words);
  if (caller) return caller;
  const { user, key, ...more } = Object.fromEntries(words.split(' ').map((word) => word.split('=')));
  if (key) return { apiKey: at.apiKey, appKey: keys.get(key) };
  const lists = Object.entries(more).map(([name, list]) => [name, String(list).split(',')]);
  return service.keys.make({ ...Object.fromEntries(lists), ...(user && { user }) });
}

/** Undefined where braces are a query's: `avg:cpu{host:a}`. */
function rowId({ service: { org } }: Story, map: string, place: string): string | undefined {
  const rows: unknown = org[map as keyof typeof org];
  if (!(rows instanceof Map)) return undefined;
  const all: readonly Readonly<Record<string, unknown>>[] = [...rows.values()];
  const isMeant = (row: (typeof all)[number]) =>
    [row.name, asObject(row.attributes)?.name].includes(place) || row[place] === true;
  const row = /^-?\d+$/.test(place) ? all.at(Number(place)) : all.find(isMeant);
  if (!row) throw new Error(`no ${place} in ${map}`);
  return String(row.id);
}

const filled = (story: Story, text: string): string =>
  text
    .replaceAll(/\{(\d+) times:([^{}]+)\}/g, (_, times, part) => part.repeat(Number(times)))
    .replaceAll(
      /\{(\w+)(?::([^{}":]+))?\}/g,
      (all, name, place) => (place ? rowId(story, name, place) : story.names.get(name)) ?? all,
    );

const partsOf = (path: string): readonly string[] => path.match(/\[\]|[^.[\]]+/g) ?? [];

function find(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return value;
  if (part === '[]') return asList(value)?.map((one) => find(one, rest));
  return find(asList(value)?.[Number(part)] ?? asObject(value)?.[part], rest);
}

/** Ids and secrets by their names. */
function written({ at, keys, names }: Story, value: unknown): string {
  const known = [...keys].map(([name, key]) => [key, `the key ${name}`] as const);
  const own = [[at.apiKey, 'our API key'] as const, [at.appKey, 'our application key'] as const];
  const ids = [...names].filter(([, id]) => id.length > 8).map(([name, id]) => [id, `{${name}}`] as const);
  return [...known, ...own, ...ids]
    .reduce((all, [id, name]) => all.replaceAll(id, name), value === undefined ? '–' : stringifyExact(value))
    .replaceAll(/fake-(?:new|api|app)-[\da-f]+/g, 'a secret');
}

const does: Readonly<Record<string, (story: Story, words: string) => unknown>> = {
  ';': () => {},
  key: ({ keys, service }, words) => {
    const [name = '', user = ''] = words.split(' of ');
    keys.set(name, service.keys.make({ user, name }).appKey);
  },
  passes: ({ service }, ms) => service.passes(Number(ms)),
  turns: ({ service }, words) => {
    const [monitor = '', state = '', group] = words.split(' ');
    service.turns(monitor, state, group);
  },
  has: ({ names, service }, words) => {
    const [, kind = '', object = '', name = ''] = /^(\w+) (\{.*\})(?: -> (\w+))?$/.exec(words) ?? [];
    const id = service.has(kind, JSON.parse(object));
    if (name !== '') names.set(name, id);
  },
  async uploads({ ask, names }, words) {
    const [, table_name, quoted = '', name = ''] = /^(\w+) (".*") -> (\w+)$/.exec(words) ?? [];
    const csv: string = JSON.parse(quoted);
    const headers = csv.split(/\r?\n/)[0]?.split(',');
    const attributes = { table_name, headers, part_count: 1, part_size: Buffer.byteLength(csv) };
    const { body } = await ask('POST', '/api/v2/reference-tables/uploads', { data: { type: 'upload', attributes } });
    names.set(name, body.data.id);
    expect((await request(body.data.attributes.part_urls[0], { method: 'PUT', body: csv })).statusCode).toBe(200);
  },
};

const wrongIn = (schema: AnySchema, value: unknown): string[] =>
  (v.safeParse(schema, value).issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);

const sizes = ({ service: { org } }: Story): string =>
  Object.entries({ ...org, ...org.accounts, ...org.tableStore })
    .flatMap(([name, rows]) => (rows instanceof Map ? `${name} ${rows.size}` : []))
    .join();

const requestLine = /^(\w+) (.+?)(?: ([{[]["{}\]].*[}\]]|\{\}))?(?: -> (\w+)=(\S+))?(?: \|(?: (.*))?)?$/;

async function asks(story: Story, line: string): Promise<string> {
  const [, method = '', path = '', sent, name = '', kept = '', paths] = requestLine.exec(line) ?? [];
  const body = sent === undefined ? undefined : JSON.parse(filled(story, sent));
  const before = sizes(story);
  const { status, text, headers } = await story.ask(method, filled(story, path), body);
  const answer = text === '' ? undefined : parseExact(text);
  const endpoint = findEndpoint(story.service.received().at(-1)?.operation ?? '');
  if (status >= 400) expect([line, sizes(story)]).toEqual([line, before]);
  else if (endpoint?.body && body !== undefined) expect([line, wrongIn(endpoint.body, body)]).toEqual([line, []]);
  if (status < 300 && endpoint && text !== '') expect([line, wrongIn(endpoint.response, answer)]).toEqual([line, []]);
  if (name !== '') story.names.set(name, String(find(answer, partsOf(kept))));
  const errors = asList(find(answer, ['errors']));
  if (status >= 400 && paths === undefined && errors)
    return `${status} ${errors.map((error) => asObject(error)?.detail ?? error).join(' | ')}`;
  const shown = paths?.split(' ') ?? (line.endsWith(' |') || text === '' ? [] : ['.']);
  const partOf = (part: string) => (part.startsWith('^') ? headers[part.slice(1)] : find(answer, partsOf(part)));
  return [status, ...shown.map((part) => written(story, partOf(part)))].join(' ');
}

async function played(text: string): Promise<string> {
  const [head = '', ...lines] = text.split('\n');
  const output = [head];
  const options = JSON.parse(/\{.*\}$/.exec(head)?.[0] ?? '{}');
  await simulated(
    async (client) => {
      let story: Story = { ...client, names: new Map(), keys: new Map() };
      for (const written of lines.filter((line) => !line.startsWith('  '))) {
        const [line = ''] = written.split(' => ');
        const [word = ''] = line.split(' ');
        if (/^[A-Z]+$/.test(word)) {
          const answer = await asks(story, line);
          output.push(...(answer.length > 120 ? [line, `  ${answer}`] : [`${line} => ${answer}`]));
          continue;
        }
        const words = filled(story, line.slice(word.length + 1));
        output.push(line);
        if (word === 'as') story = { ...story, ...client.as(callerOf(story, words)) };
        else await there(does[word])(story, words);
      }
    },
    { furnished: false, ...options },
  );
  return output.join('\n');
}

test.each(files)('the simulator answers as was reviewed: %s', async (file, text) => {
  const stories: string[] = [];
  for (const story of text.trimEnd().split(/\n\n(?=# )/)) stories.push(await played(story));
  await expect(`${stories.join('\n\n')}\n`).toMatchFileSnapshot(folder + file);
});

test('every operation of the contract has a good answer among them', () => {
  const all = files.map(([, text]) => text).join('\n');
  const isAnswered = ({ method, path }: (typeof endpoints)[number]) =>
    new RegExp(
      `^${method} ${path.replaceAll(/\{\w+\}/g, '(?:\\{[^{}]*\\}|[^ /?{]+)')}(?:[ ?].*)?(?:\n  | => )2`,
      'm',
    ).test(all);
  expect(endpoints.filter((endpoint) => !isAnswered(endpoint)).map(({ id }) => id)).toEqual([]);
});
