import {
  compression,
  createArchive,
  destination,
  encryption,
  getOrder,
  replaceArchive,
  setOrder,
  storageClass,
} from '../../src/api/archives.ts';
import { type AnySchema, type AttributesOf, call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { deleting } from '../../src/describe/delete-action.ts';
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
import { formOnly, settingsOf } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { type VocabularyContext, wordOption } from '../../src/describe/vocabulary-words.ts';
import { accessBy, forms, targetOf, tidy } from './destination.ts';
import { type ArchiveRow, archiveKind } from './kind.ts';

type Texts = Readonly<Record<string, string>>;

/** For fields of a destination: there for its own forms only. */
const to =
  (...kinds: readonly string[]) =>
  (texts: Texts) =>
    kinds.includes(texts.kind ?? '');
/** For the two ways of access of provider_c. */
const access = (by: string) => (texts: Texts) => texts.kind === 'provider_c' && texts.by === by;

/** The known words and the one that is set, which may be a word that nobody knows here. */
function options(schema: AnySchema, current: string | null | undefined, context: VocabularyContext, none?: string) {
  const known = knownWords(schema);
  const words = current && !known.includes(current) ? [...known, current] : known;
  const all = words.map((word) => wordOption(schema, word, context));
  return none === undefined ? all : [{ value: '', label: none }, ...all];
}

const setting = settingsOf(archiveKind);
const kindSchema = destination.entries.type.wrapped;
const needed = { required: true } as const;
/** An emptied text, or `not set`, takes the member away. */
const clears = { untold: '', omit: 'always' } as const;

/** A text of the destination or of its integration that its forms need. */
const part = <const P extends string>(label: string, path: P, shown: (texts: Texts) => boolean) =>
  setting(label, `destination.${path}`, (now) =>
    shownWhen(shown, textField(label, now as string | null | undefined, needed)),
  );

/** What a person can set. */
const settings = {
  name: setting('name', 'name', (now) => textField('name', now, needed)),
  query: setting('query', 'query', (now) =>
    textField('query', now, { required: true, placeholder: 'service:web', hint: 'which logs; * is all' }),
  ),
  kind: setting('destination', 'destination.type', (now, _, context) =>
    choiceField(
      'destination',
      now ?? forms[0],
      options(kindSchema, now, context),
      'needs an integration of that provider',
    ),
  ),
  storageAccount: part('storage account', 'storage_account', to('provider_a')),
  container: part('container', 'container', to('provider_a')),
  clientId: part('client id', 'integration.client_id', to('provider_a')),
  tenantId: part('tenant id', 'integration.tenant_id', to('provider_a')),
  region: setting(
    'region',
    'destination.region',
    (now) => shownWhen(to('provider_a'), textField('region', now)),
    clears,
  ),
  bucket: part('bucket', 'bucket', to('provider_b', 'provider_c')),
  clientEmail: part('client email', 'integration.client_email', to('provider_b')),
  projectId: setting(
    'project id',
    'destination.integration.project_id',
    (now) => shownWhen(to('provider_b'), textField('project id', now)),
    clears,
  ),
  by: formOnly('access', (row: ArchiveRow | undefined) =>
    shownWhen(
      to('provider_c'),
      choiceField('access by', accessBy(row?.attributes.destination?.integration), [
        { value: 'role', label: 'account and role' },
        { value: 'key', label: 'access key id' },
      ]),
    ),
  ),
  accountId: part('account id', 'integration.account_id', access('role')),
  roleName: part('role name', 'integration.role_name', access('role')),
  accessKeyId: part('access key id', 'integration.access_key_id', access('key')),
  path: setting('path', 'destination.path', (now) => textField('path', now, { placeholder: '/web' }), clears),
  encryption: setting(
    'encryption',
    'destination.encryption.type',
    (now, _, context) =>
      shownWhen(to('provider_c'), choiceField('encryption', now ?? '', options(encryption, now, context, 'not set'))),
    clears,
  ),
  encryptionKey: setting('encryption key', 'destination.encryption.key', (now) =>
    shownWhen(
      (texts) => texts.kind === 'provider_c' && texts.encryption === 'SSE_KMS',
      textField('encryption key', now, { required: true, hint: 'resource name of the key' }),
    ),
  ),
  storageClass: setting(
    'storage class',
    'destination.storage_class',
    (now, _, context) =>
      shownWhen(
        to('provider_c'),
        choiceField('storage class', now ?? '', options(storageClass, now, context, 'not set')),
      ),
    clears,
  ),
  compression: setting(
    'compression',
    'compression_method',
    (now, _, context) =>
      choiceField('compression', now ?? '', options(compression, now, context, 'as the service has it')),
    clears,
  ),
  includeTags: setting('write tags', 'include_tags', (now) =>
    toggleField('write tags', now ?? false, 'no drops the tags when logs are written'),
  ),
  rehydrationTags: setting(
    'rehydration tags',
    'rehydration_tags',
    (now) =>
      listField('rehydrated with', now, {
        hint: 'tags for rehydrated logs, separated by commas: team:web, env:prod',
        check: (word) => /^[^:]+:./.test(word) || 'each tag is a key and a value: team:web',
      }),
    { untold: [], omit: 'new', isSet: true },
  ),
  scanLimit: setting(
    'rehydration scan limit',
    'rehydration_max_scan_size_in_gb',
    (now) =>
      whenEmpty(
        null,
        numberField('rehydration scan, GB', now, {
          min: 1,
          whole: true,
          hint: 'at most so many gigabytes at a time; empty is no limit',
        }),
      ),
    { untold: null, omit: 'new' },
  ),
  partitioning: setting(
    'partitioning',
    'partitioning_attributes',
    (now) => listField('partitioned by', now, { hint: 'attributes, the most queried first, separated by commas' }),
    { untold: [], omit: 'new' },
  ),
  lookup: setting(
    'lookup',
    'lookup_attributes',
    (now) => listField('looked up by', now, { hint: 'attributes, separated by commas' }),
    { untold: [], omit: 'new', isSet: true },
  ),
};

const edits = editing({
  kind: archiveKind,
  settings,
  tidy,
  uses: [replaceArchive],
  own: ['state'],
  replace: (id, attributes: AttributesOf<typeof replaceArchive>) =>
    call(replaceArchive, { archive_id: id, body: { data: { type: 'archives', attributes } } }),
  says: ({ attributes }) => `; it is ${attributes.state ?? 'UNKNOWN'} until the next write`,
});

export const { comparable } = edits;

/** `e`: the whole configuration, as one replacement. */
export const editAction = edits.edit({
  id: 'archives.edit',
  help: 'query, destination, encryption, tags, rehydration, as one replacement; the difference is shown before it is sent',
});

/** `n`: a new archive, last in the order. */
export const newAction = edits.make({
  id: 'archives.create',
  help: 'a new archive, last in the order; its destination needs an integration of that provider',
  uses: [createArchive],
  create: (attributes: AttributesOf<typeof createArchive>) =>
    call(createArchive, { body: { data: { type: 'archives', attributes } } }),
  says: () => ', last in the order; a log goes to the first archive that matches',
});

/** `d`: deletes an archive with its readers and its place. No undo, so the name must be typed. */
export const deleteAction = deleting({
  id: 'archives.delete',
  kind: archiveKind,
  help: 'delete the archive; what it has written stays where it is',
  details: (row) => [
    ...(row
      ? [`it writes to ${targetOf(row) || 'a destination that is not told'}; what it has written stays there`]
      : []),
    'logs that only it took are no longer archived, and its readers are forgotten',
    'it cannot be brought back: a new one comes last in the order',
  ],
});

/** Ctrl-S after J and K: the whole order as one edit. */
export const orderAction = ordering({
  id: 'archives.set-order',
  kind: archiveKind,
  reads: getOrder,
  order: (ids) => call(setOrder, { body: { data: { type: 'archive_order', attributes: { archive_ids: [...ids] } } } }),
  rule: 'a log goes to the first archive whose query matches',
  // 422: an archive was made between the read and this (contract/logs-archives.md 3).
  again: (problem) => problem.status === 422,
});
