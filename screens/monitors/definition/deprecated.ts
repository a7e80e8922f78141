import { stringifyExact } from '../../../src/lib/json.ts';
import { toObject } from '../row.ts';
import { readOptions } from './definition.ts';
import { options } from './setting.ts';
import { countSetting, flagSetting, readOnlyField } from './values.ts';

/** A deprecated option: read-only, shown where a monitor has it, sent back unchanged. */
const older = (label: string, instead: string) => ({
  label: `old: ${label}`,
  takes: () => false,
  field: (title: string, value: unknown) =>
    readOnlyField(title, typeof value === 'string' ? value : stringifyExact(value), `deprecated, ${instead}`),
});

/** Deprecated options with what replaces them; shown only where a monitor has them (docs/contract/monitor-queries.md#options). */
export const deprecatedSettings = options({
  silenced: {
    ...older('mutes', 'm and M mute and unmute'),
    isThere: (now) => Object.keys(toObject(readOptions(now).silenced)).length > 0,
  },
  device_ids: older('devices', 'name devices in the query'),
  synthetics_check_id: { ...older('test', 'the test keeps its monitor'), usual: '' },
  groupby_simple_monitor: { ...older('one for all', 'use notify by: *'), usual: false },
  locked: flagSetting('old: locked', 'deprecated, use only these roles', { takes: () => false, usual: false }),
  // The service sets it on every monitor (docs/contract/monitors.md#monitor).
  new_host_delay: countSetting('old: new host delay', 'seconds; deprecated, use new group delay', {
    takes: () => false,
    usual: 300,
  }),
});
