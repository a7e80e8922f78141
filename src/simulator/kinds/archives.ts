import { compression, encryption, storageClass } from '../../api/archives.ts';
import type { AnySchema } from '../../api/endpoint.ts';
import { knownWords } from '../../api/envelope.ts';
import {
  type Answer,
  type Ask,
  asList,
  asObject,
  asText,
  at,
  type Handler,
  isAnswer,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { unfit } from '../server/crud.ts';
import type { Random } from '../server/random.ts';
import { type Archive, reorder } from '../server/store.ts';
import { showRole } from './permissions.ts';
import { shortId } from './retention.ts';

/** Archives of logs, their order and their readers (contract/logs-archives.md). */
const bare: Answer = { status: 204, type: '' };

/** What is not sent falls back to these. */
const defaults = {
  include_tags: false,
  rehydration_tags: [],
  rehydration_max_scan_size_in_gb: null,
  compression_method: 'GZIP',
  partitioning_attributes: [],
  lookup_attributes: [],
};
const settable = ['name', 'query', 'destination', ...Object.keys(defaults)];

/** So long nobody knows whether an archive works that was just configured, milliseconds. */
const untried = 60_000;

/** The service's word on the health of an archive: unknown until the first write. */
function stateOf(it: Archive, now: number): string {
  if (now - it.edited < untried) return 'UNKNOWN';
  const place = at(it.attributes, 'destination', 'bucket') ?? at(it.attributes, 'destination', 'container');
  return String(place).includes('fail') ? 'FAILING' : 'WORKING';
}

function show(it: Archive, now: number): unknown {
  return { type: 'archives', id: it.id, attributes: { state: stateOf(it, now), ...it.attributes, ...it.overrides } };
}

/** Stores an archive at the end of the order; what it does not say is as by default. */
export function keepArchive(
  { org }: { readonly org: World['org'] },
  random: Random,
  attributes: Readonly<Record<string, unknown>>,
  known: Partial<Archive> & Pick<Archive, 'edited'>,
): Archive {
  const it: Archive = {
    id: shortId(random),
    readers: new Set(),
    overrides: {},
    ...known,
    attributes: { ...defaults, ...attributes },
  };
  org.archives.set(it.id, it);
  return it;
}

const list: Handler = (ask, world) => ok({ data: [...world.org.archives.values()].map((it) => show(it, ask.now)) });

function found(ask: Ask, { org }: World): Archive | Answer {
  const id = ask.params.archive_id ?? '';
  return org.archives.get(id) ?? refused(404, `Archive ${id} not found`);
}

const get: Handler = (ask, world) => {
  const it = found(ask, world);
  return isAnswer(it) ? it : ok({ data: show(it, ask.now) });
};

/** What an archive is about to become, or what is wrong with it. */
function configurationIn(ask: Ask): Record<string, unknown> | Answer {
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const wrong = unfit(ask.endpoint, ask.body) ?? wrongWords(sent) ?? wrongDestination(sent) ?? wrongTags(sent);
  if (wrong) return wrong;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => settable.includes(name)));
}

/** The refusal of a word that nobody knows; absent ones are left to their defaults. */
function wrongWords(sent: Readonly<Record<string, unknown>>): Answer | undefined {
  const checked: readonly (readonly [place: string, value: unknown, schema: AnySchema])[] = [
    ['compression_method', sent.compression_method, compression],
    ['destination.storage_class', at(sent, 'destination', 'storage_class'), storageClass],
    ['destination.encryption.type', at(sent, 'destination', 'encryption', 'type'), encryption],
  ];
  const found = checked.find(
    ([, value, schema]) => value !== undefined && !knownWords(schema).includes(asText(value) ?? ''),
  );
  return found && refused(400, `Invalid ${found[0]}: ${asText(found[1]) ?? 'no text'}`);
}

/** The two rules of provider_c that its fields alone do not say. */
function wrongDestination(sent: Readonly<Record<string, unknown>>): Answer | undefined {
  const integration = asObject(at(sent, 'destination', 'integration')) ?? {};
  const [role, key] = ['account_id' in integration || 'role_name' in integration, 'access_key_id' in integration];
  if (role && key)
    return refused(400, 'Invalid destination.integration: either account_id and role_name, or access_key_id');
  const kms = asObject(at(sent, 'destination', 'encryption'));
  return kms?.type === 'SSE_KMS' && !asText(kms.key)
    ? refused(400, 'Invalid destination.encryption: SSE_KMS needs a key')
    : undefined;
}

function wrongTags(sent: Readonly<Record<string, unknown>>): Answer | undefined {
  const tag = asList(sent.rehydration_tags)?.find((it) => !String(it).includes(':'));
  return tag === undefined ? undefined : refused(400, `Invalid rehydration_tags: ${String(tag)} has no colon`);
}

const create: Handler = (ask, world) => {
  const configuration = configurationIn(ask);
  if (isAnswer(configuration)) return configuration;
  return ok({ data: show(keepArchive(world, world.random, configuration, { edited: ask.now }), ask.now) });
};

/** Replaces everything: what was not sent is as by default again. Id, place and readers stay. */
const replace: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const configuration = configurationIn(ask);
  if (isAnswer(configuration)) return configuration;
  it.attributes = { ...defaults, ...configuration };
  it.edited = ask.now;
  it.overrides = {};
  return ok({ data: show(it, ask.now) });
};

const remove: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  world.org.archives.delete(it.id);
  return bare;
};

const readers: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const roles = [...it.readers].flatMap((id) => world.org.roles.get(id) ?? []);
  const page = { total_count: roles.length, total_filtered_count: roles.length };
  return ok({ data: roles.map((role) => showRole(world.org, role)), meta: { page } });
};

/** Adds one role to the readers, or takes it away; doing it twice changes nothing. */
const turn =
  (to: 'added' | 'removed'): Handler =>
  (ask, world) => {
    const it = found(ask, world);
    if (isAnswer(it)) return it;
    const id = asText(at(ask.body, 'data', 'id')) ?? '';
    if (at(ask.body, 'data', 'type') !== 'roles') return refused(400, 'Invalid data.type: must be roles');
    if (!world.org.roles.has(id)) return refused(400, `Role ${id} not found`);
    if (to === 'added') it.readers.add(id);
    else it.readers.delete(id);
    return bare;
  };

const showOrder = ({ org }: World): Answer =>
  ok({ data: { type: 'archive_order', attributes: { archive_ids: [...org.archives.keys()] } } });

const getOrder: Handler = (_, world) => showOrder(world);

/** Every archive must be named, once. */
const setOrder: Handler = (ask, world) => {
  const { archives } = world.org;
  if (at(ask.body, 'data', 'type') !== 'archive_order') return refused(400, 'Invalid data.type: must be archive_order');
  const ids = asList(at(ask.body, 'data', 'attributes', 'archive_ids'))?.map((id) => asText(id) ?? '');
  if (!ids) return refused(400, 'Invalid archive_ids: must be a list');
  const missing = [...archives.keys()].find((id) => !ids.includes(id));
  if (missing !== undefined) return refused(422, `Missing order for archive ${missing}`);
  const unknown = ids.find((id) => !archives.has(id));
  if (unknown !== undefined) return refused(400, `Archive ${unknown} not found`);
  if (new Set(ids).size < ids.length) return refused(400, 'Invalid archive_ids: an archive is named twice');
  reorder(archives, ids);
  return showOrder(world);
};

/** Archives, by the id of the endpoint. */
export const archiveHandlers: Readonly<Record<string, Handler>> = {
  'archives.list': list,
  'archives.create': create,
  'archives.get': get,
  'archives.replace': replace,
  'archives.delete': remove,
  'archives.readers': readers,
  'archives.add-reader': turn('added'),
  'archives.remove-reader': turn('removed'),
  'archives.order': getOrder,
  'archives.set-order': setOrder,
};
