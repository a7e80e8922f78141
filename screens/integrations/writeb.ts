import {
  changesOnly,
  type Fields,
  shownWhen,
  textField,
  toggleField,
  type ValuesOf,
} from '../../src/describe/field.ts';
import type { Attributes } from './accountb.ts';
import { defined, filterField, isOn, type Loose, words } from './common.ts';

const functions = 'cloud_function';

/** The filters of one kind of monitored resources. */
const monitored = (it: Attributes, kind: string): readonly string[] =>
  (it.monitored_resource_configs ?? []).find((one) => one.type === kind)?.filters ?? [];

/** Switches that came later are there where the account tells them. */
function fieldsOf(it: Attributes) {
  const isTold = (name: keyof Attributes) => () => it[name] != null;
  return {
    tags: textField('tags', (it.account_tags ?? []).join(', '), {
      hint: 'for all that comes from it, separated by commas',
    }),
    hosts: filterField('hosts', (it.host_filters ?? []).join(', ')),
    revisions: filterField('revisions', (it.cloud_run_revision_filters ?? []).join(', ')),
    functions: shownWhen(
      isTold('monitored_resource_configs'),
      filterField('functions', monitored(it, functions).join(', ')),
    ),
    regions: shownWhen(
      isTold('region_filter_configs'),
      textField('regions', (it.region_filter_configs ?? []).join(', '), {
        hint: 'separated by commas; empty brings in all',
      }),
    ),
    resources: toggleField(
      'resource collection',
      it.resource_collection_enabled ?? true,
      'off also ends security posture scanning, which needs it',
    ),
    posture: shownWhen(
      isOn('resources'),
      toggleField('security posture', it.is_cspm_enabled ?? false, 'needs resource collection'),
    ),
    center: toggleField(
      'command center',
      it.is_security_command_center_enabled ?? false,
      'needs more rights of the service account',
    ),
    changes: shownWhen(
      isTold('is_resource_change_collection_enabled'),
      toggleField('resource changes', it.is_resource_change_collection_enabled ?? false),
    ),
    global: shownWhen(
      isTold('is_global_location_enabled'),
      toggleField('global location', it.is_global_location_enabled ?? true),
    ),
    quota: shownWhen(
      isTold('is_per_project_quota_enabled'),
      toggleField('quota per project', it.is_per_project_quota_enabled ?? false),
    ),
    automute: toggleField('mutes shutdowns', it.automute ?? false, 'silences monitors for expected shutdowns'),
  } satisfies Fields;
}

/** The form of a new account. */
export const newFields = () => ({
  email: textField('service account', '', {
    required: true,
    placeholder: 'reader@project.example.test',
    hint: 'its e-mail; it must trust the delegate first (D)',
  }),
  ...fieldsOf({}),
});

/** The form of one that is there: only what was changed is among its values. */
export const editFields = (it: Attributes) => changesOnly(fieldsOf(it));

export type Values = Partial<ValuesOf<ReturnType<typeof fieldsOf>>>;

const listed = (typed: string | undefined) => (typed === undefined ? undefined : words(typed));

/** The attributes that the values name; scanning ends with the resources that it needs. */
export function changesOf(values: Values, before: Attributes = {}): Partial<Attributes> {
  const endsPosture = values.resources === false && before.is_cspm_enabled === true;
  return defined({
    account_tags: listed(values.tags),
    ...filtersOf(values, before),
    region_filter_configs: listed(values.regions),
    resource_collection_enabled:
      values.resources ?? (values.posture && before.resource_collection_enabled == null ? true : undefined),
    is_cspm_enabled: endsPosture ? false : values.posture,
    is_security_command_center_enabled: values.center,
    is_resource_change_collection_enabled: values.changes,
    is_global_location_enabled: values.global,
    is_per_project_quota_enabled: values.quota,
    automute: values.automute,
  }) as Partial<Attributes>;
}

/**
 * The deprecated lists and the one that takes their place say the same thing twice, so both are sent where both are
 * told: one entry for each kind, the other kinds and what else an entry holds as they were (contract/integrations.md 3).
 */
function filtersOf({ hosts, revisions, functions: ours }: Values, before: Attributes): Loose {
  const asked: Readonly<Record<string, string[] | undefined>> = {
    vm_instance: listed(hosts),
    cloud_run_revision: listed(revisions),
    [functions]: listed(ours),
  };
  const kinds = Object.keys(asked).filter((kind) => asked[kind] !== undefined);
  const old = defined({ host_filters: asked.vm_instance, cloud_run_revision_filters: asked.cloud_run_revision });
  const now = before.monitored_resource_configs;
  if (kinds.length === 0 || now == null) return old;
  const kept = now.flatMap((it) => {
    const filters = asked[it.type ?? ''];
    return filters === undefined ? [it] : filters.length > 0 ? [{ ...it, filters }] : [];
  });
  const fresh = kinds
    .filter((kind) => asked[kind]?.length && !now.some((it) => it.type === kind))
    .map((kind) => ({ type: kind, filters: asked[kind] }));
  return { ...old, monitored_resource_configs: [...kept, ...fresh] };
}
