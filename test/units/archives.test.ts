import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editAction, newAction, orderAction } from '../../screens/archives/edit.ts';
import { type ArchiveRow, archiveKind } from '../../screens/archives/kind.ts';
import { addReaderAction, readersTold, removeReaderAction } from '../../screens/archives/readers.ts';
import { archiveList } from '../../screens/archives.ts';
import { archive, getArchive } from '../../src/api/archives.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { read } from '../../src/client/read-response.ts';
import { type Fields, shownNames } from '../../src/describe/field.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { arbitrary } from '../support/arbitrary.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { there } from '../support/there.ts';

const context = contextOf();
type Loose = Record<string, unknown>;
const bodyOf = (call: Call | undefined) => (call?.body as { data: { attributes: Loose } } | undefined)?.data.attributes;

const bucket = {
  type: 'provider_c',
  bucket: 'logs',
  path: '/web',
  integration: { account_id: '0001', role_name: 'writer', later: 'kept' },
  encryption: { type: 'SSE_KMS', key: 'k-1', context: 'kept' },
  storage_class: 'STANDARD_IA',
  lock: 'kept',
};
const web = {
  name: 'web',
  query: 'service:web',
  destination: bucket,
  include_tags: true,
  tier: 'gold',
  state: 'WORKING',
};

const row = (attributes: Loose, id = 'a1'): ArchiveRow =>
  there(archiveKind.row({ id, attributes } as Parameters<typeof archiveKind.row>[0], { place: 1 }));

type ArchiveValues = Parameters<typeof editAction.send>[1];
const none: ArchiveValues = {};
const editFields = (before: ArchiveRow): Fields => editAction.form?.(before, context, undefined) ?? {};
const newFields = (): Fields => newAction.form?.(undefined as never, context, undefined) ?? {};

/** The values of a form with these texts. */
function typed(
  fields: Fields,
  texts: Record<string, string>,
): { values: ArchiveValues; errors: Record<string, string> } {
  const all = { ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial])), ...texts };
  const values: Loose = {};
  const errors: Record<string, string> = {};
  for (const name of shownNames(fields, all)) {
    const read = fields[name]?.read(all[name] ?? '');
    if (read?.ok) values[name] = read.value;
    else if (read) errors[name] = read.text;
  }
  return { values, errors };
}
/** What an edit of a row sends. */
function sent(before: ArchiveRow, texts: Record<string, string>): Loose | undefined {
  const { values, errors } = typed(editFields(before), texts);
  expect(errors).toEqual({});
  const { calls } = acted(editAction, before, values, (call) =>
    answered(call.endpoint.id === 'archives.get' ? { data: { id: before.id, attributes: before.attributes } } : {}),
  );
  return bodyOf(calls[1]);
}

describe('a replacement', () => {
  test('of any archive changes one field and repeats all that was read, unknown members included', () => {
    const text = fc.string({ minLength: 1, maxLength: 6 });
    const any = arbitrary(archive, { text, identifier: text, name: fc.stringMatching(/^[a-z]{3,8}_x$/) });
    let count = 0;
    fc.assert(
      fc.property(any, (given) => {
        const wire = {
          ...(structuredClone(given) as Loose),
          id: 'a1',
          attributes: complete((given as { attributes?: Loose }).attributes),
        };
        const seen = read(getArchive.response, { data: wire }, false);
        if (!seen.ok || seen.unread.length > 0) return;
        const before = archiveKind.row((seen.value as { data: Parameters<typeof archiveKind.row>[0] }).data);
        if (!before) return;
        const { calls } = acted(editAction, before, { ...none, query: 'changed' }, (call) =>
          answered(call.endpoint.id === 'archives.get' ? structuredClone(seen.value) : {}),
        );
        const body = bodyOf(calls[1]) ?? {};
        const { state: _, destination, query: __, ...others } = before.attributes as Loose;
        expect(body.query).toBe('changed');
        for (const [name, value] of Object.entries(others)) if (value !== null) expect(body[name]).toEqual(value);
        for (const [name, value] of Object.entries((destination ?? {}) as Loose)) {
          if (value === null) continue;
          const theirs = (body.destination as Loose)[name];
          // The two forms of access exclude each other; unknown members are kept.
          if (name === 'integration')
            expect(theirs).toMatchObject(
              Object.fromEntries(Object.entries(value as Loose).filter(([name]) => name.endsWith('_x'))),
            );
          else if (name === 'encryption') expect(theirs).toMatchObject(withoutNull(value as Loose));
          else expect(theirs).toEqual(value);
        }
        count += 1;
      }),
      { numRuns: runs(300) },
    );
    expect(count).toBeGreaterThan(50);
  });

  test('is not sent where the response lacks a required part', () => {
    const { name: _, ...nameless } = web;
    const { calls, value } = acted(editAction, row(nameless), { query: '*' }, () =>
      answered({ data: { id: 'a1', attributes: nameless } }),
    );
    expect(calls).toHaveLength(1);
    expect(value).toMatchObject({ problem: { kind: 'unreadable', fields: ['data.attributes.name'] } });
  });

  test('keeps unknown members beside the changed ones, inside the destination too', () => {
    expect(sent(row(web), { bucket: 'more' })).toEqual({
      ...web,
      state: undefined,
      destination: { ...bucket, bucket: 'more' },
    });
    expect(sent(row(web), { storageClass: '' })?.destination).not.toHaveProperty('storage_class');
    expect(sent(row(web), { encryption: 'NO_OVERRIDE' })?.destination).toMatchObject({
      encryption: { type: 'NO_OVERRIDE', context: 'kept' },
    });
    expect(sent(row(web), { encryption: 'NO_OVERRIDE' })?.destination).not.toHaveProperty('encryption.key');
    expect(sent(row(web), { encryption: '' })?.destination).not.toHaveProperty('encryption');
  });

  test('has exactly one form of access', () => {
    const by = sent(row(web), { by: 'key', accessKeyId: 'AK' })?.destination;
    expect(by).toMatchObject({ integration: { access_key_id: 'AK', later: 'kept' } });
    expect(by).not.toHaveProperty('integration.role_name');
    expect(typed(editFields(row(web)), { by: 'key' }).errors).toEqual({ accessKeyId: 'Access key ID is required' });
  });

  test('of another type keeps the path and asks for what that type needs', () => {
    const { errors } = typed(editFields(row(web)), { kind: 'provider_a' });
    expect(Object.keys(errors)).toEqual(['storageAccount', 'container', 'clientId', 'tenantId']);
    const texts = { kind: 'provider_a', storageAccount: 's', container: 'c', clientId: 'i', tenantId: 't' };
    expect(sent(row(web), texts)?.destination).toEqual({
      type: 'provider_a',
      path: '/web',
      storage_account: 's',
      container: 'c',
      integration: { client_id: 'i', tenant_id: 't' },
    });
  });

  test('keeps unknown words, which do not stop an edit', () => {
    const odd = row({
      ...web,
      compression_method: 'LZ9',
      destination: { ...bucket, storage_class: 'COLDER', encryption: { type: 'LATER' } },
    });
    expect(sent(odd, { name: 'other' })).toMatchObject({
      compression_method: 'LZ9',
      destination: { storage_class: 'COLDER', encryption: { type: 'LATER' } },
    });
    const stranger = { type: 'provider_d', vault: 'v', integration: { token_id: 't' } };
    expect(sent(row({ ...web, destination: stranger }), { query: '*' })?.destination).toEqual(stranger);
  });

  test('keeps changes of others; a conflict or an unread part stops it', () => {
    const now = (attributes: Loose, unread: readonly string[] = []) =>
      acted(editAction, row(web), { query: '*' }, () => answered({ data: { id: 'a1', attributes } }, unread));
    const others = { tier: 'silver', include_tags: false, destination: { ...bucket, path: '/theirs' } };
    const { state: _, ...kept } = web;
    expect(bodyOf(now({ ...web, ...others }).calls[1])).toEqual({ ...kept, ...others, query: '*' });
    const both = now({ ...web, query: 'service:theirs' });
    expect(both.calls).toHaveLength(1);
    expect(both.value).toMatchObject({
      problem: {
        kind: 'conflict',
        text: 'not sent: someone else changed the query of web to "service:theirs"',
      },
    });
    expect(now(web, ['data.attributes.query: expected a text']).value).toMatchObject({
      problem: { kind: 'unreadable' },
    });
    // Neither its state nor the order of its members is a change.
    expect(now({ ...web, state: 'FAILING' }).calls).toHaveLength(2);
  });

  test('of a destination that another user has moved meanwhile is not sent in half', () => {
    const { values } = typed(editFields(row(web)), { roleName: 'other' });
    const elsewhere = { type: 'provider_b', bucket: 'b', integration: { client_email: 'e' } };
    const { calls, value } = acted(editAction, row(web), values, () =>
      answered({ data: { id: 'a1', attributes: { ...web, destination: elsewhere } } }),
    );
    expect(calls).toHaveLength(1);
    expect(value).toMatchObject({
      problem: { text: expect.stringContaining('someone else changed the role name of web') },
    });
  });

  test('can be undone to a whole destination if it was read', () => {
    const texts = { kind: 'provider_a', storageAccount: 's', container: 'c', clientId: 'i', tenantId: 't' };
    const { values } = typed(editFields(row(web)), texts);
    const done = acted(editAction, row(web), values, (call) =>
      answered({
        data: {
          id: 'a1',
          attributes:
            call.endpoint.id === 'archives.get'
              ? web
              : { ...(call.body as { data: { attributes: Loose } }).data.attributes, tier: 'silver' },
        },
      }),
    );
    expect(bodyOf(done.back()[0])).toEqual({ ...web, state: undefined, tier: 'silver' });
    expect(editAction.confirm?.([row({ ...web, destination: null })], none, context)?.question).toContain(
      'cannot be undone',
    );
    expect(editAction.confirm?.([row(web)], none, context)).toBeUndefined();
  });
});

/** Adds the required members of a destination that the generated attributes lack. */
function complete(attributes: Loose | null | undefined): Loose {
  const given = attributes ?? {};
  const destination = (given.destination ?? {}) as Loose;
  const ids = { client_id: 'i', tenant_id: 't', client_email: 'e', account_id: '1', role_name: 'r' };
  return {
    name: 'n',
    query: 'q',
    ...withoutNull(given),
    destination: {
      container: 'c',
      storage_account: 's',
      bucket: 'b',
      ...withoutNull(destination),
      integration: { ...ids, ...withoutNull((destination.integration ?? {}) as Loose) },
      ...(destination.encryption
        ? { encryption: { type: 'LATER', ...withoutNull(destination.encryption as Loose) } }
        : {}),
    },
  };
}

const withoutNull = (fields: Loose) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

test('a new archive sends the typed values, without defaults that an older service may not know', () => {
  const { values } = typed(newFields(), { name: 'x', query: '*', kind: 'provider_b', bucket: 'b', clientEmail: 'e' });
  const done = acted(newAction, undefined as never, values, () =>
    answered({ data: { id: 'a9', attributes: { name: 'x', compression_method: 'GZIP' } } }),
  );
  expect(bodyOf(done.calls[0])).toEqual({
    name: 'x',
    query: '*',
    destination: { type: 'provider_b', bucket: 'b', integration: { client_email: 'e' } },
    include_tags: false,
  });
  expect(done.made()?.id).toBe('a9');
  expect(done.says()).toBe('Created x, last in the order; a log goes to the first archive that matches');
  expect(done.back()).toMatchObject([{ params: { archive_id: 'a9' } }]);
});

test('a new archive without a usable response has no undo, and its receipt says so', () => {
  const done = acted(newAction, undefined as never, { name: 'x' }, () => answered({ data: {} }));
  expect(done.back()).toEqual([]);
  expect(done.says()).toContain('does not show');
});

test('a scan limit is a whole number of at least 1', () => {
  const wrong = (scanLimit: string) => typed(newFields(), { scanLimit }).errors.scanLimit;
  expect(['0', '1.5', 'x', '3', ''].filter((text) => wrong(text) === undefined)).toEqual(['3', '']);
});

describe('the list', () => {
  const archive = (id?: string) => ({ ...(id ? { id } : {}), attributes: { name: id } });
  const load = (order: Result<unknown>) =>
    walk(archiveList.load({ search: {}, range: '' }, context).plan(context), (call) =>
      call.endpoint.id === 'archives.list'
        ? answered({ data: [archive('a'), archive('b'), archive(), archive('c')] })
        : order,
    ).value;

  test('has the configured order; archives outside it come last', () => {
    const order = answered({ data: { attributes: { archive_ids: ['c', 'gone', 'a'] } } });
    expect(load(order)).toMatchObject({
      value: {
        rows: [
          { id: 'c', place: 1 },
          { id: 'a', place: 2 },
          { id: 'b', place: 3 },
        ],
      },
    });
  });
});

describe('the order', () => {
  const values = { before: ['a', 'b', 'c'], after: ['b', 'a', 'c'], names: {} };
  const now = (...ids: string[]) => answered({ data: { attributes: { archive_ids: ids } } });
  const run = (answer: (call: Call, nth: number) => Result<unknown>) =>
    acted(orderAction, undefined as never, values, answer);

  test('names every archive, new ones too', () => {
    const { calls, value } = run((_, nth) => (nth === 1 ? now('a', 'b', 'c', 'd') : answered({})));
    expect(bodyOf(calls[1])).toEqual({ archive_ids: ['b', 'a', 'c', 'd'] });
    expect(value).toMatchObject({ ok: true, value: { before: ['a', 'b', 'c', 'd'] } });
  });

  test('that lacks moved rows is not sent, and they are named', () => {
    const reversed = { before: ['a', 'b', 'c'], after: ['c', 'b', 'a'], names: { b: 'web' } };
    const { bodies, says } = acted(orderAction, undefined as never, reversed, () => now('a'));
    expect([bodies, says()]).toEqual([[], expect.stringContaining('does not name c, web; q discards your order')]);
  });

  test('is read and merged once more after a 422, not forever', () => {
    const grown = run((_, nth) =>
      nth === 1
        ? now('a', 'b', 'c')
        : nth === 2
          ? refused('invalid', 'Missing order for archive d', 422)
          : nth === 3
            ? now('a', 'b', 'c', 'd')
            : answered({}),
    );
    expect(bodyOf(grown.calls[3])).toEqual({ archive_ids: ['b', 'a', 'c', 'd'] });
    const stubborn = run((call) =>
      call.endpoint.id === 'archives.order' ? now('a', 'b', 'c') : refused('invalid', 'no', 422),
    );
    expect(stubborn.calls).toHaveLength(4);
    expect(stubborn.value.ok).toBe(false);
  });
});

describe('readers', () => {
  const who = { role: 'r1', name: 'On call' };
  const list = (...ids: string[]) => answered({ data: ids.map((id) => ({ id, attributes: { name: id } })) });
  const changed = (action: typeof addReaderAction, before: Result<unknown>, now: Result<unknown>) =>
    acted(action, row(web), who, (_, nth) => (nth === 2 ? answered('', [], 204) : nth === 1 ? before : now));
  const receiptOf = (action: typeof addReaderAction, now: Result<unknown>) =>
    changed(action, action === addReaderAction ? list() : list('r1'), now).says();

  test('have receipts that name the current readers', () => {
    expect(receiptOf(addReaderAction, list('r1'))).toBe('Added reader On call to web; 1 reader');
    expect(receiptOf(addReaderAction, list())).toContain('NOT ADDED');
    expect(receiptOf(removeReaderAction, list())).toBe('Removed reader On call from web; open to everyone now');
    expect(receiptOf(removeReaderAction, list('r1'))).toContain('NOT REMOVED');
    expect(receiptOf(removeReaderAction, refused('forbidden', 'no'))).toBe('Removed reader On call from web');
  });

  test('are taken back by an undo only where the edit has changed them', () => {
    const undoOf = (action: typeof addReaderAction, before: Result<unknown>) =>
      changed(action, before, list())
        .back()
        .map(({ endpoint }) => endpoint.id);
    expect([undoOf(addReaderAction, list()), undoOf(addReaderAction, list('r1'))]).toEqual([
      ['archives.remove-reader'],
      [],
    ]);
    expect([undoOf(removeReaderAction, list('r1')), undoOf(removeReaderAction, list())]).toEqual([
      ['archives.add-reader'],
      [],
    ]);
    const isUnknown = refused('forbidden', 'no');
    expect([undoOf(addReaderAction, isUnknown), undoOf(removeReaderAction, isUnknown)]).toEqual([[], []]);
  });

  test('are counted where there are some; that they cannot be read is a note, and the archive is shown', () => {
    const detail = there(archiveList.detail);
    const told = (readers: Result<unknown>) => {
      const { value } = walk(there(detail.load?.(row(web), context)).plan(context), ({ endpoint }) =>
        endpoint.id === 'archives.get' ? answered({ data: { id: 'a1', attributes: web } }) : readers,
      );
      const [, tab] = detailTabs(detail, row(web), value.ok ? value.value : undefined, context);
      return tab?.kind === 'rows' && [tab.title, tab.empty, tab.rows.length];
    };
    const open = 'Everyone who can rehydrate. a: restrict to a role';
    expect([told(refused('forbidden', 'no', 403)), told(list()), told(list('r1'))]).toEqual([
      ['Readers', 'readers could not be read: no', 0],
      ['Readers', open, 0],
      ['Readers 1', open, 1],
    ]);
    // Who reads only a part of them may not say that everyone can rehydrate.
    for (const [data, unread, why] of [
      [[], ['data[0]: expected an object'], 'data[0]: expected an object'],
      [[{ attributes: { name: 'On call' } }], [], 'a role without an ID'],
    ] as const)
      expect(walk(readersTold(row(web)), () => answered({ data }, unread)).value).toMatchObject({
        value: { readers: [], notes: [`readers could not be read: ${why}`] },
      });
  });

  test('the one under the cursor is removed, else one is chosen', () => {
    expect(removeReaderAction.values?.([row(web)], context)).toBeUndefined();
    expect(removeReaderAction.pick?.([row(web)], context).title).toBe('Remove reader from web');
    const there = contextOf({ subRowId: 'role r1 On call' });
    expect(removeReaderAction.values?.([row(web)], there)).toEqual(who);
  });
});
