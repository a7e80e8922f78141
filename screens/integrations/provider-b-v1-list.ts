import { call } from '../../src/api/endpoint.ts';
import { listProviderBV1 } from '../../src/api/provider-b.ts';
import { gap, head, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { detailOf, unreadLines } from '../../src/describe/detail.ts';
import { list } from '../../src/describe/screen.ts';
import { hostColumn, resourceColumn } from './columns.ts';
import { faultLines, health } from './faults.ts';
import { settingLines } from './lines.ts';
import * as v1 from './provider-b-v1.ts';

/** Accounts of provider_b in their deprecated form (spec: provider_b v1; contract/integrations.md 2). */
export const accountsBV1 = list<v1.AccountRow>({
  id: 'integrations.b-v1',
  title: 'provider_b v1',
  load: v1.accountKind.load,
  idOf: (row) => row.id,
  nameOf: v1.accountKind.nameOf,
  comparable: v1.comparable,
  columns: [
    {
      id: 'state',
      title: 'STATE',
      min: 9,
      priority: 1,
      text: (row) => (v1.isFederated(row) ? 'federated' : health(row).text),
      tone: (row) => (v1.isFederated(row) ? 'dim' : health(row).tone),
    },
    {
      id: 'project',
      title: 'PROJECT',
      min: 16,
      share: 2,
      max: 40,
      priority: 1,
      text: (row) => (v1.isFederated(row) ? '' : v1.accountKind.nameOf(row)),
      sort: (row) => row.attributes.project_id ?? '',
    },
    {
      id: 'email',
      title: 'SERVICE ACCOUNT',
      min: 20,
      share: 2,
      max: 60,
      priority: 2,
      text: (row) => row.attributes.client_email ?? '',
      tone: (row) => (v1.isFederated(row) ? 'dim' : 'plain'),
    },
    resourceColumn(4),
    hostColumn(3),
  ],
  reads: [listProviderBV1],
  schema: v1.accountSchema,
  detail: detailOf(v1.accountKind, {
    tabs: (row, _, context) => [
      {
        kind: 'lines',
        id: 'account',
        title: 'account',
        lines: [
          text(
            v1.isFederated(row)
              ? v1.federated(context)
              : 'deprecated: f creates the federated account that takes its place',
            'warn',
          ),
          ...faultLines(row),
          gap,
          ...settingLines({ kind: v1.accountKind, settings: v1.settings, titles: v1.titles }, row, context),
          ...unreadLines(row),
        ],
      },
    ],
    preview: (row) => [head(v1.accountKind.nameOf(row)), ...faultLines(row), text(row.attributes.client_email ?? '')],
  }),
  actions: [v1.editAction, v1.federateAction, v1.newAction, v1.removeAction],
  empty: 'no account in the deprecated form, which is as it should be: see provider_b v2',
  command: () => callCommand(call(listProviderBV1)),
});
