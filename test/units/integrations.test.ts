import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccountA, accounts as accountsOfA } from '../../screens/integrations/accounta.ts';
import { accounts as accountsOfB, emailIn } from '../../screens/integrations/accountb.ts';
import { faults, gistOf, health, otherwise, sendable, tagsCheck, told } from '../../screens/integrations/common.ts';
import { once, pairId, receipt } from '../../screens/integrations/pairs.ts';
import { accountsA } from '../../screens/integrations/providera.ts';
import { accountsB } from '../../screens/integrations/providerb.ts';
import { accountsBV1 } from '../../screens/integrations/providerbv1.ts';
import { editFields, restoreCall } from '../../screens/integrations/writea.ts';
import { changesOf as changesOfB } from '../../screens/integrations/writeb.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { anything } from '../../src/api/envelope.ts';
import type { Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listProviderA, providerAAccount } from '../../src/api/provider-a.ts';
import { listProviderB, listProviderBV1, providerBAccount, providerBServiceAccount } from '../../src/api/provider-b.ts';
import { read } from '../../src/client/read-response.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import { commandLine } from '../../src/describe/command.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { arbitrary } from '../support/arbitrary.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';

const context = contextOf();
type Loose = Record<string, unknown>;
const plan = (it: Call | Plan<Result<unknown>>) => it as Plan<Result<unknown>>;
const actionOf = (list: AnyList, id: string): AnyAction => {
  const found = list.actions.find((it) => it.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};
const editA = actionOf(accountsA, 'integrations.edit-a');
const createA = actionOf(accountsA, 'integrations.create-a');
const text = fc.string({ minLength: 1, maxLength: 6 });
const fill = { text, identifier: text, name: fc.stringMatching(/^[a-z]{3,8}_x$/) };

const shop = {
  tenant_name: 'shop',
  client_id: 'c',
  host_filters: 'env:prod',
  automute: false,
  later_x: [1],
  errors: [],
};
const rowA = (attributes: Loose = shop): AccountA => ({
  id: pairId(String(attributes.tenant_name), String(attributes.client_id)),
  attributes: attributes as AccountA['attributes'],
  unread: [],
});
/** Walks an edit of provider_a over what the list says at each look. */
const walkA = (row: AccountA, values: Loose, ...looks: unknown[][]) => {
  let look = 0;
  return walk(plan(editA.send(row, values, context)), (call) =>
    call.endpoint.id === 'integrations.list-a' ? answered(looks[Math.min(look++, looks.length - 1)]) : answered({}),
  );
};

describe('provider_a', () => {
  test('an edit of any account changes one field and sends all that was read, unknown fields included', () => {
    let count = 0;
    fc.assert(
      fc.property(arbitrary(providerAAccount, fill), (given) => {
        const wire = { ...(structuredClone(given) as Loose), tenant_name: 't', client_id: 'c' };
        const seen = read(listProviderA.response, [wire], true);
        if (!seen.ok || seen.unread.length > 0) return;
        const loaded = walk(accountsOfA(), () => answered(structuredClone(seen.value))).value;
        if (!loaded.ok) return;
        const [before] = loaded.value.rows;
        if (!before) return;
        const { calls } = walkA(before, { hosts: 'env:new' }, structuredClone(seen.value) as unknown[]);
        const now = before.attributes as Loose;
        if (now.cspm_enabled === true && now.resource_collection_enabled === false) return;
        const { errors: _, warnings: __, host_filters: ___, ...others } = now;
        const kept = Object.fromEntries(Object.entries(others).filter(([, it]) => it != null));
        expect(calls[1]?.body).toEqual({ ...kept, host_filters: 'env:new' });
        count += 1;
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(50);
  });

  test('a secret that a service repeats is neither kept nor shown', () => {
    const { value } = walk(accountsOfA(), () => answered([{ ...shop, client_secret: 'hush' }]));
    expect(JSON.stringify(value)).not.toContain('hush');
  });

  test('two pairs never share an id; a pair that is listed twice is one row', () => {
    expect(pairId('a b', 'c')).not.toBe(pairId('a', 'b c'));
    expect(pairId('a%20b', 'c')).not.toBe(pairId('a b', 'c'));
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
        if (a !== c || b !== d) expect(pairId(a, b)).not.toBe(pairId(c, d));
      }),
    );
    expect(once([rowA(), rowA({ ...shop, automute: true }), rowA({ ...shop, client_id: 'd' })])).toHaveLength(2);
    const nameless = walk(accountsOfA(), () => answered([{}, {}])).value;
    expect(nameless).toMatchObject({ value: { rows: [{ id: 'number 1' }, { id: 'number 2' }] } });
  });

  test('what others changed stays theirs; the same setting changed twice, or an account that is gone, is not sent', () => {
    const theirs = { ...shop, automute: true };
    expect(walkA(rowA(), { hosts: 'env:new' }, [theirs]).calls[1]?.body).toMatchObject({ automute: true });
    expect(walkA(rowA(), { automute: true }, [theirs]).calls).toHaveLength(3);
    const clash = walkA(rowA(), { hosts: 'env:new' }, [{ ...shop, host_filters: 'env:theirs' }]);
    expect(clash.value).toMatchObject({ ok: false, problem: { kind: 'conflict' } });
    expect(walkA(rowA(), { hosts: 'env:new' }, []).value).toMatchObject({ ok: false, problem: { kind: 'notFound' } });
  });

  test('an account of which a part could not be read is not sent as a whole; errors in another shape do not matter', () => {
    const run = (unread: string) =>
      walk(plan(editA.send(rowA(), { hosts: 'a:b' }, context)), () => answered([shop], [unread])).value;
    expect(run('[0].metrics_enabled: expected true or false')).toMatchObject({ problem: { kind: 'unreadable' } });
    expect(run('[0].errors[0]: expected a text').ok).toBe(true);
    expect(run('[1].metrics_enabled: expected true or false').ok).toBe(true);
  });

  test('scanning needs resources: refused where both are told, on where neither is, off with them', () => {
    const off = { ...shop, resource_collection_enabled: false };
    expect(walkA(rowA(off), { posture: true }, [off]).value).toMatchObject({
      problem: { kind: 'invalid', text: expect.stringContaining('needs resource collection') },
    });
    expect(walkA(rowA(), { posture: true }, [shop]).calls[1]?.body).toMatchObject({
      cspm_enabled: true,
      resource_collection_enabled: true,
    });
    const on = { ...shop, resource_collection_enabled: true, cspm_enabled: true };
    expect(walkA(rowA(on), { resources: false }, [on]).calls[1]?.body).toMatchObject({
      cspm_enabled: false,
      resource_collection_enabled: false,
    });
  });

  test('the way back restores what was changed, from the new identity, and there is none for what nobody tells', () => {
    const values = { tenant: 'new', hosts: 'env:new' };
    const answer = { row: rowA({ ...shop, tenant_name: 'new', host_filters: 'env:new', automute: true }) };
    expect(restoreCall(rowA(), values, answer).body).toEqual({
      tenant_name: 'new',
      client_id: 'c',
      new_tenant_name: 'shop',
      host_filters: 'env:prod',
      automute: true,
      later_x: [1],
    });
    expect(editA.undo?.(rowA(), { secret: 'x' }, answer, context)).toEqual([]);
    expect(editA.undo?.(rowA(), { excluded: 'ns.one' }, answer, context)).toEqual([]);
    expect(editA.confirm?.([rowA()], { secret: 'x' }, context)?.question).toContain('cannot be taken back');
  });

  test('providers without metrics: edited from what is told, with what else stands beside it, and taken back', () => {
    const told = { ...shop, metrics_config: { excluded_resource_providers: ['ns.one', 'ns.two'], later_y: 1 } };
    const row = rowA(told);
    const field = editFields(row).excluded;
    expect(field.initial).toBe('ns.one, ns.two');
    expect(field.read(field.initial)).toEqual({ ok: true, value: undefined });
    const values = { excluded: 'ns.two' };
    const now = { ...told, metrics_config: { excluded_resource_providers: ['ns.two'], later_y: 1 } };
    const { calls } = walkA(row, values, [told], [now]);
    expect(calls[1]?.body).toMatchObject({ metrics_config: now.metrics_config });
    expect(editA.confirm?.([row], values, context)).toBeUndefined();
    const back = editA.undo?.(row, values, { row: rowA(now) }, context) as readonly Call[];
    expect(back[0]?.body).toMatchObject({ metrics_config: told.metrics_config });
    expect(walkA(row, { excluded: '' }, [told]).calls[1]?.body).toMatchObject({
      metrics_config: { excluded_resource_providers: [], later_y: 1 },
    });
    const theirs = { ...told, metrics_config: { excluded_resource_providers: ['ns.three'] } };
    expect(walkA(row, values, [theirs]).value).toMatchObject({ problem: { kind: 'conflict' } });
    const [account] = accountsA.detail?.tabs(row, undefined, context) ?? [];
    expect(account).toMatchObject({
      lines: expect.arrayContaining([expect.objectContaining({ label: 'no metrics of', value: 'ns.one, ns.two' })]),
    });
  });

  test('providers without metrics that nobody tells are sent as they are typed, and cannot be taken back', () => {
    const field = editFields(rowA()).excluded;
    expect([field.initial, field.read('')]).toEqual(['', { ok: true, value: undefined }]);
    expect(walkA(rowA(), { excluded: 'ns.one' }, [shop]).calls[1]?.body).toMatchObject({
      metrics_config: { excluded_resource_providers: ['ns.one'] },
    });
    expect(editA.confirm?.([rowA()], { excluded: 'ns.one' }, context)?.question).toContain('cannot be taken back');
  });

  test('one without a secret until now needs one as soon as it is to have one; else an empty one keeps it', () => {
    const reads = (attributes: Loose) => editFields(rowA(attributes)).secret.read('');
    expect(reads({ ...shop, secretless_auth_enabled: true }).ok).toBe(false);
    expect(reads(shop)).toEqual({ ok: true, value: undefined });
  });

  test('no command holds a secret', () => {
    expect(commandLine(editA.command?.(rowA(), { secret: 'hush-hush' }) ?? '', context)).toBe(
      'orgdeck call integrations.update-a --body -',
    );
    expect(commandLine(editA.command?.(rowA(), { hosts: 'a:b' }) ?? '', context)).toContain('"host_filters":"a:b"');
  });

  test('nothing is added over an account that exists; who cannot look deletes nothing to take it back', () => {
    const values = { tenant: 'shop', client: 'c', secret: 'x' };
    const there = walk(plan(createA.send(undefined, values, context)), () => answered([shop]));
    expect(there.calls).toHaveLength(1);
    const blind = walk(plan(createA.send(undefined, values, context)), (_, nth) =>
      nth === 2 ? answered({}) : refused('forbidden', 'no'),
    );
    expect(blind.calls.map((it) => it.endpoint.id)).toEqual([
      'integrations.list-a',
      'integrations.create-a',
      'integrations.list-a',
    ]);
    if (!blind.value.ok) throw new Error(blind.value.problem.text);
    expect(createA.undo?.(undefined, values, blind.value.value, context)).toEqual([]);
    expect(createA.done(undefined, values, blind.value.value, context)).toContain('it could not be read back: no');
  });
});

describe('provider_b', () => {
  const edit = actionOf(accountsB, 'integrations.edit-b');
  const loaded = (data: unknown[]) => walk(accountsOfB(context), () => answered({ data })).value;

  test('an edit of any account sends what was changed and loses nothing: not beside it, not inside it', () => {
    let count = 0;
    fc.assert(
      fc.property(arbitrary(providerBServiceAccount, fill), (given) => {
        const wire = { ...(structuredClone(given) as Loose), id: 'b-1' };
        const seen = read(listProviderB.response, { data: [wire] }, true);
        if (!seen.ok || seen.unread.length > 0) return;
        const rows = loaded(structuredClone((seen.value as { data: unknown[] }).data));
        const [before] = rows.ok ? rows.value.rows : [];
        if (!before) return;
        const sent = edit.send(before, { automute: true }, context) as Call;
        expect(sent.body).toEqual({
          data: { id: 'b-1', type: 'provider_b_service_account', attributes: { automute: true } },
        });
        const hosts = (edit.send(before, { hosts: 'a:b' }, context) as Call).body as { data: { attributes: Loose } };
        const was = before.attributes.monitored_resource_configs;
        const now = hosts.data.attributes.monitored_resource_configs as Loose[] | undefined;
        expect(now === undefined).toBe(was == null);
        for (const it of was ?? []) if (it.type !== 'vm_instance') expect(now).toContainEqual(it);
        count += 1;
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(50);
  });

  test('both spellings of a filter are sent, one entry for each kind', () => {
    const vm = { type: 'vm_instance', filters: ['a:b'], later: 1 };
    const before = { host_filters: ['a:b'], monitored_resource_configs: [vm] };
    expect(changesOfB({ hosts: '' }, before)).toEqual({ host_filters: [], monitored_resource_configs: [] });
    expect(changesOfB({ hosts: 'c:d', functions: 'e:f' }, before)).toEqual({
      host_filters: ['c:d'],
      monitored_resource_configs: [
        { ...vm, filters: ['c:d'] },
        { type: 'cloud_function', filters: ['e:f'] },
      ],
    });
    expect(changesOfB({ hosts: 'c:d' }, {})).toEqual({ host_filters: ['c:d'] });
  });

  test('the way back of an edit names what was changed', () => {
    const before = { id: 'b-1', attributes: { account_tags: ['x'] }, projects: [] };
    const [back] = edit.undo?.(before, { tags: 'y', automute: true }, {}, context) ?? [];
    expect(back?.body).toMatchObject({ data: { attributes: { account_tags: ['x'], automute: false } } });
    expect(edit.undo?.(before, {}, {}, context)).toEqual([]);
  });

  test('not installed is empty; an account without an id is told; the delegate may be missing', () => {
    expect(walk(accountsOfB(context), () => refused('notFound', 'no', 404)).value).toMatchObject({
      value: { rows: [] },
    });
    expect(loaded([{ attributes: {} }])).toMatchObject({ value: { notes: ['1 account without an id left out'] } });
    expect([emailIn({ data: null }), emailIn({}), emailIn({ data: { id: 'd@x' } })]).toEqual([
      undefined,
      undefined,
      'd@x',
    ]);
  });

  test('the deprecated form: any account keeps what was not changed; a federated one is not edited there', () => {
    const editV1 = actionOf(accountsBV1, 'integrations.edit-b-v1');
    fc.assert(
      fc.property(arbitrary(providerBAccount, fill), (given) => {
        const wire = { ...(structuredClone(given) as Loose), project_id: 'p', client_email: 'e' };
        const seen = read(listProviderBV1.response, [wire], true);
        if (!seen.ok) return;
        const row = { id: pairId('p', 'e'), attributes: (seen.value as Loose[])[0] };
        const { calls } = walk(plan(editV1.send(row, { automute: true }, context)), () => answered([]));
        expect(calls[0]?.body).toEqual({ automute: true, project_id: 'p', client_email: 'e' });
      }),
      { numRuns: 100 },
    );
    expect(editV1.enabled?.({ id: 'x', attributes: { project_id: '', client_email: 'e' } }, context)).toContain(
      'federated',
    );
  });
});

describe('what is said', () => {
  test('errors come before warnings, and either in any shape', () => {
    expect(health({ errors: ['a', 'b'], warnings: ['c'] })).toEqual({ text: '2 errors', tone: 'bad' });
    expect(health({ errors: [], warnings: ['c'] })).toEqual({ text: '1 warning', tone: 'warn' });
    expect(health({})).toEqual({ text: 'ok', tone: 'good' });
    expect(faults({ errors: [{ code: 1 }], warnings: 'no list' })).toEqual(['{"code":1}']);
  });

  test('a receipt tells what the service made of it, where it is something else', () => {
    const titles = { hosts: 'the hosts' };
    expect(otherwise({ hosts: ['b', 'a'] }, { hosts: ['a', 'b'] }, titles)).toBe('');
    expect(otherwise({ hosts: [], other: true }, { hosts: ['a'] }, titles)).toBe(
      '; the service says the hosts: nothing',
    );
    expect(otherwise(undefined, { hosts: ['a'] }, titles)).toBe('');
    expect(receipt('saved', { row: rowA({ ...shop, errors: ['no right'] }) })).toBe(
      'saved; the service finds: no right',
    );
    expect(receipt('saved', {})).toContain('the list does not show it yet');
  });

  test('unknown fields are told by their own names, and errors above all', () => {
    const lines = told(anything, { known: 1, later_x: { a: [1] }, errors: ['x'] }, { known: 'what we know' }, context);
    expect(lines).toMatchObject([
      { label: 'what we know', value: '1' },
      { label: 'later x', value: '{"a":[1]}' },
    ]);
  });

  test('what the service finds out is no change, nor is the order of members', () => {
    expect(gistOf({ a: 1, b: { c: 2, d: 3 }, errors: ['new'] })).toEqual(
      gistOf({ b: { d: 3, c: 2 }, a: 1, errors: [] }),
    );
    expect(gistOf({ a: 1 })).not.toEqual(gistOf({ a: 2 }));
    expect(sendable({ a: null, b: false, warnings: [] })).toEqual({ b: false });
  });

  test('a filter is a key and a value', () => {
    expect(['env:prod', '!env:prod, role:web', '', ' , '].map(tagsCheck)).toEqual([true, true, true, true]);
    expect(['prod', 'env:', ':x'].map(tagsCheck).some((it) => it === true)).toBe(false);
  });
});
