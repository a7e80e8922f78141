import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { createOwnKey, listOwnKeys } from '../../src/api/application-keys.ts';
import { createArchive, listArchives } from '../../src/api/archives.ts';
import { type Call, call, isRead, pathNames, rawCall } from '../../src/api/endpoint.ts';
import {
  createProviderA,
  createProviderB,
  filterProviderA,
  listProviderA,
  listProviderB,
  updateProviderB,
} from '../../src/api/integrations.ts';
import { createRole, listPermissions, listRoles } from '../../src/api/roles.ts';
import { createTable, listTables } from '../../src/api/tables.ts';
import type { Translator } from '../../src/api/vocabulary/translator.ts';
import type { Client } from '../../src/client/client.ts';
import { clientAt } from '../support/client-at.ts';
import { inventedWords } from '../support/invented.ts';
import { spoken, wireFaults } from '../support/run-vocabulary.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';
import { type Tap, tap } from '../support/wire-messages.ts';

interface Stage {
  readonly service: Simulator;
  readonly client: Client;
  readonly wire: Tap;
  /** Sends a call and returns the response; throws a problem. */
  send<A>(call: Call<A>): Promise<A>;
  close(): Promise<void>;
}

/** A deployment with a vocabulary, and a client that has this vocabulary or none. */
async function staged(vocabulary: Translator | undefined): Promise<Stage> {
  const service = createSimulator({
    seed: 5,
    monitors: 3,
    issues: 3,
    lively: false,
    rate: 0,
    vocabulary: inventedWords(),
  });
  const { url, apiKey, appKey } = await service.start();
  const wire = tap(url);
  const client = clientAt({ url, apiKey, appKey }, { random: () => 0, vocabulary });
  return {
    service,
    client,
    wire,
    async send(call) {
      const result = await client.send(call);
      if (!result.ok) throw new Error(`${call.endpoint.id}: ${result.problem.text}`);
      return result.value;
    },
    async close() {
      wire.close();
      await client.close();
      await service.stop();
    },
  };
}

describe('a client with the vocabulary', () => {
  const current: { stage?: Stage } = {};
  beforeEach(async () => {
    current.stage = await staged(inventedWords());
  });
  afterEach(() => current.stage?.close());
  const stage = (): Stage => current.stage as Stage;
  const faults = () => stage().wire.messages().flatMap(wireFaults);

  test('sends every list request in the deployment’s words and reads every response', async () => {
    const lists = endpoints.filter(
      (endpoint) => isRead(endpoint) && endpoint.method === 'GET' && pathNames(endpoint.path).length === 0,
    );
    expect(lists.length).toBeGreaterThan(15);
    for (const endpoint of lists) {
      const result = await stage().client.send(
        rawCall(endpoint, {}, endpoint.id === 'monitors.can-delete' ? { monitor_ids: [1] } : {}),
      );
      expect(result.ok || result.problem.status, endpoint.id).not.toBeUndefined();
      if (result.ok) expect(result.unread, endpoint.id).toEqual([]);
    }
    expect(faults()).toEqual([]);
  });

  test('an account of provider_a and its filters', async () => {
    const account = { tenant_name: 'provider_a', client_id: 'tracker a', client_secret: 'secret-of-a-test' };
    await stage().send(call(createProviderA, { body: account }));
    await stage().send(
      call(filterProviderA, { body: { tenant_name: 'provider_a', client_id: 'tracker a', host_filters: 'a:b' } }),
    );
    const accounts = await stage().send(call(listProviderA));
    // Free text is not translated, even when it equals an identifier.
    expect(accounts.find((account) => account.tenant_name === 'provider_a')).toMatchObject({
      client_id: 'tracker a',
      host_filters: 'a:b',
    });
    const [sent] = stage().service.received('POST', 'host_filters');
    expect(sent).toMatchObject({
      path: '/api/v1/integration/provider_a/host_filters',
      operation: 'integrations.filter-a',
    });
    expect(
      stage()
        .wire.messages()
        .some((message) => message.line === 'POST /api/v1/integration/nimbalor/host_filters'),
    ).toBe(true);
  });

  test('an account of provider_b, and what it watches', async () => {
    const monitored = [{ type: 'vm_instance', filters: ['env:prod'] }];
    const attributes = { client_email: 'x@example.test', monitored_resource_configs: monitored };
    const created = await stage().send(
      call(createProviderB, { body: { data: { type: 'provider_b_service_account', attributes } } }),
    );
    expect(created.data).toMatchObject({
      type: 'provider_b_service_account',
      attributes: { monitored_resource_configs: monitored },
    });
    const account_id = String(created.data?.id);
    const edit = { type: 'provider_b_service_account' as const, attributes: { automute: true } };
    await stage().send(call(updateProviderB, { account_id, body: { data: edit } }));
    const all = await stage().send(call(listProviderB));
    expect(all.data.find((entry) => entry.id === account_id)?.attributes).toMatchObject({
      automute: true,
      host_filters: ['env:prod'],
    });
    const wire = stage()
      .wire.messages()
      .map((message) => message.body)
      .join('\n');
    expect(wire).toContain('"type":"cumulex_engine"');
    expect(wire).toContain('"type":"cumulex_service_account"');
    expect(faults()).toEqual([]);
  });

  test('a table from storage, an archive, a role that inherits, a key with scopes', async () => {
    await stage().send(
      call(createTable, {
        body: {
          data: {
            type: 'reference_table',
            attributes: {
              table_name: 'routes',
              schema: { fields: [{ name: 'id', type: 'STRING' }], primary_keys: ['id'] },
              source: 'PROVIDER_C',
              file_metadata: {
                access_details: {
                  provider_c_detail: { provider_c_account_id: '1', provider_c_bucket_name: 'b', file_path: 'f.csv' },
                },
                sync_enabled: true,
              },
            },
          },
        },
      }),
    );
    const tables = await stage().send(call(listTables, { query: { 'filter[table_name][exact]': 'routes' } }));
    expect(tables.data[0]?.attributes).toMatchObject({
      source: 'PROVIDER_C',
      file_metadata: { access_details: { provider_c_detail: { provider_c_bucket_name: 'b' } } },
    });

    const destination = {
      type: 'provider_c' as const,
      bucket: 'b',
      integration: { account_id: '1', role_name: 'r' },
      encryption: { type: 'SSE_PROVIDER_C' },
    };
    await stage().send(
      call(createArchive, {
        body: { data: { type: 'archives', attributes: { name: 'web', query: '*', destination } } },
      }),
    );
    const archives = await stage().send(call(listArchives));
    expect(archives.data.find((entry) => entry.attributes?.name === 'web')?.attributes?.destination).toMatchObject(
      destination,
    );

    const inherits = { name: 'night', receives_permissions_from: ['Zephyrine Standard Role'] };
    await stage().send(call(createRole, { body: { data: { type: 'roles', attributes: inherits } } }));
    const roles = await stage().send(call(listRoles, { query: { 'page[size]': 100 } }));
    expect(roles.data.map((entry) => entry.attributes?.name)).toEqual(
      expect.arrayContaining(['Zephyrine Admin Role', 'night']),
    );
    expect(roles.data.find((entry) => entry.attributes?.name === 'night')?.attributes).toMatchObject(inherits);

    const scopes = ['nimbalor_configuration_read', 'monitors_read'];
    const key = { data: { type: 'application_keys' as const, attributes: { name: 'provider_a reader', scopes } } };
    expect((await stage().send(call(createOwnKey, { body: key }))).data?.attributes).toMatchObject({ scopes });
    expect((await stage().send(call(listOwnKeys))).data.map((entry) => entry.attributes?.scopes)).toContainEqual(
      scopes,
    );
    expect((await stage().send(call(listPermissions))).data.map((entry) => entry.attributes?.name)).toContain(
      'cumulex_configuration_edit',
    );

    const wire = stage()
      .wire.messages()
      .map((message) => message.body)
      .join('\n');
    for (const word of ['STRATOVAR_BUCKET', 'stratovar_detail', 'SSE_STRATOKEEP', 'Zephyrine Standard Role'])
      expect(wire).toContain(word);
    expect(wire).toContain('nimbalor_configuration_read');
    expect(faults()).toEqual([]);
  });

  test('a refusal keeps the words of the service and names missing permissions in them', async () => {
    stage().service.refuses(403, { body: { errors: ['nimbalor_configuration_read is missing: permission'] } });
    const result = await stage().client.send(call(listProviderA));
    expect(result).toMatchObject({
      ok: false,
      problem: {
        kind: 'forbidden',
        messages: ['nimbalor_configuration_read is missing: permission'],
        text: expect.stringContaining('your keys or role lack nimbalor_configuration_read'),
        permission: ['nimbalor_configuration_read'],
      },
    });
  });
});

test('the test detects a client without the vocabulary', async () => {
  const { client, wire, service, close } = await staged(undefined);
  const listening = spoken(client.origin, inventedWords());
  const result = await client.send(call(listProviderA));
  expect(result).toMatchObject({ ok: false, problem: { kind: 'notFound' } });
  expect(wire.messages().flatMap(wireFaults)).toEqual([
    'the client wrote a neutral word: header service-api-key',
    'the client wrote a neutral word: header service-application-key',
    'the client wrote a neutral word: GET /api/v1/integration/provider_a',
  ]);
  expect(listening.check).toThrow('neutral word');
  listening.close();
  expect(service.received()).toHaveLength(1);
  await close();
});

test('the test detects neutral words in member names and values, and ignores sentences', () => {
  const faults = (body: unknown) =>
    wireFaults({ from: 'service', line: '200 to GET /x', headers: {}, body: JSON.stringify(body) }).length;
  expect(faults({ a: [{ provider_a_id: 1 }] })).toBe(1);
  expect(faults({ source: 'PROVIDER_C' })).toBe(1);
  expect(faults({ name: 'Service Admin Role' })).toBe(1);
  expect(faults({ text: 'an account of provider_a' })).toBe(0);
  expect(faults({ text: 'provider_account' })).toBe(0);
});
