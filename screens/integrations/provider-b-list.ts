import { call } from '../../src/api/endpoint.ts';
import { getDelegate, listProviderB, providerBServiceAccount } from '../../src/api/provider-b.ts';
import { pair, plainColumn, section, textLine } from '../../src/describe/column.ts';
import { detailOf, unreadLines } from '../../src/describe/detail.ts';
import { listOf } from '../../src/describe/kind-list.ts';
import { amountColumn, textColumn } from '../../src/describe/standard-columns.ts';
import { yesNo } from '../../src/lib/text.ts';

import { hostColumn, resourceColumn } from './columns.ts';
import { delegateAction, delegateTold } from './delegate.ts';
import { settingLines } from './lines.ts';
import {
  type AccountRowB,
  accountKindB,
  comparableB,
  editActionB,
  newActionB,
  removeActionB,
  settingsB,
} from './provider-b.ts';

const projectsOf = ({ projects }: AccountRowB): readonly string[] => projects ?? [];

/** Federated service accounts of provider_b (docs/contract/integrations.md#provider_b). */
export const accountsB = listOf(accountKindB, {
  id: 'integrations.b',
  title: 'provider_b v2',
  output: () =>
    accountKindB.output({
      more: [
        { name: 'projects', type: 'list of texts', says: 'projects that it can access', value: (row) => row.projects },
      ],
    }),
  comparable: comparableB,
  words: (row) => [...projectsOf(row), ...(row.attributes.account_tags ?? [])].join(' '),
  columns: [
    textColumn({
      id: 'email',
      title: 'SERVICE ACCOUNT',
      min: 24,
      max: 60,
      priority: 1,
      text: accountKindB.nameOf,
    }),
    amountColumn({
      id: 'projects',
      min: 8,
      priority: 1,
      tone: (row) => (projectsOf(row).length === 0 ? 'warn' : 'plain'),
      amount: (row) => projectsOf(row).length,
    }),
    resourceColumn(3),
    plainColumn({
      id: 'posture',
      min: 7,
      priority: 4,
      text: (row) => yesNo(row.attributes.is_cspm_enabled) ?? '',
    }),
    hostColumn(2),
  ],
  reads: [listProviderB, getDelegate],
  schema: providerBServiceAccount,
  detail: detailOf(accountKindB, {
    more: { of: ['provider_b_sts_delegate'], read: delegateTold },
    sections: (row, delegate, context) => [
      section('account', '', [
        ...settingLines({ kind: accountKindB, settings: settingsB }, row, context),
        pair('Delegate service account', delegate?.text ?? 'loading…', delegate?.isTold ? 'plain' : 'dim'),
        pair('ID', row.id),
        ...unreadLines(row),
      ]),
      section(
        'projects',
        `Projects ${projectsOf(row).length}`,
        projectsOf(row).length > 0
          ? projectsOf(row).map((project) => textLine(project))
          : [textLine('No accessible projects: does it trust the delegate service account?', 'warn')],
      ),
    ],
    preview: (row, context) => [
      projectsOf(row).length === 0
        ? textLine('No accessible projects', 'warn')
        : pair(`Projects ${projectsOf(row).length}`, projectsOf(row).join(', ')),
      ...settingLines({ kind: accountKindB, settings: settingsB }, row, context),
    ],
  }),
  actions: [editActionB, newActionB, removeActionB, delegateAction],
  empty: 'No provider_b service accounts. x: create the delegate, n: add an account',
  command: () => call(listProviderB),
});
