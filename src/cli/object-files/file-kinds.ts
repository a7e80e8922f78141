import { addReaderAction, readersOf, removeReaderAction } from '../../../screens/archives/readers.ts';
import { archiveList } from '../../../screens/archives.ts';
import { accountsA } from '../../../screens/integrations/provider-a.ts';
import { accountsB } from '../../../screens/integrations/provider-b.ts';
import { accountsBV1 } from '../../../screens/integrations/provider-b-v1.ts';
import { mappingList } from '../../../screens/mappings.ts';
import { newBody, replacedDefinition } from '../../../screens/monitors/definition/send.ts';
import { monitorList } from '../../../screens/monitors.ts';
import { filterList } from '../../../screens/retention.ts';
import { grantsField, type PermissionRow, permissionKind, type RoleRow } from '../../../screens/roles/kind.ts';
import { roleList } from '../../../screens/roles.ts';
import { tableList } from '../../../screens/tables.ts';
import { archive } from '../../api/archives.ts';
import { listTeams, mapping } from '../../api/authn-mappings.ts';
import { type AnySchema, call, type Plan } from '../../api/endpoint.ts';
import { providerAAccount, providerBAccount, providerBServiceAccount } from '../../api/integrations.ts';
import { monitor } from '../../api/monitor-schema.ts';
import type { Result } from '../../api/problem.ts';
import { retentionFilter } from '../../api/retention-filters.ts';
import { role } from '../../api/roles.ts';
import { table } from '../../api/tables.ts';
import type { AnySendingAction } from '../../describe/action.ts';
import type { Context, Source } from '../../describe/context.ts';
import { everything, kind, type RowOf } from '../../describe/resource.ts';
import type { Resource } from '../../describe/resource-spec.ts';
import type { AnyList } from '../../describe/screen.ts';
import { hasSetting, type SettingTable } from '../../describe/setting.ts';
import { at, field, isSameJson, items, type JsonObject, only, put, sameSet } from '../../lib/values.ts';
import { checkMonitor } from '../../query/check-query.ts';

/** What ids in a file are the ids of; the file has their names instead. */
export type NamedKind = 'roles' | 'permissions' | 'teams';

/** What a form of an action is given, by the names of its fields. */
type FormValues = Readonly<Record<string, unknown>>;

/** A kind of object that is kept as files. */
export interface FileKind {
  /** The folder of its files, and its word behind `--kind`. */
  readonly id: string;
  readonly list: AnyList;
  readonly create: AnySendingAction;
  /** What is picked before the form of a new one opens. */
  readonly picked?: string;
  readonly edit: AnySendingAction;
  readonly remove: AnySendingAction;
  /** What the service answers, from which the schema of the files is made. */
  readonly shape: AnySchema;
  /** Members of the content that are no settings. */
  readonly members?: readonly string[];
  /** Saves the order of all, where they have one. */
  readonly order?: AnySendingAction;
  /** Paths of ids, or of lists of ids. */
  readonly ids: Readonly<Record<string, NamedKind>>;
  /** Whether a row of the list has all that its content needs; else it is read as a whole. */
  isWhole?(row: unknown): boolean;
  /** Of the attributes of an object what a person can set. */
  content(attributes: JsonObject): JsonObject;
  /** What tells an object with this content from others. */
  nameIn(content: JsonObject): string;
  /** What else belongs to an object: the members that are read by themselves, and how each is added and removed. */
  readonly extra?: ExtraMembers;
  /** Paths that no edit changes. */
  readonly fixed?: readonly string[];
  /** Why no file can create such an object; undefined where it can. */
  byHand?(content: JsonObject): string | undefined;
  /** Why the service is sure to refuse this content; empty where nothing is known against it. */
  faults?(content: JsonObject): readonly string[];
  /** What the form is given that makes `wanted` of the object; of nothing where it is a new one. */
  values(wanted: JsonObject, now?: Resource): FormValues;
}

/** A list of ids that an object has beside its settings. A file without it leaves it as it is. */
interface ExtraMembers {
  readonly path: string;
  read(row: Resource): Plan<Result<readonly string[]>>;
  readonly add: AnySendingAction;
  readonly remove: AnySendingAction;
  values(id: string, name: string): FormValues;
}

/** The settings that are sent and returned, by their names. */
const settingsOf = ({ settings = {} }: AnySendingAction) =>
  Object.entries(settings as SettingTable<unknown>).flatMap(([name, setting]) =>
    setting.path === undefined || setting.writeOnly ? [] : [{ name, setting, path: setting.path }],
  );

const contentBy =
  (action: AnySendingAction) =>
  (attributes: JsonObject): JsonObject =>
    settingsOf(action).reduce<JsonObject>((content, { path, setting }) => {
      const value = at(attributes, path);
      return value == null || isSameJson(value, setting.untold) ? content : put(content, path, value);
    }, {});

/** The value of each setting that differs from what is there; a setting whose value is a difference has none. */
function valuesBy(action: AnySendingAction, wanted: JsonObject, now?: Resource): FormValues {
  const before = now ? contentBy(action)(now.attributes as JsonObject) : {};
  const values = settingsOf(action).flatMap(({ name, path, setting }) => {
    const [is, want] = [at(before, path), at(wanted, path)];
    const isThere = setting.put === undefined && hasSetting(setting, now);
    const isSame = setting.isSet ? sameSet(is, want) : isSameJson(is, want);
    return isThere && !isSame ? [[name, want ?? setting.untold ?? null] as const] : [];
  });
  return Object.fromEntries(values);
}

/** The action of a list by its verb: `roles.edit`, and of accounts of one cloud `integrations.edit-a`. */
function actionIn({ id, actions }: AnyList, verb: string): AnySendingAction {
  const [domain, part] = id.split(/\.(.*)/);
  const name = part === undefined ? `${id}.${verb}` : `${domain}.${verb}-${part}`;
  return actions.find((one) => one.id === name) as AnySendingAction;
}

type More = Omit<Partial<FileKind>, 'values'> & {
  values?(wanted: JsonObject, now: Resource | undefined, action: AnySendingAction): FormValues;
};

/** A kind whose objects are what the settings of its edit make them. */
function fileKind(
  list: AnyList,
  shape: AnySchema,
  { values = (wanted, now, action) => valuesBy(action, wanted, now), ...more }: More = {},
): FileKind {
  const action = (verb: string) => actionIn(list, verb);
  const [create, edit] = [action('create'), action('edit')];
  return {
    ...{ id: list.id, list, shape, create, edit, remove: action('delete'), ids: {} },
    ...(list.order && { order: action('set-order') }),
    content: contentBy(edit),
    nameIn: ({ name }) => String(name ?? ''),
    values: (wanted, now) => values(wanted, now, now ? edit : create),
    ...more,
  };
}

const readers = 'readers';
const identityBV1 = ['project_id', 'client_email'];

const columnsIn = (attributes: JsonObject) =>
  items(at(attributes, 'schema.fields')).map((column) => column as { readonly name: string });

/** The filters of functions to add and to remove. */
function functionValues(now: JsonObject, wanted: JsonObject): FormValues {
  const filters = ({ monitored_resource_configs: all }: JsonObject) =>
    items(all).flatMap((one) =>
      field(one, 'type') === 'cloud_function' ? items(field(one, 'filters')).map(String) : [],
    );
  const [before, after] = [filters(now), filters(wanted)];
  const [taken, left] = [after.filter((one) => !before.includes(one)), before.filter((one) => !after.includes(one))];
  return taken.length + left.length > 0 ? { functions: { taken, left } } : {};
}

/** The permissions to grant and to revoke of a role that is there; without a default one it opts out of them. */
function grants({ attributes, catalog = [] }: RoleRow, wanted: readonly string[]): FormValues {
  const held = attributes.permissions ?? [];
  const [taken, left] = [wanted.filter((id) => !held.includes(id)), held.filter((id) => !wanted.includes(id))];
  const about = grantsField(held, catalog).read('');
  return about.ok && taken.length + left.length > 0 ? { permissions: { ...about.value, taken, left } } : {};
}

/** Every kind, in the order in which they are applied: what others name comes first. */
export const fileKinds: readonly FileKind[] = [
  fileKind(roleList, role, {
    ids: { permissions: 'permissions' },
    isWhole: (row) => (row as RoleRow).attributes.permissions !== undefined,
    values: (wanted, now, action) => ({
      ...valuesBy(action, wanted, now),
      // A file has all permissions, those among them that a new role has by itself.
      ...(now ? grants(now as RoleRow, items(wanted.permissions).map(String)) : { withoutDefaults: true }),
    }),
  }),
  fileKind(monitorList, monitor, {
    members: ['type', 'options'],
    picked: 'other',
    ids: { restricted_roles: 'roles' },
    content: newBody,
    faults: (content) =>
      checkMonitor(content).flatMap(({ verdict, message }) => (verdict === 'wrong' ? [message] : [])),
    values: (wanted, now) => ({ definition: now ? replacedDefinition(now.attributes as JsonObject, wanted) : wanted }),
  }),
  fileKind(mappingList, mapping, {
    ids: { role: 'roles', team: 'teams' },
    // One value may lead to several roles and teams.
    nameIn: ({ attribute_key: key, attribute_value: value, role, team }) =>
      `${key} = ${value}, ${role === undefined ? `team ${team}` : `role ${role}`}`,
    values: (wanted, now, action) => ({
      ...valuesBy(action, wanted, now),
      kind: wanted.team === undefined ? 'role' : 'team',
    }),
  }),
  fileKind(filterList, retentionFilter),
  fileKind(archiveList, archive, {
    ids: { [readers]: 'roles' },
    content: (attributes) => ({
      ...contentBy(actionIn(archiveList, 'edit'))(attributes),
      ...(attributes[readers] !== undefined && { [readers]: attributes[readers] }),
    }),
    extra: {
      path: readers,
      *read({ id }) {
        const read = yield* readersOf(id);
        return read.ok ? { ...read, value: read.value.map((reader) => reader.id) } : read;
      },
      add: addReaderAction as AnySendingAction,
      remove: removeReaderAction as AnySendingAction,
      values: (role, name) => ({ role, name }),
    },
  }),
  fileKind(accountsA, providerAAccount, {
    nameIn: ({ tenant_name: tenant, client_id: client }) => `${tenant}, ${client}`,
    byHand: () => 'no file has its client secret: add it by hand',
  }),
  fileKind(accountsBV1, providerBAccount, {
    members: identityBV1,
    content: (attributes) => ({
      ...contentBy(actionIn(accountsBV1, 'edit'))(attributes),
      ...only(attributes, identityBV1),
    }),
    fixed: identityBV1,
    nameIn: ({ project_id: project, client_email: email }) => `${project}, ${email}`,
    byHand: () => 'no file has its key: add it by hand',
  }),
  fileKind(accountsB, providerBServiceAccount, {
    content(attributes) {
      const { monitored_resource_configs: all, ...content } = contentBy(actionIn(accountsB, 'edit'))(attributes);
      // The others say once more what the older lists say.
      const functions = items(all).filter((one) => field(one, 'type') === 'cloud_function');
      return functions.length > 0 ? { ...content, monitored_resource_configs: functions } : content;
    },
    nameIn: ({ client_email: email }) => String(email),
    fixed: ['client_email'],
    values: (wanted, now, action) => ({
      ...valuesBy(action, wanted, now),
      ...(now && functionValues(now.attributes as JsonObject, wanted)),
    }),
  }),
  fileKind(tableList, table, {
    content: (attributes) => ({
      ...contentBy(actionIn(tableList, 'create'))(attributes),
      ...only(attributes, ['schema']),
    }),
    nameIn: ({ table_name: name }) => String(name ?? ''),
    fixed: ['table_name', 'source', 'schema.primary_keys'],
    byHand: ({ source }) => (source === 'LOCAL_FILE' ? 'its rows are in a file: upload that' : undefined),
    values: (wanted, now, action) => {
      const columns = columnsIn(wanted);
      const before = columnsIn((now?.attributes ?? {}) as JsonObject).map(({ name }) => name);
      const added = columns.filter(({ name }) => !before.includes(name));
      return {
        ...valuesBy(action, wanted, now),
        ...(added.length > 0 && { columns: added }),
        ...(now === undefined && { key: items(at(wanted, 'schema.primary_keys'))[0] ?? '' }),
      };
    },
  }),
];

const teamKind = kind({ noun: 'team', of: ['team'], pages: () => call(listTeams), name: (row) => row.attributes.name });

/** Where the names of ids are read. */
export const namedKinds: Readonly<Record<NamedKind, (context: Context) => NameSource>> = {
  roles: (context) => ({ load: roleList.load(everything, context), nameOf: roleList.nameOf }),
  permissions: () => ({
    load: permissionKind.load(everything),
    nameOf: (row) => permissionKind.nameOf(row as PermissionRow),
  }),
  teams: () => ({ load: teamKind.load(everything), nameOf: (row) => teamKind.nameOf(row as RowOf<typeof teamKind>) }),
};

interface NameSource {
  readonly load: Source<unknown>;
  nameOf(row: unknown): string;
}
