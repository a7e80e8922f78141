import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterField, filterText, pairId, parsePair } from '../../screens/integrations/fields.ts';
import { faultSaid, health, hostsText } from '../../screens/integrations/lines.ts';
import {
  type AccountRowA,
  accountKindA,
  accountsA,
  comparableA,
  editActionA,
  newActionA,
} from '../../screens/integrations/provider-a.ts';
import {
  type AccountRowB,
  accountKindB,
  accountsB,
  editActionB,
  emailIn,
} from '../../screens/integrations/provider-b.ts';
import {
  type AccountRowBV1,
  accountKindBV1,
  accountsBV1,
  editActionBV1,
  keyFileField,
} from '../../screens/integrations/provider-b-v1.ts';
import {
  listProviderA,
  listProviderB,
  listProviderBV1,
  providerAAccount,
  providerBAccount,
  providerBServiceAccount,
} from '../../src/api/integrations.ts';
import { read } from '../../src/client/read-response.ts';
import { type Action, commandLine } from '../../src/describe/action.ts';
import { receiptText, toReceipt } from '../../src/describe/receipt.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { arbitrary } from '../support/arbitrary.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const everything = { search: {}, range: '' };
type Loose = Record<string, unknown>;
const text = fc.string({ minLength: 1, maxLength: 6 });
const fill = { text, identifier: text, name: fc.stringMatching(/^[a-z]{3,8}_x$/) };

test('hosts read alike in lists and details, told as a text with commas or as a list', () => {
  const told = ['env:prod,tier:1', ' env:prod , tier:1', ['env:prod', 'tier:1'], '', [], null, undefined];
  expect(told.map(hostsText)).toEqual([...Array(3).fill('env:prod, tier:1'), ...Array(4).fill(undefined)]);
});

describe('provider_a', () => {
  type EditValues = Parameters<typeof editActionA.send>[1];
  const shop = {
    tenant_name: 'shop',
    client_id: 'c',
    host_filters: 'env:prod',
    automute: false,
    later_x: [1],
    errors: [],
  };
  const loaded = (accounts: unknown, unread: readonly string[] = []) =>
    walk(accountKindA.load(everything).plan(context), () => answered(accounts, unread)).value;
  const rowOf = (attributes: Loose = shop): AccountRowA => there(accountKindA.row({ attributes }));
  const fieldsOf = (attributes?: Loose) => there(editActionA.form?.(rowOf(attributes), context, undefined));

  /** Runs an edit with these responses of the list; the last one repeats. */
  function edited(values: EditValues, row: AccountRowA, ...looks: readonly Loose[][]) {
    let look = 0;
    const done = acted(editActionA, row, values, (call) =>
      call.endpoint.id === 'integrations.list-a' ? answered(looks[Math.min(look++, looks.length - 1)]) : answered({}),
    );
    const [sent] = done.calls.filter((call) => call.endpoint.id === 'integrations.update-a');
    return { ...done, sent: sent?.body as Loose | undefined };
  }

  test('an edit of any account changes one field and sends all that was read, unknown fields included', () => {
    let count = 0;
    fc.assert(
      fc.property(arbitrary(providerAAccount, fill), (given) => {
        const wire = { ...(structuredClone(given) as Loose), tenant_name: 't', client_id: 'c' };
        const seen = read(listProviderA.response, [wire], true);
        if (!seen.ok || seen.unread.length > 0) return;
        const all = loaded(structuredClone(seen.value));
        if (!all.ok) throw new Error(all.problem.text);
        const row = there(all.value.rows[0]);
        const now = row.attributes as Loose;
        if (now.cspm_enabled === true && now.resource_collection_enabled === false) return;
        const { sent } = edited({ hosts: 'env:new' }, row, structuredClone(seen.value) as Loose[]);
        const { errors: _, warnings: __, new_tenant_name: ___, new_client_id: ____, ...others } = now;
        const known = Object.fromEntries(Object.entries(others).filter(([, value]) => value != null));
        expect(sent).toEqual({ ...known, host_filters: 'env:new' });
        count += 1;
      }),
      { numRuns: runs(300) },
    );
    expect(count).toBeGreaterThan(50);
  });

  test('each pair has its own id, which gives the pair back; a pair that is listed twice is one row', () => {
    expect(pairId('a b', 'c')).not.toBe(pairId('a', 'b c'));
    expect(pairId('a%20b', 'c')).not.toBe(pairId('a b', 'c'));
    const part = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(part, part, part, part, (one, two, three, four) => {
        if (one !== three || two !== four) expect(pairId(one, two)).not.toBe(pairId(three, four));
        if (one || two) expect(parsePair(pairId(one, two))).toEqual([one, two]);
      }),
    );
    const twice = loaded([shop, { ...shop, automute: true }, { ...shop, client_id: 'd' }]);
    expect(twice.ok && twice.value.rows.map((row) => row.id)).toEqual(['shop c', 'shop d']);
  });

  test('a resource provider that is typed as it is stored stays as it is', () => {
    const stored = [{ namespace: 'ns.one' }, { namespace: 'ns two', metrics_enabled: false }];
    const { providers } = fieldsOf({ ...shop, resource_provider_configs: stored });
    expect(providers?.read('ns.one, ns two off, ns.three off')).toEqual({
      ok: true,
      value: [...stored, { namespace: 'ns.three', metrics_enabled: false }],
    });
  });

  test('an edit keeps the changes of others', () => {
    const theirs = { ...shop, automute: true, later_x: [2] };
    expect(edited({ hosts: 'env:new' }, rowOf(), [theirs]).sent).toMatchObject({ automute: true, later_x: [2] });
    expect(edited({ automute: true }, rowOf(), [theirs]).calls).toHaveLength(3);
  });

  const onlyResources = { ...shop, resource_collection_enabled: false };
  test.each<[string, EditValues, Loose, Loose[], Loose]>([
    [
      'the same setting changed twice',
      { hosts: 'env:new' },
      shop,
      [{ ...shop, host_filters: 'env:theirs' }],
      { kind: 'conflict', text: expect.stringContaining('someone else changed the hosts of shop') },
    ],
    ['an account that is gone', { hosts: 'env:new' }, shop, [], { kind: 'notFound' }],
    [
      'a pair that another account has',
      { client: 'd' },
      shop,
      [shop, { ...shop, client_id: 'd' }],
      { kind: 'conflict', text: expect.stringContaining('already exists') },
    ],
    [
      'scanning where resources are told to be off',
      { posture: true },
      onlyResources,
      [onlyResources],
      { kind: 'invalid', text: expect.stringContaining('requires resource collection') },
    ],
  ])('is not sent: %s', (_, values, row, list, problem) => {
    const { value, sent } = edited(values, rowOf(row), list);
    expect(value).toMatchObject({ ok: false, problem });
    expect(sent).toBeUndefined();
  });

  test.each<[string, boolean]>([
    ['[0].metrics_enabled: expected true or false', false],
    ['[0].errors[0]: expected a text', true],
    ['[1].metrics_enabled: expected true or false', true],
  ])('an account with an unread part is not sent as a whole: %s', (unread, isSent) => {
    const { value } = acted(editActionA, rowOf(), { hosts: 'a:b' }, () => answered([shop], [unread]));
    expect(value).toMatchObject(isSent ? { ok: true } : { problem: { kind: 'unreadable' } });
  });

  test('undo restores the changed settings under the new identity, and keeps changes of others', () => {
    const renamed = { ...shop, tenant_name: 'new', host_filters: 'env:new', automute: true };
    const { sent, back, made } = edited({ tenant: 'new', hosts: 'env:new' }, rowOf(), [shop], [shop], [renamed]);
    expect(sent).toMatchObject({ tenant_name: 'shop', new_tenant_name: 'new', client_id: 'c' });
    expect(made()?.id).toBe('new c');
    const before = { new_tenant_name: 'shop', host_filters: 'env:prod', automute: true, later_x: [1] };
    expect(back().map(({ body }) => body)).toEqual([{ tenant_name: 'new', client_id: 'c', ...before }]);
  });

  test.each<EditValues>([{ secret: 'x' }, { excluded: ['ns.one'] }])(
    'a write-only setting has no undo, so its edit asks: %o',
    (values) => {
      const { sent, back } = edited(values, rowOf(), [shop]);
      expect(sent).toMatchObject(
        values.secret
          ? { client_secret: 'x' }
          : { metrics_config: { excluded_resource_providers: values.excluded as string[] } },
      );
      expect(back()).toEqual([]);
      expect(editActionA.confirm?.([rowOf()], values, context)?.question).toMatch(/cannot be (restored|undone)/);
    },
  );

  describe('providers without metrics', () => {
    const stored = { ...shop, metrics_config: { excluded_resource_providers: ['ns.one', 'ns.two'], later_y: 1 } };
    const fewer = { ...stored, metrics_config: { excluded_resource_providers: ['ns.two'], later_y: 1 } };

    test('are edited from the current value, keep unknown members, and can be undone', () => {
      const field = there(fieldsOf(stored).excluded);
      expect(field.initial).toBe('ns.one, ns.two');
      expect(field.read(field.initial)).toEqual({ ok: true, value: undefined });
      const { sent, back } = edited({ excluded: ['ns.two'] }, rowOf(stored), [stored], [fewer]);
      expect(sent).toMatchObject({ metrics_config: fewer.metrics_config });
      expect(back()[0]?.body).toMatchObject({ metrics_config: stored.metrics_config });
      expect(editActionA.confirm?.([rowOf(stored)], { excluded: ['ns.two'] }, context)).toBeUndefined();
    });

    test('a receipt has what the service kept of them as the field has it', () => {
      expect(edited({ excluded: ['ns.two'] }, rowOf(stored), [stored], [stored]).says()).toContain(
        'the service reports exclude metrics from ns.one, ns.two',
      );
    });

    test('are a set: an empty one is sent as such, and additions by others stay', () => {
      expect(edited({ excluded: [] }, rowOf(stored), [stored]).sent).toMatchObject({
        metrics_config: { excluded_resource_providers: [], later_y: 1 },
      });
      const theirs = { ...stored, metrics_config: { excluded_resource_providers: ['ns.one', 'ns.three'] } };
      expect(edited({ excluded: ['ns.two'] }, rowOf(stored), [theirs]).sent).toMatchObject({
        metrics_config: { excluded_resource_providers: ['ns.three'] },
      });
    });

    test('are in the detail; where the response omits them, an empty field keeps them', () => {
      const account = accountsA.detail?.sections(rowOf(stored), undefined, context).find(({ id }) => id === 'account');
      expect(account).toMatchObject({
        lines: expect.arrayContaining([
          expect.objectContaining({ label: 'Exclude metrics from', value: 'ns.one, ns.two' }),
        ]),
      });
      const field = there(fieldsOf().excluded);
      expect([field.initial, field.read('')]).toEqual(['', { ok: true, value: undefined }]);
      expect(field.hint).toContain('empty keeps those');
    });
  });

  test('secretless authentication needs a secret when it ends; else an empty secret keeps the old one', () => {
    expect(fieldsOf({ ...shop, secretless_auth_enabled: true }).secret?.read('').ok).toBe(false);
    expect(fieldsOf(shop).secret?.read('')).toEqual({ ok: true, value: undefined });
    expect(fieldsOf(shop).secret?.shown?.({ secretless: 'yes' })).toBe(false);
  });

  test('no copied command contains a secret', () => {
    const command = (values: EditValues) => commandLine(editActionA.command?.(rowOf(), values, context) ?? '', context);
    expect(command({ secret: 'hush-hush' })).toBe('orgdeck call integrations.update-a --body -');
    expect(command({ hosts: 'a:b' })).toContain('"host_filters":"a:b"');
  });

  describe('a create', () => {
    const values = { tenant: 'shop', client: 'c', secret: 'x' };
    const created = (...looks: ReturnType<typeof answered>[]) => {
      let look = 0;
      const done = acted(newActionA, rowOf(), values, (call) =>
        call.endpoint.id === 'integrations.list-a' ? there(looks[look++]) : answered({}),
      );
      return { ...done, sent: done.calls.find((call) => call.endpoint.id === 'integrations.create-a')?.body };
    };
    const forbidden = refused('forbidden', 'no', 403);

    test('sends the secret once and omits empty fields', () => {
      const { sent, says } = created(answered([]), answered([shop]));
      expect(sent).toEqual({ tenant_name: 'shop', client_id: 'c', client_secret: 'x' });
      expect(says()).toContain('Added shop; the service will check the credentials');
    });

    test('is undone by the identity that was sent, whether or not it can be read afterward', () => {
      const body = { tenant_name: 'shop', client_id: 'c' };
      for (const after of [answered([shop]), answered([]), refused('unreachable', 'away')])
        expect(created(answered([]), after).back()).toMatchObject([
          { endpoint: { id: 'integrations.delete-a' }, body },
        ]);
      expect(created(answered([]), forbidden).says()).toContain('the response does not show the result');
    });

    test.each([forbidden, refused('notOffered', 'no', 501), refused('notFound', 'no', 404)])(
      'is sent without the permission to read, and then has no undo: %o',
      (blind) => {
        const { sent, back, says } = created(blind, answered([shop]));
        expect(sent).toBeDefined();
        expect(back()).toEqual([]);
        expect(says()).toContain('it may have existed before');
      },
    );
  });
});

describe('every account is listed', () => {
  test.each<[string, AnyList]>([
    ['provider_a', accountsA],
    ['provider_b v1', accountsBV1],
  ])('%s: an account without a name is listed by position and cannot be edited', (_, list) => {
    const { value } = walk(list.load(everything, context).plan(context), () => answered([{}, { automute: true }]));
    if (!value.ok) throw new Error(value.problem.text);
    const rows = value.value.rows as never[];
    expect(rows).toMatchObject([{ id: '#1' }, { id: '#2', attributes: { automute: true } }]);
    expect(rows.map((row) => list.nameOf(row))).toEqual(['account #1', 'account #2']);
    expect(rows.map((row) => list.columns.map((column) => column.text(row, context)).join(' '))).toEqual([
      expect.stringContaining('account #1'),
      expect.stringContaining('account #2'),
    ]);
    const onRows = list.actions.filter((action) => action.on !== 'list');
    expect(onRows.length).toBeGreaterThan(2);
    for (const action of onRows) expect(action.enabled?.(rows[0] as never, context)).toMatch(/cannot be addressed/);
  });
});

describe('a secret that a response repeats is neither kept nor shown', () => {
  const hush = { client_secret: 'hush', private_key: 'hush', private_key_id: 'hush' };
  test.each<[string, AnyList, unknown]>([
    ['provider_a', accountsA, [{ tenant_name: 't', client_id: 'c', ...hush }]],
    ['provider_b v1', accountsBV1, [{ project_id: 'p', client_email: 'e', ...hush }]],
    ['provider_b v2', accountsB, { data: [{ id: 'b-1', attributes: { client_email: 'e', ...hush } }] }],
  ])('%s', (_, list, stored) => {
    const { value } = walk(list.load(everything, context).plan(context), () => answered(stored));
    expect(value).toMatchObject({ value: { rows: [{ attributes: expect.anything() }] } });
    expect(JSON.stringify(value)).not.toContain('hush');
  });
});

test('a filter of hosts tells the hosts that the service reports, as a warning where they are others', () => {
  const action = there(accountsA.actions.find(({ id }) => id === 'integrations.filter-a')) as Action<
    AccountRowA,
    { hosts?: string }
  >;
  const account = (host_filters: string) => ({ tenant_name: 't', client_id: 'c', host_filters });
  const row = there(accountKindA.row({ attributes: account('') }));
  const filtered = (now: readonly object[]) => {
    const done = acted(action, row, { hosts: 'a:b' }, (_, nth) =>
      answered(nth === 1 ? [account('')] : nth === 2 ? {} : now),
    );
    return [done.says(), done.warns()];
  };
  expect([filtered([account('a:b')]), filtered([account('c:d')]), filtered([])]).toEqual([
    ['Monitoring hosts with a:b of t', false],
    ['Monitoring hosts with c:d of t; the service reports hosts "c:d"', true],
    ['Monitoring hosts with a:b of t; the response does not show the result', true],
  ]);
});

describe('provider_b', () => {
  type EditValues = Parameters<typeof editActionB.send>[1];
  const listOf = (data: unknown[]) => walk(accountKindB.load(everything).plan(context), () => answered({ data })).value;
  const rowOf = (attributes: Loose): AccountRowB => there(accountKindB.row({ id: 'b-1', attributes }));

  /** Runs an edit of a row without other changes. */
  function edited(values: EditValues, row: AccountRowB, stored?: Loose) {
    const done = acted(editActionB, row, values, (call) =>
      answered({
        ...(call.endpoint.id === 'integrations.list-b'
          ? { data: [{ id: row.id, attributes: row.attributes }] }
          : { data: { id: row.id, attributes: stored } }),
      }),
    );
    const [body] = done.bodies as { data: { attributes: Loose } }[];
    return { ...done, body, sent: body?.data.attributes };
  }

  test('an edit of any account sends the changes and loses no member, inside or outside of them', () => {
    let count = 0;
    fc.assert(
      fc.property(arbitrary(providerBServiceAccount, fill), (given) => {
        const wire = { ...(structuredClone(given) as Loose), id: 'b-1' };
        const seen = read(listProviderB.response, { data: [wire] }, true);
        if (!seen.ok || seen.unread.length > 0) return;
        const all = listOf(structuredClone((seen.value as { data: unknown[] }).data));
        const row = there(all.ok ? there(all.value.rows[0]) : undefined);
        const automute = row.attributes.automute !== true;
        expect(edited({ automute }, row).body).toEqual({
          data: { id: 'b-1', type: 'provider_b_service_account', attributes: { automute } },
        });
        const { sent = {} } = edited({ hosts: ['never:before'] }, row);
        const was = row.attributes.monitored_resource_configs;
        const now = sent.monitored_resource_configs as Loose[] | undefined;
        expect(Object.keys(sent)).toEqual(
          was == null ? ['host_filters'] : expect.arrayContaining(['host_filters', 'monitored_resource_configs']),
        );
        for (const entry of was ?? []) if (entry.type !== 'vm_instance') expect(now).toContainEqual(entry);
        count += 1;
      }),
      { numRuns: runs(300) },
    );
    expect(count).toBeGreaterThan(50);
  });

  const vm = { type: 'vm_instance', filters: ['a:b'], later: 1 };
  const both = { host_filters: ['a:b'], monitored_resource_configs: [vm] };
  const functions = { taken: ['e:f'], left: [] };
  test.each<[EditValues, Loose, Loose]>([
    [{ hosts: [] }, both, { host_filters: [], monitored_resource_configs: [] }],
    [
      { hosts: ['c:d'], functions },
      both,
      {
        host_filters: ['c:d'],
        monitored_resource_configs: [
          { ...vm, filters: ['c:d'] },
          { type: 'cloud_function', filters: ['e:f'] },
        ],
      },
    ],
    [
      { revisions: ['r:s'] },
      both,
      {
        cloud_run_revision_filters: ['r:s'],
        monitored_resource_configs: [vm, { type: 'cloud_run_revision', filters: ['r:s'] }],
      },
    ],
    [
      { functions: { taken: ['e:f'], left: ['g:h'] } },
      { monitored_resource_configs: [{ type: 'cloud_function', filters: ['g:h', 'i:j'] }] },
      { monitored_resource_configs: [{ type: 'cloud_function', filters: ['i:j', 'e:f'] }] },
    ],
    [{ hosts: ['c:d'] }, {}, { host_filters: ['c:d'] }],
  ])('both spellings of a filter are sent, one entry for each kind: %o', (values, before, sent) => {
    expect(edited(values, rowOf(before)).sent).toEqual(sent);
  });

  test('undo of an edit restores the changed settings only, and is empty without changes', () => {
    const { back } = edited({ tags: ['y'], automute: true }, rowOf({ account_tags: ['x'] }), {
      account_tags: ['y'],
      automute: true,
    });
    expect(back().map((call) => call.body)).toMatchObject([
      { data: { attributes: { account_tags: ['x'], automute: false } } },
    ]);
    const row = rowOf({ account_tags: ['x'] });
    expect(editActionB.undo?.(row, {}, { before: row, asked: row, now: row }, context)).toEqual([]);
  });

  test('a removed account is added again as it was just before', () => {
    const remove = there(accountsB.actions.find(({ id }) => id === 'integrations.delete-b')) as Action<AccountRowB>;
    const now = { client_email: 'e@x', automute: true };
    const removed = (unread: readonly string[]) =>
      acted(remove, rowOf({ client_email: 'e@x' }), {}, ({ endpoint }) =>
        endpoint.id === 'integrations.list-b'
          ? answered({ data: [{ id: 'b-1', attributes: now }] }, unread)
          : answered(undefined),
      );
    const done = removed([]);
    expect([done.operations, done.says()]).toEqual([['integrations.list-b', 'integrations.delete-b'], 'Removed e@x']);
    expect(done.back().map(({ body }) => body)).toMatchObject([{ data: { attributes: now } }]);
    expect(removed(['data[0].attributes.account_tags: expected a list']).operations).toEqual(['integrations.list-b']);
    expect(remove.confirm?.([rowOf({})], {}, context)?.details).toContain(
      'Cannot be undone: an account without an email cannot be added',
    );
  });

  test('"not installed" is an empty list; an account without an id is noted; the delegate may be missing', () => {
    const none = walk(accountKindB.load(everything).plan(context), () => refused('notFound', 'no', 404)).value;
    expect(none).toMatchObject({ value: { rows: [] } });
    expect(listOf([{ attributes: {} }])).toMatchObject({
      value: { notes: expect.arrayContaining(['1 account without an id left out']) },
    });
    expect([{ data: null }, {}, { data: { id: 'd@x' } }].map(emailIn)).toEqual([undefined, undefined, 'd@x']);
    const made = there(accountsB.actions.find(({ id }) => id === 'integrations.create-delegate-b'));
    expect(toReceipt(there(made.done)(rowOf({}), {}, {}, context))).toMatchObject({
      isWarning: true,
      parts: [expect.stringContaining('The response names no delegate')],
    });
  });
});

describe('the deprecated form', () => {
  const rowOf = (attributes: Loose): AccountRowBV1 => there(accountKindBV1.row({ attributes }));

  test('a federated account is made of what the old one reports; a receipt says what the service reports instead', () => {
    const federate = there(accountsBV1.actions.find(({ id }) => id === 'integrations.federate-b-v1'));
    const old = rowOf({
      project_id: 'p',
      client_email: 'e',
      host_filters: 'a:b,c:d',
      is_cspm_enabled: null,
      monitored_resource_configs: [],
    });
    const made = { client_email: 'e', host_filters: ['a:b', 'c:d'] };
    const sent = federate.send?.(old, {}, context);
    expect(sent && 'body' in sent && sent.body).toMatchObject({ data: { attributes: made } });
    const told = (data: Loose) => {
      const receipt = toReceipt(there(federate.done)(old, {}, { data }, context));
      return [receiptText(receipt), receipt.isWarning === true];
    };
    const said = 'Created federated account e; the old one stays until it is removed';
    const none = [`${said}; the response does not show the result`, true];
    expect([
      told({
        id: 'b1',
        attributes: { ...made, monitored_resource_configs: [{ type: 'vm_instance', filters: ['a:b'] }] },
      }),
      told({ id: 'b1', attributes: { ...made, host_filters: [] } }),
      told({ id: 'b1' }),
      told({ attributes: made }),
    ]).toEqual([[said, false], [`${said}; the service reports hosts none`, true], none, none]);
  });

  test('the title counts the errors of accounts whose state the list shows', () => {
    const notes = (...accounts: readonly Loose[]) => {
      const { value } = walk(accountKindBV1.load(everything).plan(context), () => answered(accounts));
      return value.ok && value.value.notes?.filter((note) => note.includes('error'));
    };
    const old = { project_id: 'p', client_email: 'e', errors: ['no'] };
    expect([notes(old, { ...old, project_id: '' }), notes({ ...old, project_id: '' })]).toEqual([
      ['1 account has errors'],
      [],
    ]);
    const inStates = (attributes: Loose) =>
      accountsBV1.states?.filter(({ isIn }) => isIn(rowOf(attributes), context)).length;
    expect([inStates(old), inStates({ ...old, project_id: '' })]).toEqual([1, 0]);
  });

  test('an edit of any account sends its identity and the changes', () => {
    let count = 0;
    fc.assert(
      fc.property(arbitrary(providerBAccount, fill), (given) => {
        const wire = { ...(structuredClone(given) as Loose), project_id: 'p', client_email: 'e' };
        const seen = read(listProviderBV1.response, [wire], true);
        if (!seen.ok || seen.unread.length > 0) return;
        const [stored] = seen.value as Loose[];
        const automute = stored?.automute !== true;
        const { calls } = acted(editActionBV1, rowOf(there(stored)), { automute }, () =>
          answered(structuredClone(seen.value)),
        );
        expect(calls[1]?.body).toEqual({ automute, project_id: 'p', client_email: 'e' });
        count += 1;
      }),
      { numRuns: runs(100) },
    );
    expect(count).toBeGreaterThan(20);
  });

  const key = {
    type: 'service_account',
    project_id: 'p',
    client_email: 'e',
    client_id: '1',
    private_key: 'k',
    private_key_id: 'i',
    token_uri: 'https://t.test',
  };

  test.each([
    ['', 'Key file is required'],
    ['{', 'Not a key file of a service account: it is not JSON'],
    ['[]', 'Not a key file of a service account'],
    [JSON.stringify({ ...key, private_key: '' }), 'it lacks private_key'],
    [JSON.stringify({ ...key, client_id: undefined, type: 1 }), 'it lacks type, client_id'],
  ])('an invalid key file gives a message: %s', (content, sentence) => {
    expect(keyFileField().read(content)).toEqual({ ok: false, text: expect.stringContaining(sentence) });
  });
});

describe('texts about accounts', () => {
  const row = (errors?: unknown, warnings?: unknown) => ({ attributes: { errors, warnings } });

  test.each([
    [row(['a', 'b'], ['c']), '2 errors', 'bad', '; the service reports: a'],
    [row([], ['c']), '1 warning', 'warn', '; the service reports: c'],
    [row([{ code: 1 }], 'no list'), '1 error', 'bad', '; the service reports: {"code":1}'],
    [row(), 'ok', 'good', ''],
  ] as const)('errors come before warnings, and either in any shape: %o', (account, cell, tone, said) => {
    expect(health(account)).toEqual({ text: cell, tone });
    expect(faultSaid(account)).toBe(said);
  });

  test('a service error is no change, nor is a missing setting that equals its default', () => {
    const spelled = (attributes: Loose) => comparableA(there(accountKindA.row({ attributes })));
    const account = { tenant_name: 't', client_id: 'c' };
    expect(spelled({ ...account, errors: ['new'], automute: false })).toEqual(spelled(account));
    expect(spelled({ ...account, automute: true })).not.toEqual(spelled(account));
  });

  test.each([
    ['env:prod', ['env:prod']],
    ['!env:prod, role:web', ['!env:prod', 'role:web']],
    ['', []],
    [' , ', []],
    ['prod', undefined],
    ['env:', undefined],
    [':x', undefined],
  ])('a filter is a key and a value, but for one that is stored: %s', (typed, filters) => {
    const isRefused = { ok: false, text: expect.stringContaining('key:value') };
    expect(filterField('hosts', []).read(typed)).toEqual(filters ? { ok: true, value: filters } : isRefused);
    expect(filterText('hosts', '').read(typed)).toEqual(filters ? { ok: true, value: filters.join(',') } : isRefused);
    expect(filterText('hosts', typed).read(`${typed}, a:b`)).toMatchObject({ ok: true });
  });
});
