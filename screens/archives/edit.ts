import {
  addReader,
  compression,
  createArchive,
  destination,
  encryption,
  getArchive,
  getOrder,
  listReaders,
  replaceArchive,
  setOrder,
  storageClass,
} from '../../src/api/archives.ts';
import { type AnySchema, type AttributesOf, call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { type VocabularyContext, wordOption } from '../../src/describe/context.ts';
import {
  choiceField,
  listField,
  numberField,
  shownWhen,
  textField,
  toggleField,
  whenEmpty,
} from '../../src/describe/field.ts';
import { ordering } from '../../src/describe/order-action.ts';
import { defineSettings, formOnly } from '../../src/describe/setting.ts';
import { editing, readToRestore } from '../../src/describe/setting-edits.ts';
import { deleting } from '../../src/describe/standard-actions.ts';
import { capitalized } from '../../src/lib/text.ts';
import { at, items, without } from '../../src/lib/values.ts';
import { type ArchiveRow, accessBy, archiveKind, destinationText, firstType, tidyDestination } from './kind.ts';
import { adding, readersOf } from './readers.ts';

type Texts = Readonly<Record<string, string>>;

/** For fields of a destination: there for its own forms only. */
const to =
  (...kinds: readonly string[]) =>
  (texts: Texts) =>
    kinds.includes(texts.kind ?? '');
/** For the two ways of access of provider_c. */
const access = (by: string) => (texts: Texts) => texts.kind === 'provider_c' && texts.by === by;

/** The known words and the one that is set, which may be unknown to this program. */
function options(schema: AnySchema, current: string | null | undefined, context: VocabularyContext, none?: string) {
  const known = knownWords(schema);
  const words = current && !known.includes(current) ? [...known, current] : known;
  const all = words.map((word) => wordOption(schema, word, context));
  return none === undefined ? all : [{ value: '', label: none }, ...all];
}

const setting = defineSettings(archiveKind);
const kindSchema = destination.entries.type.wrapped;
const needed = { required: true } as const;
/** An emptied text, or `not set`, takes the member away. */
const clears = { untold: '', omit: 'always' } as const;

/** A text of the destination or of its integration that its forms need. */
const part = <const P extends string>(label: string, path: P, shown: (texts: Texts) => boolean) =>
  setting(label, `destination.${path}`, (now) =>
    shownWhen(shown, textField(capitalized(label), now as string | null | undefined, needed)),
  );

/** What a person can set. */
const settings = {
  name: setting('name', 'name', (now) => textField('Name', now, needed)),
  query: setting('query', 'query', (now) =>
    textField('Query', now, { required: true, placeholder: 'service:web', hint: 'Logs to archive; * matches all' }),
  ),
  kind: setting('destination', 'destination.type', (now, _, context) =>
    choiceField(
      'Destination',
      now ?? firstType,
      options(kindSchema, now, context),
      'Requires an integration of that provider',
    ),
  ),
  storageAccount: part('storage account', 'storage_account', to('provider_a')),
  container: part('container', 'container', to('provider_a')),
  clientId: part('client ID', 'integration.client_id', to('provider_a')),
  tenantId: part('tenant ID', 'integration.tenant_id', to('provider_a')),
  region: setting(
    'region',
    'destination.region',
    (now) => shownWhen(to('provider_a'), textField('Region', now)),
    clears,
  ),
  bucket: part('bucket', 'bucket', to('provider_b', 'provider_c')),
  clientEmail: part('client email', 'integration.client_email', to('provider_b')),
  projectId: setting(
    'project ID',
    'destination.integration.project_id',
    (now) => shownWhen(to('provider_b'), textField('Project ID', now)),
    clears,
  ),
  by: formOnly('access', (row: ArchiveRow | undefined) =>
    shownWhen(
      to('provider_c'),
      choiceField('Authenticate with', accessBy(row?.attributes.destination?.integration), [
        { value: 'role', label: 'account and role' },
        { value: 'key', label: 'access key ID' },
      ]),
    ),
  ),
  accountId: part('account ID', 'integration.account_id', access('role')),
  roleName: part('role name', 'integration.role_name', access('role')),
  accessKeyId: part('access key ID', 'integration.access_key_id', access('key')),
  path: setting('path', 'destination.path', (now) => textField('Path', now, { placeholder: '/web' }), clears),
  encryption: setting(
    'encryption',
    'destination.encryption.type',
    (now, _, context) =>
      shownWhen(to('provider_c'), choiceField('Encryption', now ?? '', options(encryption, now, context, 'not set'))),
    clears,
  ),
  encryptionKey: setting('encryption key', 'destination.encryption.key', (now) =>
    shownWhen(
      (texts) => texts.kind === 'provider_c' && texts.encryption === 'SSE_KMS',
      textField('Encryption key', now, { required: true, hint: 'Resource name of the key' }),
    ),
  ),
  storageClass: setting(
    'storage class',
    'destination.storage_class',
    (now, _, context) =>
      shownWhen(
        to('provider_c'),
        choiceField('Storage class', now ?? '', options(storageClass, now, context, 'not set')),
      ),
    clears,
  ),
  compression: setting(
    'compression',
    'compression_method',
    (now, _, context) => choiceField('Compression', now ?? '', options(compression, now, context, 'service default')),
    clears,
  ),
  includeTags: setting('tags switch', 'include_tags', (now) =>
    toggleField('Include tags', now ?? false, 'No: tags are dropped when logs are written'),
  ),
  rehydrationTags: setting(
    'rehydration tags',
    'rehydration_tags',
    (now) =>
      listField('Rehydration tags', now, {
        hint: 'Comma-separated tags for rehydrated logs: team:web, env:prod',
        check: (word) => /^[^:]+:./.test(word) || 'Rehydration tags: each is key:value, such as team:web',
      }),
    { untold: [], omit: 'new', isSet: true },
  ),
  scanLimit: setting(
    'maximum scan size',
    'rehydration_max_scan_size_in_gb',
    (now) =>
      whenEmpty(
        null,
        numberField('Max. scan size, GB', now, {
          min: 1,
          whole: true,
          hint: 'Largest rehydration scan; empty = no limit',
        }),
      ),
    { untold: null, omit: 'new' },
  ),
  partitioning: setting(
    'partitioning',
    'partitioning_attributes',
    (now) => listField('Partition by', now, { hint: 'Comma-separated attributes, most queried first' }),
    { untold: [], omit: 'new' },
  ),
  lookup: setting(
    'lookup attributes',
    'lookup_attributes',
    (now) => listField('Lookup attributes', now, { hint: 'Comma-separated' }),
    { untold: [], omit: 'new', isSet: true },
  ),
};

const edits = editing({
  kind: archiveKind,
  settings,
  tidy: tidyDestination,
  uses: [replaceArchive],
  own: ['state'],
  replace: (id, attributes: AttributesOf<typeof replaceArchive>) =>
    call(replaceArchive, { archive_id: id, body: { data: { type: 'archives', attributes } } }),
  says: ({ attributes }) => `; state is ${attributes.state ?? 'UNKNOWN'} until the next write`,
});

export const { comparable } = edits;

/** `e`: the whole configuration, as one replacement. */
export const editAction = edits.edit({
  id: 'archives.edit',
  help: 'Edit query, destination, encryption, tags and rehydration; shows the differences before saving',
});

type NewArchive = AttributesOf<typeof createArchive>;

const createCall = (attributes: NewArchive) =>
  call(createArchive, { body: { data: { type: 'archives', attributes } } });

/** `n`: a new archive, last in the order. */
export const newAction = edits.make({
  id: 'archives.create',
  help: 'Create an archive, last in the order; it needs an integration of its provider',
  uses: [createArchive],
  create: createCall,
  says: () => ', last in the order; a log goes to the first archive that matches',
});

const orderCall = (ids: readonly string[]) =>
  call(setOrder, { body: { data: { type: 'archive_order', attributes: { archive_ids: [...ids] } } } });

/** `d`: deletes an archive with its readers and its place. The name must be typed. */
export const deleteAction = deleting({
  id: 'archives.delete',
  kind: archiveKind,
  help: 'Delete the archive; logs that it has written stay in storage',
  details: (row) => [
    ...(row
      ? [`Writes to ${destinationText(row) || 'an unknown destination'}; logs that it has written stay there`]
      : []),
    'Logs that only it matches are no longer archived; its readers are deleted',
  ],
  restore: {
    *read(row) {
      const now = yield* readToRestore(archiveKind, row, ['state']);
      if (!now.ok) return now;
      const readers = yield* readersOf(row.id);
      if (!readers.ok) return readers;
      const order = yield* archiveKind.orderNow();
      return order.ok ? { ...order, value: { row: now.value, readers: readers.value, order: order.value } } : order;
    },
    refuses: ({ attributes }) =>
      attributes.destination == null ? 'an archive without a destination cannot be created' : undefined,
    // Its readers come first: until they are there, everyone may read it.
    calls: ({ row, readers, order }) =>
      row.attributes.destination == null
        ? []
        : [
            createCall(without(row.attributes, ['state']) as NewArchive),
            ...readers.map(({ id }) => adding(row, id)),
            orderCall(order),
          ],
    uses: [createArchive, getArchive, listReaders, addReader, getOrder, setOrder],
    lost: [],
    place: {
      operation: setOrder.id,
      now: () => archiveKind.orderNow(),
      ids: (body) => items(at(body, 'data.attributes.archive_ids')).map(String),
      order: orderCall,
    },
    until: { operations: [addReader.id], says: 'OPEN TO EVERYONE until its readers are added again' },
  },
});

/** Ctrl-S after J and K: the whole order as one edit. */
export const orderAction = ordering({
  id: 'archives.set-order',
  kind: archiveKind,
  reads: getOrder,
  order: orderCall,
  rule: 'A log goes to the first archive whose query matches',
  // 422: an archive was made between the read and this (docs/contract/logs-archives.md#order).
  again: (problem) => problem.status === 422,
});
