import { endpoints } from '../../api/all-endpoints.ts';
import { implicit } from '../kinds/permissions.ts';
import type { Permission } from '../server/access.ts';
import type { World } from '../server/handler.ts';
import { createRandom } from '../server/random.ts';

/** A group and its permissions: the name, then `d` for a default, then `r` (read), `w` (write) or `o` (other). */
const groups: readonly (readonly [group: string, permissions: string])[] = [
  ['General', 'admin o, standard o'],
  ['Access Management', 'user_access_invite w, user_access_manage w, org_management w, service_account_write w'],
  [
    'API and Application Keys',
    'user_app_keys w, org_app_keys_read r, org_app_keys_write w, api_keys_read r, api_keys_write w, api_keys_delete w, client_tokens_read r, client_tokens_write w',
  ],
  [
    'Dashboards',
    'dashboards_read dr, dashboards_write w, dashboards_public_share w, dashboards_invite_share w, generate_dashboard_reports w, generate_log_reports w',
  ],
  [
    'Monitors',
    'monitors_read dr, monitors_write w, monitors_downtime w, monitor_config_policy_write w, monitor_tags_write w',
  ],
  [
    'APM',
    'apm_read dr, apm_retention_filter_read r, apm_retention_filter_write w, apm_service_ingest_read r, apm_service_ingest_write w, apm_apdex_manage_write w, apm_tag_management_write w, apm_primary_operation_write w, apm_generate_metrics w, apm_remote_configuration_read r, apm_remote_configuration_write w, apm_service_renaming_write w, apm_pipelines_write w',
  ],
  [
    'Log Management',
    'logs_read_config r, logs_read_archives r, logs_write_archives w, logs_write_historical_view w, logs_read_data r, logs_read_index_data r, logs_live_tail r, logs_modify_indexes w, logs_write_exclusion_filters w, logs_write_pipelines w, logs_write_processors w, logs_write_facets w, logs_generate_metrics w, logs_write_forwarding_rules w, logs_delete_data w, logs_read_workspaces r, logs_write_workspaces w, logs_public_config_api o',
  ],
  ['Reference Tables', 'reference_tables_read r, reference_tables_write w'],
  [
    'Integrations',
    'integrations_read r, manage_integrations w, provider_a_configuration_read r, provider_a_configuration_edit w, provider_a_configurations_manage w, provider_b_configuration_read r, provider_b_configuration_edit w, provider_b_configurations_manage w, provider_c_configuration_read r, provider_c_configuration_edit w, provider_c_configurations_manage w',
  ],
  [
    'Error Tracking',
    'error_tracking_read r, error_tracking_write w, error_tracking_settings_write w, error_tracking_exclusion_filters_write w',
  ],
  [
    'Case and Incident Management',
    'incident_read dr, incident_write w, incident_settings_read r, incident_settings_write w, incidents_private_global_access o, incident_notification_settings_write w, cases_read r, cases_write w, cases_shared_settings_write w, postmortems_write w, on_call_read r, on_call_write w, on_call_page w, on_call_respond w',
  ],
  ['Teams', 'teams_read r, teams_manage w'],
  [
    'Real User Monitoring',
    'rum_apps_read dr, rum_apps_write w, rum_session_replay_read r, rum_generate_metrics w, rum_retention_filters_read r, rum_retention_filters_write w, rum_playlist_write w, rum_delete_data w',
  ],
  ['Notebooks', 'notebooks_read dr, notebooks_write w'],
  ['Service Level Objectives', 'slos_read dr, slos_write w, slos_corrections w'],
  [
    'CI Visibility',
    'ci_visibility_read dr, ci_visibility_write w, ci_provider_settings_write w, ci_ingestion_control_write w, ci_pr_gates_read r, ci_pr_gates_write w',
  ],
  ['CD Visibility', 'cd_visibility_read dr, dora_settings_write w, deployment_gates_read r, deployment_gates_write w'],
  [
    'Test Optimization',
    'test_optimization_read r, test_optimization_write w, test_optimization_settings_write w, flaky_tests_manage w',
  ],
  [
    'Vulnerability Management',
    'vulnerability_management_read dr, vulnerability_management_write w, vulnerability_exceptions_write w',
  ],
  [
    'Application Security',
    'appsec_event_rule_read r, appsec_event_rule_write w, appsec_protect_read r, appsec_protect_write w, appsec_activation_write w',
  ],
  [
    'Cloud Security',
    'security_monitoring_rules_read r, security_monitoring_rules_write w, security_monitoring_signals_read r, security_monitoring_signals_write w, security_monitoring_filters_read r, security_monitoring_filters_write w, security_monitoring_findings_read r, security_pipelines_write w',
  ],
  ['Sensitive Data', 'data_scanner_read r, data_scanner_write w, data_scanner_unmask o'],
  ['Metrics', 'metric_tags_write w, metrics_metadata_write w, metrics_read r'],
  [
    'Events',
    'events_read r, events_write w, event_correlation_config_read r, event_correlation_config_write w, event_config_write w',
  ],
  [
    'Synthetic Tests',
    'synthetics_read r, synthetics_write w, synthetics_private_location_read r, synthetics_private_location_write w, synthetics_global_variable_read r, synthetics_global_variable_write w, synthetics_default_settings_read r, synthetics_default_settings_write w',
  ],
  [
    'Network',
    'network_connections_read r, network_devices_read r, network_devices_write w, network_health_insights_read r',
  ],
  ['Database Monitoring', 'dbm_read r, dbm_parameterized_queries_read r, dbm_settings_write w'],
  ['Live Processes', 'processes_read r, processes_generate_metrics w'],
  [
    'Workflows',
    'workflows_read r, workflows_write w, workflows_run o, connections_read r, connections_write w, connections_resolve o',
  ],
  ['Apps', 'apps_view r, apps_write w, apps_run o'],
  ['Service Catalogue', 'service_catalog_read r, service_catalog_write w, scorecards_read r, scorecards_write w'],
  ['Audit Trail', 'audit_logs_read r, audit_logs_write w'],
  [
    'Billing and Usage',
    'usage_read r, usage_edit w, billing_read r, billing_edit w, cost_read r, cost_write w, usage_notifications_write w',
  ],
  ['Fleet', 'agent_upgrade_write w, fleet_read r, fleet_configuration_write w, host_tags_write w'],
];

const kinds = { r: 'read', w: 'write', o: 'other' } as const;
/** 2019-03-01, the creation date of the oldest entries. */
const first = Date.UTC(2019, 2, 1);
const month = 30 * 86_400_000;

/** Fills the permission catalogue: every permission that an operation requires, and further ones as on the real service. */
export function seedCatalogue({ org }: World): void {
  const random = createRandom(org.seed + 3);
  const keep = (group: string, name: string, marks: string, number: number): void => {
    const kind = kinds[marks.replace('d', '') as keyof typeof kinds];
    const restricted = marks.startsWith('d');
    const display = name.split('_').map(titled).join(' ');
    const description = describe(name, kind, number);
    const permission: Permission = {
      id: random.uuid(),
      name,
      display,
      description,
      group,
      kind,
      restricted,
      created: first + Math.floor(number / 3) * month,
    };
    org.permissions.set(name, permission);
  };
  for (const [group, list] of groups) {
    for (const entry of list.split(', ')) {
      const [name = '', marks = 'o'] = entry.split(' ');
      keep(group, name, marks, org.permissions.size);
    }
  }
  for (const name of [...new Set(endpoints.flatMap((endpoint) => endpoint.permission))].sort())
    if (!org.permissions.has(name) && !implicit.has(name))
      keep('Other', name, name.endsWith('read') ? 'r' : 'w', org.permissions.size);
}

const short: Readonly<Record<string, string>> = {
  apm: 'APM',
  rum: 'RUM',
  slos: 'SLOs',
  ci: 'CI',
  cd: 'CD',
  dbm: 'DBM',
};
const titled = (word: string): string => short[word] ?? word.charAt(0).toUpperCase() + word.slice(1);

function describe(name: string, kind: Permission['kind'], number: number): string {
  const object = name.replace(/_(read|write|manage|edit)$/, '').replaceAll('_', ' ');
  const text =
    kind === 'read'
      ? `See ${object} and their settings.`
      : kind === 'write'
        ? `Make and change ${object}.`
        : `Use ${object}.`;
  return number % 41 === 40 ? `Deprecated, and without effect since last year. ${text}` : text;
}
