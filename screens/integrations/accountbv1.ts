import type * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { notInstalled } from '../../src/api/provider-a.ts';
import { listProviderBV1, type providerBAccount } from '../../src/api/provider-b.ts';
import { type Fields, shownWhen, toggleField, type ValuesOf } from '../../src/describe/field.ts';
import type { Rows } from '../../src/describe/screen.ts';
import { labelText, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { defined, filterField, isOn, type Loose, notesOn, withoutSecrets, words } from './common.ts';
import { once, pairId } from './pairs.ts';

type Account = v.InferOutput<typeof providerBAccount>;

/** An account of the deprecated form; a federated one is listed too, without a project. */
export interface AccountV1 {
  readonly id: string;
  readonly attributes: Account;
}

/** What its fields are called. */
export const titles: Readonly<Record<string, string>> = {
  project_id: 'project',
  client_email: 'service account',
  client_id: 'client id',
  host_filters: 'hosts',
  cloud_run_revision_filters: 'revisions',
  resource_collection_enabled: 'resource collection',
  is_cspm_enabled: 'security posture',
  is_security_command_center_enabled: 'command center',
  is_resource_change_collection_enabled: 'resource changes',
  automute: 'mutes shutdowns',
};

/** Whether it has no project of its own. */
export const isFederated = (row: AccountV1): boolean => !row.attributes.project_id;
/** What a person calls it. */
export const nameOf = (row: AccountV1): string =>
  row.attributes.project_id || row.attributes.client_email || 'account without a name';
/** Why one that has no project is not edited here. */
export const federated = (context: VocabularyContext): string =>
  labelText('a federated account: it belongs to the tab provider_b v2', context);

/** True, or why it cannot be edited here. */
export function ours(row: AccountV1, context: VocabularyContext): true | string {
  if (isFederated(row)) return federated(context);
  return (
    Boolean(row.attributes.client_email) || 'the service does not tell the e-mail of this account: it cannot be named'
  );
}

function rowOf(it: Account, at: number): AccountV1 {
  const { project_id, client_email } = it;
  const id = project_id || client_email ? pairId(project_id, client_email) : `number ${at + 1}`;
  return { id, attributes: withoutSecrets(it) };
}

/** Those with a project first: the federated ones are only listed along (contract/integrations.md 2). */
export function* listed(context: VocabularyContext): Plan<Result<Rows<AccountV1>>> {
  const all = yield* accounts();
  if (!all.ok || all.value.notes === undefined) return all;
  const notes = [...all.value.notes, labelText('deprecated: f makes the account of provider_b v2', context)];
  return { ...all, value: { ...all.value, notes } };
}

/** The accounts, without a word on the form that takes the place of theirs. */
export function* accounts(): Plan<Result<Rows<AccountV1>>> {
  const answer = yield* ask(call(listProviderBV1));
  if (!answer.ok)
    return notInstalled(answer.problem) ? { ok: true, value: { rows: [] }, status: 200, unread: [] } : answer;
  const rows = once((answer.value ?? []).map(rowOf)).toSorted(
    (one, other) => Number(isFederated(one)) - Number(isFederated(other)),
  );
  const about = notesOn(
    rows.map((it) => it.attributes),
    answer.unread,
  );
  return { ...answer, value: { rows, notes: about, unread: answer.unread } };
}

/** The options that can be changed, as fields. */
export function optionsOf(it: Account) {
  return {
    hosts: filterField('hosts', it.host_filters),
    revisions: filterField('revisions', (it.cloud_run_revision_filters ?? []).join(', ')),
    resources: toggleField(
      'resource collection',
      it.resource_collection_enabled ?? false,
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
    automute: toggleField('mutes shutdowns', it.automute ?? false, 'silences monitors for expected shutdowns'),
  } satisfies Fields;
}

/** What those fields say; what was not touched is left out. */
export type Options = Partial<ValuesOf<ReturnType<typeof optionsOf>>>;

/** The options that the values name; scanning ends with the resources that it needs. */
export function options(values: Options, before: Account = {}): Loose {
  const endsPosture = values.resources === false && before.is_cspm_enabled === true;
  return defined({
    host_filters: values.hosts === undefined ? undefined : words(values.hosts).join(','),
    cloud_run_revision_filters: values.revisions === undefined ? undefined : words(values.revisions),
    resource_collection_enabled: values.resources,
    is_cspm_enabled: endsPosture ? false : values.posture,
    is_security_command_center_enabled: values.center,
    automute: values.automute,
  });
}
