import { call } from '../../src/api/endpoint.ts';
import { listProviderBV1 } from '../../src/api/provider-b.ts';
import { plainColumn, section, textLine } from '../../src/describe/column.ts';
import { detailOf, unreadLines } from '../../src/describe/detail.ts';
import { listOf } from '../../src/describe/kind-list.ts';

import { hostColumn, resourceColumn } from './columns.ts';
import { faultStates, health, integrationCheckLines } from './faults.ts';
import { settingLines } from './lines.ts';
import {
  accountKindBV1,
  accountSchemaBV1,
  comparableBV1,
  editActionBV1,
  federateAction,
  federated,
  isFederated,
  newActionBV1,
  removeActionBV1,
  settingsBV1,
  titles,
} from './provider-b-v1.ts';

/** Accounts of provider_b in their deprecated form (docs/contract/integrations.md#provider_b-v1). */
export const accountsBV1 = listOf(accountKindBV1, {
  id: 'integrations.b-v1',
  title: 'provider_b v1',
  output: () => accountKindBV1.output({ except: ['id', 'private_key', 'private_key_id'] }),
  comparable: comparableBV1,
  states: faultStates.map((state) => ({
    ...state,
    isIn: (row, context) => !isFederated(row) && state.isIn(row, context),
  })),
  columns: [
    plainColumn({
      id: 'state',
      min: 9,
      priority: 1,
      text: (row) => (isFederated(row) ? 'federated' : health(row).text),
      tone: (row) => (isFederated(row) ? 'dim' : health(row).tone),
    }),
    plainColumn({
      id: 'project',
      min: 16,
      max: 40,
      priority: 1,
      text: (row) => (isFederated(row) ? '' : accountKindBV1.nameOf(row)),
      sort: (row) => row.attributes.project_id ?? '',
    }),
    {
      id: 'email',
      title: 'SERVICE ACCOUNT',
      min: 20,
      max: 60,
      priority: 2,
      text: (row) => row.attributes.client_email ?? '',
      tone: (row) => (isFederated(row) ? 'dim' : 'plain'),
    },
    resourceColumn(4),
    hostColumn(3),
  ],
  reads: [listProviderBV1],
  schema: accountSchemaBV1,
  detail: detailOf(accountKindBV1, {
    sections: (row, _, context) => [
      section('faults', '', [
        textLine(isFederated(row) ? federated(context) : 'Deprecated. x: create a federated account instead', 'warn'),
        ...integrationCheckLines(row),
      ]),
      section('account', 'Account', [
        ...settingLines({ kind: accountKindBV1, settings: settingsBV1, titles }, row, context),
        ...unreadLines(row),
      ]),
    ],
    preview: (row, context) => [
      ...integrationCheckLines(row),
      ...settingLines({ kind: accountKindBV1, settings: settingsBV1, titles }, row, context),
    ],
  }),
  actions: [editActionBV1, federateAction, newActionBV1, removeActionBV1],
  empty: 'No deprecated accounts. ]: go to provider_b v2',
  command: () => call(listProviderBV1),
});
