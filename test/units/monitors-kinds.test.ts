import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAction } from '../../screens/monitors/definition/edit.ts';
import { kindBy, monitorKinds } from '../../screens/monitors/definition/templates.ts';
import { monitorList } from '../../screens/monitors.ts';
import type { Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Translator } from '../../src/api/vocabulary/translator.ts';
import { openVocabulary } from '../../src/api/vocabulary/vocabulary-file.ts';
import type { Client } from '../../src/client/client.ts';
import { shownNames } from '../../src/describe/field.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import { initialQuery } from '../../src/describe/screen.ts';
import { parseExact } from '../../src/lib/json.ts';
import { clientAt } from '../support/client-at.ts';
import { answered, contextOf, walk } from '../support/plans.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';

let service: Simulator;
let client: Client;
let rows: readonly unknown[] = [];

beforeAll(async () => {
  service = createSimulator({ seed: 3, monitors: 130, issues: 0, rate: 0, lively: false });
  client = clientAt(await service.start(), { random: () => 0.5 });
  const read = await client.run(monitorList.load(initialQuery(monitorList), context('')).plan(context('')));
  rows = read.ok ? read.value.rows : [];
});

afterAll(async () => {
  await client.close();
  await service.stop();
});

const context = (kind: string) =>
  contextOf({ now: service.now(), offered: (id) => client.offered(id), picked: kind, loaded: () => rows });

/** The initial texts of the form. */
function opens(kind: string) {
  const fields = newAction.form?.(undefined as never, context(kind), undefined) ?? {};
  return { fields, texts: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial])) };
}

/** The definition of the form with its initial texts, or with these. */
function saves(kind: string, typed: Readonly<Record<string, string>> = {}) {
  const { fields, texts } = opens(kind);
  const all = { ...texts, ...typed };
  const values: Record<string, unknown> = {};
  for (const name of shownNames(fields, all)) {
    const read = fields[name]?.read(all[name] ?? '');
    if (!read?.ok) throw new Error(`${kind} ${name}: ${read?.text}`);
    values[name] = read.value;
  }
  return values;
}

const plain = monitorKinds.filter((kind) => kind.id !== 'composite');

describe('a new monitor of each kind', () => {
  test.each(plain.map((kind) => kind.id))('%s: its template has no diagnostics', async (id) => {
    const { fields, texts } = opens(id);
    for (const [name, field] of Object.entries(fields)) {
      const language = await field.language?.();
      expect(language?.check(texts[name] ?? '', texts) ?? []).toEqual([]);
    }
  });

  test.each(plain.map((kind) => kind.id))('%s: the service accepts its template', async (id) => {
    const purpose = { action: 'monitors.create', target: { id: '', name: 'new' } };
    const plan = newAction.send(undefined as never, saves(id), context(id));
    const result = 'endpoint' in plan ? undefined : await client.run(plan, { purpose });
    expect(result).toMatchObject({ ok: true, value: { type: kindBy(id)?.type, overall_state: 'No Data' } });
    if (!result?.ok) throw new Error('the service refused it');
    const receipt = receiptText(newAction.done(undefined as never, saves(id), result.value, context(id)));
    expect(receipt).toMatch(/^Created monitor \d+ .*; No Data yet$/);
  });

  test('each kind has its own name, and each type with a form has a kind', () => {
    expect(new Set(monitorKinds.map((kind) => kind.id)).size).toBe(monitorKinds.length);
    expect(new Set(monitorKinds.map((kind) => kind.title)).size).toBe(monitorKinds.length);
    expect(new Set(monitorKinds.map((kind) => kind.type))).toHaveLength(18);
  });
});

describe('a kind without a form', () => {
  const field = () => opens('other').fields.definition;
  const read = (text: string) => field()?.read(text);
  const said = async (text: string) =>
    (await field()?.language?.())?.check(text, {}).map((diagnostic) => `${diagnostic.verdict} ${diagnostic.message}`);

  test('is edited as JSON, which is sent as typed, unknown members included', () => {
    expect(Object.keys(opens('other').fields)).toEqual(['definition']);
    const json =
      '{"type": "data-jobs alert", "query": "q", "later_x": {"n": 12345678901234567890}, "options": {"a": []}}';
    const values = saves('other', { definition: json });
    const plan = newAction.send(undefined as never, values, contextOf({ picked: 'other' }));
    const { calls } = walk(plan as Plan<Result<unknown>>, () => answered({}));
    expect(calls.map((call) => call.endpoint.id)).toEqual(['monitors.validate', 'monitors.create']);
    for (const call of calls) expect(call.body).toEqual(parseExact(json));
    const refusedBy = {
      kind: 'invalid',
      text: '',
      messages: ["The value provided for parameter 'query' is invalid"],
    } as const;
    expect(newAction.blames?.(refusedBy, values)).toBe('definition');
  });

  test('is invalid without a type and a query, or with an id', async () => {
    expect(read('[]')).toMatchObject({ ok: false, text: 'a definition is an object: {"type": …, "query": …}' });
    expect(read('{"type": "a"}')).toMatchObject({ ok: false, text: 'the definition has no query' });
    expect(read('{"query": "a"}')).toMatchObject({ ok: false, text: 'the definition has no type' });
    expect(read('{"id": 7, "type": "a", "query": "b"}')).toMatchObject({ ok: false, text: 'a new monitor has no id' });
    expect(await said('{"type": "a", ')).toEqual(['wrong this is not JSON: a name in double quotes is missing']);
    expect(await said('{"type": "a"}')).toEqual(['wrong the definition has no query']);
    expect(await said('{"type": "a", "query": "b"}')).toEqual([
      'doubtful nothing is known of the type a, so its query was not checked',
    ]);
  });
});

test('the host check has the name of the vocabulary', () => {
  const opened = openVocabulary('{"values": {"monitors.host_check": {"host.up": "acme.agent.up"}}}');
  if (!opened.ok) throw new Error(opened.faults.join());
  const query = (vocabulary?: Translator) =>
    newAction.form?.(undefined as never, contextOf({ picked: 'host-check', vocabulary }), undefined).query?.initial;
  expect(query(opened.value)).toBe('"acme.agent.up".over("*").by("host").last(3).count_by_status()');
  expect(query()).toBe('"host.up".over("*").by("host").last(3).count_by_status()');
});

test.each([
  ['log', undefined, 'logs of a search; needs an unscoped key'],
  ['log', [], 'logs of a search'],
  ['log', ['monitors_read'], 'logs need a key without scopes; yours has scopes'],
  ['formula-logs', [], 'arithmetic over several counts'],
  ['formula-logs', ['monitors_read'], 'logs need a key without scopes; yours has scopes'],
])('the query of the kind %s, with the scopes %j of the key in use: %s', (picked, scopes, hint) => {
  const ends = { apiKey: '0000', appKey: '1234' };
  const keys = [{ attributes: { last4: '1234', scopes } }, { attributes: { last4: '5678', scopes: ['x'] } }];
  const known = contextOf({ picked, ends, loaded: () => (scopes ? keys : []) });
  expect(newAction.form?.(undefined as never, known, undefined).query?.hint).toBe(hint);
});

test('the description of a kind fits beside its name at 80 columns', () => {
  expect(monitorKinds.filter((kind) => kind.watches.length > 41).map((kind) => kind.title)).toEqual([]);
});
