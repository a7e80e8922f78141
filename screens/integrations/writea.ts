import { type Call, call } from '../../src/api/endpoint.ts';
import type { Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { createProviderA, postureNeedsResources, updateProviderA } from '../../src/api/provider-a.ts';
import {
  changesOnly,
  type Fields,
  shownWhen,
  textField,
  toggleField,
  type ValuesOf,
} from '../../src/describe/field.ts';
import { type AccountA, accounts, excludedOf, nameOf, titles } from './accounta.ts';
import { defined, filterField, isOn, type Loose, same, sendable, words } from './common.ts';
import { pairId, type Reread, readingAfter } from './pairs.ts';

/** What a field stands at where the service does not tell. */
const untold: Loose = {
  host_filters: '',
  app_service_plan_filters: '',
  container_app_filters: '',
  metrics_enabled: true,
  metrics_enabled_default: true,
  usage_metrics_enabled: true,
  resource_collection_enabled: true,
};

function fieldsOf(row?: AccountA) {
  const it = row?.attributes ?? {};
  // Without a secret until now, it needs one as soon as it is to have one.
  const needsSecret = row === undefined || it.secretless_auth_enabled === true;
  return {
    tenant: textField('tenant', it.tenant_name, { required: true }),
    client: textField('client id', it.client_id, { required: true }),
    secretless: toggleField(
      'without a secret',
      it.secretless_auth_enabled ?? false,
      'federated credentials take its place',
    ),
    secret: shownWhen(
      (texts) => texts.secretless !== 'yes',
      textField('client secret', '', {
        secret: true,
        required: needsSecret,
        hint: needsSecret ? 'sent once, never shown again' : 'empty keeps the one that is there',
      }),
    ),
    hosts: filterField('hosts', it.host_filters),
    plans: filterField('app service plans', it.app_service_plan_filters),
    containers: filterField('container apps', it.container_app_filters),
    metrics: toggleField('metrics', it.metrics_enabled ?? true),
    metricsDefault: toggleField(
      'metrics by default',
      it.metrics_enabled_default ?? true,
      'for resource providers without a setting of their own',
    ),
    excluded: textField(titles.metrics_config ?? '', excludedOf(it)?.join(', '), {
      hint: excludedOf(it)
        ? 'resource provider namespaces, separated by commas; empty = metrics of all'
        : 'resource provider namespaces, separated by commas; this deployment does not tell them; empty keeps them',
    }),
    custom: toggleField('custom metrics', it.custom_metrics_enabled ?? false),
    usage: toggleField('usage metrics', it.usage_metrics_enabled ?? true),
    resources: toggleField(
      'resource collection',
      it.resource_collection_enabled ?? true,
      'off also ends security posture scanning, which needs it',
    ),
    posture: shownWhen(
      isOn('resources'),
      toggleField('security posture', it.cspm_enabled ?? false, 'needs resource collection'),
    ),
    automute: toggleField('mutes shutdowns', it.automute ?? false, 'silences monitors for expected shutdowns'),
  } satisfies Fields;
}

/** The form of a new account. */
export const newFields = () => fieldsOf();

/** The form of one that is there: only what was changed is among its values, so that `.` changes no more. */
export const editFields = (row: AccountA) => changesOnly(fieldsOf(row));

export type Values = Partial<ValuesOf<ReturnType<typeof fieldsOf>>>;

/** Whether the values set providers without metrics where the deployment does not tell which there are now. */
export const setsUntold = (values: Values, before: AccountA['attributes']): boolean =>
  excludedOf(before) === undefined && words(values.excluded).length > 0;

/** What would be lost for good: nobody tells it, so nothing brings it back. */
export const isOneWay = (values: Values, before: AccountA['attributes']): boolean =>
  Boolean(values.secret) || setsUntold(values, before);

const listed = (typed: string | undefined): string | undefined =>
  typed === undefined ? undefined : words(typed).join(',');

/** The settings that the values name, which answers tell again; scanning ends with the resources that it needs. */
export function changesOf(values: Values, before: AccountA['attributes'] = {}): Loose {
  const endsPosture = values.resources === false && before.cspm_enabled === true;
  return defined({
    secretless_auth_enabled: values.secretless,
    host_filters: listed(values.hosts),
    app_service_plan_filters: listed(values.plans),
    container_app_filters: listed(values.containers),
    metrics_enabled: values.metrics,
    metrics_enabled_default: values.metricsDefault,
    custom_metrics_enabled: values.custom,
    usage_metrics_enabled: values.usage,
    resource_collection_enabled:
      values.resources ?? (values.posture && before.resource_collection_enabled == null ? true : undefined),
    cspm_enabled: endsPosture ? false : values.posture,
    automute: values.automute,
    metrics_config:
      values.excluded === undefined || excludedOf(before) === undefined
        ? undefined
        : { ...before.metrics_config, excluded_resource_providers: words(values.excluded) },
  });
}

/** What is sent and not told again. */
function sentOnly(values: Values, before: AccountA['attributes'] = {}): Loose {
  return {
    ...(setsUntold(values, before) ? { metrics_config: { excluded_resource_providers: words(values.excluded) } } : {}),
    ...(values.secret ? { client_secret: values.secret } : {}),
  };
}

/** A new account; what the form leaves at nothing is left to the service. */
export function createCall(values: Values): Call {
  const set = Object.fromEntries(Object.entries(changesOf(values)).filter(([, it]) => it !== ''));
  const { secretless_auth_enabled: bare, ...rest } = set;
  return call(createProviderA, {
    body: {
      ...rest,
      ...(bare === true ? { secretless_auth_enabled: true } : {}),
      ...sentOnly(values),
      tenant_name: values.tenant ?? '',
      client_id: values.client ?? '',
    },
  });
}

/** Everything that was read with the values laid over it: the specification calls it a replacement. */
export function updateCall(row: AccountA, values: Values): Call {
  const { tenant_name, client_id } = row.attributes;
  return call(updateProviderA, {
    body: {
      ...sendable(row.attributes),
      ...changesOf(values, row.attributes),
      ...sentOnly(values, row.attributes),
      tenant_name: tenant_name ?? '',
      client_id: client_id ?? '',
      ...defined({ new_tenant_name: values.tenant, new_client_id: values.client }),
    },
  });
}

/** The row as it will be, still under the id that it has. */
export const withValues = (row: AccountA, values: Values): AccountA => ({
  ...row,
  attributes: {
    ...row.attributes,
    ...changesOf(values, row.attributes),
    ...defined({ tenant_name: values.tenant, client_id: values.client }),
  },
});

/** The settings as they were, with everything else as the list told it after the edit. */
export function restoreCall(before: AccountA, values: Values, answer: unknown): Call {
  const now = (answer as Reread<AccountA> | undefined)?.row ?? withValues(before, values);
  const was = before.attributes as Loose;
  const back = Object.keys(changesOf(values, before.attributes)).map((name) => [
    name,
    was[name] ?? untold[name] ?? false,
  ]);
  const { tenant_name, client_id } = before.attributes;
  return call(updateProviderA, {
    body: {
      ...sendable(now.attributes),
      ...Object.fromEntries(back),
      tenant_name: values.tenant ?? tenant_name ?? '',
      client_id: values.client ?? client_id ?? '',
      ...(values.tenant === undefined ? {} : { new_tenant_name: tenant_name }),
      ...(values.client === undefined ? {} : { new_client_id: client_id }),
    },
  });
}

/**
 * Reads the account as it is now and lays the values over it. What others changed meanwhile stays theirs; the same
 * setting changed by both, or a name that is taken, is not sent.
 */
export function* changing(row: AccountA, values: Values): Plan<Result<Reread<AccountA>>> {
  const now = yield* accounts();
  if (!now.ok) return now;
  const theirs = now.value.rows.find((it) => it.id === row.id);
  if (!theirs) return refusal('notFound', `not sent: ${nameOf(row)} is no longer configured`);
  const changes = changesOf(values, row.attributes);
  const [was, is] = [row.attributes as Loose, theirs.attributes as Loose];
  const both = Object.keys(changes).find((name) => !same(was[name], is[name]) && !same(changes[name], is[name]));
  if (both !== undefined) {
    const what = titles[both] ?? both;
    return refusal(
      'conflict',
      `not sent: somebody else has changed ${what} of ${nameOf(row)} meanwhile; Esc, look at it, and edit again`,
    );
  }
  if (theirs.unread.length > 0) {
    return refusal(
      'unreadable',
      `not sent: a change sends the whole account, and parts of it could not be read: ${theirs.unread.slice(0, 2).join('; ')}`,
      { fields: theirs.unread },
    );
  }
  const next = withValues(theirs, values).attributes;
  if (next.cspm_enabled === true && next.resource_collection_enabled === false)
    return refusal('invalid', postureNeedsResources);
  const id = pairId(next.tenant_name, next.client_id);
  if (id !== row.id && now.value.rows.some((it) => it.id === id))
    return refusal('conflict', 'not sent: an account with this tenant and client is configured already');
  return yield* readingAfter(updateCall(theirs, values), accounts, id, id === row.id ? undefined : id);
}

/** Adds an account that is not there yet: the service would lay it over one that is (contract/integrations.md 4). */
export function* creating(values: Values): Plan<Result<Reread<AccountA>>> {
  const id = pairId(values.tenant, values.client);
  const now = yield* accounts();
  if (now.ok && now.value.rows.some((it) => it.id === id))
    return refusal('conflict', 'not sent: an account with this tenant and client is configured already; e edits it');
  // Who may not look cannot tell whether it was new: then nothing is taken back by deleting it.
  return yield* readingAfter(createCall(values), accounts, id, now.ok ? id : undefined);
}
