import { call } from '../../src/api/endpoint.ts';
import { listProviderA } from '../../src/api/provider-a.ts';
import { plainColumn, section } from '../../src/describe/column.ts';
import { detailOf, unreadLines } from '../../src/describe/detail.ts';
import { listOf } from '../../src/describe/kind-list.ts';
import { textColumn } from '../../src/describe/standard-columns.ts';
import { yesNo } from '../../src/lib/text.ts';
import { isUuid } from '../../src/lib/unchecked-values.ts';

import { hostColumn, resourceColumn } from './columns.ts';
import { faultStates, faults, gravity, health, integrationCheckLines } from './faults.ts';
import { settingLines } from './lines.ts';
import {
  accountKindA,
  accountSchemaA,
  comparableA,
  editActionA,
  hostsAction,
  newActionA,
  removeActionA,
  settingsA,
} from './provider-a.ts';
import { resourceProviderLines } from './resource-providers.ts';

/** Accounts of provider_a (docs/contract/integrations.md#provider_a). */
export const accountsA = listOf(accountKindA, {
  id: 'integrations.a',
  title: 'provider_a',
  output: () => accountKindA.output({ except: ['client_secret', 'new_tenant_name', 'new_client_id'] }),
  columns: [
    plainColumn({
      id: 'state',
      firsts: ['errors last', 'errors first'],
      min: 9,
      priority: 1,
      text: (row) => health(row).text,
      tone: (row) => health(row).tone,
      sort: gravity,
      downward: true,
    }),
    textColumn({
      id: 'tenant',
      min: 20,
      max: 36,
      priority: 1,
      text: accountKindA.nameOf,
      // A person knows the tenant by its domain; where the service sends an id instead, it is only that.
      tone: (row) => (isUuid(row.attributes.tenant_name ?? '') ? 'dim' : 'plain'),
    }),
    hostColumn(2),
    resourceColumn(3),
    plainColumn({ id: 'posture', min: 7, priority: 4, text: (row) => yesNo(row.attributes.cspm_enabled) ?? '' }),
    plainColumn({
      id: 'client',
      min: 14,
      max: 36,
      priority: 5,
      text: (row) => row.attributes.client_id ?? '',
      tone: () => 'dim',
    }),
  ],
  sorted: { by: 'state', down: true },
  states: faultStates,
  words: (row) => faults(row).join(' '),
  comparable: comparableA,
  reads: [listProviderA],
  schema: accountSchemaA,
  detail: detailOf(accountKindA, {
    sections: (row, _, context) => [
      section('faults', '', integrationCheckLines(row)),
      section('account', 'Account', [
        ...settingLines(
          { kind: accountKindA, settings: settingsA, apart: ['resource_provider_configs'] },
          row,
          context,
        ),
        ...unreadLines(row),
      ]),
      section('providers', 'Resource providers', resourceProviderLines(row.attributes.resource_provider_configs)),
    ],
    preview: (row, context) => [
      ...integrationCheckLines(row),
      ...settingLines({ kind: accountKindA, settings: settingsA }, row, context),
    ],
  }),
  actions: [editActionA, newActionA, hostsAction, removeActionA],
  empty: 'No provider_a accounts. n: add one',
  command: () => call(listProviderA),
});
