import type * as v from 'valibot';
import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { getDelegate, listProviderB, type providerBServiceAccount } from '../../src/api/provider-b.ts';
import type { Rows, Single } from '../../src/describe/screen.ts';
import { labelText, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { plural } from '../../src/lib/text.ts';
import { notesOn, withoutSecrets } from './common.ts';

type Account = v.InferOutput<typeof providerBServiceAccount>;
export type Attributes = NonNullable<Account['attributes']>;

/** A federated service account of provider_b. */
export interface AccountB {
  readonly id: string;
  readonly attributes: Attributes;
  readonly projects: readonly string[];
}

/** What its fields are called. */
export const titles: Readonly<Record<string, string>> = {
  client_email: 'service account',
  account_tags: 'tags',
  host_filters: 'hosts',
  cloud_run_revision_filters: 'revisions',
  resource_collection_enabled: 'resource collection',
  is_cspm_enabled: 'security posture',
  is_security_command_center_enabled: 'command center',
  is_resource_change_collection_enabled: 'resource changes',
  is_global_location_enabled: 'global location',
  is_per_project_quota_enabled: 'quota per project',
  region_filter_configs: 'regions',
  monitored_resource_configs: 'monitored',
  metric_namespace_configs: 'metric namespaces',
  automute: 'mutes shutdowns',
};

/** Its e-mail, else its id. */
export const nameOf = (row: AccountB): string => row.attributes.client_email || `account ${row.id}`;

/** A row from an object of an answer; undefined without an id. */
export function rowOf(it: Account | null | undefined): AccountB | undefined {
  if (it?.id == null) return undefined;
  return {
    id: String(it.id),
    attributes: withoutSecrets(it.attributes ?? {}),
    projects: it.meta?.accessible_projects ?? [],
  };
}

/** Every account; 404 means that nothing is installed (contract/integrations.md 3). */
export function* accounts(context: VocabularyContext): Plan<Result<Rows<AccountB>>> {
  const answer = yield* ask(call(listProviderB));
  if (!answer.ok) {
    const none = answer.problem.status === 404;
    return none
      ? {
          ok: true,
          value: { rows: [], notes: [labelText('nothing is installed for provider_b here', context)] },
          status: 404,
          unread: [],
        }
      : answer;
  }
  const all = answer.value?.data ?? [];
  const rows = all.flatMap((it) => rowOf(it) ?? []);
  const lost = all.length - rows.length;
  const notes = [
    ...(lost > 0 ? [`${plural(lost, 'account')} without an id left out`] : []),
    ...notesOn([], answer.unread),
  ];
  return { ...answer, value: { rows, notes, unread: answer.unread } };
}

/** The delegate as the service tells it; nothing before it was made. */
export const delegate: Single<string | undefined> = {
  key: 'provider_b delegate',
  of: ['provider_b_sts_delegate'],
  *plan(): Plan<Result<string | undefined>> {
    const answer = yield* ask(call(getDelegate));
    return answer.ok ? { ...answer, value: emailIn(answer.value) } : answer;
  },
};

/** The e-mail of the delegate that an answer tells. */
export function emailIn(answer: unknown): string | undefined {
  const data = (answer as ResponseOf<typeof getDelegate> | undefined)?.data;
  return data?.attributes?.delegate_account_email ?? (data?.id == null ? undefined : String(data.id));
}
