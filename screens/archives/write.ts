import {
  compression,
  createArchive,
  destination,
  encryption,
  replaceArchive,
  storageClass,
} from '../../src/api/archives.ts';
import { type Args, type Call, call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import {
  changesOnly,
  choiceField,
  type Field,
  type Fields,
  numberField,
  shownWhen,
  textField,
  toggleField,
  type ValuesOf,
} from '../../src/describe/field.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { fresh } from './load.ts';
import { type ArchiveRow, nameOf, scanLimit } from './row.ts';

const kinds = ['provider_a', 'provider_b', 'provider_c'] as const;
type Body = Args<typeof createArchive>['body'];
type Attributes = Body['data']['attributes'];
type Destination = Attributes['destination'];

const words = (typed: string): string[] =>
  typed
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);

/** Tags that rehydrated logs get: each a key and a value (contract/logs-archives.md 2). */
const tagsField = (initial: readonly string[]) =>
  textField('rehydrated with', initial.join(', '), {
    hint: 'tags for rehydrated logs, separated by commas: team:web, env:prod',
    check: (typed) =>
      words(typed).find((it) => !/^[^:]+:./.test(it)) === undefined || 'each tag is a key and a value: team:web',
  });

/** The known words and the one that is set, which may be a word that nobody knows here. */
function options(known: readonly string[], current: string | null | undefined, none?: string) {
  const words = current && !known.includes(current) ? [...known, current] : known;
  return [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...words.map((it) => ({ value: it, label: it })),
  ];
}

/** Zero or none typed: no limit. */
function limitField(initial: number | null | undefined): Field<number | null> {
  const field = numberField('rehydration scan, GB', initial, {
    min: 1,
    whole: true,
    hint: 'at most so many gigabytes at a time; empty is no limit',
  });
  return {
    ...field,
    read(text) {
      const read = field.read(text);
      return read.ok ? { ok: true, value: read.value ?? null } : read;
    },
  };
}

/** The fields of an archive; those of a destination are there for its own kind only. */
function fieldsOf(row?: ArchiveRow) {
  const it = row?.attributes ?? {};
  const to = it.destination ?? {};
  const ids = to.integration ?? {};
  const is =
    (...some: readonly string[]) =>
    (texts: Readonly<Record<string, string>>) =>
      some.includes(texts.kind ?? '');
  const own = (kind: string, by: string) => (texts: Readonly<Record<string, string>>) =>
    texts.kind === kind && texts.by === by;
  const needed = { required: true } as const;
  return {
    name: textField('name', it.name, needed),
    query: textField('query', it.query, { required: true, placeholder: 'service:web', hint: 'which logs; * is all' }),
    kind: choiceField(
      'destination',
      to.type ?? kinds[0],
      options(kinds, to.type),
      'needs an integration of that provider',
    ),
    storageAccount: shownWhen(is('provider_a'), textField('storage account', to.storage_account, needed)),
    container: shownWhen(is('provider_a'), textField('container', to.container, needed)),
    clientId: shownWhen(is('provider_a'), textField('client id', ids.client_id, needed)),
    tenantId: shownWhen(is('provider_a'), textField('tenant id', ids.tenant_id, needed)),
    region: shownWhen(is('provider_a'), textField('region', to.region)),
    bucket: shownWhen(is('provider_b', 'provider_c'), textField('bucket', to.bucket, needed)),
    clientEmail: shownWhen(is('provider_b'), textField('client email', ids.client_email, needed)),
    projectId: shownWhen(is('provider_b'), textField('project id', ids.project_id)),
    by: shownWhen(
      is('provider_c'),
      choiceField('access by', accessBy(ids), [
        { value: 'role', label: 'account and role' },
        { value: 'key', label: 'access key id' },
      ]),
    ),
    accountId: shownWhen(own('provider_c', 'role'), textField('account id', ids.account_id, needed)),
    roleName: shownWhen(own('provider_c', 'role'), textField('role name', ids.role_name, needed)),
    accessKeyId: shownWhen(own('provider_c', 'key'), textField('access key id', ids.access_key_id, needed)),
    path: textField('path', to.path, { placeholder: '/web' }),
    encryption: shownWhen(
      is('provider_c'),
      choiceField(
        'encryption',
        to.encryption?.type ?? '',
        options(knownWords(encryption), to.encryption?.type, 'not set'),
      ),
    ),
    encryptionKey: shownWhen(
      (texts) => texts.kind === 'provider_c' && texts.encryption === 'SSE_KMS',
      textField('encryption key', to.encryption?.key, { required: true, hint: 'resource name of the key' }),
    ),
    storageClass: shownWhen(
      is('provider_c'),
      choiceField(
        'storage class',
        to.storage_class ?? '',
        options(knownWords(storageClass), to.storage_class, 'not set'),
      ),
    ),
    compression: choiceField(
      'compression',
      it.compression_method ?? '',
      options(knownWords(compression), it.compression_method, 'as the service has it'),
    ),
    includeTags: toggleField('write tags', it.include_tags ?? false, 'no drops the tags when logs are written'),
    rehydrationTags: tagsField(it.rehydration_tags ?? []),
    scanLimit: limitField(row === undefined ? undefined : scanLimit(row)),
    partitioning: textField('partitioned by', (it.partitioning_attributes ?? []).join(', '), {
      hint: 'attributes, the most queried first, separated by commas',
    }),
    lookup: textField('looked up by', (it.lookup_attributes ?? []).join(', '), {
      hint: 'attributes, separated by commas',
    }),
  } satisfies Fields;
}

const accessBy = (ids: { readonly access_key_id?: string | null }): 'key' | 'role' =>
  ids.access_key_id ? 'key' : 'role';

/** The form of a new archive. */
export const newFields = () => fieldsOf();

/** The form of an archive that is there: only what was changed is among its values, so that `.` changes no more. */
export const editFields = (row: ArchiveRow) => changesOnly(fieldsOf(row));

/** What the forms give; fields of another kind of destination are not in it. */
export type ArchiveValues = Partial<ValuesOf<ReturnType<typeof fieldsOf>>>;

type Loose = Readonly<Record<string, unknown>>;

/** The object with texts laid over it: undefined leaves what is there, an empty text takes it away. */
function laid(over: Loose, texts: Readonly<Record<string, string | undefined>>): Loose {
  const next: Record<string, unknown> = { ...over };
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') delete next[name];
    else if (text !== undefined) next[name] = text;
  }
  return next;
}

/** The object without those of the named members that are null: not set, which is said by leaving them out. */
const withoutNull = (it: Loose, names: readonly string[]): Loose =>
  Object.fromEntries(Object.entries(it).filter(([name, value]) => value !== null || !names.includes(name)));

const without = (it: Loose, ...names: readonly string[]): Loose =>
  Object.fromEntries(Object.entries(it).filter(([name]) => !names.includes(name)));

/** What was read of a destination, as it may be sent. */
function sendable(it: Loose): Loose {
  const bare = withoutNull(it, Object.keys(destination.entries));
  const inner = bare.integration as Loose | undefined;
  return inner ? { ...bare, integration: withoutNull(inner, identities) } : bare;
}

const identities = ['client_id', 'tenant_id', 'client_email', 'project_id', 'account_id', 'role_name', 'access_key_id'];

/** The destination with the values laid over it. Of another kind only the path is taken along. */
function destinationOf(values: ArchiveValues, before: Destined): Destination {
  const kind: string = values.kind ?? before?.type ?? kinds[0];
  const isSame = before == null || before.type == null || before.type === kind;
  const kept = sendable(isSame ? (before ?? {}) : before?.path ? { path: before.path } : {});
  const base = laid({ ...kept, type: kind }, { path: values.path });
  const ids = (kept.integration ?? {}) as Loose;
  switch (kind) {
    case 'provider_a':
      return {
        ...laid(base, { container: values.container, storage_account: values.storageAccount, region: values.region }),
        integration: laid(ids, { client_id: values.clientId, tenant_id: values.tenantId }),
      } as Destination;
    case 'provider_b':
      return {
        ...laid(base, { bucket: values.bucket }),
        integration: laid(ids, { client_email: values.clientEmail, project_id: values.projectId }),
      } as Destination;
    case 'provider_c': {
      const others = (values.by ?? accessBy(ids)) === 'key' ? ['account_id', 'role_name'] : ['access_key_id'];
      const named = laid(ids, {
        account_id: values.accountId,
        role_name: values.roleName,
        access_key_id: values.accessKeyId,
      });
      return {
        ...without(laid(base, { bucket: values.bucket, storage_class: values.storageClass }), 'encryption'),
        integration: without(named, ...others),
        ...encryptionOf(values, kept.encryption as Loose | undefined),
      } as Destination;
    }
    default:
      // A kind that is not known here stays as it was read.
      return base as Destination;
  }
}

function encryptionOf(values: ArchiveValues, before: Loose | undefined): { encryption?: Loose } {
  if (values.encryption === '') return {};
  if (before === undefined && values.encryption === undefined) return {};
  const next = laid(before ?? {}, { type: values.encryption, key: values.encryptionKey });
  const keyed = values.encryption === undefined || values.encryption === 'SSE_KMS';
  return { encryption: keyed ? withoutNull(next, ['key']) : without(next, 'key') };
}

type Destined = ArchiveRow['attributes']['destination'];

const unset = [
  'include_tags',
  'rehydration_tags',
  'compression_method',
  'partitioning_attributes',
  'lookup_attributes',
];

/** Everything that was read, unknown fields included, with the values laid over it; `state` is the service's. */
function attributesOf(values: ArchiveValues, before: ArchiveRow['attributes'] = {}): Attributes {
  const { compression: packing, includeTags, rehydrationTags, scanLimit: limit, partitioning, lookup } = values;
  return {
    ...laid(without(withoutNull(before, unset), 'state'), {
      name: values.name,
      query: values.query,
      compression_method: packing,
    }),
    destination: destinationOf(values, before.destination),
    ...(includeTags === undefined ? {} : { include_tags: includeTags }),
    ...(rehydrationTags === undefined ? {} : { rehydration_tags: words(rehydrationTags) }),
    ...(limit === undefined ? {} : { rehydration_max_scan_size_in_gb: limit }),
    ...(partitioning === undefined ? {} : { partitioning_attributes: words(partitioning) }),
    ...(lookup === undefined ? {} : { lookup_attributes: words(lookup) }),
  } as Attributes;
}

const bodyOf = (attributes: Attributes): Body => ({ data: { type: 'archives', attributes } });

/** A new archive. What was left as the service has it is not sent: an older one does not know all of it. */
export function createCall(values: ArchiveValues): Call {
  const { rehydrationTags, scanLimit: limit, partitioning, lookup, ...rest } = values;
  const set = {
    ...(rehydrationTags ? { rehydrationTags } : {}),
    ...(limit == null ? {} : { scanLimit: limit }),
    ...(partitioning ? { partitioning } : {}),
    ...(lookup ? { lookup } : {}),
  };
  return call(createArchive, { body: bodyOf(attributesOf({ ...rest, ...set })) });
}

/** The replacement of one archive by what was read, with the values laid over it. */
export const replaceCall = (id: string, values: ArchiveValues, before: ArchiveRow['attributes']): Call =>
  call(replaceArchive, { archive_id: id, body: bodyOf(attributesOf(values, before)) });

/** The row with the values laid over it. */
export const withValues = (row: ArchiveRow, values: ArchiveValues): ArchiveRow => ({
  ...row,
  attributes: { ...attributesOf(values, row.attributes), state: row.attributes.state },
});

/** The configuration as it was, for the way back; undefined where an answer held no destination to send. */
export function restoreCall(row: ArchiveRow): Call | undefined {
  const { destination: to, name, query } = row.attributes;
  return to == null || name == null || query == null ? undefined : replaceCall(row.id, {}, row.attributes);
}

/**
 * Reads the archive as it is now and replaces it with the values laid over it. Where somebody else has changed it since
 * the form was opened, nothing is sent: a replacement would take their change back.
 */
export function* changing(row: ArchiveRow, values: ArchiveValues): Plan<Result<unknown>> {
  const now = yield* fresh(row);
  if (!now.ok) return now;
  const theirs = configurationOf(now.value);
  if (theirs !== configurationOf(row)) {
    return refusal(
      'conflict',
      `not sent: ${nameOf(now.value)} was changed by somebody else meanwhile; Esc, look at it, and edit again`,
    );
  }
  if (now.value.unread.length > 0) {
    const lost = now.value.unread.slice(0, 2).join('; ');
    return refusal(
      'unreadable',
      `not sent: a change replaces the whole archive, and parts of it could not be read: ${lost}`,
      {
        fields: now.value.unread,
      },
    );
  }
  return yield* ask(replaceCall(row.id, values, now.value.attributes));
}

/** What a person sets, in one spelling: the service's health is not part of it. */
export function configurationOf(row: Pick<ArchiveRow, 'attributes'>): string {
  const { state: _, ...rest } = row.attributes;
  return stringifyExact(Object.fromEntries(Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1))));
}
