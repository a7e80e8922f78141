import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { createOwnKey, listOwnKeys } from '../../src/api/application-keys.ts';
import { createArchive } from '../../src/api/archives.ts';
import { fields, resource, searchTerms, text } from '../../src/api/envelope.ts';
import { issueCase, searchIssues } from '../../src/api/error-tracking.ts';
import {
  createProviderA,
  createProviderB,
  filterProviderA,
  listProviderA,
  updateProviderB,
} from '../../src/api/integrations.ts';
import { hostCheck } from '../../src/api/monitor-schema.ts';
import { listPermissions, listRoles, updateRole } from '../../src/api/roles.ts';
import { createTable, readRows } from '../../src/api/tables.ts';
import { listUsers } from '../../src/api/users.ts';
import { buildContract, contract } from '../../src/api/vocabulary/contract.ts';
import { collisions, translationReport } from '../../src/api/vocabulary/translation-report.ts';
import { createTranslator, type Translator } from '../../src/api/vocabulary/translator.ts';
import { openVocabulary, readVocabulary } from '../../src/api/vocabulary/vocabulary-file.ts';
import { createMachine } from '../support/commands.ts';
import { invented } from '../support/invented.ts';

/** The example of the documentation. */
const example = {
  service: 'ACME',
  roles: 'Acme',
  words: {
    provider_a: 'nimbus',
    provider_b: 'cumulus',
    provider_c: 'stratus',
    tracker_a: 'ticketer',
    tracker_b: 'desk',
  },
  values: {
    'archives.destination.type': { provider_b: 'cumulus_storage' },
    'tables.source': { PROVIDER_C: 'STRATUS_BUCKET' },
  },
};
let words: Translator;
beforeEach(() => {
  words = createTranslator(example);
});

describe('a vocabulary replaces', () => {
  test('the prefix of the key headers', () => {
    expect(words.headers).toEqual({ apiKey: 'ACME-API-KEY', appKey: 'ACME-APPLICATION-KEY' });
  });

  test('segments of paths, not parameter values', () => {
    expect(words.path(filterProviderA)).toBe('/api/v1/integration/nimbus/host_filters');
    expect(words.path(updateProviderB)).toBe('/api/v2/integration/cumulus/accounts/{account_id}');
    expect(words.path(readRows)).toBe(readRows.path);
  });

  test('names of members and enum words, in either case; names and queries stay', () => {
    const attributes = {
      table_name: 'provider_a',
      source: 'PROVIDER_A',
      description: 'from PROVIDER_A',
      schema: { fields: [{ name: 'provider_a_id', type: 'STRING' }], primary_keys: ['provider_a_id'] },
      file_metadata: {
        access_details: { provider_a_detail: { provider_a_client_id: 'provider_a', file_path: '/provider_a' } },
        sync_enabled: true,
      },
    };
    expect(words.out.body(createTable, { data: { type: 'reference_table', attributes } })).toEqual({
      data: {
        type: 'reference_table',
        attributes: {
          ...attributes,
          source: 'NIMBUS',
          file_metadata: {
            access_details: { nimbus_detail: { nimbus_client_id: 'provider_a', file_path: '/provider_a' } },
            sync_enabled: true,
          },
        },
      },
    });
  });

  test('the type of a resource object', () => {
    const sent = { data: { type: 'provider_b_service_account', attributes: { client_email: 'x@y.test' } } };
    expect(words.out.body(createProviderB, sent)).toMatchObject({ data: { type: 'cumulus_service_account' } });
  });

  test('exceptions at their position only, in requests and responses', () => {
    const archive = (type: string) => ({
      data: { type: 'archives', attributes: { name: 'provider_b', query: '*', destination: { type, bucket: 'b' } } },
    });
    expect(words.out.body(createArchive, archive('provider_b'))).toEqual(archive('cumulus_storage'));
    expect(words.out.body(createArchive, archive('provider_c'))).toEqual(archive('stratus'));
    expect(words.back.answer(createArchive, archive('cumulus_storage'))).toEqual(archive('provider_b'));
    const table = (source: string) => ({ data: { attributes: { source } } });
    expect(words.out.body(createTable, table('PROVIDER_C'))).toEqual(table('STRATUS_BUCKET'));
    expect(words.out.body(createTable, table('LOCAL_FILE'))).toEqual(table('LOCAL_FILE'));
  });

  test('names of permissions as scopes and in the catalog, also in included resources', () => {
    const key = (scope: string) => ({
      data: { type: 'application_keys', attributes: { name: scope, scopes: [scope] } },
    });
    const { out, back } = words.deployment;
    expect(out.body(createOwnKey, key('provider_a_configuration_read'))).toEqual({
      data: {
        type: 'application_keys',
        attributes: { name: 'provider_a_configuration_read', scopes: ['nimbus_configuration_read'] },
      },
    });
    const seen = {
      type: 'permissions',
      id: 'p',
      attributes: { name: 'cumulus_configuration_edit', description: 'cumulus_x' },
    };
    const known = { ...seen, attributes: { name: 'provider_b_configuration_edit', description: 'cumulus_x' } };
    expect(back.answer(listPermissions, { data: [seen] })).toEqual({ data: [known] });
    expect(back.answer(listUsers, { data: [], included: [seen] })).toEqual({ data: [], included: [known] });
    expect(back.answer(listOwnKeys, { data: [], included: [seen] })).toEqual({ data: [], included: [known] });
  });

  test('names and words of a query, joined or in a list; other values stay', () => {
    const entries = { provider_a_id: text, kind: searchTerms('provider_a'), kinds: v.array(searchTerms('provider_b')) };
    const endpoint = { ...listProviderA, query: v.object(entries) };
    const sent = { provider_a_id: 'provider_a', kind: 'provider_a', kinds: 'provider_b,x', page: 3 };
    const wired = { nimbus_id: 'provider_a', kind: 'nimbus', kinds: 'cumulus,x', page: 3 };
    expect(words.out.query(endpoint, sent)).toEqual(wired);
    expect(words.back.query(endpoint, wired)).toEqual(sent);
    expect(words.out.query(endpoint, { kinds: ['provider_b', 'x', 7] })).toEqual({ kinds: ['cumulus', 'x', 7] });
    expect(words.out.queryName(endpoint, 'provider_a_id')).toBe('nimbus_id');
  });

  test('no names that a service or a person writes, in both directions', () => {
    const seen = { data: [{ type: 'permissions', id: 'p', attributes: { name: 'cumulus_configuration_edit' } }] };
    expect(words.back.answer(listPermissions, seen)).toEqual(seen);
    const typed = {
      data: { type: 'application_keys', attributes: { name: 'k', scopes: ['nimbus_configuration_read'] } },
    };
    expect(words.out.body(createOwnKey, typed)).toEqual(typed);
    expect(words.permission('provider_a_configuration_read')).toBe('nimbus_configuration_read');
  });

  test('managed roles by their first word; other names of roles stay', () => {
    expect(words.role('Service Read Only Role')).toBe('Acme Read Only Role');
    expect(words.role('Services of the night')).toBe('Services of the night');
    const answer = { data: [{ type: 'roles', attributes: { name: 'Acme Admin Role' } }] };
    expect(words.back.answer(listRoles, answer)).toEqual(answer);
    expect(words.deployment.back.answer(listRoles, answer)).toEqual(answer);
    const sent = {
      data: { id: 'r', type: 'roles', attributes: { receives_permissions_from: ['Acme Read Only Role'] } },
    };
    expect(words.out.body(updateRole, sent)).toEqual(sent);
  });

  test('words in sentences of this program, by labels where there are any', () => {
    const { says } = createTranslator({ ...example, labels: { provider_a: 'Nimbus Cloud' } });
    expect(says('no account of provider_a, see provider_b v2')).toBe('no account of Nimbus Cloud, see cumulus v2');
    expect(says('provider_account, provider_a_id')).toBe('provider_account, provider_a_id');
  });

  test('words in the included resources of an issue', () => {
    const answer = (issue: string, ticket: string) => ({
      data: [],
      included: [
        {
          type: 'case',
          id: 'c',
          attributes: { title: 'desk', [issue]: { status: 'DONE' }, [ticket]: { result: null } },
        },
      ],
    });
    expect(words.back.answer(searchIssues, answer('ticketer_issue', 'desk_ticket'))).toEqual(
      answer('tracker_a_issue', 'tracker_b_ticket'),
    );
  });

  test('the kind of an included resource, which says what its members hold', () => {
    const answer = (kind: string, resource: string) => ({
      data: [],
      included: [
        {
          type: kind,
          id: 'a',
          attributes: {
            client_email: 'cumulus',
            monitored_resource_configs: [{ type: resource, filters: ['cumulus'] }],
          },
        },
      ],
    });
    const [theirs, neutral] = [
      answer('cumulus_service_account', 'cumulus_run'),
      answer('provider_b_service_account', 'provider_b_run'),
    ];
    expect(words.back.answer(listUsers, theirs)).toEqual(neutral);
    expect(words.out.answer(listUsers, neutral)).toEqual(theirs);
  });

  test('names of unknown members, not their values', () => {
    const seen = [{ tenant_name: 't', nimbus_extra: { nimbus_id: 'nimbus' }, strange: ['nimbus'] }];
    const read = [{ tenant_name: 't', provider_a_extra: { nimbus_id: 'nimbus' }, strange: ['nimbus'] }];
    expect(words.back.answer(listProviderA, seen)).toEqual(read);
    expect(words.out.answer(listProviderA, read)).toEqual(seen);
  });

  test('no columns of a table, which users name', () => {
    const rows = { data: [{ type: 'row', id: '1', attributes: { values: { nimbus_id: 'nimbus', provider_a: 'x' } } }] };
    expect(words.back.answer(readRows, rows)).toEqual(rows);
  });

  test('no part of a longer identifier', () => {
    const account = { provider_account: 1, providers: 2, my_provider_a: 3, PROVIDER_A: 4 };
    expect(words.out.body(createProviderA, account)).toEqual({
      provider_account: 1,
      providers: 2,
      my_nimbus: 3,
      NIMBUS: 4,
    });
  });

  test('no texts of errors', () => {
    const refusal = { errors: ['Forbidden', 'nimbus_configuration_read is missing'] };
    expect(words.back.answer(listRoles, refusal)).toEqual(refusal);
  });
});

describe('an invalid vocabulary', () => {
  const faults = (given: unknown): readonly string[] => {
    const read = readVocabulary(given);
    return read.ok ? [] : read.faults;
  };

  test.each<[string, unknown, string]>([
    ['no object', 'x', 'a vocabulary is an object with some of service, roles, words, values'],
    ['a list', [], 'a vocabulary is an object'],
    ['a section that is a list', { words: [] }, 'words: must be an object'],
    ['labels that are a list', { labels: [] }, 'labels: must be an object'],
    [
      'a label for an unknown word',
      { labels: { provider_d: 'X' } },
      'labels: "provider_d" is not a word that can be replaced',
    ],
    ['a label with an escape', { labels: { provider_a: '\u001b[31m' } }, 'labels: provider_a: "?[31m" is not a name'],
    ['a place that is a list', { values: { 'tables.source': [] } }, 'values: tables.source: must be an object'],
    ['a section that is none', { word: {} }, '"word" is not known: a vocabulary has service, roles, words, values'],
    [
      'an unknown word',
      { words: { provider_d: 'x' } },
      'words: "provider_d" is not a word that can be replaced: there are provider_a,',
    ],
    ['an empty word', { words: { provider_a: '' } }, 'words: provider_a: it is empty'],
    ['a word with capitals', { words: { provider_a: 'Nimbus' } }, 'words: provider_a: "Nimbus" is not an identifier'],
    ['a word with a space', { words: { provider_a: 'nim bus' } }, 'words: provider_a: "nim bus" is not an identifier'],
    ['a word that climbs', { words: { provider_a: '../x' } }, 'words: provider_a: "../x" is not an identifier'],
    ['a word that is a number', { words: { provider_a: 7 } }, 'words: provider_a: it is not a text'],
    ['a word without end', { words: { provider_a: 'x'.repeat(61) } }, 'is longer than 60 letters'],
    [
      'an unknown place',
      { values: { 'tables.color': {} } },
      'there are integrations.monitored_resource_configs.type, tables.source,',
    ],
    [
      'an unknown value',
      { values: { 'tables.source': { S4: 'x' } } },
      'values: tables.source: "S4" is not known there: there are LOCAL_FILE,',
    ],
    [
      'a value with a line break',
      { values: { 'tables.source': { PROVIDER_A: 'a\nb' } } },
      '"a?b" is not an identifier',
    ],
    ['a prefix that is none', { service: 'A B' }, 'service: "A B" cannot begin the name of a header'],
    ['a name with an escape', { roles: '\u001b[31m' }, 'roles: "?[31m" is not a name'],
    [
      'one word for two',
      { words: { provider_a: 'sky', provider_b: 'sky' } },
      'words: provider_a and provider_b would both be sky',
    ],
    [
      'a neutral word',
      { words: { provider_a: 'tracker_a' } },
      'words: provider_a would be tracker_a, which is a neutral word itself',
    ],
    [
      'words within words',
      { words: { provider_a: 'sky', provider_b: 'sky_blue' } },
      'sky of provider_a and sky_blue of provider_b share a piece',
    ],
    [
      'words within words that are given to others',
      { words: { provider_a: 'tracker_a', provider_b: 'tracker' } },
      'words: tracker_a and tracker of provider_b share a piece',
    ],
    [
      'a piece of a neutral word',
      { words: { tracker_a: 'provider' } },
      'provider_a and provider of tracker_a share a piece',
    ],
    ['a word in itself', { words: { tracker_a: 'do_re_do' } }, 'do_re_do of tracker_a ends as it begins'],
  ])('%s gives one message', (_, given, sentence) => {
    expect(faults(given).join('\n')).toContain(sentence);
    expect(faults(given).every((fault) => !/[\n\u001b]/.test(fault))).toBe(true);
  });

  test('every invalid entry is reported, not only the first', () => {
    expect(faults({ service: '', words: { provider_a: '', tracker_b: 'X' }, more: 1 })).toHaveLength(4);
  });

  test('the contract marks every position of a name, with the same words everywhere', () => {
    expect(Object.fromEntries(contract.places)).toEqual({
      'archives.destination.encryption.type': ['NO_OVERRIDE', 'SSE_PROVIDER_C', 'SSE_KMS'],
      'archives.destination.type': ['provider_a', 'provider_b', 'provider_c'],
      'integrations.monitored_resource_configs.type': ['vm_instance', 'cloud_run_revision', 'cloud_function'],
      'monitors.host_check': ['host.up'],
      'tables.source': ['LOCAL_FILE', 'PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'],
    });
  });
});

describe('words that collide', () => {
  test('neither the specification nor the example has any', () => {
    expect(collisions({})).toEqual([]);
    expect(collisions(example)).toEqual([]);
  });

  test('two words of one position', () => {
    expect(collisions({ values: { 'tables.source': { PROVIDER_A: 'LOCAL_FILE' } } })).toEqual([
      'LOCAL_FILE and PROVIDER_A would both be LOCAL_FILE: values of tables.source',
    ]);
    expect(collisions({ words: { provider_c: 's3' }, values: { 'tables.source': { PROVIDER_B: 'S3' } } })).toHaveLength(
      1,
    );
  });

  test('two members of one object, two operations, two permissions', () => {
    const one = { ...listProviderA, response: v.array(fields({ provider_a_id: text, nimbus_id: text })) };
    const other = {
      ...listProviderA,
      id: 'integrations.list-other',
      path: '/api/v1/integration/nimbus',
      permission: ['nimbus_configuration_read'],
    };
    expect(collisions(example, buildContract([one, other], []))).toEqual([
      'provider_a_id and nimbus_id would both be nimbus_id: integrations.list-a, answer',
      'provider_a_configuration_read and nimbus_configuration_read would both be nimbus_configuration_read: permissions',
      'GET /api/v1/integration/provider_a and GET /api/v1/integration/nimbus would both be GET /api/v1/integration/nimbus: operations',
    ]);
    const alone = resource('account', { provider_a_id: text, nimbus_id: text });
    expect(collisions(example, buildContract([], [alone]))).toEqual([
      'provider_a_id and nimbus_id would both be nimbus_id: included account, attributes',
    ]);
  });

  test.each(['{"values":{"tables.source":{"PROVIDER_A":"LOCAL_FILE"}}}', '{"words":'])('%s is not used', (text) =>
    expect(openVocabulary(text)).toMatchObject({ ok: false, faults: [expect.any(String)] }),
  );
});

describe('orgdeck vocabulary check', () => {
  const run = async (given: unknown, ...more: readonly string[]) => {
    const machine = createMachine();
    const path = join(machine.directory, 'words.json');
    writeFileSync(path, JSON.stringify(given));
    return machine.orgdeck(['vocabulary', 'check', path, ...more]);
  };

  test('prints every change of every operation', async () => {
    const { exit, out, err } = await run(invented);
    expect([exit, err]).toEqual([0, '']);
    await expect(out).toMatchFileSnapshot('../support/stored/vocabulary.txt');
    const asJson = await run(invented, '--json');
    const report = translationReport(invented, buildContract(endpoints, [issueCase, hostCheck]));
    expect([asJson.exit, JSON.parse(asJson.out)]).toEqual([0, { faults: [], ...report }]);
    expect(report.operations.map(({ id }) => id)).toEqual(endpoints.map(({ id }) => id));
    const [accounts] = report.operations.filter(({ id }) => id === listProviderA.id);
    expect(accounts?.permission).toEqual([
      { from: 'provider_a_configuration_read', to: 'nimbalor_configuration_read' },
    ]);
  });

  test('ends with 1 where words meet or an entry is wrong, and says nothing else of a wrong one', async () => {
    const meeting = { values: { 'tables.source': { PROVIDER_A: 'LOCAL_FILE' } } };
    const [met] = collisions(meeting);
    expect(await run(meeting)).toMatchObject({ exit: 1, err: `${met}\n`, out: expect.stringContaining('LOCAL_FILE') });
    expect(JSON.parse((await run(meeting, '--json')).out)).toMatchObject({ faults: [], collisions: [met] });
    const faults = ['"word" is not known: a vocabulary has service, roles, words, values, labels'];
    expect(await run({ word: {} })).toEqual({ exit: 1, out: '', err: `${faults}\n` });
    const asJson = await run({ word: {} }, '--json');
    expect([asJson.exit, JSON.parse(asJson.out)]).toEqual([1, { faults }]);
  });
});
