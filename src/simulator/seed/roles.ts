import { managedRoles } from '../../api/envelope.ts';
import type { Permission, Role } from '../server/access.ts';
import type { World } from '../server/handler.ts';
import { createRandom } from '../server/random.ts';
import { escapeTexts } from './words.ts';

const day = 86_400_000;

/** Ids of the seeded roles. */
export interface SeededRoles {
  readonly admin: string;
  readonly standard: string;
  readonly reader: string;
  /** Custom roles of the organisation. */
  readonly own: readonly string[];
}

/** Custom roles: name, prefixes of the permission names, and the role they inherit from. */
const customRoles: readonly (readonly [name: string, prefixes: string, inherits?: string])[] = [
  ['On call', 'monitors_ incident_ on_call_ cases_ error_tracking_', 'Service Standard Role'],
  ['On call, weekend', 'monitors_ incident_ on_call_', 'Service Standard Role'],
  ['Payments engineers', 'apm_ error_tracking_ logs_read monitors_ cases_', 'Service Standard Role'],
  ['Checkout engineers', 'apm_ error_tracking_ logs_read monitors_ cases_', 'Service Standard Role'],
  ['Storefront engineers', 'rum_ error_tracking_ monitors_ dashboards_'],
  ['Mobile engineers', 'rum_ error_tracking_ monitors_'],
  ['Key keepers', 'user_app_keys org_app_keys api_keys_ client_tokens_'],
  ['Log archivists', 'logs_read logs_write_archives logs_write_historical_view'],
  ['Log readers (customer care)', 'logs_read_data logs_read_index_data logs_live_tail', 'Service Read Only Role'],
  ['Data platform', 'reference_tables_ metrics_ provider_ integrations_'],
  ['Cloud integrators', 'provider_a_ provider_b_ integrations_ manage_integrations'],
  ['Auditors', 'audit_logs_read usage_read billing_read user_access_', 'Service Read Only Role'],
  ['Finance', 'usage_ billing_ cost_'],
  ['Security response', 'security_ appsec_ vulnerability_ data_scanner_'],
  ['Release managers', 'ci_ cd_ dora_ deployment_gates_ test_optimization_'],
  ['Dashboard gardeners', 'dashboards_ notebooks_ slos_'],
  ['Robots', 'monitors_ dashboards_ slos_ synthetics_'],
  ['Contractors 2024', ''],
  ['東京チーム', 'monitors_ error_tracking_ apm_'],
  ['Équipe d’astreinte', 'monitors_ on_call_'],
  ['team lead', 'user_access_invite teams_ monitors_'],
  [escapeTexts[0] ?? '', 'monitors_read'],
  [
    'Nearly everything, because the review of last spring asked for one role that can do the work of the others',
    'a b c d e l m n o r s t w',
  ],
];

/** The three built-in roles and over twenty of the organisation's own (contract/roles.md 5). */
export function seedRoles({ org }: World, now: number, roleName: (name: string) => string): SeededRoles {
  const random = createRandom(org.seed + 4);
  const all = [...org.permissions.values()];
  const names = (which: (permission: Permission) => boolean): Set<string> =>
    new Set(all.filter(which).map((permission) => permission.name));
  const addRole = (name: string, permissions: Set<string>, more: Partial<Role>): Role => {
    const created = now - random.between(40, 1500) * day;
    const role: Role = {
      id: random.uuid(),
      name,
      permissions,
      managed: false,
      optedOut: false,
      inherits: null,
      created,
      modified: created + random.between(0, 30) * day,
      overrides: {},
      ...more,
    };
    org.roles.set(role.id, role);
    return role;
  };
  const secret = /^(admin|user_access|api_keys|org_app_keys|org_management|service_account|billing)/;
  const built = { managed: true };
  const admin = addRole(
    roleName(managedRoles[0]),
    names(() => true),
    built,
  );
  const standard = addRole(
    roleName(managedRoles[1]),
    names((permission) => !secret.test(permission.name)),
    built,
  );
  const reader = addRole(
    roleName(managedRoles[2]),
    names(
      (permission) =>
        (permission.kind === 'read' && !/^(api_keys|org_app_keys|billing)/.test(permission.name)) ||
        permission.name === 'user_app_keys',
    ),
    built,
  );
  const managed = new Map([admin, standard, reader].map((role) => [role.name, new Set(role.permissions)]));
  const own = customRoles.map(([name, prefixes, inheritedRole], at) => {
    const prefixList = prefixes.split(' ').filter(Boolean);
    const permissions = names(
      (permission) => permission.name !== 'admin' && prefixList.some((start) => permission.name.startsWith(start)),
    );
    const source = inheritedRole && roleName(inheritedRole);
    const inherits = source ? { name: source, had: managed.get(source) ?? new Set<string>() } : null;
    return addRole(name, permissions, { inherits, optedOut: at % 11 === 6 }).id;
  });
  return { admin: admin.id, standard: standard.id, reader: reader.id, own };
}
