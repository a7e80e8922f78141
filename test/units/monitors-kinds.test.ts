import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAction } from '../../screens/monitors/definition/make.ts';
import { kindBy, kinds } from '../../screens/monitors/definition/templates.ts';
import { monitorList } from '../../screens/monitors.ts';
import type { Client } from '../../src/client/client.ts';
import { shownNames } from '../../src/describe/field.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { live } from '../support/live.ts';
import { contextOf } from '../support/plans.ts';

let service: Simulator;
let client: Client;
let rows: readonly unknown[] = [];

beforeAll(async () => {
  ({ service, client } = await live());
  const read = await client.run(
    monitorList.load({ search: monitorList.search?.initial ?? {}, range: '' }, context('')).plan(context('')),
  );
  rows = read.ok ? read.value.rows : [];
});

afterAll(async () => {
  await client.close();
  await service.stop();
});

const context = (kind: string) =>
  contextOf({ now: service.now(), offered: (id) => client.offered(id), picked: kind, rows: () => rows });

/** The texts of the form as it opens. */
function opens(kind: string) {
  const fields = newAction.form?.(undefined as never, context(kind), undefined) ?? {};
  return { fields, texts: Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, it.initial])) };
}

/** What the form gives when it is saved as it opens, or with these texts. */
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

const plain = kinds.filter((it) => it.id !== 'composite');

describe('a new monitor of each kind', () => {
  test.each(plain.map((it) => it.id))('%s: nothing is to be said of its template', async (id) => {
    const { fields, texts } = opens(id);
    for (const [name, field] of Object.entries(fields)) {
      const language = await field.language?.();
      expect(language?.check(texts[name] ?? '', texts) ?? []).toEqual([]);
    }
  });

  test.each(plain.map((it) => it.id))('%s: the service takes it as it stands', async (id) => {
    const purpose = { action: 'monitors.new', target: { id: '', name: 'new' } };
    const plan = newAction.send(undefined as never, saves(id), context(id));
    const result = 'endpoint' in plan ? undefined : await client.run(plan, { purpose });
    expect(result).toMatchObject({ ok: true, value: { type: kindBy(id)?.type, overall_state: 'No Data' } });
    const receipt = newAction.done(undefined as never, saves(id), result?.ok && result.value, context(id));
    expect(receipt).toMatch(/^created monitor \d+ .*; No Data yet$/);
  });

  test('the kinds have names of their own, and one for every type that is written here', () => {
    expect(new Set(kinds.map((it) => it.id)).size).toBe(kinds.length);
    expect(new Set(kinds.map((it) => it.title)).size).toBe(kinds.length);
    expect(new Set(kinds.map((it) => it.type))).toHaveLength(17);
  });
});

test('what a kind watches has room beside its name at 80 columns', () => {
  expect(kinds.filter((it) => it.watches.length > 41).map((it) => it.title)).toEqual([]);
});
